"""Strength: counted anew from the printed numbers each time (GW-5.1).

One function per step, in the order of the rulebook, over the values of a whole row.
Nothing here changes the table but `recount`, which shows what was counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from services.engine.games.gwent.board import (
    WEATHER,
    Side,
    leads,
    printed,
    side_is_led_by,
    sides,
)
from services.engine.games.gwent.pieces import FACES, ROWS, Row
from services.engine.kernel import Card, Place, Table


class Traits(NamedTuple):
    """Of what is printed on a card, that which counts."""

    name: str
    strength: int
    is_unit: bool
    spy: bool
    bond: bool
    morale: bool
    horn: bool


class Effects(NamedTuple):
    """What lies over a row: weather, halved only or whole; spies doubled; a horn."""

    weather: bool
    halved: bool
    spies_doubled: bool
    horn: bool


@cache
def traits_of(face: str) -> Traits:
    """What counts of a face."""
    one = FACES[face]
    names = ("spy", "tight_bond", "morale_boost", "commanders_horn")
    spy, bond, morale, horn = (one.is_fighter and one.has(name) for name in names)
    return Traits(one.name.en, one.strength, one.is_unit, spy, bond, morale, horn)


@lru_cache(maxsize=1_000)  # six of seven are found: rows change card by card
def row_strengths(faces: tuple[str, ...], on: Effects) -> tuple[int, ...]:
    """The strength of each card of a row, in the order of GW-5.1.

    It begins with what is printed, whatever the card was worth before (GW-4.4). Heroes
    are left alone by every step (GW-4.22); a decoy stays 0 (GW-6.1).
    """
    row = [traits_of(face) for face in faces]
    values = [one.strength for one in row]
    for step in STEPS:
        step(row, values, on)
    return tuple(values)


Values = list[int]
Cards = Sequence[Traits]


def weather(row: Cards, values: Values, on: Effects) -> None:
    """Down to 1, a 0 stays; King Bran's side to half, rounded up (GW-5.2, GW-8.28)."""
    if not on.weather:
        return
    for i, one in enumerate(row):
        if one.is_unit:
            values[i] = (values[i] + 1) // 2 if on.halved else min(1, values[i])


def treachery(row: Cards, values: Values, on: Effects) -> None:
    """Spies twice, where The Treacherous leads anyone (GW-5.3, GW-8.21)."""
    if not on.spies_doubled:
        return
    for i, one in enumerate(row):
        if one.spy and one.is_unit:
            values[i] *= 2


def bond(row: Cards, values: Values, _on: Effects) -> None:
    """Times as many as there are of its name, wherever they lie (GW-5.4, GW-4.11).

    No such card can stand in two rows: those of a row are those of the side.
    """
    bound = Counter(one.name for one in row if one.bond and one.is_unit)
    for i, one in enumerate(row if bound else ()):
        values[i] *= bound.get(one.name, 1)


def morale(row: Cards, values: Values, _on: Effects) -> None:
    """One more from each other card with morale (GW-5.5, GW-4.12)."""
    boosts = sum(one.morale for one in row)
    for i, one in enumerate(row if boosts else ()):
        if one.is_unit:
            values[i] += boosts - one.morale


def horn(row: Cards, values: Values, on: Effects) -> None:
    """Twice, once: from slot or leader, or another card (GW-5.6, GW-4.13, GW-6.2)."""
    horns = sum(one.horn for one in row)
    for i, one in enumerate(row if horns or on.horn else ()):
        if one.is_unit and (on.horn or horns > one.horn):
            values[i] *= 2


STEPS: tuple[Callable[[Cards, Values, Effects], None], ...] = (
    weather,
    treachery,
    bond,
    morale,
    horn,
)


# -- on the table --------------------------------------------------------------------


class Sky(NamedTuple):
    """What is the same for every side: rows in bad weather, and doubled spies."""

    bad: frozenset[Row]
    spies_doubled: bool


def sky_over(table: Table) -> Sky:
    """The weather in the middle, and whether The Treacherous leads (GW-7.1)."""
    bad = frozenset(
        row
        for card in table.cards(WEATHER)
        for ability in printed(card).abilities
        for row in ability.rows
    )
    return Sky(bad, leads(table, "eredin_treacherous"))


def effects_on(table: Table, one: Side, sky: Sky) -> list[Effects]:
    """What lies over each row of a side now: nothing outlives its source (GW-5.7)."""
    halved = bool(sky.bad) and side_is_led_by(table, one, "king_bran")
    return [
        Effects(row in sky.bad, halved, sky.spies_doubled, has_horn(table, place, slot))
        for row, place, slot in zip(ROWS, one.rows, one.slots, strict=True)
    ]


def has_horn(table: Table, row: Place, slot: Place) -> bool:
    """Whether a horn lies in its slot, or is a leader's (GW-6.2, GW-8.4)."""
    if ("horn", row.id) in table.markers:
        return True
    lying = table.cards(slot)
    return bool(lying) and lying[0].face == "commanders_horn"


def strengths_on(table: Table, one: Side, sky: Sky) -> dict[Card, int]:
    """The strength of each card in the rows of a side."""
    found: dict[Card, int] = {}
    for place, on in zip(one.rows, effects_on(table, one, sky), strict=True):
        cards = table.cards(place)
        if cards:
            found.update(zip(cards, strengths_of(cards, on), strict=True))
    return found


def strengths_of(cards: Iterable[Card], on: Effects) -> tuple[int, ...]:
    """The strength of each of these cards, were they a row."""
    return row_strengths(tuple([str(card.face) for card in cards]), on)


def strengths(table: Table, *some: Side) -> dict[Card, int]:
    """The strength of each card in the rows of these sides."""
    sky = sky_over(table)
    found: dict[Card, int] = {}
    for one in some:
        found |= strengths_on(table, one, sky)
    return found


def strongest(cards: Sequence[Card], values: Mapping[Card, int]) -> list[Card]:
    """All of these cards that have the highest strength (GW-6.8, GW-4.14)."""
    most = max((values[card] for card in cards), default=0)
    return [card for card in cards if values[card] == most]


def recount(table: Table) -> None:
    """Show the strength of every unit and the total of every side (GW-5.1, GW-5.8)."""
    marks: dict[Card, str] = {}
    totals: list[int] = []
    sky = sky_over(table)
    for one in sides(table):
        values = strengths_on(table, one, sky)
        marks |= {c: str(n) for c, n in values.items() if printed(c).is_fighter}
        totals.append(sum(values.values()))
    table.mark_all("strength", marks)
    for one, total in zip(sides(table), totals, strict=True):
        table.set_counter(f"{one.prefix}total", total, one.seat)
