"""The same once more, with those who sat at a table and nobody else.

All who ask wish for one room that has the table's name. Its name is no code that could
be typed, so that nobody else comes in.
"""

import asyncio
from functools import partial

from services.chassis.decks import Decks
from services.chassis.errors import AnpaiError
from services.chassis.tokens import Caller
from services.matchmaking.desk import Desk, Sight
from services.matchmaking.tables import SeatedTable, Tables
from services.matchmaking.ticket import Wish
from services.matchmaking.timings import SECOND, TIMINGS, Timings
from services.matchmaking.wakeups import Wakeups

LONGEST_ID = 64


class Rematches:
    def __init__(
        self, desk: Desk, tables: Tables, wakeups: Wakeups, timings: Timings = TIMINGS
    ):
        self._desk = desk
        self._tables = tables
        self._wakeups = wakeups
        self._timings = timings

    async def ask(
        self,
        who: Caller,
        request_id: str,
        table_id: str,
        decks: Decks = (),
        party_code: str = "",
    ) -> Sight:
        """A ticket, or the one made before for the same request.

        TABLE_NOT_FOUND, NOT_SEATED, TABLE_NOT_OVER; otherwise as any ticket.
        """
        wish = partial(self._wish, who, table_id[:LONGEST_ID])
        return await self._desk.make_ticket(who, request_id, wish, decks, party_code)

    async def _wish(self, who: Caller, table_id: str) -> Wish:
        """A player may have seen the outcome before we have heard of it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timings.rematch / SECOND
        with self._wakeups.bell(table_id) as bell:
            while not (table := await self._own(who, table_id)).is_over:
                if loop.time() >= until:
                    raise goes_on(table_id)
                await bell.wait(self._timings.tick)
        return table.again

    async def _own(self, who: Caller, table_id: str) -> SeatedTable:
        table = await self._tables.find(table_id)
        if table is None:
            raise AnpaiError(
                "TABLE_NOT_FOUND",
                "Nobody was seated at such a table of late.",
                table=table_id,
            )
        if who.id not in table.players:
            raise AnpaiError(
                "NOT_SEATED", "You had no seat at this table.", table=table_id
            )
        return table


def goes_on(table_id: str) -> AnpaiError:
    return AnpaiError(
        "TABLE_NOT_OVER",
        "The game goes on; ask for a rematch when it is over.",
        retry_after=1.0,
        table=table_id,
    )
