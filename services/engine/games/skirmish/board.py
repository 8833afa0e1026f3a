"""Where cards lie, and what can be read off the table. No flow, no questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from services.engine.games.skirmish.pieces import (
    ROWS,
    SOLDIERS,
    Commander,
    Row,
    Skill,
    Soldier,
)
from services.engine.kernel import Card, Move, Place, Table

COMMANDER_DECK = Place("commander_deck")
SOLDIER_DECK = Place("soldier_deck")
TACTIC_DECK = Place("tactic_deck")
DISCARD = Place("discard")

SEATS = (2, 3, 4)
COMMANDER = tuple(Place("commander", seat) for seat in range(4))
SOLDIER_HAND = tuple(Place("soldiers", seat) for seat in range(4))
TACTIC_HAND = tuple(Place("tactics", seat) for seat in range(4))
TACTIC = tuple(Place("tactic", seat) for seat in range(4))
SIDE = tuple(tuple(Place(row.value, seat) for row in ROWS) for seat in range(4))
ON_SIDE = tuple(frozenset((*SIDE[seat], TACTIC[seat])) for seat in range(4))
ROWS_OF = {
    one.face: [tuple(Place(r.value, seat) for r in one.rows) for seat in range(4)]
    for one in SOLDIERS.values()
}
LONE_RANGERS = [f for f, one in SOLDIERS.items() if one.skill is Skill.LONE_RANGER]


class Laid(NamedTuple):
    """A card that a seat put from its hand this round, and where."""

    card: Card
    seat: int
    place: Place


@dataclass(slots=True)
class Round:
    """One round: its table, number and first placer, and what was laid in it so far."""

    table: Table
    number: int
    first: int
    laid: list[Laid] = field(default_factory=list)

    @property
    def order(self) -> list[int]:
        """Placing order: seat numbers upwards from the first placer."""
        return self.table.seats_from(self.first)


# -- what lies there -----------------------------------------------------------------


def row_of(seat: int, row: Row) -> Place:
    """A row of a seat's side."""
    return SIDE[seat][ROWS.index(row)]


def side_of(card: Card) -> int:
    """The seat on whose side a card lies: its soldier, whoever brought it."""
    seat = card.place.seat
    assert seat is not None
    return seat


def soldiers_of(table: Table, seat: int) -> list[Card]:
    """The soldiers on a side, face up or down."""
    return table.cards(*SIDE[seat])


def all_soldiers(table: Table) -> list[Card]:
    """The soldiers on the table, side by side."""
    return [card for seat in table.seats for card in table.cards(*SIDE[seat])]


def face_up(cards: Iterable[Card]) -> list[Card]:
    """Those that lie face up: only they have a skill (SK-2.1)."""
    return [card for card in cards if card.face_up]


def enemies(table: Table, seat: int) -> list[int]:
    """Every other seat."""
    return [other for other in table.seats if other != seat]


# -- what a card is ------------------------------------------------------------------


def printed(card: Card) -> Soldier:
    """What is printed on a soldier whose face is known here."""
    assert card.face is not None
    return SOLDIERS[card.face]


def shown(table: Table, card: Card) -> Soldier:
    """What a face-up soldier is now: its own card, or the one it copies (SK-4.21)."""
    copied = table.markers.get(("copy", card.handle), card.face)
    assert copied is not None
    return SOLDIERS[copied]


def has(table: Table, card: Card, skill: Skill) -> bool:
    """Whether a soldier lies face up and has this skill now (SK-2.1)."""
    return card.face_up and shown(table, card).skill is skill


def is_led_by(table: Table, seat: int, commander: Commander) -> bool:
    """Whether a seat has this commander."""
    return table.cards(COMMANDER[seat])[0].face == commander


def is_warded(table: Table, card: Card) -> bool:
    """Whether only death touches this soldier (SK-4.7)."""
    return ("ward", card.handle) in table.markers


def is_closed(table: Table, card: Card) -> bool:
    """Warded, or a face-up Seeing Eye: no choice for most that changes (SK-4.13)."""
    return is_warded(table, card) or has(table, card, Skill.SEEING_EYE)


# -- where a soldier may go ----------------------------------------------------------


def placings(now: Round, seat: int) -> list[Move]:
    """Every soldier in hand with every row it may be placed in (SK-3.3 to SK-3.7)."""
    rows = OpenRows(now, seat)
    hand = now.table.cards(SOLDIER_HAND[seat])
    return [Move(c, place) for c in hand for place in rows.to_place(printed(c))]


def call_ups(now: Round, seat: int) -> list[Move]:
    """Every soldier in hand with every row it may be called to (SK-4.8)."""
    rows = OpenRows(now, seat)
    hand = now.table.cards(SOLDIER_HAND[seat])
    return [
        Move(card, place)
        for card in hand
        for place in rows.on_own_side(printed(card))
        if may_come(now.table, printed(card).skill, place)
    ]


class OpenRows:
    """The rows that soldiers from one seat's hand may go to now."""

    def __init__(self, now: Round, seat: int) -> None:
        self.seat = seat
        self.wolf = is_led_by(now.table, seat, Commander.WOLF)
        self.enemies = enemies(now.table, seat)
        own = [laid for laid in now.laid if laid.seat == seat]
        self.taken = {laid.place for laid in own}
        self.lone = {laid.place for laid in own if laid.card.face in LONE_RANGERS}

    def to_place(self, soldier: Soldier) -> Sequence[Place]:
        """A spy goes to an enemy's scout row, for Wolf to any row of his (SK-3.7)."""
        if soldier.skill is not Skill.SPY:
            return self.on_own_side(soldier)
        rows = ROWS if self.wolf else (Row.SCOUT,)
        return [row_of(enemy, row) for enemy in self.enemies for row in rows]

    def on_own_side(self, soldier: Soldier) -> Sequence[Place]:
        """The row of its class or a second one; for Wolf any (SK-3.3 to SK-3.5).

        SK-3.6 (a): not where the seat put Lone Ranger, nor he where it put another.
        """
        places = SIDE[self.seat] if self.wolf else ROWS_OF[soldier.face][self.seat]
        if soldier.skill is Skill.LONE_RANGER:
            return [place for place in places if place not in self.taken]
        if self.lone:
            return [place for place in places if place not in self.lone]
        return places


def raisings(now: Round, seat: int) -> list[Move]:
    """Every soldier in the discard with the rows its own card allows (SK-4.24)."""
    return [
        Move(card, row_of(seat, row))
        for card in now.table.cards(DISCARD)
        if card.face in SOLDIERS
        for row in printed(card).rows
        if may_come(now.table, printed(card).skill, row_of(seat, row))
    ]


def may_come(table: Table, skill: Skill | None, to: Place) -> bool:
    """Whether Lone Ranger's rule lets a soldier come to a row later (SK-3.6 b, c).

    `skill` is None for a face-down body: nobody need know what it is.
    """
    seat = to.seat
    lying = [card for card in table.cards(to) if counts_beside(table, card, seat)]
    if skill is Skill.LONE_RANGER and lying:
        return False
    return not any(has(table, card, Skill.LONE_RANGER) for card in lying)


def counts_beside(table: Table, card: Card, seat: int | None) -> bool:
    """Not a spy another seat brought to this side, nor a lurker of the last round.

    SK-3.6 (c). That a card laid on a foreign side is the spy, everybody knows (SK-3.7).
    """
    skill = shown(table, card).skill if card.face_up else None
    laid_as_spy = not card.face_up and ("spy", card.handle) in table.markers
    if skill is Skill.SPY or laid_as_spy:
        return card.bringer == seat
    return skill is not Skill.LURKER or ("stayed", card.handle) not in table.markers


def coercible(table: Table, seat: int) -> list[Card]:
    """Enemy soldiers that may be moved to the same row of a side (SK-4.13, SK-4.23)."""
    return [
        card
        for enemy in enemies(table, seat)
        for card in soldiers_of(table, enemy)
        if not is_closed(table, card) and may_come_over(table, card, seat)
    ]


def may_come_over(table: Table, card: Card, seat: int) -> bool:
    """Whether Lone Ranger's rule lets this soldier be moved to a side (SK-3.6 b, c)."""
    if not counts_beside(table, card, seat):
        return True
    skill = shown(table, card).skill if card.face_up else None
    return may_come(table, skill, Place(card.place.name, seat))
