"""A position, taken up where somebody's turn begins: for thinking ahead.

Read off the view of one seat (`seeing.position_of`) it has no face that the seat may
not know: whoever thinks deals those, and the rules go on from there as in a rollout.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from services.engine.games import GAMES
from services.engine.games.gwent import play as gwent
from services.engine.games.skirmish import play as skirmish
from services.engine.kernel.chance import ALL_SEATS, Build, Draw
from services.engine.kernel.event import Event
from services.engine.kernel.game import Deck
from services.engine.kernel.places import Card, Place
from services.engine.kernel.sight import Seers
from services.engine.kernel.table import Table
from services.local.rollout import Rules
from services.vault.chain import SEED_BYTES
from services.vault.holdings import Holdings

__all__ = [
    "GO_ON",
    "Lain",
    "Place",
    "Position",
    "TableAt",
    "World",
    "taken_up",
]

# By game: the rules from the turn of this seat on.
GO_ON: Mapping[str, Callable[[Table, int], Rules]] = {
    "gwent": lambda table, _seat: gwent.go_on(table),
    "skirmish": skirmish.go_on,
}


class Lain(NamedTuple):
    """A card as it lies. `face` is "" where the seat that looks cannot know it."""

    handle: str
    face: str
    place: Place
    face_up: bool
    bringer: int | None


@dataclass(frozen=True, slots=True)
class Position:
    """All that a view tells. `hidden` is how many cards lie untold in a place."""

    game: str
    variant: str
    seats: int
    viewer: int
    cards: tuple[Lain, ...]
    hidden: Mapping[Place, int]
    counters: Mapping[tuple[str, int | None], int]
    markers: Mapping[tuple[str, str], str]

    def lying(self, *names: str) -> list[Lain]:
        """The cards told of in all places of these names."""
        return [card for card in self.cards if card.place.name in names]

    def unknown(self) -> list[Lain]:
        """The cards that can be told apart and whose face is not known."""
        return [card for card in self.cards if not card.face]


@dataclass(frozen=True, slots=True)
class World:
    """What may be true of a position, given what it tells.

    `hidden` has the faces of every place with untold cards, `faces` those of cards told
    apart, by handle; a place in `decks` is a deck, whose last card lies on top.
    """

    hidden: Mapping[Place, Sequence[str]]
    decks: frozenset[str]
    faces: Mapping[str, str]
    brought: Mapping[int, tuple[Deck, ...]]


class TableAt(Table):
    """A table on which a position lies; what happens there is told to nobody."""

    def __init__(self, position: Position, world: World) -> None:
        super().__init__(GAMES[position.game], position.seats, position.variant)
        self.brought = dict(world.brought)
        for place in position.hidden:
            self._used[place] = None
        for one in position.cards:
            card = self._laid(
                one.handle, one.face or world.faces[one.handle], one.place
            )
            card.face_up, card.bringer = one.face_up, one.bringer
            card.seers = self.would_see(card.place, one.face_up, one.bringer)
        for place, faces in world.hidden.items():
            if place.name in world.decks:
                self._decks[place] = len(faces)
            else:
                self._lay_untold(place, faces)
        self.counters = dict(position.counters)
        self.markers = dict(position.markers)

    def emit(self, event: Event) -> None:
        """Nobody listens."""

    def _laid(self, handle: str, face: str, place: Place) -> Card:
        card = Card(handle, face, place)
        self._handles[handle] = card
        self.lay(card, place)
        return card

    def _lay_untold(self, place: Place, faces: Sequence[str]) -> None:
        seers: Seers = self.would_see(place, False, None)
        for number, face in enumerate(faces):
            card = self._laid(f"?{place.id}:{number}", face, place)
            card.seers = seers

    def held(self) -> Holdings:
        """The vault's part of it: every card by its handle, no deck yet."""
        holdings = Holdings("position", bytes(SEED_BYTES))
        cards = list(self._handles.values())
        handles = _AsTold([card.handle for card in cards])
        faces = tuple([str(card.face) for card in reversed(cards)])
        holdings.do(Build(_BOX, faces), handles)
        holdings.do(Draw(_BOX, len(cards), ALL_SEATS), handles)
        return holdings


_BOX = "?box"


def taken_up(position: Position, world: World) -> tuple[Table, Holdings]:
    """The table and the vault's holdings, ready to go on."""
    table = TableAt(position, world)
    holdings = table.held()
    for place, faces in world.hidden.items():
        if place.name in world.decks:
            holdings.do(Build(place.id, tuple(faces)), _AsTold(()))
    return table, holdings


class _AsTold:
    """Chance that leaves all as it is told: for laying cards out."""

    __slots__ = ("_handles",)

    def __init__(self, handles: Iterable[str]) -> None:
        self._handles = iter(handles)

    def below(self, bound: int) -> int:
        """Always the first."""
        return 0

    def shuffle(self, cards: list[Any]) -> None:
        """In the order they come."""

    def sample(self, total: int, number: int) -> tuple[int, ...]:
        """The first ones."""
        return tuple(range(number))

    def handle(self) -> str:
        """The next one told."""
        return next(self._handles)
