"""Events written down whole, for the disclosure, in a form anybody can compare.

An event is the array [verb, field, field, ...]; a question is [seat, name, option ids,
least, most, default]. Deadlines are left out: they are the journal's.
"""

from dataclasses import fields, is_dataclass
from enum import Enum
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
    return canonical([type(event).__name__, *map(_plain, event)])


def _plain(value: Any) -> Any:
    if isinstance(value, Place):
        return value.id
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if is_dataclass(value):
        name = type(value).__name__
        return [name, *(_plain(getattr(value, f.name)) for f in fields(value))]
    return value


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
