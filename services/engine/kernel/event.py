"""What happened at a table: one verb, one event, one revision.

Events are whole: they hold faces together with who sees them. Nobody is sent one; each
seat and the public get its projection.
"""

from typing import NamedTuple

from services.engine.kernel.ask import Asking
from services.engine.kernel.outcome import Outcome
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


class SeatTaken(NamedTuple):
    """Somebody took a seat, and gave a nonce (hex, "" for none) towards chance."""

    seat: int
    name: str
    bot: bool
    nonce: str


class DeckBuilt(NamedTuple):
    """A deck of `size` cards was made and shuffled."""

    deck: Place
    size: int


class CardsMoved(NamedTuple):
    """Cards went from place to place: drawn, dealt, played, discarded, returned."""

    cards: tuple[CardMoved, ...]


class DeckShuffled(NamedTuple):
    """A deck was shuffled; `size` is how many cards it has now."""

    deck: Place
    size: int


class CardsMixed(NamedTuple):
    """Cards of a place were mixed: nobody can tell any more which was which."""

    place: Place
    old_handles: tuple[str, ...]
    handles: tuple[str, ...]


class CardsTurnedUp(NamedTuple):
    """Cards lying face down were turned up for everyone."""

    cards: tuple[CardShown, ...]


class CardsPeeked(NamedTuple):
    """A seat looked at cards that stay face down."""

    seat: int
    cards: tuple[CardShown, ...]


class Rolled(NamedTuple):
    """Dice were thrown, for everyone to see. `name` says what for."""

    name: str
    sides: int
    numbers: tuple[int, ...]


class CounterSet(NamedTuple):
    """A counter (of a seat, or of the table) now stands at `value`."""

    name: str
    seat: int | None
    value: int


class MarkerPut(NamedTuple):
    """A marker lies on a card (its handle), a place, a seat, or the table ("")."""

    name: str
    on: str
    value: str


class MarkersPut(NamedTuple):
    """Markers of one name lie on several things at once: (what, value) for each."""

    name: str
    marks: tuple[tuple[str, str], ...]


class MarkerTaken(NamedTuple):
    """A marker was taken away."""

    name: str
    on: str


class Declared(NamedTuple):
    """Something worth saying aloud that moves nothing: a choice made, a round begun.

    `cards` are handles that everybody can tell apart.
    """

    name: str
    seat: int | None
    cards: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    number: int | None = None


class Asked(NamedTuple):
    """Seats are asked; what they are asked, each of them alone is told."""

    asking: Asking


class Answered(NamedTuple):
    """Seats have answered, some `by_default`; what, the next events tell."""

    seats: tuple[int, ...]
    by_default: tuple[int, ...] = ()


class Conceded(NamedTuple):
    """A seat gave the game up."""

    seat: int


class SeatAway(NamedTuple):
    """A seat's player has gone away."""

    seat: int


class StoodIn(NamedTuple):
    """A bot of this name plays a seat while its player is away."""

    seat: int
    name: str


class SeatBack(NamedTuple):
    """A seat's player is back and plays it alone."""

    seat: int


class BankDrawn(NamedTuple):
    """A seat used some of its bank; this many milliseconds are left."""

    seat: int
    left: int


class ClockMoved(NamedTuple):
    """The service was away; open deadlines moved by this many milliseconds."""

    milliseconds: int
    deadlines: tuple[tuple[int, int], ...]
    banked: tuple[tuple[int, int], ...] = ()


class Ended(NamedTuple):
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
    | MarkersPut
    | MarkerTaken
    | Declared
    | Asked
    | Answered
    | Conceded
    | SeatAway
    | StoodIn
    | SeatBack
    | BankDrawn
    | ClockMoved
    | Ended
)
