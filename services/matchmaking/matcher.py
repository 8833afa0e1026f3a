"""The pairing loop: goes through the queues and begins every table that is full.

Several may run at once without harm: a ticket is reserved by one of them only.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

from services.chassis.telemetry import Metrics
from services.matchmaking.depth import Depth
from services.matchmaking.openings import Openings
from services.matchmaking.pairing import matches
from services.matchmaking.ticket import State, Ticket, people_of
from services.matchmaking.tickets import Tickets
from services.matchmaking.timings import TIMINGS, Timings, wall_clock
from services.matchmaking.wakeups import QUEUE, Wakeups

STUCK_SECONDS = 30.0

# Read beyond what can be begun: players with several tickets take no seat twice.
SLACK = 32


class Matcher:
    def __init__(
        self,
        tickets: Tickets,
        openings: Openings,
        metrics: Metrics,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._openings = openings
        self._depth = Depth(tickets, metrics, timings, now)
        self._metrics = metrics
        self._timings = timings

    async def run(self, wakeups: Wakeups) -> None:
        """For ever; a pass that hangs is an error, so that the loop is begun again."""
        with wakeups.bell(QUEUE) as bell:
            while True:
                async with asyncio.timeout(STUCK_SECONDS):
                    is_all = await self.go_through()
                self._metrics.last_pass.set(time.time())
                if is_all:
                    await bell.wait(self._timings.tick)
                else:
                    await self._openings.room()

    async def go_through(self) -> bool:
        """One pass: what is due is settled, and every table that is full is begun, as
        far as there is room for it; False if there was too little."""
        self._count_settled(await self._tickets.settle())
        lengths = await self._tickets.pools()
        await self._depth.measure(lengths)
        ready = self._ready(lengths)
        urgent = await self._most_urgent(ready)
        begun = await asyncio.gather(*map(self._begin, urgent))
        return all(begun) and len(urgent) == len(ready)

    def _ready(self, lengths: Mapping[str, int]) -> list[str]:
        rests = self._openings.rests
        rests.tidy()
        return [
            pool
            for pool, length in lengths.items()
            if length >= people_of(pool) and not rests.is_resting(pool)
        ]

    async def _most_urgent(self, ready: list[str]) -> list[str]:
        """No more pools than there is room for, those that wait longest."""
        room = self._openings.free
        if len(ready) <= room:
            return ready
        since = await asyncio.gather(*map(self._tickets.waits_since, ready))
        by_age = sorted(zip([each or 0 for each in since], ready, strict=True))
        return [pool for _, pool in by_age[:room]]

    async def _begin(self, pool: str) -> bool:
        """False if not all tables of the pool could be begun."""
        free = self._openings.free
        at_most = people_of(pool) * free + SLACK
        found = matches(await self._tickets.queue(pool, at_most))
        await self._openings.begin(found)
        return len(found) < free

    def _count_settled(self, settled: Iterable[Ticket]) -> None:
        for ticket in settled:
            if ticket.state is State.QUEUED:
                self._metrics.leases_lapsed.inc()
            else:
                self._metrics.tickets_expired.inc()
