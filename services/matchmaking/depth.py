"""How many wait, and how long the longest: for operators."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping

from services.chassis.telemetry import Metrics
from services.matchmaking.ticket import game_of
from services.matchmaking.tickets import Tickets
from services.matchmaking.timings import SECOND, Timings


class Depth:
    """A game whose queue empties is told as 0 from then on."""

    def __init__(
        self,
        tickets: Tickets,
        metrics: Metrics,
        timings: Timings,
        now: Callable[[], int],
    ):
        self._tickets = tickets
        self._metrics = metrics
        self._every = timings.measure
        self._now = now
        self._measured = 0
        self._games: set[str] = set()

    async def measure(self, lengths: Mapping[str, int]) -> None:
        """Not at each call: there may be thousands of rooms with somebody in them."""
        now = self._now()
        if now - self._measured < self._every:
            return
        self._measured = now
        since = await asyncio.gather(*map(self._tickets.waits_since, lengths))
        ages: dict[str, int] = {}
        tickets: Counter[str] = Counter()
        for (pool, length), made in zip(lengths.items(), since, strict=True):
            game = game_of(pool)
            tickets[game] += length
            ages[game] = max(ages.get(game, 0), now - (made or now))
        self._games |= set(tickets)
        for game in self._games:
            self._tell(game, tickets[game], ages.get(game, 0) / SECOND)

    def _tell(self, game: str, tickets: int, oldest_seconds: float) -> None:
        """A ticket is one player; parties will make it more."""
        self._metrics.queued_tickets.labels(game).set(tickets)
        self._metrics.queued_players.labels(game).set(tickets)
        self._metrics.oldest_ticket.labels(game).set(oldest_seconds)
