"""A game as a value: its name, seats, rules, sight and catalogue."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from services.engine.kernel.budget import Budget
from services.engine.kernel.clock import Clocks
from services.engine.kernel.outcome import Outcome

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
    `question.<name>`, `decline.<question>` (what an answer without options says),
    `option.<word>`, `event.<declared name>`, `roll.<name>`, `rule.<function>`.
    """

    faces: Mapping[str, Face]
    words: Mapping[str, Text]


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
    clocks: Clocks = field(default_factory=Clocks)
    budget: Budget = field(default_factory=Budget)
    score: str = "total"
