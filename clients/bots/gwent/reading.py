"""The table as a player of gwent reads it: sides, rows, weather, hands, gems."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anpai import Card, Face, View
from clients.bots.strategy import Faces

ROWS = ("melee", "ranged", "siege")
SOLO = ("solo", "solo-leaders")


@dataclass(frozen=True, slots=True)
class Piece:
    """A card, by what is printed on it. `bringer` is who laid it on the table."""

    handle: str
    face: str
    kind: str = "unit"
    strength: int = 0
    rows: tuple[str, ...] = ()
    abilities: frozenset[str] = frozenset()
    calls: tuple[str, ...] = ()
    copies: int = 1
    is_hero: bool = False
    bringer: int | None = None

    @property
    def fights(self) -> bool:
        """Whether it stands on a row with a strength."""
        return bool(self.rows)

    @property
    def is_unit(self) -> bool:
        """Whether effects can touch it."""
        return bool(self.rows) and not self.is_hero


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the table; `seats` is empty for the automaton's."""

    seats: tuple[int, ...]
    rows: dict[str, tuple[Piece, ...]]
    horns: frozenset[str] = frozenset()
    mushrooms: frozenset[str] = frozenset()
    fallen: tuple[Piece, ...] = ()
    halved: bool = False
    gems: int = 0

    @property
    def pieces(self) -> Iterator[Piece]:
        """Everything in its rows."""
        return (piece for row in self.rows.values() for piece in row)

    def with_row(self, row: str, pieces: Iterable[Piece]) -> "Side":
        """The same side with other cards in a row."""
        return replace(self, rows=self.rows | {row: tuple(pieces)})

    def and_in(self, row: str, *pieces: Piece) -> "Side":
        """The same side with these cards too."""
        return self.with_row(row, (*self.rows[row], *pieces))

    def without(self, gone: Iterable[Piece]) -> "Side":
        """The same side when these have left it."""
        left = {piece.handle for piece in gone}
        rows = {
            name: tuple(piece for piece in row if piece.handle not in left)
            for name, row in self.rows.items()
        }
        return replace(self, rows=rows)


@dataclass(slots=True)
class Board:
    """Everything read off one view."""

    view: View
    faces: Faces
    me: int
    variant: str
    own: Side
    enemies: list[Side]
    hand: list[Piece] = field(default_factory=list)
    bad: frozenset[str] = frozenset()
    spies_doubled: bool = False
    passed: frozenset[int] = frozenset()
    hands: dict[int, int] = field(default_factory=dict)
    piles: dict[int, int] = field(default_factory=dict)
    factions: dict[int, str] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)
    counters: dict[tuple[str, int | None], int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    def piece(self, handle: str) -> Piece:
        """Any card by its handle; a blank where it cannot be told."""
        return self.pieces.get(handle) or Piece(handle, "")

    def of_face(self, face: str, handle: str = "") -> Piece:
        """A card of this face (without the game)."""
        return piece_of(self.faces[f"gwent/{face}"], handle or f"?{face}", face)

    @property
    def is_solo(self) -> bool:
        """Whether the automaton plays against us."""
        return self.variant in SOLO

    def hand_of(self, side: Side) -> int:
        """How many cards a side holds among its seats that still play this round."""
        return sum(self.hands.get(s, 0) for s in side.seats if s not in self.passed)

    def has_passed(self, side: Side) -> bool:
        """Whether nobody of a side will do any more this round."""
        return bool(side.seats) and all(seat in self.passed for seat in side.seats)


class _Told(NamedTuple):
    """A view, sorted: what lies where, how much, what stands and what is marked."""

    lying: dict[str, list[Piece]]
    counts: dict[str, int]
    counters: dict[tuple[str, int | None], int]
    marks: "Marks"

    def seats_marked(self, name: str) -> dict[int, str]:
        """By seat the value of this marker, where it lies."""
        on_seats = [(on, value) for named, on, value in self.marks if named == name]
        return {int(on.partition(":")[2]): value for on, value in on_seats}

    def marked(self, *names: str) -> set[str]:
        """All that one of these markers lies on."""
        return {on for name, on, _ in self.marks if name in names}


Marks = list[tuple[str, str, str]]


def read(view: View, faces: Faces) -> Board:
    """Read a view of gwent."""
    told = _told(view, faces)
    leaders = _leaders(told, told.marked("cancelled"))
    sides = [_side(seats, told, leaders) for seats in _sides_of(view)]
    own = next(side for side in sides if view.viewer in side.seats)
    bad = [row for one in told.lying.get("weather", ()) for row in bad_rows(one.face)]
    seats = range(len(view.seats))
    return Board(
        view=view,
        faces=faces,
        me=view.viewer,
        variant=view.variant,
        own=own,
        enemies=[side for side in sides if side is not own],
        hand=told.lying.get(f"hand:{view.viewer}", []),
        bad=frozenset(bad),
        spies_doubled="eredin_treacherous" in leaders.values(),
        passed=frozenset(told.seats_marked("passed")),
        hands={seat: told.counts.get(f"hand:{seat}", 0) for seat in seats},
        piles={seat: told.counts.get(f"pile:{seat}", 0) for seat in seats},
        factions=told.seats_marked("faction"),
        pieces={one.handle: one for there in told.lying.values() for one in there},
        counters=told.counters,
        seen=_seen(told),
    )


def _told(view: View, faces: Faces) -> _Told:
    lying: dict[str, list[Piece]] = {}
    counts: dict[str, int] = {}
    for place in view.places:
        at = f":{place.place.seat}" if place.place.HasField("seat") else ""
        where = place.place.name + at
        lying[where] = [_piece(faces, card) for card in place.cards if card.face]
        counts[where] = place.count
    counters = {
        (one.name, one.seat if one.HasField("seat") else None): one.value
        for one in view.counters
    }
    marks = [(one.name, one.on, one.value) for one in view.markers]
    return _Told(lying, counts, counters, marks)


def _seen(told: _Told) -> dict[str, int]:
    """How many cards of each face lie open or in the own hand, side decks left out."""
    aside = ("side_deck", "automaton", "box")
    places = [pieces for at, pieces in told.lying.items() if not at.startswith(aside)]
    return dict(Counter(one.face for pieces in places for one in pieces))


WEATHER = {
    "biting_frost": ("melee",),
    "impenetrable_fog": ("ranged",),
    "torrential_rain": ("siege",),
    "skellige_storm": ("ranged", "siege"),
}


def bad_rows(face: str) -> tuple[str, ...]:
    """The rows that a weather card touches."""
    return WEATHER.get(face, ())


def short(face: str) -> str:
    """A face's id without its game."""
    return face.partition("/")[2]


def piece_of(face: Face, handle: str, id: str, bringer: int | None = None) -> Piece:
    """A card as the catalogue prints it."""
    told = face.attributes
    return Piece(
        handle,
        id,
        face.kind,
        int(told.get("strength", 0)),
        tuple(told.get("rows", "").split()) if "strength" in told else (),
        frozenset(told.get("abilities", "").split()),
        tuple(told.get("calls", "").split()),
        int(told.get("copies", 1)),
        "hero" in told,
        bringer,
    )


def _piece(faces: Faces, card: Card) -> Piece:
    bringer = card.bringer if card.HasField("bringer") else None
    return piece_of(faces[card.face], card.handle, short(card.face), bringer)


def _leaders(told: _Told, undone: set[str]) -> dict[int, str]:
    """By seat the leader that is not undone."""
    return {
        int(where.partition(":")[2]): one.face
        for where, pieces in told.lying.items()
        if where.startswith("leader:")
        for one in pieces
        if one.handle not in undone
    }


def _sides_of(view: View) -> list[tuple[int, ...]]:
    """The seats of each side; the automaton has none."""
    if view.variant == "team":
        return [(0, 2), (1, 3)]
    seats: list[tuple[int, ...]] = [(seat,) for seat in range(len(view.seats))]
    return [*seats, ()] if view.variant in SOLO else seats


def _side(seats: tuple[int, ...], told: _Told, leaders: dict[int, str]) -> Side:
    before, at = ("", f":{seats[0]}") if seats else ("automaton_", "")
    rows = {row: f"{before}{row}{at}" for row in ROWS}
    in_slots = {
        row: [one.face for one in told.lying.get(f"{before}{row}_slot{at}", ())]
        for row in ROWS
    }
    horned = told.marked("horn")
    return Side(
        seats=seats,
        rows={row: tuple(told.lying.get(rows[row], ())) for row in ROWS},
        horns=frozenset(
            row
            for row in ROWS
            if rows[row] in horned or "commanders_horn" in in_slots[row]
        ),
        mushrooms=frozenset(row for row in ROWS if "mardroeme" in in_slots[row]),
        fallen=tuple(told.lying.get(f"{before}discard{at}", ())),
        halved=any(leaders.get(seat) == "king_bran" for seat in seats),
        gems=told.counters.get((f"{before}gems", seats[0] if seats else None), 0),
    )
