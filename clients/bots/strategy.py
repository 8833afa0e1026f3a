"""How a bot decides: a pure function of what its seat sees and is asked."""

import random
from collections.abc import Callable, Mapping
from typing import Protocol

from anpai import Catalog, Face, Option, Question, View

Faces = Mapping[str, Face]
Choice = tuple[str, ...]

# (the view, the question, every face of the game, chance) -> the ids of the options.
Strategy = Callable[[View, Question, Faces, random.Random], Choice]


class Asks(Protocol):
    """Of a question what plain sense needs, whoever puts it."""

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be chosen."""

    @property
    def min(self) -> int:
        """How many at least."""

    @property
    def max(self) -> int:
        """How many at most."""

    @property
    def may_decline(self) -> bool:
        """Whether an answer with no option is accepted."""


def faces_of(catalog: Catalog) -> Faces:
    """The faces of a catalogue by the id that cards have."""
    return {face.id: face for face in catalog.faces}


def plainest(question: Question) -> Choice:
    """A legal answer without a thought: decline, or the first options there are."""
    return tuple(option.id for option in question.options[: question.min])


def is_legal(question: Question, choice: Choice) -> bool:
    """Whether the table will accept this."""
    offered = {option.id for option in question.options}
    fits = question.min <= len(choice) <= question.max
    return fits and len(set(choice)) == len(choice) and offered.issuperset(choice)
