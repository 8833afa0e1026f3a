"""Where cards lie, and what can be read off the table. No flow, no questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from services.engine.games.gwent.pieces import FACES, ROWS, Faction, Printed, Row
from services.engine.kernel import Card, Move, Place, Table

SEATS = range(5)
PILE = tuple(Place("pile", seat) for seat in SEATS)
HAND = tuple(Place("hand", seat) for seat in SEATS)
ASIDE = tuple(Place("aside", seat) for seat in SEATS)
SEARCH = tuple(Place("search", seat) for seat in SEATS)
LEADER = tuple(Place("leader", seat) for seat in SEATS)
SIDE_DECK = tuple(Place("side_deck", seat) for seat in SEATS)
BOX = tuple(Place("box", seat) for seat in SEATS)
WEATHER = Place("weather")
REMOVED = Place("removed")
AUTOMATON_PILE = Place("automaton_pile")
AUTOMATON_SIDE_DECK = Place("automaton_side_deck")
AUTOMATON_BOX = Place("automaton_box")
AUTOMATON_LEADER = Place("automaton_leader")
AUTOMATON_LEADERS = Place("automaton_leaders")
AUTOMATON_TURNED = Place("automaton_turned")
AUTOMATON_UNDER = Place("automaton_under")

TEAM, FREE_FOR_ALL = "team", "free-for-all"
TOURNAMENT = "tournament"
SOLO = ("solo", SOLO_LEADERS := "solo-leaders")


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side of the table: the seats that play it, none for the automaton.

    `seat` is the one that its places and counters are named after.
    """

    seats: tuple[int, ...]
    seat: int | None
    rows: tuple[Place, ...]
    slots: tuple[Place, ...]
    discard: Place
    prefix: str = ""

    @property
    def players(self) -> tuple[int | None, ...]:
        """Who plays it: its seats, or None, the automaton."""
        return self.seats or (None,)

    def row(self, row: Row) -> Place:
        """Where cards of this row lie."""
        return self.rows[ROWS.index(row)]

    def slot(self, row: Row) -> Place:
        """Where the special card of this row lies."""
        return self.slots[ROWS.index(row)]


def side(*seats: int) -> Side:
    """The side of one seat or of partners; of no seat: the automaton's (GW-14.1)."""
    seat, prefix = (seats[0], "") if seats else (None, "automaton_")
    return Side(
        seats,
        seat,
        tuple(Place(f"{prefix}{row}", seat) for row in ROWS),
        tuple(Place(f"{prefix}{row}_slot", seat) for row in ROWS),
        Place(f"{prefix}discard", seat),
        prefix,
    )


class Board:
    """The sides of a table, and which of them a seat or a place belongs to."""

    def __init__(self, *sides: Side) -> None:
        self.sides = sides
        self.of: dict[int | None, Side] = {None: sides[-1]}
        self.at: dict[Place, Side] = {}
        self.row_at: dict[Place, Row] = {}
        for one in sides:
            self.of |= dict.fromkeys(one.seats, one)
            self.at |= dict.fromkeys((*one.rows, *one.slots, one.discard), one)
            for places in (one.rows, one.slots):
                self.row_at |= dict(zip(places, ROWS, strict=True))


@cache
def _board(variant: str, seats: int) -> Board:
    """Partners share a side; the automaton has one without a seat."""
    if variant == TEAM:
        return Board(side(0, 2), side(1, 3))
    if variant in SOLO:
        return Board(side(0), side())
    return Board(*map(side, range(seats)))


def board(table: Table) -> Board:
    """The sides of this table."""
    return _board(table.variant, len(table.seats))


def sides(table: Table) -> tuple[Side, ...]:
    """Every side, in seat order, the automaton's last."""
    return board(table).sides


def side_of(table: Table, who: int | None) -> Side:
    """The side that a seat, or the automaton, plays."""
    return board(table).of[who]


def side_at(table: Table, place: Place) -> Side:
    """The side that a row, slot or discard belongs to."""
    return board(table).at[place]


def opponents(table: Table, who: int | None) -> list[Side]:
    """Every other side, in seat order."""
    own = side_of(table, who)
    return [one for one in sides(table) if one is not own]


def row_of(table: Table, place: Place) -> Row:
    """Which row a place is, or is the slot of."""
    return board(table).row_at[place]


def pile(who: int | None) -> Place:
    """The pile of a seat or of the automaton."""
    return AUTOMATON_PILE if who is None else PILE[who]


def search(who: int | None) -> Place:
    """Where a seat looks through its pile; the automaton turns up what it finds."""
    return AUTOMATON_TURNED if who is None else SEARCH[who]


def side_deck(who: int | None) -> Place:
    """The side deck of a seat or of the automaton."""
    return AUTOMATON_SIDE_DECK if who is None else SIDE_DECK[who]


def seat_with(table: Table, marker: str) -> int:
    """The seat that this marker lies on; the first where it lies on none."""
    return marked_seat(table, marker) or 0


def marked_seat(table: Table, marker: str) -> int | None:
    """The seat that this marker lies on, if any."""
    marked = [s for s in table.seats if table.marker(marker, s) is not None]
    return marked[0] if marked else None


# -- what a card is ------------------------------------------------------------------


def printed(card: Card) -> Printed:
    """What is printed on a card whose face is known here."""
    assert card.face is not None
    return FACES[card.face]


def fighters(table: Table, *some: Side) -> list[Card]:
    """The units and heroes in the rows of these sides; decoys are neither (GW-6.1)."""
    return [
        card
        for one in some
        for card in table.cards(*one.rows)
        if printed(card).is_fighter
    ]


def units(cards: Iterable[Card]) -> list[Card]:
    """Those that effects can touch: tokens, no heroes (GW-4.18, GW-4.22, GW-6.1)."""
    return [card for card in cards if printed(card).is_unit]


def units_on(table: Table, *some: Side) -> list[Card]:
    """The units in the rows of these sides."""
    return units(table.cards(*(row for one in some for row in one.rows)))


def faction_of(table: Table, who: int | None) -> Faction:
    """The faction that a seat or the automaton plays: everyone sees its leader."""
    name = "automaton_faction" if who is None else "faction"
    return Faction(table.marker(name, who) or Faction.NEUTRAL)


def is_of(table: Table, one: Side, faction: Faction) -> bool:
    """Whether somebody of this side plays a faction."""
    return any(faction_of(table, who) is faction for who in one.players)


# -- leaders -------------------------------------------------------------------------


def leader_of(table: Table, seat: int) -> Card | None:
    """A seat's leader; a laid-out position may have none."""
    lying = table.cards(LEADER[seat])
    return lying[0] if lying else None


def is_led_by(table: Table, who: int | None, face: str) -> bool:
    """Whether this passive leader works for someone (GW-8.3, GW-8.14, GW-16.16)."""
    for card in table.cards(AUTOMATON_LEADER if who is None else LEADER[who]):
        if card.face == face:
            return table.marker("cancelled", card) is None
    return False


def leads(table: Table, face: str) -> bool:
    """Whether this passive leader works for anyone."""
    return any(side_is_led_by(table, one, face) for one in sides(table))


def side_is_led_by(table: Table, one: Side, face: str) -> bool:
    """Whether this passive leader works for a side."""
    return any(is_led_by(table, who, face) for who in one.players)


# -- where a fighter may go ----------------------------------------------------------


def landings(table: Table, who: int | None, card: Card) -> Sequence[Place]:
    """The rows a fighter may come to: a spy's on opponents' sides (GW-4.1, GW-4.5).

    The first one is where chance lays it (GW-D5). The automaton's spies lie on its own
    side (GW-16.10).
    """
    return _landings(board(table), who, str(card.face))


@cache
def _landings(at: Board, who: int | None, face: str) -> Sequence[Place]:
    own, rows = at.of[who], FACES[face].rows
    spy = FACES[face].has("spy") and who is not None
    some = [one for one in at.sides if one is not own] if spy else [own]
    return [one.row(row) for one in some for row in rows]


def landing_moves(table: Table, who: int | None, cards: Iterable[Card]) -> list[Move]:
    """Each of these cards with each row it may come to (GW-4.2, GW-15.2)."""
    return [Move(card, row) for card in cards for row in landings(table, who, card)]


def total_of(table: Table, one: Side) -> int:
    """A side's total as it was last counted."""
    return table.counter(f"{one.prefix}total", one.seat)
