"""Tables whose time has run out are served: defaults, held outcomes, nobody came.

Every worker looks at the one sorted set. A table is served where it lives; one that
lives nowhere is taken over by whoever comes first. What cannot be served is put off, so
that it stands in nobody's way.
"""

import asyncio
from collections.abc import Callable

import structlog

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import TABLE, Metrics, begin_at_0, passage_of
from services.chassis.traces import traces
from services.engine.deadlines import Deadlines
from services.engine.refusals import OwnedElsewhere
from services.engine.tables import Tables

log = structlog.get_logger()

POLL_SECONDS = 0.2
OWNER_FIRST_MS = 500  # so long a table that is due is left to its own worker
AT_ONCE = 200
PUT_OFF_MS = 30_000

# The table will never move again: there is nothing to come back for.
FOR_GOOD = (
    "TABLE_NOT_FOUND",
    "LEDGER_LOST",
    "JOURNAL_LOST",
    "REPLAY_DIVERGED",
    "OVER_BUDGET",
)
# Another worker will, or this one will later: nothing is wrong with the table.
ELSEWHERE = ("TABLE_MOVING", "PART_UNAVAILABLE", "OUTCOME_UNKNOWN")


class Timers:
    """This worker's look at the tables that are due."""

    def __init__(
        self,
        tables: Tables,
        deadlines: Deadlines,
        metrics: Metrics,
        now: Callable[[], int],
    ) -> None:
        self._tables = tables
        self._deadlines = deadlines
        self._metrics = metrics
        self._now = now
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._is_stopping = False
        self._is_held_up = False
        begin_at_0(metrics.put_off, zip(("INTERNAL", *FOR_GOOD)))

    def start(self) -> None:
        self._looking = asyncio.create_task(self._look_until_stopped())

    async def stop(self) -> None:
        """Look no more; what is being served is finished.

        A flag besides the cancelling: on Python 3.11 redis-py may swallow that, its
        `wait_for` does where what it waits for ends in the same turn.
        """
        self._is_stopping = True
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        if self._serving:
            await asyncio.wait(list(self._serving.values()))

    async def _look_until_stopped(self) -> None:
        while not self._is_stopping:
            try:
                await self.look()
            except Exception as error:
                self._note(error)
            else:
                self._is_held_up = False
            await asyncio.sleep(POLL_SECONDS)

    def _note(self, error: Exception) -> None:
        """Once for each time that the store is away, not for each look."""
        if not self._is_held_up:
            log.warning("deadlines out of reach", passage=passage_of(error))
        self._is_held_up = True

    async def look(self) -> None:
        """Begin to serve every table that is due and is not being served yet."""
        now = self._now()
        found = await self._deadlines.due(now, AT_ONCE)
        self._metrics.overdue.set((now - found[0][1]) / 1000 if found else 0)
        for table_id, due in found:
            is_ours = self._tables.has(table_id) or due + OWNER_FIRST_MS <= now
            if is_ours and table_id not in self._serving:
                task = asyncio.create_task(self._serve(table_id, due))
                self._serving[table_id] = task

    async def _serve(self, table_id: str, due: int) -> None:
        TABLE.set(table_id)
        try:
            await self._serve_or_put_off(table_id, due)
        except AnpaiError as error:  # it stands in the set as before
            log.warning("deadline not put off", reason=error.reason)
        finally:
            del self._serving[table_id]

    async def _serve_or_put_off(self, table_id: str, due: int) -> None:
        try:
            with traces().span("due", table_id, above=""):
                await self._time_out(table_id)
        except OwnedElsewhere:
            return
        except AnpaiError as error:
            await self._put_off(table_id, due, error.reason)
        except Exception as error:
            log.error("table not served", passage=passage_of(error))
            await self._put_off(table_id, due, "INTERNAL")

    async def _time_out(self, table_id: str) -> None:
        table = await self._tables.at(table_id)
        self._metrics.due_tables.inc()
        await table.live.time_out(self._now())
        if table.is_deserted and not table.is_over:
            await table.live.abandon()

    async def _put_off(self, table_id: str, due: int, reason: str) -> None:
        if reason in ELSEWHERE:
            return
        self._metrics.put_off.labels(reason).inc()
        later = None if reason in FOR_GOOD else self._now() + PUT_OFF_MS
        await self._deadlines.served(table_id, due, later)
