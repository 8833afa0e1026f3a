"""What happened at a table: one verb, one event, one revision.

Events are whole: they hold faces together with who sees them. Nobody is sent one; each
seat and the public get its projection.
"""

from dataclasses import dataclass
from typing import NamedTuple

from services.engine.kernel.ask import Asking
from services.engine.kernel.game import Outcome
from services.engine.kernel.places import Place
from services.engine.kernel.sight import Seers


class CardMoved(NamedTuple):
    """One card's way from a place to another.

    `traced_from` are those who knew the old handle there, `traced_to` those who tell
    the card apart where it lies now; `seers` know its face there, and `knew` knew it
    before.
    """

    origin: Place
    old_handle: str
    to: Place
    handle: str
    face: str | None
    face_up: bool
    bringer: int | None
    traced_from: Seers
    traced_to: Seers
    seers: Seers
    knew: Seers
    keeps_markers: bool
    apart: bool


class CardShown(NamedTuple):
    """A card in its place whose face became known to somebody."""

    handle: str
    place: Place
    face: str | None
    seers: Seers
    traced: Seers


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody took a seat, and gave a nonce (hex, "" for none) towards chance."""

    seat: int
    name: str
    bot: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class DeckBuilt:
    """A deck of `count` cards was made and shuffled."""

    deck: Place
    count: int


@dataclass(frozen=True, slots=True)
class CardsMoved:
    """Cards went from place to place: drawn, dealt, played, discarded, returned."""

    cards: tuple[CardMoved, ...]


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A deck was shuffled; `count` is its size now."""

    deck: Place
    count: int


@dataclass(frozen=True, slots=True)
class CardsMixed:
    """Cards of a place were mixed: nobody can tell any more which was which."""

    place: Place
    old_handles: tuple[str, ...]
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsTurnedUp:
    """Cards lying face down were turned up for everyone."""

    cards: tuple[CardShown, ...]


@dataclass(frozen=True, slots=True)
class CardsPeeked:
    """A seat looked at cards that stay face down."""

    seat: int
    cards: tuple[CardShown, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown, for everyone to see. `name` says what for."""

    name: str
    sides: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CounterSet:
    """A counter (of a seat, or of the table) now stands at `value`."""

    name: str
    seat: int | None
    value: int


@dataclass(frozen=True, slots=True)
class MarkerPut:
    """A marker lies on a card (its handle), a place, a seat, or the table ("")."""

    name: str
    on: str
    value: str


@dataclass(frozen=True, slots=True)
class MarkerTaken:
    """A marker was taken away."""

    name: str
    on: str


@dataclass(frozen=True, slots=True)
class Declared:
    """Something worth saying aloud that moves nothing: a choice made, a round begun.

    `cards` are handles that everybody can tell apart.
    """

    name: str
    seat: int | None
    cards: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Seats are asked; what they are asked, each of them alone is told."""

    asking: Asking


@dataclass(frozen=True, slots=True)
class Answered:
    """Seats have answered, some `by_default`; what, the next events tell."""

    seats: tuple[int, ...]
    by_default: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Conceded:
    """A seat gave the game up."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClockMoved:
    """The service was away; open deadlines moved by this many milliseconds."""

    milliseconds: int
    deadlines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


Event = (
    SeatTaken
    | DeckBuilt
    | CardsMoved
    | DeckShuffled
    | CardsMixed
    | CardsTurnedUp
    | CardsPeeked
    | Rolled
    | CounterSet
    | MarkerPut
    | MarkerTaken
    | Declared
    | Asked
    | Answered
    | Conceded
    | ClockMoved
    | Ended
)
