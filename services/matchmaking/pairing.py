"""Which tickets make a table. Pure."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice

from services.matchmaking.match import Match, age
from services.matchmaking.ticket import Ticket
from services.matchmaking.widening import (
    may_meet,
    seats_for,
    takes_bots,
    widens_at,
    widest,
)

# How many of each size are looked at for one ticket: so a pass takes n log n steps.
LOOKS = 32

Candidate = tuple[float, tuple[int, str], Ticket]
"""How far away in rating, how old, and who."""


class Crowd:
    """The tickets of one family at one moment, and the tables they make.

    The longest waiting chooses first, those nearest to it in rating. `looks` counts the
    steps taken.
    """

    def __init__(self, tickets: Iterable[Ticket], now_ms: int):
        self.looks = 0
        self._now = now_ms
        self._waiting = {each.id: each for each in sorted(tickets, key=age)}
        self._rows: defaultdict[int, defaultdict[int, Row]] = defaultdict(
            lambda: defaultdict(Row)
        )
        for ticket in self._waiting.values():
            for seats in seats_for(ticket, now_ms):
                self._rows[seats][ticket.size].add(ticket)

    def matches(self) -> list[Match]:
        found = []
        for ticket in list(self._waiting.values()):
            if ticket.id in self._waiting and (match := self._match_for(ticket)):
                self._take_away(match)
                found.append(match)
        return found

    def changes_at(self) -> int | None:
        """When those that are left may make a table without anybody's coming."""
        moments = (widens_at(each, self._now) for each in self._waiting.values())
        return min((each for each in moments if each is not None), default=None)

    def _match_for(self, ticket: Ticket) -> Match | None:
        for seats in seats_for(ticket, self._now):
            group = self._full_table(ticket, seats)
            if group:
                return Match(tuple(group))
        if takes_bots(ticket, self._now):
            return self._with_bots(ticket)
        return None

    def _full_table(self, ticket: Ticket, seats: int) -> list[Ticket]:
        """People for all seats that are not bots'; nobody if there are too few."""
        people = seats - ticket.wish.bots
        left = Counter({size: len(row) for size, row in self._rows[seats].items()})

        def still_fills(group: Sequence[Ticket]) -> bool:
            sizes = Counter(each.size for each in group)
            return can_fill(people - headcount(group), left - sizes)

        if not still_fills([ticket]):
            return []
        group = self._gather(ticket, seats, still_fills)
        return group if headcount(group) == people else []

    def _with_bots(self, ticket: Ticket) -> Match:
        """Those who would take bots sooner or later come along, and bots fill up."""
        wish = ticket.wish

        def are_willing(group: Sequence[Ticket]) -> bool:
            return group[-1].wish.bots_after_ms is not None

        group = self._gather(ticket, wish.seats, are_willing)
        return Match(tuple(group), more_bots=wish.people - headcount(group))

    def _gather(
        self, ticket: Ticket, seats: int, suits: Callable[[Sequence[Ticket]], bool]
    ) -> list[Ticket]:
        """The ticket, and those near it that can sit with all who sit by then."""
        group = [ticket]
        free = seats - ticket.wish.bots - ticket.size
        for other in self._near(ticket, seats) if free else ():
            self.looks += 1
            if other.size > free or not self._fits(other, group):
                continue
            if suits([*group, other]):
                group.append(other)
                free -= other.size
            if not free:
                break
        return group

    def _near(self, ticket: Ticket, seats: int) -> Iterator[Ticket]:
        """Who wants so many seats: the nearest first, of those the oldest."""
        reach = None if ticket.wish.room else widest(ticket, self._now)
        rows = self._rows[seats].values()
        for gap, _, other in merge(*(islice(row.near(ticket), LOOKS) for row in rows)):
            if reach is not None and gap > reach:
                return
            if other.id != ticket.id:
                yield other

    def _fits(self, ticket: Ticket, group: Iterable[Ticket]) -> bool:
        """Nobody sits twice at one table: his other ticket waits for the next."""
        mine = set(ticket.players)
        return all(
            mine.isdisjoint(each.players) and may_meet(ticket, each, self._now)
            for each in group
        )

    def _take_away(self, match: Match) -> None:
        for ticket in match.tickets:
            del self._waiting[ticket.id]
            for seats in seats_for(ticket, self._now):
                self._rows[seats][ticket.size].remove(ticket)


class Row:
    """Tickets of one size in order of rating, equals by age."""

    def __init__(self) -> None:
        self._tickets: list[Ticket] = []

    def __len__(self) -> int:
        return len(self._tickets)

    def add(self, ticket: Ticket) -> None:
        insort(self._tickets, ticket, key=place_of)

    def remove(self, ticket: Ticket) -> None:
        del self._tickets[bisect_left(self._tickets, place_of(ticket), key=place_of)]

    def near(self, ticket: Ticket) -> Iterator[Candidate]:
        """Outwards from its rating."""
        middle = self._first_of(ticket.rating)
        places = self._below(middle), range(middle, len(self))
        return merge(*(self._seen_from(ticket, each) for each in places))

    def _below(self, end: int) -> Iterator[int]:
        """Ratings descend, but of equals the oldest comes first."""
        while end > 0:
            first = self._first_of(self._tickets[end - 1].rating)
            yield from range(first, end)
            end = first

    def _first_of(self, rating: float) -> int:
        return bisect_left(self._tickets, rating, key=lambda each: each.rating)

    def _seen_from(self, ticket: Ticket, places: Iterable[int]) -> Iterator[Candidate]:
        for other in map(self._tickets.__getitem__, places):
            yield abs(other.rating - ticket.rating), age(other), other


def place_of(ticket: Ticket) -> tuple[float, tuple[int, str]]:
    return ticket.rating, age(ticket)


def headcount(tickets: Iterable[Ticket]) -> int:
    return sum(each.size for each in tickets)


def can_fill(free: int, left: "Counter[int]") -> bool:
    """Whether parties of these sizes fill so many seats exactly."""
    if free == 0:
        return True
    return any(
        size <= free and can_fill(free - size, left - Counter([size])) for size in left
    )
