"""A game of skirmish, in the order of the rulebook (RULES.md)."""

from collections.abc import Sequence

from services.engine.games.skirmish.attack import (
    Field,
    attack_of,
    is_killed_by,
    reckoned,
)
from services.engine.games.skirmish.board import (
    COMMANDER,
    COMMANDER_DECK,
    DISCARD,
    ON_SIDE,
    SIDE,
    SOLDIER_DECK,
    SOLDIER_HAND,
    TACTIC,
    TACTIC_DECK,
    TACTIC_HAND,
    Laid,
    Round,
    all_soldiers,
    is_closed,
    is_led_by,
    placings,
    printed,
    soldiers_of,
)
from services.engine.games.skirmish.pieces import (
    COMMANDERS,
    SOLDIERS,
    Commander,
    Skill,
    Tactic,
    tactic_cards,
)
from services.engine.games.skirmish.skills import (
    bomb_window,
    die,
    enter,
    lay,
    may_choose,
)
from services.engine.games.skirmish.tactics import play_tactic
from services.engine.kernel import (
    Card,
    Move,
    Outcome,
    Place,
    Table,
    Word,
    choose,
    ranked,
)

SOLDIERS_DEALT = {2: 14, 3: 12, 4: 10}
TACTICS_DEALT = {2: 6, 3: 5, 4: 4}
LIMIT = 3


async def game(table: Table) -> Outcome:
    """Rounds are played until a seat has no soldier in hand (SK-2.7, SK-8.1)."""
    await set_up(table)
    now = Round(table, 1, await table.lot(table.seats))
    await round_(now)
    while not is_over(table):
        now = await next_round(now)
        await round_(now)
    return final(table)


async def go_on(table: Table, seat: int) -> Outcome:
    """Take a position up where a seat is about to place a card (SK-3.1)."""
    now = Round(table, table.counter("round"), first_of(table))
    now.laid += laid_so_far(table)
    for one in now.order[now.order.index(seat) :]:
        await place_cards(now, one)
    await turning_up(now)
    await reckoning(now)
    await end_of_round(now)
    while not is_over(table):
        now = await next_round(now)
        await round_(now)
    return final(table)


def first_of(table: Table) -> int:
    """Who places first in this round (SK-2.7)."""
    return next(seat for seat in table.seats if table.marker("first", seat) is not None)


def laid_so_far(table: Table) -> list[Laid]:
    """While cards are placed those of this round lie face down (SK-3.1, SK-6.4)."""
    places = [place for seat in table.seats for place in (*SIDE[seat], TACTIC[seat])]
    return [
        Laid(card, card.bringer, card.place)
        for card in table.cards(*places)
        if card.bringer is not None and not card.face_up
    ]


async def round_(now: Round) -> None:
    """Placing, turning up, reckoning, end (SK-2.7)."""
    await placing(now)
    await turning_up(now)
    await reckoning(now)
    await end_of_round(now)


# -- 1 Set-up ------------------------------------------------------------------------


async def set_up(table: Table) -> None:
    """Shuffle three decks and deal from them (SK-1.1, SK-1.2, SK-1.3, SK-1.4)."""
    await table.build(COMMANDER_DECK, [one.value for one in COMMANDERS])
    await table.build(SOLDIER_DECK, list(SOLDIERS))
    await table.build(TACTIC_DECK, tactic_cards())
    number = len(table.seats)
    await deal(table, COMMANDER_DECK, COMMANDER, 1)
    await deal(table, SOLDIER_DECK, SOLDIER_HAND, SOLDIERS_DEALT[number])
    await deal(table, TACTIC_DECK, TACTIC_HAND, TACTICS_DEALT[number])
    await reward_fire_fox(table, table.seats)


async def deal(table: Table, deck: Place, hands: Sequence[Place], count: int) -> None:
    """The same number to every seat (SK-1.2, SK-1.3, SK-1.4)."""
    await table.deal(deck, {hands[seat]: count for seat in table.seats})


def name_first_placer(now: Round) -> None:
    """Everyone sees which round it is and who places first (SK-1.5, SK-2.7)."""
    now.table.set_counter("round", now.number)
    now.table.hand_on("first", now.first)


# -- 3 Placing -----------------------------------------------------------------------


async def placing(now: Round) -> None:
    """Seats place in placing order, one finishing before the next begins (SK-3.1)."""
    name_first_placer(now)
    for seat in now.order:
        await place_cards(now, seat)


async def place_cards(now: Round, seat: int) -> None:
    """One to three soldiers and at most a tactic, one by one, then "done" (SK-3.2)."""
    placed = sum(one.seat == seat and one.place != TACTIC[seat] for one in now.laid)
    while can_place(now, seat, placed):
        move = await ask_to_place(now, seat, placed)
        if move is None:
            now.table.declare("done", seat)
            return
        await lay(now, seat, move, up=False)
        if move.place != TACTIC[seat]:
            placed += 1
        if move.place.seat != seat:
            await rob(now.table, seat, move.place)


def can_place(now: Round, seat: int, placed: int) -> bool:
    """Whether the counts that everybody sees allow anything more (SK-3.2, SK-2.3)."""
    soldiers = placed < LIMIT and now.table.count(SOLDIER_HAND[seat]) > 0
    return soldiers or may_lay_tactic(now, seat)


def may_lay_tactic(now: Round, seat: int) -> bool:
    """One tactic a round, from the hand (SK-3.2)."""
    hand = now.table.count(TACTIC_HAND[seat])
    return hand > 0 and not has_laid_tactic(now, seat)


def has_laid_tactic(now: Round, seat: int) -> bool:
    """Whether a seat placed a tactic this round (SK-3.2, SK-7.2)."""
    return any(laid.place == TACTIC[seat] for laid in now.laid)


async def ask_to_place(now: Round, seat: int, placed: int) -> Move | None:
    """Who has a soldier in hand must place one; by lot when time runs out (SK-2.4)."""
    table = now.table
    moves = placings(now, seat) if placed < LIMIT else []
    tactics = table.cards(TACTIC_HAND[seat]) if may_lay_tactic(now, seat) else []
    options = moves + [Move(card, TACTIC[seat]) for card in tactics]
    if moves and not placed:
        lots = moves if tactics else None
        return await table.ask(seat, "place", options, lots=lots)
    return await table.ask_may(seat, "place", options)


async def rob(table: Table, seat: int, where: Place) -> None:
    """A soldier at random from that enemy's hand: a new handle (SK-3.7, SK-1.7)."""
    assert where.seat is not None
    hand = table.cards(SOLDIER_HAND[where.seat])
    if hand:
        await table.move(await table.pick(hand), SOLDIER_HAND[seat])


# -- 4 Turning up --------------------------------------------------------------------


async def turning_up(now: Round) -> None:
    """First the bomb's window, then seats turn up in placing order (SK-4.1, SK-4.3)."""
    await bomb_window(now)
    for seat in now.order:
        while hidden := face_down_on(now, seat):
            await turn_up(now, seat, await next_to_turn_up(now, seat, hidden))


def face_down_on(now: Round, seat: int) -> list[Card]:
    """The face-down cards on a side, whoever brought them, as placed (SK-4.3)."""
    side = ON_SIDE[seat]
    return [
        laid.card
        for laid in now.laid
        if not laid.card.face_up and laid.card.place in side
    ]


async def next_to_turn_up(now: Round, seat: int, hidden: list[Card]) -> Card:
    """In the order the seat likes; the earliest when time runs out (SK-4.3, SK-2.4)."""
    if len(hidden) == 1:
        return hidden[0]
    return await now.table.ask(seat, "turn_up", hidden, default=hidden[0].handle)


async def turn_up(now: Round, seat: int, card: Card) -> None:
    """What a card does is done, whole, before the next is turned up (SK-4.4)."""
    await now.table.turn_up(card)
    if card.place == TACTIC[seat]:
        await play_tactic(now, seat, card)
    else:
        await enter(now, card)


# -- 5 Reckoning ---------------------------------------------------------------------


async def reckoning(now: Round) -> None:
    """Everything is face up: the disaster, then what each side is worth (SK-5.10)."""
    await strike(now)
    points = reckon(now.table)
    for seat in now.table.seats:
        now.table.set_counter("points", points[seat], seat)


async def strike(now: Round) -> None:
    """Wildfire and thunderstorm kill once, as one event (SK-5.7)."""
    disaster = now.table.marker("disaster")
    if disaster in (Tactic.WILDFIRE, Tactic.THUNDERSTORM):
        field = Field(now.table)
        struck = [
            one.card
            for one in field.fighters
            if is_killed_by(disaster, attack_of(field, one))
        ]
        await die(now, struck)


def reckon(table: Table) -> list[int]:
    """Every soldier's attack shown on it, and their sum by side (SK-5.10)."""
    points = [0] * len(table.seats)
    field, disaster = Field(table), table.marker("disaster")
    for one in field.fighters:
        attack = reckoned(field, one, disaster)
        table.mark("attack", one.card, str(attack))
        points[one.seat] += attack
    return points


# -- 6 End of a round ----------------------------------------------------------------


async def end_of_round(now: Round) -> None:
    """Points, Vulture, Salute, and the table is cleared (SK-6.1 to SK-6.4)."""
    winner = add_points(now.table)
    end_effects(now.table)
    await scavenge(now.table, winner)
    await salute(now.table, winner)
    await clear_table(now.table)


def add_points(table: Table) -> int | None:
    """Who has strictly most points has won the round; on a tie nobody (SK-6.1)."""
    points = [table.counter("points", seat) for seat in table.seats]
    for seat in table.seats:
        table.gain("total", points[seat], seat)
    most = max(points)
    if points.count(most) > 1:
        table.declare("round_tied", number=most)
        return None
    winner = points.index(most)
    table.declare("round_won", winner, number=most)
    return winner


LASTING = ("ward", "copy", "mutation", "leave", "spots", "spy", "stayed")


def end_effects(table: Table) -> None:
    """Nothing outlives the round: from here every card is its own (SK-2.5, SK-6.1)."""
    table.unmark("weather")
    table.unmark("disaster")
    for seat in table.seats:
        table.unmark("gamble", seat)
    lasting = [key for key in table.markers if key[0] in LASTING]
    for name, handle in lasting:
        table.unmark(name, table.card(handle))


async def scavenge(table: Table, winner: int | None) -> None:
    """Vulture may draw a soldier, having won the round (SK-6.2, SK-7.1)."""
    if winner is None or not is_led_by(table, winner, Commander.VULTURE):
        return
    if table.count(SOLDIER_DECK) and await may_choose(
        table, winner, "scavenge", [Word("draw")]
    ):
        await table.draw(SOLDIER_DECK, 1, SOLDIER_HAND[winner])


async def salute(table: Table, winner: int | None) -> None:
    """Who has not won may take living soldiers of its side home (SK-6.3).

    No tactic moves a Seeing Eye (SK-5.9). Taking none is told too (SK-1.6).
    """
    for seat in table.seats:
        alive = [c for c in soldiers_of(table, seat) if not is_closed(table, c)]
        if seat != winner and alive and has_saluted(table, seat):
            home = await table.ask_some(seat, "salute", alive, most=len(alive))
            await table.move(home, SOLDIER_HAND[seat])
            if not home:
                table.declare("declines", seat, words=["salute"])


def has_saluted(table: Table, seat: int) -> bool:
    """Whether a French Salute lies before a seat, and counts (SK-6.3, SK-4.25)."""
    return any(
        card.face == Tactic.FRENCH_SALUTE and table.marker("void", card) is None
        for card in table.cards(TACTIC[seat])
    )


async def clear_table(table: Table) -> None:
    """A living lurker stays, face up; all else goes to the discard (SK-6.4, SK-3.8)."""
    soldiers = all_soldiers(table)
    staying = [card for card in soldiers if printed(card).skill is Skill.LURKER]
    going = [card for card in soldiers if card not in staying]
    await table.move([*going, *table.cards(*TACTIC)], DISCARD)
    for card in staying:
        table.unmark("attack", card)
        table.mark("stayed", card)


async def next_round(now: Round) -> Round:
    """The game goes on: who places first, then Fire Fox (SK-6.5, SK-7.2)."""
    idle = [seat for seat in now.table.seats if not has_laid_tactic(now, seat)]
    first = await next_first_placer(now.table)
    await reward_fire_fox(now.table, idle)
    return Round(now.table, now.number + 1, first)


async def next_first_placer(table: Table) -> int:
    """Most points, then highest total, most soldiers, most tactics in hand (SK-6.5)."""
    tied = list(table.seats)
    for score in SCORES:
        best = max(score(table, seat) for seat in tied)
        tied = [seat for seat in tied if score(table, seat) == best]
    return tied[0] if len(tied) == 1 else await throw_fingers(table, tied)


def points(table: Table, seat: int) -> int:
    """Points this round (SK-6.5)."""
    return table.counter("points", seat)


def total(table: Table, seat: int) -> int:
    """Points so far (SK-6.5)."""
    return table.counter("total", seat)


def soldiers_left(table: Table, seat: int) -> int:
    """Soldiers in hand (SK-6.5)."""
    return table.count(SOLDIER_HAND[seat])


def tactics_left(table: Table, seat: int) -> int:
    """Tactics in hand (SK-6.5)."""
    return table.count(TACTIC_HAND[seat])


SCORES = (points, total, soldiers_left, tactics_left)

SIGNS = ("rock", "paper", "scissors")
BEATS = {"paper": "rock", "rock": "scissors", "scissors": "paper"}


async def throw_fingers(table: Table, seats: list[int]) -> int:
    """Rock, paper, scissors: who loses stays in, the last one places first (SK-6.5).

    After three throws that put nobody out the vault draws one.
    """
    drawn = 0
    while len(seats) > 1 and drawn < 3:
        losers = await throw(table, seats)
        drawn += len(losers) == len(seats)
        seats = losers
    return seats[0] if len(seats) == 1 else await table.lot(seats)


async def throw(table: Table, seats: list[int]) -> list[int]:
    """All throw at once; of exactly two signs the losing one stays in (SK-6.5)."""
    signs = [Word(sign) for sign in SIGNS]
    questions = [choose(seat, "throw", signs) for seat in seats]
    answers = await table.ask_all(questions, secret=True)
    thrown = {seat: str(answers[seat][0]) for seat in seats}
    for seat in seats:
        table.declare("throws", seat, words=[thrown[seat]])
    shown = set(thrown.values())
    losing = {BEATS[sign] for sign in shown} & shown
    return [s for s in seats if thrown[s] in losing] if len(shown) == 2 else seats


# -- 7 Drawing -----------------------------------------------------------------------


async def reward_fire_fox(table: Table, idle: Sequence[int]) -> None:
    """A tactic at set-up and after a round without (SK-7.2, SK-1.4, SK-7.1)."""
    for seat in idle:
        if is_led_by(table, seat, Commander.FIRE_FOX):
            await table.draw(TACTIC_DECK, 1, TACTIC_HAND[seat])


# -- 8 End of the game ---------------------------------------------------------------


def is_over(table: Table) -> bool:
    """Whether a seat has no soldier in hand, now that the round is done (SK-8.1)."""
    return any(table.count(SOLDIER_HAND[seat]) == 0 for seat in table.seats)


def final(table: Table) -> Outcome:
    """Every card in hand is a point; most win, equals share (SK-8.2, SK-8.3)."""
    for seat in table.seats:
        left = table.count(SOLDIER_HAND[seat]) + table.count(TACTIC_HAND[seat])
        table.gain("total", left, seat)
    return ranked(tuple(table.counter("total", seat) for seat in table.seats))
