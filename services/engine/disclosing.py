"""The end of a table: it is told, and the vault discloses it; until both are done.

It follows the outcome's commit and runs beside the table, so that whoever gave the last
answer need not wait for it. A worker that dies before that leaves the table's time in
the sorted set: whoever opens an ended table that is not disclosed begins again.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from services.chassis.errors import AnpaiError
from services.engine.custody import Custody
from services.engine.kernel.written import written
from services.engine.news import SeatOver, TableOver
from services.engine.opening import assigned_in, rated_in

log = structlog.get_logger()

PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0)
Mended = Callable[[], Awaitable[None]]

BREATH = 200  # events written down before others have their turn


class Disclosing:
    """One table's disclosure."""

    def __init__(self, custody: Custody) -> None:
        self._custody = custody
        self._task: asyncio.Task[None] | None = None

    def go_on(self, mended: Mended) -> None:
        """Begin, if the table has ended, is not disclosed, and nobody is at it.

        `mended` brings the table to its journal's end.
        """
        custody = self._custody
        if custody.play.outcome is None or custody.disclosed or self._task is not None:
            return
        self._task = asyncio.create_task(self._until_done(mended))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _until_done(self, mended: Mended) -> None:
        failures = 0
        try:
            while not await self._is_done(mended):
                await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
                failures += 1
        except AnpaiError as error:  # the table is another's now, or stopped
            log.info("disclosure left", reason=error.reason)
        finally:
            self._task = None

    async def _is_done(self, mended: Mended) -> bool:
        try:
            if self._custody.is_torn:
                await mended()
            await self._custody.works.news.put_up(over(self._custody))
            await self._disclose()
        except AnpaiError as error:
            if error.reason in ("EPOCH_REFUSED", "HEAD_REFUSED"):
                self._custody.is_torn = True
            elif error.reason not in ("PART_UNAVAILABLE", "OUTCOME_UNKNOWN"):
                raise
            return False
        return self._custody.disclosed

    async def _disclose(self) -> None:
        custody = self._custody
        works, epoch = custody.works, custody.epoch
        journal = [entry.text() for entry in custody.past.entries]
        events, head = await self._written(), custody.past.last.head
        await works.chance.disclose(custody.table_id, epoch, head, journal, events)
        custody.disclosed = await works.journal.retire(custody.table_id, epoch)
        custody.is_torn = not custody.disclosed
        await custody.served(works.now())

    async def _written(self) -> list[str]:
        events, texts = self._custody.play.table.events, list[str]()
        for at in range(0, len(events), BREATH):
            texts += map(written, events[at : at + BREATH])
            await asyncio.sleep(0)
        return texts


def over(custody: Custody) -> TableOver:
    """What there is to tell of a table whose outcome is committed."""
    first, last, play = custody.past.entries[0], custody.past.last, custody.play
    outcome = last.outcome
    assert outcome is not None
    return TableOver(
        table=custody.table_id,
        game=play.opening.game,
        variant=play.opening.variant,
        rated=rated_in(first),
        reason=outcome.reason,
        seats=tuple(
            SeatOver(
                player=who.player,
                name=who.name,
                bot=who.bot,
                team=play.table.teams[seat],
                rank=outcome.ranks[seat],
                score=outcome.scores[seat],
                conceded=seat in play.conceded,
            )
            for seat, who in enumerate(assigned_in(first))
        ),
        ended_ms=last.at,
    )
