"""The table as a skirmisher reads it: sides, pieces, weather, what is in hand."""

from dataclasses import dataclass, field, replace

from anpai import Card, View, card_in, place_in
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
        return place_in(self.view, name, seat).count

    def card(self, handle: str) -> Card | None:
        """Any card by its handle."""
        return card_in(self.view, handle)

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
    board = Board(view, faces, view.viewer)
    board.sides = [[] for _ in view.seats]
    board.commanders = ["" for _ in view.seats]
    marks = _marks(view)
    board.weather = marks.get("", {}).get("weather", "clear")
    board.disaster = marks.get("", {}).get("disaster", "")
    for place in view.places:
        name, seat = place.place.name, place.place.seat
        if name == "commander" and place.cards:
            board.commanders[seat] = short(place.cards[0].face)
        elif name in ROWS:
            for card in place.cards:
                told = marks.get(card.handle, {})
                board.sides[seat].append(_lying(faces, card, name, told))
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


def _lying(faces: Faces, card: Card, row: str, told: dict[str, str]) -> Piece:
    """A soldier on the table, with the markers that lie on it."""
    face = card.face
    if "copy" in told:
        face = f"{face.partition('/')[0]}/{told['copy']}"
    return replace(
        piece_of(faces, card.handle, face, row),
        up=card.face_up,
        warded="ward" in told,
        mutation=told.get("mutation", ""),
    )


def _marks(view: View) -> dict[str, dict[str, str]]:
    """What lies on what: name and value of markers, by what they lie on."""
    marks: dict[str, dict[str, str]] = {}
    for marker in view.markers:
        marks.setdefault(marker.on, {})[marker.name] = marker.value
    return marks
