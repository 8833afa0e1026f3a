"""What lies beside a row: a Commander's Horn or Mardroeme (GW-6.2 to GW-6.4)."""

from services.engine.games.gwent.board import row_of, side_of
from services.engine.games.gwent.entering import transform
from services.engine.games.gwent.strength import has_horn, recount
from services.engine.kernel import Card, Place, Table


def free_slots(table: Table, who: int | None) -> list[Place]:
    """Slots of the own side with nothing in them; none: unplayable (GW-6.3)."""
    return [slot for slot in side_of(table, who).slots if not table.count(slot)]


def slots_for_a_horn(table: Table, who: int | None) -> list[Place]:
    """Not beside a row that a leader's horn is on (GW-6.3)."""
    own = side_of(table, who)
    return [
        slot
        for row, slot in zip(own.rows, own.slots, strict=True)
        if not table.count(slot) and not has_horn(table, row, slot)
    ]


async def lay_in_slot(table: Table, who: int | None, card: Card, slot: Place) -> None:
    """A horn or Mardroeme, which works at once (GW-6.2, GW-6.4, GW-4.19)."""
    await table.move(card, slot, bringer=who)
    await transform(table, side_of(table, who).row(row_of(table, slot)))
    recount(table)
