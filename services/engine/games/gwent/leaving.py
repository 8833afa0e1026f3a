"""The one way out: cards go from the table to the discard of their side.

A card's *bringer* is forgotten in a discard; in team mode, where partners share one, a
marker keeps it (GW-D11).
"""

from collections.abc import Sequence

from services.engine.games.gwent.board import (
    TEAM,
    WEATHER,
    Side,
    fighters,
    printed,
    side_at,
    side_of,
    sides,
    units_on,
)
from services.engine.games.gwent.entering import (
    beside,
    bringer_of,
    enter,
    face_named,
)
from services.engine.games.gwent.strength import recount, strengths, strongest
from services.engine.kernel import Card, Move, Place, Table


async def discard(table: Table, cards: Sequence[Card]) -> None:
    """From wherever they lie, as one event, without any avenger (GW-4.6, GW-7.2)."""
    brought = {card: brought_by(table, card) for card in cards}
    ways = [(card, discard_of(table, card)) for card in cards]
    await table.move_each(ways)
    if table.variant == TEAM:
        table.mark_all("brought", {card: str(seat) for card, seat in brought.items()})


HELD = ("hand", "search", "automaton_turned")


def discard_of(table: Table, card: Card) -> Place:
    """Of the side it lies on; of weather or a card in hand, its player's (GW-7.2)."""
    if card.place.name in (*HELD, "weather"):
        return side_of(table, brought_by(table, card)).discard
    return side_at(table, card.place).discard


def brought_by(table: Table, card: Card) -> int | None:
    """Whose a card is: who laid it on the table, or holds it (GW-D11)."""
    if card.place.name in HELD:
        return card.place.seat
    if card.place == WEATHER:
        return card.bringer
    marked = table.marker("brought", card)
    return int(marked) if marked else bringer_of(table, card)


async def leave(table: Table, cards: Sequence[Card]) -> None:
    """They go together; strengths are counted; then their avengers come (GW-6.9)."""
    if not cards:
        return
    called = avengers_of(table, cards)
    await discard(table, cards)
    recount(table)
    await avenge(table, called)


Avenger = tuple[int | None, Side, str]


def avengers_of(table: Table, cards: Sequence[Card]) -> list[Avenger]:
    """Whom these cards call when they are gone: whose it is, where, which (GW-4.16)."""
    return [
        (bringer_of(table, card), side_at(table, card.place), face)
        for card in cards
        if printed(card).has("avenger")
        for face in (face_named(card, "avenger"),)
    ]


async def avenge(table: Table, avengers: Sequence[Avenger]) -> None:
    """Each comes to its own printed row, if it is still beside (GW-4.16, GW-4.17)."""
    for who, at, face in avengers:
        card = beside(table, who, face)
        if card is not None:
            await enter(table, who, [Move(card, at.row(printed(card).rows[0]))])


# -- burning -------------------------------------------------------------------------

LEAST_TO_BURN = 10


async def burn_strongest(table: Table, *some: Side) -> None:
    """Of all units of these sides the strongest go, all that are tied (GW-6.8)."""
    at = some or sides(table)
    await leave(table, strongest(units_on(table, *at), strengths(table, *at)))


async def burn_row(table: Table, row: Place) -> None:
    """Its strongest units go, if heroes and all it totals 10 (GW-4.14)."""
    await leave(table, to_burn_in(table, row))


def to_burn_in(table: Table, row: Place) -> list[Card]:
    """Whom a scorch of this row would burn (GW-4.14, GW-8.5)."""
    values = strengths(table, side_at(table, row))
    cards = table.cards(row)
    if sum(values[card] for card in cards) < LEAST_TO_BURN:
        return []
    return strongest([card for card in cards if printed(card).is_unit], values)


# -- the table is cleared ------------------------------------------------------------


async def end_weather(table: Table) -> None:
    """All of it, to the discards of those who brought it (GW-7.2, GW-7.4)."""
    await discard(table, table.cards(WEATHER))


async def clear_table(table: Table, kept: Sequence[Card]) -> None:
    """Fighters, weather, decoys and slots, then avengers; kept ones stay (GW-10.2).

    Avengers come to a cleared table and stand in the next round (GW-10.3).
    """
    going = [card for card in fighters(table, *sides(table)) if card not in kept]
    called = avengers_of(table, going)
    await discard(table, going)
    await end_weather(table)
    await clear_specials(table)
    recount(table)
    await avenge(table, called)


async def clear_specials(table: Table) -> None:
    """Decoys and what lies in slots go; leaders' horns end (GW-6.7, GW-8.4)."""
    rows = [row for one in sides(table) for row in one.rows]
    slots = [slot for one in sides(table) for slot in one.slots]
    decoys = [card for card in table.cards(*rows) if not printed(card).is_fighter]
    await discard(table, [*decoys, *table.cards(*slots)])
    for row in rows:
        table.unmark("horn", row)
