"""The table as a skirmisher reads it: sides, pieces, weather, what is in hand."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anpai import View
from clients.bots.strategy import Faces

ROWS = ("scout", "assault", "sniper")

# What a soldier of each class is worth when nobody has seen it: the mean of the deck.
MEAN_ATTACK = {"scout": 3.2, "assault": 4.3, "sniper": 7.4}


@dataclass(frozen=True, slots=True)
class Piece:
    """A soldier in a row, or one thought of as lying there."""

    handle: str
    row: str
    attack: float
    skill: str = ""
    kind: str = ""
    up: bool = False
    warded: bool = False
    mutation: str = ""
    weight: float = 1.0

    @property
    def is_closed(self) -> bool:
        """Whether hardly anything but death touches it."""
        return self.warded or (self.up and self.skill == "unaffected")


class Seen(NamedTuple):
    """A card that can be told apart; `face` is "" where nobody here knows it."""

    handle: str
    face: str
    up: bool


class Told(NamedTuple):
    """A table, sorted: what lies where, how much, and what is marked on what.

    Places are (name, seat); markers are by what they lie on.
    """

    seats: int
    lying: dict[tuple[str, int | None], list[Seen]]
    counts: dict[tuple[str, int | None], int]
    marks: dict[str, dict[str, str]]


@dataclass(slots=True)
class Board:
    """Everything a seat may read off the table."""

    told: Told
    faces: Faces
    me: int
    sides: list[list[Piece]] = field(default_factory=list)
    commanders: list[str] = field(default_factory=list)
    weather: str = "clear"
    disaster: str = ""

    @property
    def own(self) -> list[Piece]:
        return self.sides[self.me]

    @property
    def enemies(self) -> list[int]:
        return [seat for seat in range(len(self.sides)) if seat != self.me]

    def side_of(self, handle: str) -> int | None:
        """On whose side a soldier lies."""
        for seat, pieces in enumerate(self.sides):
            if any(piece.handle == handle for piece in pieces):
                return seat
        return None

    def piece(self, handle: str) -> Piece | None:
        """The soldier with this handle, if it lies on the table."""
        for pieces in self.sides:
            for piece in pieces:
                if piece.handle == handle:
                    return piece
        return None

    def count(self, name: str, seat: int) -> int:
        """How many cards lie in a seat's place."""
        return self.told.counts.get((name, seat), 0)

    def lying(self, name: str, seat: int | None = None) -> list[Seen]:
        """The cards of a place that can be told apart."""
        return self.told.lying.get((name, seat), [])

    def card(self, handle: str) -> Seen | None:
        """Any card by its handle."""
        for there in self.told.lying.values():
            for card in there:
                if card.handle == handle:
                    return card
        return None

    def soldier(self, handle: str, row: str = "") -> Piece:
        """The soldier a card would be in a row, by default that of its class."""
        card = self.card(handle)
        face = card.face if card is not None else ""
        return piece_of(self.faces, handle, face, row)

    def tactic(self, handle: str) -> str:
        """The name of a tactic card, without its game; empty for anything else."""
        card = self.card(handle)
        if card is None or self.faces[card.face].kind in ("soldier", "commander"):
            return ""
        return short(card.face)


def read(view: View, faces: Faces) -> Board:
    """Read a view of skirmish."""
    return board_of(told_by(view), view.viewer, faces)


def told_by(view: View) -> Told:
    """What a view tells."""
    told = Told(len(view.seats), {}, {}, {})
    for place in view.places:
        seat = place.place.seat if place.place.HasField("seat") else None
        where = place.place.name, seat
        told.counts[where] = place.count
        told.lying[where] = [Seen(c.handle, c.face, c.face_up) for c in place.cards]
    for marker in view.markers:
        told.marks.setdefault(marker.on, {})[marker.name] = marker.value
    return told


def board_of(told: Told, me: int, faces: Faces) -> Board:
    """As the seat `me` reads it."""
    board = Board(told, faces, me)
    board.sides = [[] for _ in range(told.seats)]
    board.commanders = ["" for _ in range(told.seats)]
    on_table = told.marks.get("", {})
    board.weather = on_table.get("weather", "clear")
    board.disaster = on_table.get("disaster", "")
    for (name, seat), cards in told.lying.items():
        if seat is None or not cards:
            continue
        if name == "commander":
            board.commanders[seat] = short(cards[0].face)
        elif name in ROWS:
            for card in cards:
                marks = told.marks.get(card.handle, {})
                board.sides[seat].append(_lying(faces, card, name, marks))
    return board


def short(face: str) -> str:
    """A face's id without its game."""
    return face.partition("/")[2]


def piece_of(faces: Faces, handle: str, face: str, row: str = "") -> Piece:
    """A soldier by its face; by the mean of its row where the face is not known."""
    if face not in faces:
        return Piece(handle, row, MEAN_ATTACK.get(row, 4.0))
    printed = faces[face].attributes
    attack, kind = float(printed["attack"]), printed["class"]
    return Piece(handle, row or kind, attack, printed["skill"], kind)


def _lying(faces: Faces, card: Seen, row: str, told: dict[str, str]) -> Piece:
    """A soldier on the table, with the markers that lie on it."""
    face = card.face
    if "copy" in told:
        face = f"{face.partition('/')[0]}/{told['copy']}"
    return replace(
        piece_of(faces, card.handle, face, row),
        up=card.up,
        warded="ward" in told,
        mutation=told.get("mutation", ""),
    )
