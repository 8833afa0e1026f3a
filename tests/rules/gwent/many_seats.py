"""What tests do at tables of more than two seats."""

from tests.rules.driving import SEATS
from tests.rules.gwent.layout import whole


def all_pass(table):
    """Whoever has the turn passes, until the round is over."""
    now = table.round
    while table.round == now and not table.is_over:
        (asked,) = table.waits_for
        getattr(table, asked.partition(":")[0]).passes()
    return table


def chosen(variant, *factions, **chance):
    """Everybody has chosen the starter deck of a faction, by seat."""
    table = whole(variant, len(factions), **chance)
    for seat, faction in enumerate(factions):
        table.seat(seat).chooses(f"starter_{faction}")
    return table


def hands(table):
    """How many cards each seat holds."""
    return [len(getattr(table, SEATS[seat]).hand) for seat in table.table.seats]
