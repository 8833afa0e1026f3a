"""A question as a player meets it: what is asked, and the options to choose among."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anpai.engine.v1 import question_pb2 as wire


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `id` is what an answer sends; the rest says what it is.

    `card` is a handle. `place` names a place and `seat` says whose it is (None for the
    table's own); without a place, `seat` itself is the option. `word` is a named one.
    """

    id: str
    card: str | None = None
    place: str | None = None
    seat: int | None = None
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question put to this seat: choose `min` to `max` of the options.

    `kind` is `cards`, `moves`, `places`, `seats` or `words`; `deadline` and
    `hold_until` are in seconds since 1970, None at a table without clocks. `message` is
    the question as it came.
    """

    id: str
    seat: int
    name: str
    kind: str
    options: tuple[Option, ...]
    min: int
    max: int
    rule_path: tuple[str, ...]
    secret: bool
    deadline: float | None
    hold_until: float | None
    message: wire.Question

    @property
    def may_decline(self) -> bool:
        """Whether an answer with no option is accepted."""
        return self.min == 0

    def option(self, id: str) -> Option:
        """The option with this id; KeyError if there is none."""
        for option in self.options:
            if option.id == id:
                return option
        raise KeyError(id)


def question_of(message: wire.Question) -> Question:
    """A question as it came over the wire, made easy to read."""
    kind = message.WhichOneof("kind")
    options: tuple[Option, ...] = ()
    if kind is not None:
        read = _READ[kind]
        options = tuple(read(one) for one in getattr(message, kind).options)
    return Question(
        id=message.id,
        seat=message.seat,
        name=message.name,
        kind=kind or "",
        options=options,
        min=message.min,
        max=message.max,
        rule_path=tuple(message.rule_path),
        secret=message.secret,
        deadline=_seconds(message, "deadline"),
        hold_until=_seconds(message, "hold_until"),
        message=message,
    )


def _card(one: wire.CardOption) -> Option:
    return Option(one.id, card=one.handle)


def _move(one: wire.MoveOption) -> Option:
    return Option(one.id, one.handle, one.place, _place_seat(one))


def _place(one: wire.PlaceOption) -> Option:
    return Option(one.id, place=one.place, seat=_place_seat(one))


def _seat(one: wire.SeatOption) -> Option:
    return Option(one.id, seat=one.seat)


def _word(one: wire.WordOption) -> Option:
    return Option(one.id, word=one.id)


_READ: dict[str, Callable[[Any], Option]] = {
    "cards": _card,
    "moves": _move,
    "places": _place,
    "seats": _seat,
    "words": _word,
}


def _place_seat(one: Any) -> int | None:
    return one.place_seat if one.HasField("place_seat") else None


def _seconds(message: wire.Question, name: str) -> float | None:
    if not message.HasField(name):  # type: ignore[arg-type]
        return None
    return float(getattr(message, name).ToNanoseconds() / 1e9)
