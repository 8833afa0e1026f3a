"""Hope of the Aen Seidhe: where agile units are worth most (GW-8.26)."""

from collections.abc import Mapping, Sequence
from itertools import product

from services.engine.games.gwent.board import Side, printed, side_of, units
from services.engine.games.gwent.pieces import AGILE
from services.engine.games.gwent.strength import (
    effects_on,
    recount,
    sky_over,
    strengths_of,
)
from services.engine.kernel import Card, Move, Place, Table


async def move_agile(table: Table, who: int | None) -> None:
    """The own agile units go to where the side's total is highest (GW-8.26)."""
    await table.move_each(better_rows(table, side_of(table, who)))
    recount(table)


def would_move_agile(table: Table, who: int | None) -> bool:
    """Whether the total would be higher (GW-8.26)."""
    return bool(better_rows(table, side_of(table, who)))


def better_rows(table: Table, one: Side) -> list[Move]:
    """Which agile units to move where; none where nothing is gained (GW-8.26).

    Where those with morale stand changes what the others gain, so every way of placing
    those is looked at, first those that move fewest; then each of the others has one
    better row, whoever is there.
    """
    places = [one.row(row) for row in AGILE]
    agile = [c for c in units(table.cards(*places)) if printed(c).is_agile]
    leading = [card for card in agile if printed(card).has("morale_boost")]
    stays = {card: card.place for card in agile}
    best, most = stays, total_with(table, one, stays)
    for way in ways_to_place(leading, places):
        tried = settled(table, one, stays | way, [c for c in agile if c not in way])
        total = total_with(table, one, tried)
        if total > most:
            best, most = tried, total
    return [Move(card, row) for card, row in best.items() if row != card.place]


def ways_to_place(
    cards: Sequence[Card], places: Sequence[Place]
) -> list[dict[Card, Place]]:
    """Every way of placing these, those that move fewest first (GW-8.26)."""
    ways = [
        dict(zip(cards, chosen, strict=True))
        for chosen in product(places, repeat=len(cards))
    ]
    return sorted(ways, key=lambda at: sum(at[card] != card.place for card in cards))


def settled(
    table: Table, one: Side, at: Mapping[Card, Place], cards: Sequence[Card]
) -> dict[Card, Place]:
    """Each of these cards in its better row, the others as they are (GW-8.26)."""
    found, most = dict(at), total_with(table, one, at)
    for card in cards:
        (other,) = [one.row(row) for row in AGILE if one.row(row) != card.place]
        total = total_with(table, one, found | {card: other})
        if total > most:
            found, most = found | {card: other}, total
    return found


def total_with(table: Table, one: Side, at: Mapping[Card, Place]) -> int:
    """What melee and ranged would total with these cards in these rows."""
    total = 0
    effects = effects_on(table, one, sky_over(table))
    for place, on in zip(one.rows[:2], effects, strict=False):
        cards = [card for card in table.cards(place) if card not in at]
        cards += [card for card, row in at.items() if row == place]
        total += sum(strengths_of(cards, on))
    return total
