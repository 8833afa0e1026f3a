"""Who sees the face of a card, by the place where it lies.

A game states one table, place name -> `Sight`; what it omits nobody sees. Seers are a
bit set: bit *n* is seat *n*; the public (spectators) is a bit that only `EVERYONE` has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import NewType

Seers = NewType("Seers", int)

NO_ONE = Seers(0)
EVERYONE = Seers(-1)
PUBLIC = 62  # the bit of whoever has no seat


class Who(Enum):
    """Whose eyes reach a card that lies face down in a place."""

    NOBODY = auto()
    OWNER = auto()
    BRINGER = auto()
    TEAM = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Sight:
    """How cards lie in a place.

    `who` sees the face of a card lying there face down (one that lies face up is seen
    by everyone). `apart`: those who do not see the faces still tell the cards apart;
    where they do not, as in a hand, they see how many there are. `on_table`: a card
    keeps its markers while it goes from one such place to another.
    """

    who: Who
    apart: bool = True
    on_table: bool = False


nobody = Sight(Who.NOBODY, apart=False)
owner = Sight(Who.OWNER, apart=False)
team = Sight(Who.TEAM, apart=False)
everyone = Sight(Who.ALL)

SightTable = Mapping[str, Sight]


def face_down(who: Who) -> Sight:
    """A place on the table whose cards may lie face down, known to `who` alone."""
    return Sight(who, apart=True, on_table=True)


def only(*seats: int) -> Seers:
    """The seers that are these seats and nobody else."""
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return Seers(bits)


def sees(seers: Seers, viewer: int | None) -> bool:
    """Whether a seat (or the public, None) is among the seers."""
    return bool(seers >> (PUBLIC if viewer is None else viewer) & 1)


@cache
def seats_among(seers: Seers, seats: int) -> tuple[int, ...]:
    """The seats among the seers, ascending, at a table of `seats`."""
    return tuple(seat for seat in range(seats) if seers >> seat & 1)
