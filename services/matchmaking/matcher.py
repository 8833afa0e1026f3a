"""The pairing loop: goes through the queues and begins every table that is full.

Several may run at once without harm: a ticket is reserved by one of them only.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from services.chassis.telemetry import Metrics
from services.matchmaking.openings import Openings
from services.matchmaking.pairing import matches
from services.matchmaking.ticket import State, Ticket, game_of
from services.matchmaking.tickets import Queue, Tickets, wall_clock
from services.matchmaking.timings import SECOND, TIMINGS, Timings
from services.matchmaking.wakeups import QUEUE, Wakeups

STUCK_SECONDS = 30.0


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
        self._depth = Depth(metrics)
        self._metrics = metrics
        self._timings = timings
        self._now = now

    async def run(self, wakeups: Wakeups) -> None:
        """For ever; a pass that hangs is an error, so that the loop is begun again."""
        with wakeups.bell(QUEUE) as bell:
            while True:
                async with asyncio.timeout(STUCK_SECONDS):
                    await self.go_through()
                self._metrics.last_pass.set(time.time())
                await bell.wait(self._timings.tick)

    async def go_through(self) -> None:
        """One pass: what is due is settled, and every table that is full is begun."""
        self._count_settled(await self._tickets.settle())
        pools = await self._tickets.pools()
        rests = self._openings.rests
        rests.forget_all_but(set(pools))
        queues = await asyncio.gather(*map(self._tickets.queue, pools))
        self._depth.measure(pools, queues, self._now())
        for pool, queue in zip(pools, queues, strict=True):
            if not rests.is_resting(pool):
                await self._openings.begin(matches(queue.oldest))

    def _count_settled(self, settled: Iterable[Ticket]) -> None:
        for ticket in settled:
            if ticket.state is State.QUEUED:
                self._metrics.leases_lapsed.inc()
            else:
                self._metrics.tickets_expired.inc()


class Depth:
    """How many wait, and how long. A game that empties is told as 0 once more."""

    def __init__(self, metrics: Metrics):
        self._metrics = metrics
        self._games: set[str] = set()

    def measure(
        self, pools: Sequence[str], queues: Sequence[Queue], now_ms: int
    ) -> None:
        tickets: Counter[str] = Counter()
        oldest: dict[str, int] = {}
        for pool, queue in zip(pools, queues, strict=True):
            game = game_of(pool)
            tickets[game] += queue.length
            ages = [now_ms - ticket.created_ms for ticket in queue.oldest]
            oldest[game] = max([oldest.get(game, 0), *ages])
        self._games |= set(tickets)
        for game in self._games:
            self._tell(game, tickets[game], oldest.get(game, 0) / SECOND)

    def _tell(self, game: str, tickets: int, oldest_seconds: float) -> None:
        """A ticket is one player; parties will make it more."""
        self._metrics.queued_tickets.labels(game).set(tickets)
        self._metrics.queued_players.labels(game).set(tickets)
        self._metrics.oldest_ticket.labels(game).set(oldest_seconds)
