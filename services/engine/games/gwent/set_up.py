"""Decks are chosen, laid out and dealt from (GW-1)."""

from collections.abc import Sequence

from services.engine.games.gwent.board import (
    ASIDE,
    BOX,
    FREE_FOR_ALL,
    HAND,
    LEADER,
    PILE,
    SIDE_DECK,
    TEAM,
    faction_of,
    is_led_by,
    sides,
)
from services.engine.games.gwent.leading import (
    cancel_leaders,
    deck_of,
    faction_of_deck,
    is_leader,
)
from services.engine.games.gwent.pieces import FACES, Faction, Kind
from services.engine.games.gwent.starter import READY, Ready, ready_for
from services.engine.kernel import Default, Question, Table, Word, choose

HAND_SIZE = 10
EXCHANGES = 2
GEMS = 2


# -- decks ---------------------------------------------------------------------------


async def choose_decks(table: Table) -> None:
    """Who brought none chooses one, all at once and unseen (GW-1.4)."""
    for seats in choosing(table):
        asked = [seat for seat in seats if brought_faction(table, seat) is None]
        questions = [deck_question(table, seat) for seat in asked]
        answers = await table.ask_all(questions, secret=True) if questions else {}
        for seat in seats:
            faction = brought_faction(table, seat)
            if faction is None:
                faction = READY[str(answers[seat][0])].faction
            table.mark("faction", seat, faction.value)


def choosing(table: Table) -> Sequence[Sequence[int]]:
    """All together; in a team the second partner after the first (GW-14.2)."""
    return ((0, 1), (2, 3)) if table.variant == TEAM else (table.seats,)


def brought_faction(table: Table, seat: int) -> Faction | None:
    """Of the deck it brought; not one that its partner plays (GW-14.2)."""
    for deck in table.brought.get(seat, ()):
        faction = faction_of_deck(deck)
        if faction not in partners_factions(table, seat):
            return faction
    return None


def partners_factions(table: Table, seat: int) -> list[Faction]:
    """What the partners play, as far as they have chosen."""
    team = table.teams[seat]
    partners = [s for s in table.seats if s != seat and table.teams[s] == team]
    return [faction_of(table, partner) for partner in partners]


def deck_question(table: Table, seat: int) -> Question:
    """A ready deck of each faction but the partner's, else by lot (GW-1.4)."""
    taken = partners_factions(table, seat)
    words = [Word(one.id) for one in choice_of(table) if one.faction not in taken]
    return choose(seat, "choose_deck", words)


def choice_of(table: Table) -> list[Ready]:
    """The decks that are ready for this mode."""
    return ready_for(table.variant)


# -- a match begins ------------------------------------------------------------------


async def deal(table: Table) -> None:
    """Leaders, piles and side decks lie there: gems and hands (GW-1.7, GW-8.14)."""
    cancel_leaders(table)
    table.set_counter("round", 0)
    give_gems(table)
    for seat in table.seats:
        await table.draw(PILE[seat], hand_size(table, seat), HAND[seat])


def give_gems(table: Table) -> None:
    """Two for each side, shared by partners; points need none (GW-2.1, GW-14.1)."""
    for one in sides(table):
        if table.variant != FREE_FOR_ALL:
            table.set_counter(f"{one.prefix}gems", GEMS, one.seat)


async def lay_out(table: Table, seat: int) -> None:
    """The leader and the side deck face up, the rest a shuffled pile (GW-1.5)."""
    deck = deck_of(table, seat)
    leaders = [face for face in deck if is_leader(face)]
    beside = side_deck_of(faction_of(table, seat))
    await table.build(BOX[seat], [*leaders, *beside])
    places = dict.fromkeys(leaders, LEADER[seat])
    await table.find(BOX[seat], places | dict.fromkeys(beside, SIDE_DECK[seat]))
    await table.build(PILE[seat], [face for face in deck if face not in leaders])


def side_deck_of(faction: Faction) -> list[str]:
    """All that lies beside, whatever is in the deck (GW-1.5, GW-4.17)."""
    return [
        one.id
        for one in FACES.values()
        if one.kind is Kind.TOKEN and one.faction in (Faction.NEUTRAL, faction)
        for _ in range(one.copies)
    ]


def hand_size(table: Table, seat: int) -> int:
    """Ten cards, eleven for Daisy of the Valley (GW-1.7, GW-8.24)."""
    return HAND_SIZE + is_led_by(table, seat, "francesca_daisy")


async def exchange(table: Table) -> None:
    """Up to two cards, one after the other; then what was set aside goes back (GW-1.8).

    All are asked at once; who keeps the hand is done.
    """
    seats: Sequence[int] = table.seats
    for _ in range(EXCHANGES):
        questions = [exchange_question(table, seat) for seat in seats]
        answers = await table.ask_all(questions, secret=True) if questions else {}
        seats = [seat for seat in seats if answers[seat]]
        for seat in seats:
            await table.move(answers[seat], ASIDE[seat])
            await table.draw(PILE[seat], 1, HAND[seat])
    for seat in table.seats:
        if table.count(ASIDE[seat]):
            await table.shuffle(PILE[seat], table.cards(ASIDE[seat]))


def exchange_question(table: Table, seat: int) -> Question:
    """A card of the hand, or none (GW-1.8, GW-1.10)."""
    hand = table.cards(HAND[seat])
    return choose(seat, "exchange", hand, least=0, default=Default.DECLINE)
