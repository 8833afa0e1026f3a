"""Which tickets make a table, and who sits where. Pure."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

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
    """Tickets that make a table. All of it follows from them: made again, by anybody,
    it asks for the same table with the same seats."""

    tickets: tuple[Ticket, ...]

    @property
    def wish(self) -> Wish:
        return self.tickets[0].wish

    @property
    def request_id(self) -> str:
        named = sorted(f"{ticket.id}.{ticket.nonce}" for ticket in self.tickets)
        return digest(*named, str(self.wish.bots))

    def sitters(self) -> tuple[Sitter, ...]:
        """In seat order: by lot, so that it favours nobody and nobody chooses a
        partner; in a room as its people came, so that they can, and then its bots."""
        come = (Sitter(t.player, t.name, t.bot) for t in sorted(self.tickets, key=age))
        everyone = tuple(chain(come, self._bots()))
        return everyone if self.wish.room else self._by_lot(everyone)

    def _by_lot(self, everyone: Iterable[Sitter]) -> tuple[Sitter, ...]:
        """Drawn by a hash no player can choose."""
        drawn = sorted(everyone, key=lambda who: digest(self.request_id, who.player))
        return tuple(drawn)

    def _bots(self) -> Iterable[Sitter]:
        first = int(self.request_id[:8], 16)
        for number in range(self.wish.bots):
            player = f"b-{digest(self.request_id, str(number))[:20]}"
            name = BOT_NAMES[(first + number) % len(BOT_NAMES)]
            yield Sitter(player, name, bot=True, called=True)


def digest(*parts: str) -> str:
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def matches(queued: Iterable[Ticket]) -> list[Match]:
    """The tables that tickets of one pool make, the oldest first.

    Nobody sits twice at one table: a player's other ticket waits for the next one.
    """
    gathering: list[list[Ticket]] = []
    full: list[list[Ticket]] = []
    for ticket in sorted(queued, key=age):
        group = group_for(ticket, gathering)
        group.append(ticket)
        if len(group) == ticket.wish.people:
            gathering.remove(group)
            full.append(group)
    return [Match(tuple(group)) for group in full]


def age(ticket: Ticket) -> tuple[int, str]:
    return ticket.created_ms, ticket.id


def group_for(ticket: Ticket, gathering: list[list[Ticket]]) -> list[Ticket]:
    """The first group the player is not in yet, or a new one."""
    for group in gathering:
        if all(ticket.player != each.player for each in group):
            return group
    gathering.append([])
    return gathering[-1]
