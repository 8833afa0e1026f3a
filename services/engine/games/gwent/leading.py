"""Whether a leader may be used, and that it is (GW-8.1, GW-8.2)."""

from collections.abc import Iterable

from services.engine.games.gwent.board import (
    AUTOMATON_LEADER,
    HAND,
    WEATHER,
    leader_of,
    printed,
    side_of,
)
from services.engine.games.gwent.leaving import brought_by
from services.engine.games.gwent.pieces import FACES, Faction, Kind
from services.engine.games.gwent.starter import decks_for
from services.engine.kernel import Deck, Table


def is_ready(table: Table, seat: int) -> bool:
    """Whether its leader is an active one, not used, not undone (GW-8.1, GW-8.14)."""
    card = leader_of(table, seat)
    if card is None or printed(card).effect is None:
        return False
    return (
        table.marker("used", card) is None and table.marker("cancelled", card) is None
    )


def may_be_usable(table: Table, seat: int) -> bool:
    """Whether, by what all can see, a seat's leader could be used (GW-3.4, GW-8.2)."""
    card = leader_of(table, seat)
    if card is None or not is_ready(table, seat):
        return False
    works = printed(card).is_usable
    return works is None or works(table, seat)


def can_act(table: Table, seat: int) -> bool:
    """A card in hand, or a leader to use; else it passes unasked (GW-3.4, GW-15.8)."""
    return table.count(HAND[seat]) > 0 or may_be_usable(table, seat)


def is_usable(table: Table, seat: int) -> bool:
    """Whether a seat's leader would do something: it knows its own pile (GW-8.2)."""
    card = leader_of(table, seat)
    if card is None or not may_be_usable(table, seat):
        return False
    sought = printed(card).seeks
    return not sought or pile_holds(table, seat, sought)


async def use_leader(table: Table, seat: int) -> None:
    """It is turned over, and done (GW-8.1)."""
    card = leader_of(table, seat)
    assert card is not None
    table.declare("uses_leader", seat, cards=[card])
    table.mark("used", card)
    effect = printed(card).effect
    assert effect is not None
    await effect(table, seat)


def cancel_leaders(table: Table) -> None:
    """Each White Flame undoes all leaders but itself (GW-8.14, GW-14.9, GW-16.16)."""
    leaders = [card for seat in table.seats if (card := leader_of(table, seat))]
    leaders += table.cards(AUTOMATON_LEADER)
    for flame in [card for card in leaders if card.face == "emhyr_white_flame"]:
        table.mark_all("cancelled", {card: "" for card in leaders if card != flame})


# -- what is left in a pile ----------------------------------------------------------


def deck_of(table: Table, seat: int) -> Deck:
    """The deck a seat plays: of those it brought, or that are ready, its faction's."""
    faction = table.marker("faction", seat)
    for deck in (*table.brought.get(seat, ()), *decks_for(table.variant)):
        if faction_of_deck(deck) == faction:
            return deck
    return ()


def faction_of_deck(deck: Deck) -> Faction:
    """That of its leader."""
    leads = [FACES[face] for face in deck if is_leader(face)]
    return leads[0].faction if leads else Faction.NEUTRAL


def is_leader(face: str) -> bool:
    """Whether it lies beside the pile, face up (GW-1.5)."""
    return FACES[face].kind is Kind.LEADER


def pile_holds(table: Table, seat: int, faces: Iterable[str]) -> bool:
    """Whether one of these is in a seat's pile still: it knows what it drew.

    Weather never changes hands: what a seat's deck has of it lies in its hand, in the
    middle, in the discard, or in the pile.
    """
    deck = deck_of(table, seat)
    drawn = [card.face for card in table.cards(HAND[seat])]
    lying = table.cards(WEATHER, side_of(table, seat).discard)
    drawn += [card.face for card in lying if brought_by(table, card) == seat]
    return any(deck.count(face) > drawn.count(face) for face in faces)
