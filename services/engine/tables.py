"""The tables that live on this worker: one of each, opened once, closed when idle.

A table comes in by replay when somebody calls for it, or when its time runs out, and
leaves when nobody has for a while. Which worker has it, its lease decides.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Protocol

import structlog

from services.chassis.memory import give_back
from services.chassis.revoked import Revocations
from services.chassis.telemetry import TABLE, Metrics, passage_of
from services.chassis.tokens import caller
from services.engine.hosted import HostedTable
from services.engine.kernel.entry import Entry
from services.engine.kernel.event import Event
from services.engine.live import LiveTable
from services.engine.past import Former, Past
from services.engine.refusals import moving
from services.engine.surveying import each_in_turn

log = structlog.get_logger()

SPARE_TABLES = 100  # that nobody watches; of more the longest unused leave
SWEEP_SECONDS = 1.0
MANY_TABLES = 50  # once half of so many have left, their memory is given back
GIVING_BACK_SECONDS = 5.0
STUCK_MS = 25_000  # so long after its time a table that has not moved is a fault

Shown = Callable[[LiveTable, Entry, int, Sequence[Event]], None]
Lost = Callable[[LiveTable], None]


class Reopen(Protocol):
    """Takes a table over from wherever it was."""

    def __call__(
        self, table_id: str, shown: Shown, lost: Lost, remembered: Past | None
    ) -> Awaitable[LiveTable]:
        """The table, replayed. TABLE_NOT_FOUND, OwnedElsewhere, or why it stopped."""


class Tables:
    """The registry: which tables live here."""

    def __init__(
        self, reopen: Reopen, metrics: Metrics, revocations: Revocations
    ) -> None:
        self._reopen = reopen
        self._metrics = metrics
        self._revocations = revocations
        self._here: dict[str, HostedTable] = {}
        self._coming: dict[str, asyncio.Task[HostedTable]] = {}
        self._going: dict[str, asyncio.Task[None]] = {}
        self._former = Former()
        self._is_draining = False
        self._most_here = 0
        self._housekeeping = (
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._give_back()),
        )

    async def at(self, table_id: str) -> HostedTable:
        """The table, brought here if nobody else has it; else OwnedElsewhere. Whoever
        is turned away from it: TOKEN_REVOKED."""
        TABLE.set(table_id)
        self._revocations.refuse_at(table_id, caller().id)
        table = self._here.get(table_id)
        if table is None or table_id in self._going:
            table = await asyncio.shield(self._coming_in(table_id))
        table.used = monotonic()
        return table

    def here(self) -> list[HostedTable]:
        """All that live here."""
        return list(self._here.values())

    def has(self, table_id: str) -> bool:
        """Whether the table lives here."""
        return table_id in self._here

    async def drain(self) -> None:
        """Finish what runs, hand every table over, end the streams; take none more."""
        self._is_draining = True
        for task in self._housekeeping:
            task.cancel()
        if self._coming:
            await asyncio.wait(list(self._coming.values()))
        for table in list(self._here.values()):
            self._leave(table)
        if self._going:
            await asyncio.wait(list(self._going.values()))

    # -- coming -------------------------------------------------------------------

    def _coming_in(self, table_id: str) -> asyncio.Task[HostedTable]:
        if self._is_draining:
            raise moving(table_id)
        task = self._coming.get(table_id)
        if task is None:
            task = asyncio.create_task(self._come(table_id))
            self._coming[table_id] = task
            task.add_done_callback(lambda done: self._has_come(table_id, done))
        return task

    async def _come(self, table_id: str) -> HostedTable:
        if (going := self._going.get(table_id)) is not None:
            await asyncio.wait([going])
        live = await self._reopen(
            table_id, self._show, self._lose, self._former.of(table_id)
        )
        if live.is_lost:  # as soon as it was won
            raise moving(table_id)
        self._former.forget(table_id)
        table = self._here[table_id] = HostedTable(live, self._metrics)
        return table

    def _has_come(self, table_id: str, task: asyncio.Task[HostedTable]) -> None:
        del self._coming[table_id]
        if not task.cancelled():
            task.exception()  # whoever waits is told; if nobody does, it is no news

    # -- while here ---------------------------------------------------------------

    def _show(
        self, live: LiveTable, entry: Entry, first: int, events: Sequence[Event]
    ) -> None:
        table = self._here.get(live.table_id)
        if table is not None and table.live is live:
            table.show(entry, events)

    def _lose(self, live: LiveTable) -> None:
        """The lease is gone. What was shown here may yet have to be put back."""
        self._metrics.leases_lost.inc()
        self._former.keep(live.table_id, live.past)
        self._forget(live)

    # -- going --------------------------------------------------------------------

    def _leave(self, table: HostedTable) -> None:
        """Hand a table over. Who calls for it meanwhile waits until that is done."""
        table_id = table.live.table_id
        if table_id not in self._going:
            task = asyncio.create_task(self._close(table.live))
            self._going[table_id] = task
            task.add_done_callback(lambda _: self._going.pop(table_id))

    async def _close(self, live: LiveTable) -> None:
        try:
            await live.close(hand_over=True)
        except Exception as error:  # its lease runs out by itself
            log.warning("table not handed over", passage=passage_of(error))
        finally:
            self._forget(live)

    def _forget(self, live: LiveTable) -> None:
        table = self._here.get(live.table_id)
        if table is None or table.live is not live:
            return
        del self._here[live.table_id]
        table.leave()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self._look_over()

    async def _give_back(self) -> None:
        while True:
            await asyncio.sleep(GIVING_BACK_SECONDS)
            if self._have_left():
                self._most_here = len(self._here)
                await give_back()

    def _have_left(self) -> bool:
        """Half of many, or all; what few had, with others here, goes in a quiet
        minute."""
        most, here = self._most_here, len(self._here)
        return most >= 2 * here and (most >= MANY_TABLES or most > here == 0)

    async def _look_over(self) -> None:
        self._most_here = max(self._most_here, len(self._here))
        survey = Survey()
        await each_in_turn(self.here(), survey.look)
        self._metrics.unread_events.set(survey.most_unread)
        self._metrics.stuck_tables.set(survey.stuck)
        self._let_idle_leave(monotonic())

    def _let_idle_leave(self, now: float) -> None:
        unwatched = [one for one in self._here.values() if not one.ring.watchers]
        unwatched.sort(key=lambda one: one.used, reverse=True)
        for number, table in enumerate(unwatched):
            if table.is_idle(now) or (number >= SPARE_TABLES and table.is_spare(now)):
                self._leave(table)


class Survey:
    """What one look at all tables finds: how many events the slowest watcher has yet to
    be sent, and how many tables should have moved long ago; of each it is told once."""

    def __init__(self) -> None:
        self.most_unread = 0
        self.stuck = 0

    def look(self, table: HostedTable) -> None:
        self.most_unread = max(self.most_unread, table.ring.most_unread())
        if table.live.is_late_by(STUCK_MS):
            self.stuck += 1
            self._report(table)

    def _report(self, table: HostedTable) -> None:
        if not table.is_reported:
            table.is_reported = True
            log.error("table stuck", table=table.live.table_id, game=table.game)
