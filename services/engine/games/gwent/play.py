"""A game of gwent, in the order of the rulebook (RULES.md)."""

from collections.abc import Sequence

from services.engine.games.gwent import free_for_all, scoring, solo, tournament
from services.engine.games.gwent.abilities import places_for, play_special
from services.engine.games.gwent.automaton import take_turn
from services.engine.games.gwent.board import (
    FREE_FOR_ALL,
    HAND,
    LEADER,
    SOLO,
    TEAM,
    TOURNAMENT,
    landings,
    leader_of,
    marked_seat,
    printed,
    seat_with,
)
from services.engine.games.gwent.entering import enter
from services.engine.games.gwent.factions import (
    bring_back_fallen,
    draw_for_winning,
    keep,
    name_first_starter,
)
from services.engine.games.gwent.leading import can_act, is_usable, use_leader
from services.engine.games.gwent.leaving import clear_table
from services.engine.games.gwent.scoring import Scored
from services.engine.games.gwent.set_up import choose_decks, deal, exchange, lay_out
from services.engine.games.gwent.team import name_leads, turn_order
from services.engine.kernel import Card, Move, Outcome, Place, Table


async def game(table: Table) -> Outcome:
    """Decks, and a match with them (GW-1.4, GW-2.1)."""
    await CHOOSING.get(table.variant, choose_decks)(table)
    await match(table)
    await further_games(table)
    return outcome(table)


CHOOSING = {
    TOURNAMENT: tournament.choose_sets,
    **dict.fromkeys(SOLO, solo.choose_factions),
}


async def go_on(table: Table) -> Outcome:
    """Take a position up where the turn of the seat marked `turn` begins."""
    await play_on(table)
    await further_games(table)
    return outcome(table)


async def further_games(table: Table) -> None:
    """In a tournament others follow until it is won (GW-13.2)."""
    while table.variant == TOURNAMENT and await tournament.next_game(table):
        await match(table)


async def match(table: Table) -> None:
    """Set-up, and rounds until it is over (GW-2.1)."""
    await set_up(table)
    await deal(table)
    starter = await name_first_starter(table)
    table.hand_on("first", starter)
    table.hand_on("starts", starter)
    await exchange(table)
    await begin_round(table)
    await play_on(table)


async def set_up(table: Table) -> None:
    """Every deck is laid out, the automaton's too (GW-1.5, GW-16.2)."""
    for seat in table.seats:
        await lay_out(table, seat)
    if table.variant in SOLO:
        await solo.choose_leader(table)
        await solo.lay_out_automaton(table)


async def play_on(table: Table) -> None:
    """This round from the turn that begins, and those that follow (GW-2.1)."""
    while not await round_(table):
        await begin_round(table)


async def round_(table: Table) -> bool:
    """Turns until all have passed, then the end; is the match over? (GW-3.3).

    One turn is done, with all it set off, before the next begins (GW-3.5). The
    automaton acts whenever the seat has, once after it has passed (GW-16.4, GW-16.5).
    """
    while (seat := whose_turn(table)) is not None:
        await turn(table, seat)
        if table.variant in SOLO:
            table.hand_on("turn", None)
            await take_turn(table)
        table.hand_on("turn", next_to_act(table, seat))
    return await end_of_round(table)


# -- 3 The turn ----------------------------------------------------------------------


async def begin_round(table: Table) -> None:
    """Nobody has passed; Skellige bring back; the starter's turn (GW-3.1, GW-9.5).

    Hands are as they were, and nobody draws (GW-3.7, GW-10.5). Where the automaton
    starts it acts at once (GW-16.3).
    """
    table.gain("round", 1)
    for seat in table.seats:
        table.unmark("passed", seat)
    starter = await name_starter(table)
    table.unmark("acted")
    await bring_back_fallen(table, all_from(table, starter))
    if starter is None:
        await take_turn(table)
    table.hand_on("turn", starter or 0)


def all_from(table: Table, starter: int | None) -> list[int | None]:
    """Everybody in the order of turns, the automaton (None) too (GW-9.5)."""
    order: list[int | None] = [*seats_from(table, starter or 0)]
    return [*order, None] if table.variant in SOLO else order


async def name_starter(table: Table) -> int | None:
    """Who starts; in a team mode partners agree on it first (GW-14.4, GW-10.4)."""
    if table.variant in SOLO:
        return marked_seat(table, "starts")
    starter = seat_with(table, "starts")
    if table.variant != TEAM:
        return starter
    lead = await name_leads(table, starter)
    table.hand_on("starts", lead)
    return lead


def whose_turn(table: Table) -> int | None:
    """Who is marked as having the turn; nobody when all have passed (GW-3.3)."""
    return marked_seat(table, "turn")


def next_to_act(table: Table, seat: int) -> int | None:
    """The next who has not passed, perhaps the same (GW-3.2, GW-14.5, GW-15.1)."""
    _, *others = seats_from(table, seat)
    waiting = [s for s in (*others, seat) if table.marker("passed", s) is None]
    return waiting[0] if waiting else None


def seats_from(table: Table, seat: int) -> list[int]:
    """The order of turns, from this seat on (GW-3.1, GW-14.4, GW-15.1)."""
    order = turn_order(table) if table.variant == TEAM else list(table.seats)
    at = order.index(seat)
    return order[at:] + order[:at]


async def turn(table: Table, seat: int) -> None:
    """One card, the leader, or a pass (GW-3.1); a pass when time runs out (GW-1.10)."""
    move = None
    if can_act(table, seat):
        move = await table.ask_may(seat, "turn", moves(table, seat))
    if move is None:
        pass_round(table, seat)
    else:
        await act(table, seat, move)


async def act(table: Table, seat: int, move: Move) -> None:
    """The leader is used, or a card played (GW-3.1, GW-8.1)."""
    if table.variant == FREE_FOR_ALL:
        table.mark("acted")
    if move.place == LEADER[seat]:
        await use_leader(table, seat)
    else:
        await play_card(table, seat, move)


def pass_round(table: Table, seat: int) -> None:
    """Nothing more from this seat in this round (GW-3.2)."""
    table.declare("passes", seat)
    table.mark("passed", seat)


def moves(table: Table, seat: int) -> list[Move]:
    """Every card in hand with every place it may be played, and the leader (GW-3.1)."""
    playable = [
        Move(card, place)
        for card in table.cards(HAND[seat])
        for place in places_of(table, seat, card)
    ]
    leader = leader_of(table, seat)
    if leader is not None and is_usable(table, seat):
        playable.append(Move(leader, LEADER[seat]))
    return playable


def places_of(table: Table, seat: int, card: Card) -> Sequence[Place]:
    """A fighter's rows, or a special card's places (GW-4.1, GW-6.1)."""
    fights = printed(card).is_fighter
    return landings(table, seat, card) if fights else places_for(table, seat, card)


async def play_card(table: Table, seat: int, move: Move) -> None:
    """A fighter comes to its row, a special card does what it says (GW-4.1, GW-6.1)."""
    if printed(move.card).is_fighter:
        await enter(table, seat, [move])
    else:
        await play_special(table, seat, *move)


# -- 10 The end of a round, 11 of the match ------------------------------------------


async def end_of_round(table: Table) -> bool:
    """Scored; unless the match is over, cleared and handed on (GW-10.2, GW-10.4).

    A card drawn now, or a discard for a leader, may carry a free-for-all on (GW-15.8).
    """
    if table.variant in SOLO:
        await solo.before_comparing(table)
    scored = score(table)
    if scored.over:
        return True
    await clear_table(table, await keep(table))
    await draw_for_winning(table, scored.winners)
    table.hand_on("starts", scored.starter)
    return table.variant == FREE_FOR_ALL and free_for_all.is_spent(table)


def score(table: Table) -> Scored:
    """By gems, or in a free-for-all by points (GW-10.1, GW-15.3)."""
    if table.variant == FREE_FOR_ALL:
        return free_for_all.score(table)
    return scoring.score(table)


def outcome(table: Table) -> Outcome:
    """How it ended (GW-11.1, GW-11.2, GW-13.2, GW-14.11, GW-15.7)."""
    if table.variant == FREE_FOR_ALL:
        return free_for_all.outcome(table)
    if table.variant == TOURNAMENT:
        return tournament.outcome(table)
    return scoring.outcome(table)
