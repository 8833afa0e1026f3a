"""A simulated evening: players of every strength come, wait and are paired, by a clock
of its own."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from services.matchmaking.match import Match
from services.matchmaking.pairing import Crowd
from services.matchmaking.ticket import Person, Ticket, Wish

SECOND = 1000
TICK = 500


@dataclass(frozen=True)
class Table:
    """What became of its tickets: how long they waited, how far apart they are."""

    match: Match
    opened_ms: int

    @property
    def waits(self) -> list[float]:
        """In seconds."""
        return [(self.opened_ms - each.created_ms) / SECOND for each in self.tickets]

    @property
    def tickets(self) -> Sequence[Ticket]:
        return self.match.tickets


class Evening:
    """`seconds` between two arrivals on average; seeded, so that it is always the same.

    The strengths are spread as openskill spreads a settled population.
    """

    def __init__(self, seed: int, seconds: float, wish_of: "WishOf"):
        self._chance = random.Random(seed)
        self._seconds = seconds
        self._wish_of = wish_of
        self._come = 0
        self.waiting: dict[str, Ticket] = {}
        self.tables: list[Table] = []

    def last(self, seconds: int) -> "Evening":
        arrivals = self._arrivals(seconds * SECOND)
        coming = next(arrivals)
        for now in range(0, seconds * SECOND, TICK):
            while coming.created_ms <= now:
                self.waiting[coming.id] = coming
                coming = next(arrivals)
            for match in Crowd(self.waiting.values(), now).matches():
                self.tables.append(Table(match, now))
                for ticket in match.tickets:
                    del self.waiting[ticket.id]
        return self

    def _arrivals(self, until: int) -> Iterator[Ticket]:
        at = 0.0
        while at < until:
            at += self._chance.expovariate(1 / (self._seconds * SECOND))
            yield self._ticket(round(at))
        yield self._ticket(10 * until)

    def _ticket(self, at: int) -> Ticket:
        self._come += 1
        wish, size = self._wish_of(self._chance)
        name = f"p{self._come}"
        others = tuple(Person(f"{name}.{n}", "", False) for n in range(1, size))
        rating = self._chance.gauss(25, 7)
        return Ticket(
            f"k-{self._come:06}", "n", name, "", wish, at, 10**12,
            others=others, rating=rating,
        )  # fmt: skip


WishOf = Callable[[random.Random], tuple[Wish, int]]


def for_two(chance: random.Random) -> tuple[Wish, int]:
    return Wish("skirmish", "usual", 2), 1


def share(values: Sequence[float], part: float) -> float:
    """The value below which this part of them lies."""
    return sorted(values)[int(part * (len(values) - 1))]
