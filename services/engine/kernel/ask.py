"""Questions: what the table waits for, and how an answer is judged.

Rules ask through the table (`await table.ask(seat, "revive", fallen)`); the answer has
the type of the options. Options are cards, places, moves (a card to a place), seats or
words. They travel to the asked seat alone.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeVar

from services.engine.kernel.places import Card, Place


class Move(NamedTuple):
    """A card, and the place it would go to."""

    card: Card
    place: Place


class AtSeat(NamedTuple):
    """A seat as an option."""

    seat: int


class Word(str):
    """A named option; its text stands in the catalogue as `option.<word>`."""

    __slots__ = ()


Option = Card | Place | Move | AtSeat | Word
T = TypeVar("T", bound=Option)


class Kind(Enum):
    """What the options of a question are."""

    CARDS = "cards"
    PLACES = "places"
    MOVES = "moves"
    SEATS = "seats"
    WORDS = "words"


class Default(Enum):
    """The answer given when time runs out and the question names no option."""

    DECLINE = "decline"
    LOT = "lot"


class IllegalAnswer(Exception):
    """An answer the rules do not allow now; the text is read by the player."""


_KINDS: dict[type, Kind] = {
    Card: Kind.CARDS,
    Place: Kind.PLACES,
    Move: Kind.MOVES,
    AtSeat: Kind.SEATS,
    Word: Kind.WORDS,
}


_IDS: dict[type, Callable[[Any], str]] = {
    Card: lambda card: card.handle,
    Place: lambda place: place.id,
    Move: lambda move: f"{move[0].handle}>{move[1].id}",
    AtSeat: lambda at: f"seat:{at[0]}",
    Word: str,
}


def option_id(option: Option) -> str:
    """How an option is named in an answer and in the journal."""
    return _IDS[type(option)](option)


class Question(NamedTuple):
    """One seat's question: choose `least` to `most` of the options.

    `default` is what happens when time runs out: decline, by lot, or an option id; a
    lot is drawn among `lots`, option ids too.
    `ids` are the option ids as they were when asked: cards change their handles.
    """

    seat: int
    name: str
    kind: Kind
    options: tuple[Option, ...]
    ids: tuple[str, ...]
    least: int
    most: int
    default: Default | str
    lots: tuple[str, ...]

    def judge(self, choice: Sequence[str]) -> tuple[Option, ...]:
        """The chosen options, or `IllegalAnswer`."""
        if not self.least <= len(choice) <= self.most:
            raise IllegalAnswer(self._how_many(len(choice)))
        if len(set(choice)) < len(choice):
            raise IllegalAnswer("the same option is chosen twice")
        return tuple([self._offered(one) for one in choice])

    def _offered(self, one: str) -> Option:
        try:
            return self.options[self.ids.index(one)]
        except ValueError:
            raise IllegalAnswer(f"{one[:80]!r} is not among the options") from None

    def _how_many(self, given: int) -> str:
        wanted = (
            f"exactly {self.least}"
            if self.least == self.most
            else f"{self.least} to {self.most}"
        )
        return f"choose {wanted} of the options, not {given}"


class Asking(NamedTuple):
    """Questions asked together.

    `secret`: nobody sees who has answered before all have. `any_one`: the first answer
    settles it. `hold`: seconds from the asking before the outcome of a secret asking
    may be shown where people sit. The runner fills in the rest: `path` is the place in
    the rules, `ids` and `deadlines` (milliseconds) are by seat, for the seats that
    really are asked; `held_until` is when a held asking settles, 0 for no hold.
    """

    questions: tuple[Question, ...]
    secret: bool = False
    any_one: bool = False
    hold: int = 0
    path: tuple[str, ...] = ()
    ids: tuple[tuple[int, str], ...] = ()
    deadlines: tuple[tuple[int, int], ...] = ()
    held_until: int = 0

    @property
    def asked(self) -> tuple[int, ...]:
        """Who really is asked: a seat that conceded is answered for."""
        return tuple(seat for seat, _ in self.ids)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who is asked, in the order asked."""
        return tuple([question.seat for question in self.questions])

    def to(self, seat: int) -> Question | None:
        """The question put to a seat, if any."""
        for question in self.questions:
            if question.seat == seat:
                return question
        return None

    def id_of(self, seat: int) -> str:
        """The id of the question that a seat really is asked."""
        return dict(self.ids)[seat]


def choose(
    seat: int,
    name: str,
    options: Sequence[T],
    *,
    least: int = 1,
    most: int = 1,
    default: Default | str = Default.LOT,
    lots: Sequence[T] | None = None,
) -> Question:
    """A question over these options; all of one kind, in a canonical order.

    A lot is drawn among `lots` where these are given: a part of the options.
    """
    if len(options) < least:
        raise ValueError(f"{name}: {least} wanted of {len(options)} options")
    kind = _KINDS[type(options[0])] if options else Kind.CARDS
    ids = tuple(map(_IDS[type(options[0])], options)) if options else ()
    most = min(most, len(options))
    drawn = ids if lots is None else tuple(map(option_id, lots))
    return Question(seat, name, kind, tuple(options), ids, least, most, default, drawn)
