"""Events written down whole, for the disclosure, in a form anybody can compare.

An event is the array [verb, field, field, ...]; a question is [seat, name, option ids,
least, most, default]. Deadlines are left out: they are the journal's.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from typing import Any

from services.engine.kernel.ask import Asking, Question
from services.engine.kernel.entry import canonical
from services.engine.kernel.event import Asked, ClockMoved, Event
from services.engine.kernel.places import Place


def written(event: Event) -> str:
    """One event as canonical JSON."""
    if isinstance(event, Asked):
        return canonical(["Asked", _asking(event.asking)])
    if isinstance(event, ClockMoved):
        return canonical(["ClockMoved", event.milliseconds])
    return canonical([type(event).__name__, *_listed(event)])


_AS_IT_IS = (int, str, bool, type(None))


def _plain(value: Any) -> Any:
    kind = type(value)
    return value if kind in _AS_IT_IS else _WAYS[kind](value)


def _listed(value: tuple[Any, ...]) -> list[Any]:
    return [one if type(one) in _AS_IT_IS else _plain(one) for one in value]


class _Ways(dict[type, Callable[[Any], Any]]):
    """How values of a type are written, found out once."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        way = self[kind] = _way_of(kind)
        return way


def _way_of(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, Place):
        return attrgetter("id")
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, tuple):
        return _listed
    if is_dataclass(kind):
        names = [one.name for one in fields(kind)]
        return lambda one: [kind.__name__, *(_plain(getattr(one, n)) for n in names)]
    return lambda one: one


_WAYS = _Ways()


def _asking(asking: Asking) -> list[Any]:
    questions = [_question(question) for question in asking.questions]
    ids = [[seat, asking.id_of(seat)] for seat in asking.asked]
    return [questions, asking.secret, asking.any_one, asking.hold, ids]


def _question(question: Question) -> list[Any]:
    return [
        question.seat,
        question.name,
        list(question.ids),
        question.least,
        question.most,
        _plain(question.default),
    ]
