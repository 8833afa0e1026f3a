"""A match: the tickets that make a table, and who sits where. Pure."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from services.matchmaking.ticket import Ticket, Wish

BOT_NAMES = (
    *("Abacus", "Bamboo", "Cobalt", "Domino", "Ember", "Fathom", "Gambit", "Harbour"),
    *("Indigo", "Jasper", "Kestrel", "Lantern", "Marble", "Nimbus", "Ochre", "Pebble"),
)


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat. A bot that is `called` comes from a bot host."""

    player: str
    name: str
    bot: bool = False
    called: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Tickets that make a table. All of it follows from them and the number of bots
    that take people's seats: made again, by anybody, it asks for the same table with
    the same seats."""

    tickets: tuple[Ticket, ...]
    more_bots: int = 0

    @property
    def wish(self) -> Wish:
        return self.tickets[0].wish

    @property
    def bots(self) -> int:
        return self.wish.bots + self.more_bots

    @property
    def seats(self) -> int:
        return self.bots + sum(ticket.size for ticket in self.tickets)

    @property
    def gap(self) -> float:
        """In rating, between the highest and the lowest."""
        ratings = [ticket.rating for ticket in self.tickets]
        return max(ratings) - min(ratings)

    @property
    def rated(self) -> bool:
        """Whether the outcome moves ratings: strangers met in the queue, all people."""
        people = (person for ticket in self.tickets for person in ticket.people)
        are_people = self.bots == 0 and not any(person.bot for person in people)
        is_of_strangers = not self.wish.room and self._parties_are_partners()
        return are_people and is_of_strangers and self.seats > 1

    def _parties_are_partners(self) -> bool:
        """Whether nobody has brought his own opponent."""
        parties = [ticket for ticket in self.tickets if ticket.size > 1]
        if not parties:
            return True
        sitting = zip(self.sitters(), self._teams(), strict=True)
        team_of = {sitter.player: team for sitter, team in sitting}
        return bool(self.wish.teams) and all(
            len({team_of[player] for player in party.players}) == 1 for party in parties
        )

    @property
    def strategy(self) -> str:
        """As the one who has waited longest would have the bots play."""
        named = (each.wish.strategy for each in sorted(self.tickets, key=age))
        return next(filter(None, named), "")

    @property
    def request_id(self) -> str:
        named = sorted(f"{ticket.id}.{ticket.nonce}" for ticket in self.tickets)
        return digest(*named, str(self.bots))

    def sitters(self) -> tuple[Sitter, ...]:
        """In seat order: by lot, so that it favours nobody and nobody chooses a
        partner; in a room as its people came, so that they can, and then its bots. A
        party sits in one team where there is room for it."""
        if self.wish.chairs:
            return self._as_before()
        lot = self._lot()
        chairs = Chairs(self._teams(), lot)
        by_age = sorted(self.tickets, key=age)
        for party in sorted(by_age, key=lambda each: (-each.size, lot(each.id))):
            if party.size > 1:
                chairs.seat_together(people_of(party), party.id)
        for sitter in sorted(self._singles(), key=lambda each: lot(each.player)):
            chairs.seat(sitter)
        return chairs.filled()

    def _as_before(self) -> tuple[Sitter, ...]:
        """Everybody where he sat; bots where bots did, and for whoever has not come."""
        people = {one.player: one for each in self.tickets for one in people_of(each)}
        bots = iter(self._called_bots())
        return tuple(people.get(player) or next(bots) for player in self.wish.chairs)

    def _teams(self) -> tuple[int, ...]:
        """Where everybody plays alone, all are of one team and a party is no party."""
        teams = self.wish.teams
        return teams if len(teams) == self.seats else (0,) * self.seats

    def _lot(self) -> Callable[..., str]:
        """Drawn by a hash no player can choose; in a room nothing is drawn."""
        return undrawn if self.wish.room else partial(digest, self.request_id)

    def _singles(self) -> Iterable[Sitter]:
        for ticket in sorted(self.tickets, key=age):
            if ticket.size == 1:
                yield from people_of(ticket)
        yield from self._called_bots()

    def _called_bots(self) -> Iterable[Sitter]:
        request_id = self.request_id
        first = int(request_id[:8], 16)
        for number in range(self.bots):
            player = f"b-{digest(request_id, str(number))[:20]}"
            name = BOT_NAMES[(first + number) % len(BOT_NAMES)]
            yield Sitter(player, name, bot=True, called=True)


class Chairs:
    """The seats of a table as they are taken."""

    def __init__(self, teams: Sequence[int], lot: Callable[..., str]):
        self._teams = teams
        self._lot = lot
        self._taken: dict[int, Sitter] = {}

    def seat(self, sitter: Sitter) -> None:
        self._taken[self._free()[0]] = sitter

    def seat_together(self, sitters: Sequence[Sitter], name: str) -> None:
        """In the first team that has room for all of them; else spread over the
        roomiest."""
        by_lot = sorted(sitters, key=lambda each: self._lot(each.player))
        teams = sorted(set(self._teams), key=lambda each: self._lot(name, str(each)))
        rows = [self._free(team) for team in teams]
        rows.sort(key=len, reverse=True)
        fitting = [row for row in rows if len(row) >= len(sitters)]
        seats = (
            sorted(fitting[0]) if fitting else [seat for row in rows for seat in row]
        )
        self._taken.update(zip(seats, by_lot, strict=False))

    def _free(self, team: int | None = None) -> list[int]:
        return [
            seat
            for seat, its_team in enumerate(self._teams)
            if seat not in self._taken and team in (None, its_team)
        ]

    def filled(self) -> tuple[Sitter, ...]:
        return tuple(self._taken[seat] for seat in range(len(self._teams)))


def people_of(ticket: Ticket) -> tuple[Sitter, ...]:
    return tuple(Sitter(each.id, each.name, each.bot) for each in ticket.people)


def undrawn(*_: str) -> str:
    return ""


def digest(*parts: str) -> str:
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def age(ticket: Ticket) -> tuple[int, str]:
    return ticket.created_ms, ticket.id
