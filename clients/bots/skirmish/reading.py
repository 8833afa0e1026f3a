"""The table as a skirmisher reads it: sides, pieces, weather, what is in hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from anpai import Card, View, counter_in, markers_on
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


@dataclass(slots=True)
class Board:
    """Everything read off one view."""

    view: View
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
        for place in self.view.places:
            if place.place.name == name and place.place.seat == seat:
                return place.count
        return 0

    def card(self, handle: str) -> Card | None:
        """Any card by its handle."""
        for place in self.view.places:
            for card in place.cards:
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
        return card.face.partition("/")[2]

    def standing(self, seat: int) -> int:
        """A seat's points so far."""
        return counter_in(self.view, "total", seat)


def read(view: View, faces: Faces) -> Board:
    """Read a view of skirmish."""
    board = Board(view, faces, view.viewer)
    board.sides = [[] for _ in view.seats]
    board.commanders = ["" for _ in view.seats]
    for name, value in markers_on(view, ""):
        if name == "weather":
            board.weather = value
        elif name == "disaster":
            board.disaster = value
    marks = _marks(view)
    for place in view.places:
        if place.place.name == "commander" and place.cards:
            led_by = place.cards[0].face.partition("/")[2]
            board.commanders[place.place.seat] = led_by
        elif place.place.name in ROWS:
            side = board.sides[place.place.seat]
            side.extend(_pieces(place.place.name, place.cards, faces, marks))
    return board


def piece_of(faces: Faces, handle: str, face: str, row: str = "") -> Piece:
    """A soldier by its face; by the mean of its row where the face is not known."""
    if face not in faces:
        return Piece(handle, row, MEAN_ATTACK.get(row, 4.0))
    printed = faces[face].attributes
    return Piece(
        handle,
        row or printed["class"],
        float(printed["attack"]),
        printed["skill"],
        printed["class"],
    )


def _pieces(
    row: str, cards: object, faces: Faces, marks: dict[str, dict[str, str]]
) -> Iterator[Piece]:
    for card in cards:  # type: ignore[attr-defined]
        told = marks.get(card.handle, {})
        face = card.face
        if "copy" in told:
            face = f"{face.partition('/')[0]}/{told['copy']}"
        piece = piece_of(faces, card.handle, face, row)
        yield Piece(
            piece.handle,
            row,
            piece.attack,
            piece.skill,
            piece.kind,
            card.face_up,
            "ward" in told,
            told.get("mutation", ""),
        )


def _marks(view: View) -> dict[str, dict[str, str]]:
    marks: dict[str, dict[str, str]] = {}
    for marker in view.markers:
        marks.setdefault(marker.on, {})[marker.name] = marker.value
    return marks
