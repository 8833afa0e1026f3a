"""What is best for the automaton, by what all can see. Pure: nothing here changes.

Gains are counted as strengths would stand, before a card does anything.
"""

from collections.abc import Iterable, Sequence

from services.engine.games.gwent.board import (
    opponents,
    printed,
    row_of,
    side_at,
    side_of,
    units,
)
from services.engine.games.gwent.pieces import FACES
from services.engine.games.gwent.slots import free_slots, slots_for_a_horn
from services.engine.games.gwent.strength import (
    Sky,
    effects_on,
    sky_over,
    strengths_of,
    strengths_on,
)
from services.engine.kernel import Card, Move, Place, Table

# -- units ---------------------------------------------------------------------------


def best_of(table: Table, moves: Sequence[Move]) -> Move:
    """What gains its side most; of equals the first (GW-16.6, GW-16.11)."""
    return max(moves, key=lambda move: gain_of(table, move))


def gain_of(table: Table, move: Move) -> int:
    """How much more the row would have with this card in it."""
    cards = table.cards(move.place)
    return row_total(table, move.place, [*cards, move.card]) - row_total(
        table, move.place, cards
    )


def row_total(
    table: Table, row: Place, cards: Iterable[Card], *, horn: bool = False
) -> int:
    """What these cards would have in a row, perhaps with a horn beside it."""
    one = side_at(table, row)
    on = effects_on(table, one, sky_over(table))[one.rows.index(row)]
    return sum(strengths_of(cards, on._replace(horn=on.horn or horn)))


# -- special cards -------------------------------------------------------------------


def best_for_a_horn(table: Table) -> list[Place]:
    """The slots where it adds most; of equals where most units are (GW-16.7)."""
    worth = {slot: horn_worth(table, slot) for slot in slots_for_a_horn(table, None)}
    most = max(worth.values(), default=(0, 0))
    return [slot for slot, one in worth.items() if one == most and one[0] > 0]


def horn_worth(table: Table, slot: Place) -> tuple[int, int]:
    """What a horn in this slot would add, and to how many units."""
    row = side_of(table, None).row(row_of(table, slot))
    cards = table.cards(row)
    added = row_total(table, row, cards, horn=True) - row_total(table, row, cards)
    return added, len(units(cards))


def best_for_mardroeme(table: Table) -> Place | None:
    """Beside the row with most berserkers, the first of such (GW-16.13)."""
    number = {slot: berserkers_at(table, slot) for slot in free_slots(table, None)}
    most = max(number.values(), default=0)
    return next((slot for slot, one in number.items() if one == most > 0), None)


def berserkers_at(table: Table, slot: Place) -> int:
    """How many berserkers lie in the row of this slot."""
    cards = table.cards(side_of(table, None).row(row_of(table, slot)))
    return sum(printed(card).has("berserker") for card in cards)


def weather_from_best(table: Table, faces: Sequence[str]) -> list[str]:
    """These weather cards, those first that gain most over the seat (GW-16.16)."""
    return sorted(faces, key=lambda face: -lead_under(table, sky_after(table, face)))


def sky_after(table: Table, face: str) -> Sky:
    """The weather there would be with this card; Clear Weather leaves none."""
    sky, (ability,) = sky_over(table), FACES[face].abilities
    bad = sky.bad.union(ability.rows) if ability.rows else frozenset()
    return sky._replace(bad=bad)


def lead_under(table: Table, sky: Sky) -> int:
    """How far the automaton would be ahead in this weather."""
    own = sum(strengths_on(table, side_of(table, None), sky).values())
    (other,) = opponents(table, None)
    return own - sum(strengths_on(table, other, sky).values())
