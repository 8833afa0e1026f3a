"""What hands, decks and face-down cards may be, given what a seat sees."""

import random
from collections import Counter
from collections.abc import Iterable

from clients.bots.skirmish.reading import ROWS, short
from clients.bots.strategy import Faces
from services.local.position import Lain, Position, World

DECKS = frozenset({"commander_deck", "soldier_deck", "tactic_deck"})
SOLDIERS = ("soldiers", "soldier_deck")
TACTICS = ("tactics", "tactic_deck")
SPY = "scout_2"

# Whose card names a second row.
SECOND = {
    "dispatch_scout": "scout",
    "dispatch_sniper": "sniper",
    "dispatch_scout_2": "scout",
}


class Left:
    """The faces that nobody here has seen yet, in an order of chance."""

    def __init__(self, position: Position, faces: Faces, chance: random.Random) -> None:
        seen = Counter(card.face for card in position.cards if card.face)
        self._faces = faces
        self._kinds: dict[str, list[str]] = {}
        for id, face in faces.items():
            copies = int(face.attributes.get("copies") or "1") - seen[short(id)]
            kind = face.kind if face.kind in ("soldier", "commander") else "tactic"
            self._kinds.setdefault(kind, []).extend([short(id)] * max(0, copies))
        for found in self._kinds.values():
            chance.shuffle(found)

    def take(self, kind: str, number: int) -> list[str]:
        """Any of a kind."""
        found = self._kinds[kind]
        taken, self._kinds[kind] = found[:number], found[number:]
        return taken

    def body(self, row: str, *, is_free: bool) -> str:
        """A soldier that may have been laid in a row; in any, where that is free."""
        found = self._kinds["soldier"]
        fits = [face for face in found if is_free or row in self._rows(face)] or found
        found.remove(fits[0])
        return fits[0]

    def this(self, face: str) -> str:
        """This very one, if nobody has seen it; else any."""
        found = self._kinds["soldier"]
        chosen = face if face in found else found[0]
        found.remove(chosen)
        return chosen

    def _rows(self, face: str) -> Iterable[str]:
        told = self._faces[f"skirmish/{face}"].attributes
        return told["class"], SECOND.get(told["skill"], told["class"])


def deal(position: Position, faces: Faces, chance: random.Random) -> World:
    """One world of many: bodies first, for not every soldier fits them."""
    left = Left(position, faces, chance)
    bodies = {card.handle: _body(position, card, left) for card in position.unknown()}
    hidden = {
        place: left.take(_kind(place.name), number)
        for place, number in position.hidden.items()
        if number
    }
    hidden |= {place: [] for place in position.hidden if place not in hidden}
    return World(hidden, DECKS, bodies, {})


def _body(position: Position, card: Lain, left: Left) -> str:
    if card.place.name not in ROWS:
        return left.take("tactic", 1)[0]
    if ("spy", card.handle) in position.markers:
        return left.this(SPY)
    return left.body(
        card.place.name, is_free=("leave", card.handle) in position.markers
    )


def _kind(place: str) -> str:
    if place in SOLDIERS:
        return "soldier"
    return "tactic" if place in TACTICS else "commander"
