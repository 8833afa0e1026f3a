"""The table as a player of gwent reads it: sides, rows, weather, hands, gems."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from anpai import Card, Face, View
from clients.bots.strategy import Faces

ROWS = ("melee", "ranged", "siege")
SOLO = ("solo", "solo-leaders")


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """What is printed on a card. There is one of each face, so one is itself alone."""

    face: str
    kind: str = ""
    faction: str = ""
    strength: int = 0
    rows: tuple[str, ...] = ()
    abilities: frozenset[str] = frozenset()
    calls: tuple[str, ...] = ()
    usual: int = 1
    is_hero: bool = False

    @property
    def fights(self) -> bool:
        """Whether it stands on a row with a strength."""
        return bool(self.rows)

    @property
    def is_unit(self) -> bool:
        """Whether effects can touch it."""
        return bool(self.rows) and not self.is_hero


class Piece(NamedTuple):
    """A card: the handle it goes by, and what is printed on it."""

    handle: str
    printed: Printed

    @property
    def face(self) -> str:
        """The face's id, without the game."""
        return self.printed.face

    @property
    def abilities(self) -> frozenset[str]:
        """What it can do, by name."""
        return self.printed.abilities

    @property
    def strength(self) -> int:
        """What is printed on it."""
        return self.printed.strength

    @property
    def fights(self) -> bool:
        """Whether it stands on a row with a strength."""
        return self.printed.fights

    @property
    def is_unit(self) -> bool:
        """Whether effects can touch it."""
        return self.printed.is_unit


class Side(NamedTuple):
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
        return self._replace(rows={**self.rows, row: tuple(pieces)})

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
        return self._replace(rows=rows)


@dataclass
class Board:
    """Everything a seat may read off the table."""

    faces: Faces
    me: int
    told: "Told"
    own: Side
    enemies: list[Side]
    bad: frozenset[str]
    spies_doubled: bool
    passed: frozenset[int]

    @property
    def variant(self) -> str:
        """The way the game is played."""
        return self.told.variant

    @property
    def hand(self) -> list[Piece]:
        """The own hand."""
        return self.told.lying.get(f"hand:{self.me}", [])

    def hand_size(self, seat: int) -> int:
        """How many cards a seat holds."""
        return self.told.counts.get(f"hand:{seat}", 0)

    @property
    def pile(self) -> int:
        """How many cards are left to draw."""
        return self.told.counts.get(f"pile:{self.me}", 0)

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """Every card that can be told apart, by its handle."""
        return {one.handle: one for there in self.told.lying.values() for one in there}

    @cached_property
    def seen(self) -> Counter[str]:
        """How many cards of each face lie open or in the own hand, but not beside."""
        aside = ("side_deck", "automaton", "box")
        lying = self.told.lying.items()
        places = [pieces for at, pieces in lying if not at.startswith(aside)]
        return Counter(one.face for pieces in places for one in pieces)

    @cached_property
    def factions(self) -> dict[int, str]:
        """Who plays what."""
        return self.told.seats_marked("faction")

    def piece(self, handle: str) -> Piece:
        """Any card by its handle; a blank where it cannot be told."""
        return self.pieces.get(handle) or Piece(handle, BLANK)

    def of_face(self, face: str, handle: str = "") -> Piece:
        """A card of this face (without the game)."""
        return Piece(handle or f"?{face}", printed_on(self.faces, face))

    @property
    def is_solo(self) -> bool:
        """Whether the automaton plays against us."""
        return self.variant in SOLO

    def hand_of(self, side: Side) -> int:
        """How many cards a side holds among its seats that still play this round."""
        return sum(self.hand_size(s) for s in side.seats if s not in self.passed)

    def has_passed(self, side: Side) -> bool:
        """Whether nobody of a side will do any more this round."""
        return bool(side.seats) and all(seat in self.passed for seat in side.seats)


Marks = Iterable[tuple[str, str, str]]


class Told(NamedTuple):
    """A table, sorted: what lies where, how much, what stands and what is marked.

    Places are written as markers name them, `name` or `name:seat`.
    """

    variant: str
    seats: int
    lying: dict[str, list[Piece]]
    counts: dict[str, int]
    counters: Mapping[tuple[str, int | None], int]
    marks: Marks

    def seats_marked(self, name: str) -> dict[int, str]:
        """By seat the value of this marker, where it lies."""
        on_seats = [(on, value) for named, on, value in self.marks if named == name]
        return {int(on.partition(":")[2]): value for on, value in on_seats}

    def marked(self, *names: str) -> set[str]:
        """All that one of these markers lies on."""
        return {on for name, on, _ in self.marks if name in names}


def read(view: View, faces: Faces) -> Board:
    """Read a view of gwent."""
    return board_of(told_by(view, faces), view.viewer, faces)


def told_by(view: View, faces: Faces) -> Told:
    """What a view tells."""
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
    return Told(view.variant, len(view.seats), lying, counts, counters, marks)


def board_of(told: Told, me: int, faces: Faces) -> Board:
    """As the seat `me` reads it."""
    leaders = _leaders(told, told.marked("cancelled"))
    sides = [_side(seats, told, leaders) for seats in _sides_of(told)]
    own = next(side for side in sides if me in side.seats)
    bad = [row for one in told.lying.get("weather", ()) for row in bad_rows(one.face)]
    return Board(
        faces=faces,
        me=me,
        told=told,
        own=own,
        enemies=[side for side in sides if side is not own],
        bad=frozenset(bad),
        spies_doubled="eredin_treacherous" in leaders.values(),
        passed=frozenset(told.seats_marked("passed")),
    )


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


BLANK = Printed("")
_PRINTED: dict[str, tuple[Face, Printed]] = {}


def printed_on(faces: Faces, face: str) -> Printed:
    """What the catalogue prints on a face (without the game), read once."""
    printed = faces[f"gwent/{face}"]
    known = _PRINTED.get(face)
    if known is None or known[0] is not printed:
        known = _PRINTED[face] = printed, _read(face, printed)
    return known[1]


def _read(face: str, printed: Face) -> Printed:
    told = printed.attributes
    return Printed(
        face=face,
        kind=printed.kind,
        faction=told.get("faction") or "",
        strength=int(told.get("strength") or "0"),
        rows=tuple((told.get("rows") or "").split()) if "strength" in told else (),
        abilities=frozenset((told.get("abilities") or "").split()),
        calls=tuple((told.get("calls") or "").split()),
        usual=int(told.get("starter") or told.get("copies") or "1"),
        is_hero="hero" in told,
    )


def _piece(faces: Faces, card: Card) -> Piece:
    return Piece(card.handle, printed_on(faces, short(card.face)))


def _leaders(told: Told, undone: set[str]) -> dict[int, str]:
    """By seat the leader that is not undone."""
    return {
        int(where.partition(":")[2]): one.face
        for where, pieces in told.lying.items()
        if where.startswith("leader:")
        for one in pieces
        if one.handle not in undone
    }


def _sides_of(told: Told) -> list[tuple[int, ...]]:
    """The seats of each side; the automaton has none."""
    if told.variant == "team":
        return [(0, 2), (1, 3)]
    seats: list[tuple[int, ...]] = [(seat,) for seat in range(told.seats)]
    return [*seats, ()] if told.variant in SOLO else seats


def _side(seats: tuple[int, ...], told: Told, leaders: dict[int, str]) -> Side:
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
