"""The automaton of a solo game: its turn, and what cards do otherwise for it (GW-16).

It has no seat and no hand; it is the `None` among those who act. What it turns up comes
to the table the same way as a seat's cards do.
"""

from collections.abc import Mapping

from services.engine.games.gwent.automaton_choice import (
    best_for_a_horn,
    best_for_mardroeme,
    best_of,
)
from services.engine.games.gwent.board import (
    AUTOMATON_PILE,
    AUTOMATON_TURNED,
    AUTOMATON_UNDER,
    landing_moves,
    opponents,
    printed,
    side_of,
)
from services.engine.games.gwent.entering import arrive, choose_one, enter
from services.engine.games.gwent.hope import move_agile
from services.engine.games.gwent.leaving import burn_strongest, discard
from services.engine.games.gwent.pieces import MELEE, Kind
from services.engine.games.gwent.slots import lay_in_slot
from services.engine.kernel import Card, Place, Table

PLAYER = 0  # the only seat

# -- its turn ------------------------------------------------------------------------


async def take_turn(table: Table) -> None:
    """A card; Northern Realms that won play one more (GW-16.4, GW-16.14).

    It never passes (GW-16.5).
    """
    more = table.marker("one_more") is not None
    table.unmark("one_more")
    for _ in range(1 + more):
        await play_next(table)
    await move_agile(table, None)


async def play_next(table: Table) -> None:
    """The top card, and after weather the next, up to one that is none (GW-16.4)."""
    while drawn := await table.draw(AUTOMATON_PILE, 1, AUTOMATON_TURNED):
        await play_turned_up(table, drawn[0])
        if printed(drawn[0]).kind is not Kind.WEATHER:
            return


async def play_turned_up(table: Table, card: Card) -> None:
    """A fighter comes to its best row, a special card is carried out (GW-16.6)."""
    if printed(card).is_fighter:
        ways = landing_moves(table, None, [card])
        await enter(table, None, [best_of(table, ways)])
    else:
        await carry_out(table, card)


async def carry_out(table: Table, card: Card) -> None:
    """As it says, or by the automaton's own way; what stays nowhere is discarded."""
    (ability,) = printed(card).abilities
    if ability.automaton_plays:
        await ability.automaton_plays(table, None, card)
    elif ability.plays and ability.targets:
        (place,) = ability.targets(table, None)
        await ability.plays(table, None, card, place)
    if card.place == AUTOMATON_TURNED:
        await discard(table, [card])


async def turn_up_covered(table: Table) -> None:
    """What lies under its decoys is played, before totals are compared (GW-16.12)."""
    while covered := table.cards(AUTOMATON_UNDER):
        await table.move(covered[0], AUTOMATON_TURNED)
        await play_turned_up(table, covered[0])
    await move_agile(table, None)


# -- its units -----------------------------------------------------------------------


async def play_two_more(table: Table, _who: int | None, _spy: Card) -> None:
    """A spy lies on its own side; two more cards, as in a turn (GW-16.10)."""
    await play_next(table)
    await play_next(table)


async def call_first(table: Table, places: Mapping[str, Place]) -> None:
    """One unit, the first in its pile; that one calls no other (GW-16.9)."""
    if table.count(AUTOMATON_PILE):
        found = await table.find(AUTOMATON_PILE, places, 1)
        await table.shuffle(AUTOMATON_PILE)
        await arrive(table, None, found, called=True)


async def burn_opponents(table: Table, who: int | None, _card: Card) -> None:
    """The strongest of the seat's side alone (GW-16.8)."""
    await burn_strongest(table, *opponents(table, who))


# -- its special cards ---------------------------------------------------------------


async def lay_horn(table: Table, who: int | None, card: Card) -> None:
    """Where it adds most; between equals the player chooses (GW-16.7)."""
    slots = best_for_a_horn(table)
    if slots:
        slot = await choose_one(table, PLAYER, "automaton_horn", slots)
        await lay_in_slot(table, who, card, slot)


async def lay_mardroeme(table: Table, who: int | None, card: Card) -> None:
    """Beside a row with berserkers (GW-16.13)."""
    slot = best_for_mardroeme(table)
    if slot is not None:
        await lay_in_slot(table, who, card, slot)


async def lay_decoy(table: Table, who: int | None, card: Card) -> None:
    """In melee; the top card comes to lie under it, unseen (GW-16.12)."""
    await table.move(card, side_of(table, who).row(MELEE))
    await table.draw(AUTOMATON_PILE, 1, AUTOMATON_UNDER)
