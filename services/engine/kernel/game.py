"""A game as a value: its name, seats, rules, sight and catalogue."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from services.engine.kernel.sight import SightTable
    from services.engine.kernel.table import Table


@dataclass(frozen=True, slots=True)
class Text:
    """Words for people, in both languages."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card: id (without the game), kind, attributes, words."""

    id: str
    kind: str
    name: Text
    text: Text
    attributes: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every face, and every other word a client may have to show.

    Keys of `words`: `place.<name>`, `counter.<name>`, `marker.<name>`,
    `question.<name>`, `option.<word>`, `event.<declared name>`, `roll.<name>`,
    `rule.<function>`.
    """

    faces: Mapping[str, Face]
    words: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds to answer, by question name; a seat's bank serves all its questions."""

    default: int = 60
    bank: int = 300
    by_name: Mapping[str, int] = field(default_factory=dict)

    def seconds(self, name: str) -> int:
        """The seconds for a question of this name: never for its options."""
        return self.by_name.get(name, self.default)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a rank (1 is best, ties share) and a score for each seat."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str = "played"

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats ranked first; nobody when the table was abandoned."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one table may use; over it, that table alone ends."""

    events: int = 20_000
    cards: int = 2_000
    steps_per_answer: int = 5_000


Rules = Callable[["Table"], Coroutine[Any, Any, Outcome]]


@dataclass(frozen=True, slots=True)
class Game:
    """One game, complete. `version` is the rules version a table is pinned to.

    `score` names the counter that ranks seats where a game ends early.
    """

    name: str
    title: Text
    seats: tuple[int, ...]
    variants: tuple[str, ...]
    play: Rules
    sight: SightTable
    catalog: Catalog
    version: str
    clocks: Clocks = Clocks()
    budget: Budget = Budget()
    score: str = "total"


def ranked(scores: tuple[int, ...]) -> Outcome:
    """The outcome in which more points rank higher and equals share a rank."""
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(ranks, scores)
