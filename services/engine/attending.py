"""Seats nobody is at are noticed: each worker looks at the tables that live here.

Whoever goes away is shown, a bot is called for them over the news, whoever comes back
has their seat again, and a table that all people have left ends.
"""

import asyncio

import structlog

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import TABLE, passage_of
from services.engine.company import Deed, Due
from services.engine.hosted import HostedTable
from services.engine.news import SeatEmpty
from services.engine.surveying import each_in_turn
from services.engine.tables import Tables
from services.engine.works import Works

log = structlog.get_logger()

LOOK_SECONDS = 1.0


class Attending:
    """This worker's look at its tables; one table is attended to once at a time."""

    def __init__(self, tables: Tables, works: Works) -> None:
        self._tables = tables
        self._works = works
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._looking = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Look no more; what has begun is finished."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await each_in_turn(self._tables.here(), self._look_at)

    def _look_at(self, table: HostedTable) -> None:
        table_id = table.live.table_id
        if table_id not in self._busy and (due := table.company.due()):
            task = asyncio.create_task(self._attend(table, due))
            self._busy[table_id] = task

    async def _attend(self, table: HostedTable, due: list[Due]) -> None:
        TABLE.set(table.live.table_id)
        try:
            for deed, seat in due:
                await self._do(table, deed, seat)
        except AnpaiError:
            return  # the table is looked at again soon, here or elsewhere
        except Exception as error:
            log.error("seat not attended to", passage=passage_of(error))
        finally:
            del self._busy[table.live.table_id]

    async def _do(self, table: HostedTable, deed: Deed, seat: int) -> None:
        match deed:
            case Deed.LEAVE:
                await table.live.leave(seat)
            case Deed.COME_BACK:
                await table.live.come_back(seat)
            case Deed.CALL:
                await self._call(table, seat)
            case Deed.ABANDON:
                await table.live.abandon()

    async def _call(self, table: HostedTable, seat: int) -> None:
        table.company.note_called(seat)
        await self._works.news.put_up(self._empty(table, seat))

    def _empty(self, table: HostedTable, seat: int) -> SeatEmpty:
        live = table.live
        who, stand_in = live.assigned[seat], live.play.away.get(seat)
        return SeatEmpty(
            table=live.table_id,
            game=live.game.name,
            variant=live.variant.name,
            seat=seat,
            seats=len(live.assigned),
            player=who.player,
            name=who.name,
            bot=who.bot,
            stand_in=stand_in.player if stand_in is not None else "",
            commitment=live.commitment,
            address=self._works.worker.address,
            noticed_ms=self._works.now(),
        )
