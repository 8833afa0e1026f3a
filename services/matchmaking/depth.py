"""How many wait, and how long the longest: for operators."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection

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

    async def measure(self, pools: Collection[str]) -> None:
        """Not at each call: there may be thousands of rooms with somebody in them."""
        now = self._now()
        if 0 <= now - self._measured < self._every:
            return
        self._measured = now
        lengths = await asyncio.gather(*map(self._tickets.length, pools))
        ages: dict[str, int] = {}
        tickets: Counter[str] = Counter()
        players: Counter[str] = Counter()
        for game, length in zip(map(game_of, pools), lengths, strict=True):
            tickets[game] += length.tickets
            players[game] += length.players
            ages[game] = max(ages.get(game, 0), now - (length.since_ms or now))
        self._games |= set(tickets)
        for game in self._games:
            self._tell(game, tickets[game], players[game], ages.get(game, 0))

    def forget(self) -> None:
        """Another measures now: what this one has told is told no more."""
        for game in self._games:
            self._tell(game, 0, 0, 0)
        self._games.clear()
        self._measured = 0

    def _tell(self, game: str, tickets: int, players: int, oldest_ms: int) -> None:
        self._metrics.queued_tickets.labels(game).set(tickets)
        self._metrics.queued_players.labels(game).set(players)
        self._metrics.oldest_ticket.labels(game).set(oldest_ms / SECOND)
