"""A game as a value: its name, seats, rules, sight and catalogue."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
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


# A deck that a seat brings: its faces, in any order.
Deck = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckFault:
    """Why a deck, the `deck`-th brought, may not be played.

    `face` is the card that is wrong; "" where it is the deck as a whole.
    """

    deck: int
    face: str
    text: Text


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play a game, and for how many seats.

    `decks` is how many decks a seat may bring. `teams` is the team of every seat, empty
    where everybody plays alone. `score` names the counter that ranks seats where the
    game ends early. `clocks` are the variant's own, where it does not go by the game's.
    """

    name: str
    seats: tuple[int, ...]
    title: Text
    decks: int = 0
    teams: tuple[int, ...] = ()
    score: str = "total"
    clocks: Clocks | None = None


Rules = Callable[["Table"], Coroutine[Any, Any, Outcome]]
DeckFaults = Callable[[str, Sequence[Deck]], list[DeckFault]]


def no_faults(_variant: str, _decks: Sequence[Deck]) -> list[DeckFault]:
    """Where no deck can be brought none can be wrong."""
    return []


@dataclass(frozen=True, slots=True)
class Game:
    """One game, complete. `version` is the rules version a table is pinned to.

    The usual variant is the first one. `deck_faults` names all that is wrong with the
    decks of one seat.
    """

    name: str
    title: Text
    variants: tuple[Variant, ...]
    play: Rules
    sight: SightTable
    catalog: Catalog
    version: str
    clocks: Clocks = field(default_factory=Clocks)
    budget: Budget = field(default_factory=Budget)
    deck_faults: DeckFaults = no_faults

    @property
    def seats(self) -> tuple[int, ...]:
        """Every number of seats that some variant is played with, ascending."""
        return tuple(sorted({number for one in self.variants for number in one.seats}))

    def variant(self, name: str) -> Variant | None:
        """The variant of this name; the usual one for "", None for no such variant."""
        if not name:
            return self.variants[0]
        return next((one for one in self.variants if one.name == name), None)

    def clocks_of(self, variant: str) -> Clocks:
        """The time that seats have in a variant."""
        played = self.variant(variant)
        return played.clocks if played and played.clocks else self.clocks
