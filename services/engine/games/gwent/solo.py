"""A seat alone against the automaton: how it begins, and how a round ends (GW-16).

What the automaton does in its turn is in `automaton.py`.
"""

from services.engine.games.gwent.automaton import PLAYER, turn_up_covered
from services.engine.games.gwent.board import (
    AUTOMATON_BOX,
    AUTOMATON_LEADER,
    AUTOMATON_LEADERS,
    AUTOMATON_PILE,
    AUTOMATON_SIDE_DECK,
    BOX,
    LEADER,
    SOLO_LEADERS,
    faction_of,
    printed,
    side_of,
    total_of,
)
from services.engine.games.gwent.leading import cancel_leaders, is_leader
from services.engine.games.gwent.pieces import FACTIONS
from services.engine.games.gwent.set_up import side_deck_of
from services.engine.games.gwent.starter import whole_set
from services.engine.games.gwent.strength import recount
from services.engine.kernel import Card, Table, Word

# -- it begins -----------------------------------------------------------------------


async def choose_factions(table: Table) -> None:
    """The player's own, then another one for the automaton (GW-16.1)."""
    words = [Word(faction.value) for faction in FACTIONS]
    own = await table.ask(PLAYER, "choose_faction", words)
    table.mark("faction", PLAYER, own)
    others = [word for word in words if word != own]
    other = await table.ask(PLAYER, "automaton_faction", others)
    table.mark("automaton_faction", value=other)


async def lay_out_automaton(table: Table) -> None:
    """Its whole set, with weather; it has no hand, and no leader yet (GW-16.2)."""
    faction = faction_of(table, None)
    beside = side_deck_of(faction)
    await table.build(AUTOMATON_BOX, beside)
    await table.find(AUTOMATON_BOX, dict.fromkeys(beside, AUTOMATON_SIDE_DECK))
    cards = whole_set(faction)
    leaders = [face for face in cards if is_leader(face)]
    if table.variant == SOLO_LEADERS:
        await table.build(AUTOMATON_LEADERS, leaders)
    await table.build(AUTOMATON_PILE, [face for face in cards if face not in leaders])


async def choose_leader(table: Table) -> None:
    """One of the faction's, which lie open; the others go to the box (GW-16.2)."""
    leaders = table.cards(LEADER[PLAYER])
    chosen = await table.ask(PLAYER, "choose_leader", leaders)
    others = [card for card in leaders if card is not chosen]
    await table.shuffle(BOX[PLAYER], others)


# -- a round ends --------------------------------------------------------------------


async def before_comparing(table: Table) -> None:
    """What lies under decoys, then a leader, once a round (GW-16.12, GW-16.15)."""
    await turn_up_covered(table)
    if is_ahead(table) and table.count(AUTOMATON_LEADERS):
        (leader,) = await table.draw(AUTOMATON_LEADERS, 1, AUTOMATON_LEADER)
        await call_leader(table, leader)


def is_ahead(table: Table) -> bool:
    """Whether the seat has more than the automaton (GW-16.15)."""
    seat, automaton = (side_of(table, who) for who in (PLAYER, None))
    return total_of(table, seat) > total_of(table, automaton)


async def call_leader(table: Table, leader: Card) -> None:
    """A passive one works from now on; what would do nothing does (GW-16.16)."""
    table.declare("automaton_leads", cards=[leader])
    cancel_leaders(table)
    recount(table)
    one = printed(leader)
    if one.effect is None or table.marker("cancelled", leader) is not None:
        return
    table.mark("used", leader)
    if one.is_usable is None or one.is_usable(table, None):
        await one.effect(table, None)
