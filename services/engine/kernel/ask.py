"""Questions: what the table waits for, and how an answer is judged.

Rules ask through the table (`await table.ask(seat, "revive", fallen)`); the answer has
the type of the options. Options are cards, places, moves (a card to a place), seats or
words. They travel to the asked seat alone.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, StrEnum
from itertools import repeat
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


class Kind(StrEnum):
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


def option_id(option: Option) -> str:
    """How an option is named in an answer and in the journal."""
    kind = _KINDS[type(option)]
    (handle,) = _HANDLES[kind]((option,))
    return _IDS[kind](option, handle)


def _handles_of_cards(cards: Sequence[Any]) -> list[str]:
    return [card.handle for card in cards]


def _handles_of_moves(moves: Sequence[Any]) -> list[str]:
    return [move[0].handle for move in moves]


def _no_handles(options: Sequence[Any]) -> Iterable[str]:
    return repeat("", len(options))


_HANDLES: dict[Kind, Callable[[Sequence[Any]], Iterable[str]]] = {
    Kind.CARDS: _handles_of_cards,
    Kind.MOVES: _handles_of_moves,
    Kind.PLACES: _no_handles,
    Kind.SEATS: _no_handles,
    Kind.WORDS: _no_handles,
}

_IDS: dict[Kind, Callable[[Any, str], str]] = {
    Kind.CARDS: lambda _, handle: handle,
    Kind.MOVES: lambda move, handle: f"{handle}>{move[1].id}",
    Kind.PLACES: lambda place, _: place.id,
    Kind.SEATS: lambda at, _: f"seat:{at[0]}",
    Kind.WORDS: lambda word, _: str(word),
}


class Question:
    """One seat's question: choose `least` to `most` of the options.

    `default` is what happens when time runs out: decline, by lot, or an option id; a
    lot is drawn among `lots`, option ids too. Nothing changes a question once it is
    asked: it remembers the handles that cards had then, for cards change them.
    """

    __slots__ = (
        *("seat", "name", "kind", "options", "least", "most", "default"),
        *("_lots", "_handles", "_ids"),
    )

    def __init__(
        self,
        seat: int,
        name: str,
        options: Sequence[Option],
        least: int,
        most: int,
        default: Default | str,
        lots: Sequence[Option] | None,
    ) -> None:
        self.seat = seat
        self.name = name
        self.kind = _KINDS[type(options[0])] if options else Kind.CARDS
        self.options = tuple(options)
        self.least = least
        self.most = most
        self.default = default
        self._lots = lots
        self._handles = _HANDLES[self.kind](options)
        self._ids: tuple[str, ...] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """How the options are named in answers; made when first needed."""
        if self._ids is None:
            self._ids = tuple(map(_IDS[self.kind], self.options, self._handles))
        return self._ids

    @property
    def lots(self) -> tuple[str, ...]:
        """The option ids a lot is drawn among, while the question is open."""
        return self.ids if self._lots is None else tuple(map(option_id, self._lots))

    def judge(self, choice: Sequence[str]) -> tuple[Option, ...]:
        """The chosen options, or `IllegalAnswer`."""
        self._count(choice)
        return tuple([self._offered(one) for one in choice])

    def judge_options(self, chosen: Sequence[Any]) -> tuple[Option, ...]:
        """The same of options themselves."""
        self._count(chosen)
        for one in chosen:
            if one not in self.options:
                raise IllegalAnswer(f"{str(one)[:80]!r} is not among the options")
        return tuple(chosen)

    def _count(self, choice: Sequence[object]) -> None:
        number = len(choice)
        if not self.least <= number <= self.most:
            raise IllegalAnswer(self._how_many(number))
        if number > 1 and len(set(choice)) < number:
            raise IllegalAnswer("the same option is chosen twice")

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
    the rules, `asked` the seats that really are asked (a seat that conceded is answered
    for), `behind` the hash of the entry that asks, `deadlines` (milliseconds) are by
    seat; `held_until` is when a held asking settles, 0 for no hold; `banked` is when
    seats begin to draw on their banks.
    """

    questions: tuple[Question, ...]
    secret: bool = False
    any_one: bool = False
    hold: int = 0
    path: tuple[str, ...] = ()
    asked: tuple[int, ...] = ()
    behind: str = ""
    deadlines: tuple[tuple[int, int], ...] = ()
    held_until: int = 0
    banked: tuple[tuple[int, int], ...] = ()

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
        return question_id(self.behind, seat)


def question_id(journal_hash: str, seat: int) -> str:
    """The id of the question put to a seat at this point of the journal."""
    return hashlib.sha256(f"{journal_hash}/{seat}".encode()).hexdigest()[:20]


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
    most = min(most, len(options))
    return Question(seat, name, options, least, most, default, lots)
