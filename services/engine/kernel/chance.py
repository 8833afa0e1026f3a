"""What rules ask of the vault: operations and their results, as plain values.

An operation is a tuple that ends with its verb, so that its canonical form is the JSON
array of its items: the digest of a batch is taken over that (docs/fairness.md).
`seats` is who gets to see the faces: a tuple of seats, or `ALL_SEATS` for everyone.
"""

from typing import Literal, NamedTuple

ALL_SEATS: tuple[int, ...] = (-1,)


class Begin(NamedTuple):
    """Fix key 0 from the seats' nonces (hex, in seat order, "" for none)."""

    nonces: tuple[str, ...]
    verb: Literal["begin"] = "begin"


class Build(NamedTuple):
    """Make a deck of these faces, in an order nobody knows."""

    deck: str
    faces: tuple[str, ...]
    verb: Literal["build"] = "build"


class Draw(NamedTuple):
    """Take `number` cards from the top of a deck; shown to `seats`."""

    deck: str
    number: int
    seats: tuple[int, ...]
    verb: Literal["draw"] = "draw"


class Find(NamedTuple):
    """Take up to `number` cards with one of these faces out of a deck, from the top.

    They are shown to `seats`; the rest of the deck stays as it is.
    """

    deck: str
    faces: tuple[str, ...]
    number: int
    seats: tuple[int, ...]
    verb: Literal["find"] = "find"


class Shuffle(NamedTuple):
    """Put these cards into a deck and shuffle the whole of it."""

    deck: str
    cards: tuple[str, ...]
    verb: Literal["shuffle"] = "shuffle"


class Stack(NamedTuple):
    """Lay cards on a deck's top (or under it), the first one outermost."""

    deck: str
    cards: tuple[str, ...]
    under: bool
    verb: Literal["stack"] = "stack"


class Show(NamedTuple):
    """Let `seats` see these cards from now on; handles stay."""

    cards: tuple[str, ...]
    seats: tuple[int, ...]
    verb: Literal["show"] = "show"


class Conceal(NamedTuple):
    """Give these cards new handles; from now on only `seats` know them."""

    cards: tuple[str, ...]
    seats: tuple[int, ...]
    verb: Literal["conceal"] = "conceal"


class Mix(NamedTuple):
    """Mix cards so that which is which is lost: new handles, new order."""

    cards: tuple[str, ...]
    seats: tuple[int, ...]
    verb: Literal["mix"] = "mix"


class Roll(NamedTuple):
    """Throw dice with sides 1..`sides`."""

    sides: int
    dice: int
    verb: Literal["roll"] = "roll"


class Pick(NamedTuple):
    """Draw `number` different indices below `total`, in the order drawn."""

    total: int
    number: int
    verb: Literal["pick"] = "pick"


class Seal(NamedTuple):
    """Keep what a seat alone may know: a secret answer's option ids, its decks."""

    seat: int
    choice: tuple[str, ...]
    verb: Literal["seal"] = "seal"


Operation = (
    Begin
    | Build
    | Draw
    | Find
    | Shuffle
    | Stack
    | Show
    | Conceal
    | Mix
    | Roll
    | Pick
    | Seal
)


class Dealt(NamedTuple):
    """A card as the vault names it: its handle; its face if any seat may see it."""

    handle: str
    face: str | None


class Result(NamedTuple):
    """What one operation gave: cards (in order), or numbers; often neither."""

    cards: tuple[Dealt, ...] = ()
    numbers: tuple[int, ...] = ()


Results = tuple[Result, ...]
NOTHING = Result()
