"""What the factions do besides their cards (GW-9)."""

from collections.abc import Sequence

from services.engine.games.gwent.abilities import bring_back
from services.engine.games.gwent.board import (
    HAND,
    PILE,
    SOLO,
    TEAM,
    Side,
    faction_of,
    side_of,
    sides,
    units,
    units_on,
)
from services.engine.games.gwent.leaving import brought_by
from services.engine.games.gwent.pieces import Faction
from services.engine.kernel import AtSeat, Card, Table


def seats_of(table: Table, faction: Faction) -> list[int]:
    """The seats that play a faction."""
    return [seat for seat in table.seats if faction_of(table, seat) is faction]


# -- Scoia'tael ----------------------------------------------------------------------


async def name_first_starter(table: Table) -> int | None:
    """A coin, or Scoia'tael say who starts the first round (GW-1.6, GW-9.4).

    Of several against each other one is drawn that may say it (GW-14.8, GW-15.9); of
    two in a duel the coin says it all. Against the automaton (None) Scoia'tael start,
    and nobody else (GW-16.3).
    """
    firsts = [one.seats[0] for one in sides(table) if one.seats]
    elves = seats_of(table, Faction.SCOIATAEL)
    if table.variant in SOLO:
        return elves[0] if elves else None
    if not elves or (len(elves) == len(table.seats) == 2):
        return await table.lot(firsts)
    elf = elves[0] if len(elves) == 1 else await table.lot(elves)
    own = side_of(table, elf).seats[0]
    options = [AtSeat(seat) for seat in firsts]
    at = await table.ask(elf, "who_begins", options, default=f"seat:{own}")
    return at.seat


# -- Monsters ------------------------------------------------------------------------


async def keep(table: Table) -> list[Card]:
    """Each Monsters seat keeps a unit of its side, by lot, won or lost (GW-9.1)."""
    kept: list[Card] = []
    for one in sides(table):
        for who in one.players:
            cards = kept_among(table, one, who)
            if cards and faction_of(table, who) is Faction.MONSTERS:
                (card,) = await table.pick(cards)
                table.declare("keeps", who, cards=[card])
                kept.append(card)
    return kept


def kept_among(table: Table, one: Side, who: int | None) -> list[Card]:
    """The units of the side; in a team its own or an opponent's (GW-14.7)."""
    cards = units_on(table, one)
    return [card for card in cards if is_own_or_foreign(table, one, who, card)]


def is_own_or_foreign(table: Table, one: Side, who: int | None, card: Card) -> bool:
    """Not the partner's: brought by this seat, or by an opponent (GW-14.7)."""
    if table.variant != TEAM:
        return True
    brought = brought_by(table, card)
    return brought == who or brought not in one.seats


# -- Northern Realms -----------------------------------------------------------------


async def draw_for_winning(table: Table, winners: Sequence[int | None]) -> None:
    """Each Northern Realms seat among these draws a card (GW-9.3, GW-14.9).

    The automaton has no hand: it plays one card more in the next round (GW-16.14).
    """
    for who in winners:
        if faction_of(table, who) is Faction.NORTHERN_REALMS:
            if who is None:
                table.mark("one_more")
            else:
                await table.draw(PILE[who], 1, HAND[who])


# -- Skellige ------------------------------------------------------------------------

THIRD_ROUND = 3
BROUGHT_BACK = 2


async def bring_back_fallen(table: Table, order: Sequence[int | None]) -> None:
    """Two of the own discard, both drawn before either comes (GW-9.5, GW-15.9).

    No medic among them takes the other one.
    """
    if table.counter("round") != THIRD_ROUND:
        return
    for who in order:
        fallen = fallen_of(table, who)
        if fallen and faction_of(table, who) is Faction.SKELLIGE:
            drawn = await table.pick(fallen, BROUGHT_BACK)
            table.mark_all("returns", dict.fromkeys(drawn, ""))
            for card in drawn:
                await bring_back(table, who, card)


def fallen_of(table: Table, who: int | None) -> list[Card]:
    """Units of its discard; in a team not the partner's (GW-9.5, GW-14.7)."""
    one = side_of(table, who)
    fallen = units(table.cards(one.discard))
    return [card for card in fallen if is_own_or_foreign(table, one, who, card)]
