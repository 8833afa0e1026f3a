"""What tactic cards do when they are turned up (SK-4.6, SK-4.20 to SK-4.26)."""

from collections.abc import Awaitable, Callable

from services.engine.games.skirmish.board import (
    DISCARD,
    SIDE,
    TACTIC,
    TACTIC_HAND,
    Round,
    all_soldiers,
    coercible,
    enemies,
    face_up,
    is_closed,
    printed,
    raisings,
    shown,
    soldiers_of,
)
from services.engine.games.skirmish.pieces import (
    DISASTERS,
    ROWS,
    WEATHERS,
    Row,
    Skill,
    Tactic,
)
from services.engine.games.skirmish.skills import (
    become,
    choose_one,
    die,
    enter,
    part_from_side,
    spot,
)
from services.engine.kernel import AtSeat, Card, Table, Word


async def play_tactic(now: Round, seat: int, card: Card) -> None:
    """A tactic turned up acts at once; weather and disaster replace (SK-4.6)."""
    tactic = Tactic(str(card.face))
    if now.table.marker("void", card) is not None:
        return
    if tactic in WEATHERS:
        now.table.mark("weather", value=tactic.value)
    elif tactic in DISASTERS:
        now.table.mark("disaster", value=tactic.value)
    elif tactic in EFFECTS:
        await EFFECTS[tactic](now, seat)
        await spot(now)


async def nuke(now: Round, seat: int) -> None:
    """Every soldier on the table dies, face up or down (SK-4.20)."""
    await die(now, all_soldiers(now.table))


async def gene_copy(now: Round, seat: int) -> None:
    """One own soldier becomes what another one shows (SK-4.21, SK-4.13)."""
    table = now.table
    everybody = face_up(all_soldiers(table))
    own = [c for c in face_up(soldiers_of(table, seat)) if not is_closed(table, c)]
    if not own or len(everybody) < 2:
        return
    card = await choose_one(table, seat, "copy", own)
    others = [other for other in everybody if other is not card]
    pattern = await choose_one(table, seat, "pattern", others)
    was = shown(table, card)
    table.mark("copy", card, shown(table, pattern).face)
    become(table, card, was)


async def gene_mutation(now: Round, seat: int) -> None:
    """Any soldier's attack is doubled, or becomes 1 (SK-4.22, SK-4.13)."""
    table = now.table
    soldiers = [c for c in all_soldiers(table) if not is_closed(table, c)]
    if soldiers:
        card = await choose_one(table, seat, "mutate", soldiers)
        how = await table.ask(seat, "mutation", [Word("double"), Word("one")])
        table.mark("mutation", card, how)


async def coercion(now: Round, seat: int) -> None:
    """One enemy soldier moves to the same row of the own side (SK-4.23).

    A Seeing Eye lying face down is turned up instead, and stays (SK-5.9).
    """
    table = now.table
    soldiers = coercible(table, seat)
    if not soldiers:
        return
    card = await choose_one(table, seat, "coerce", soldiers)
    if not card.face_up and printed(card).skill is Skill.SEEING_EYE:
        await table.turn_up(card)
        return
    row = ROWS.index(Row(card.place.name))
    await table.move(card, SIDE[seat][row])
    part_from_side(table, card)


async def resurrection(now: Round, seat: int) -> None:
    """One soldier of the discard enters the own side face up (SK-4.24)."""
    moves = raisings(now, seat)
    if moves:
        move = await choose_one(now.table, seat, "raise", moves)
        await now.table.move(move.card, move.place, up=True, bringer=seat)
        await enter(now, move.card)


async def dumb_down(now: Round, seat: int) -> None:
    """Strip a seat of its tactics, or void all that lie on the table (SK-4.25)."""
    table = now.table
    holders = [AtSeat(one) for one in table.seats if table.count(TACTIC_HAND[one])]
    ways = [Word("strip"), Word("void")] if holders else [Word("void")]
    if await choose_one(table, seat, "dumb_down", ways) == "void":
        void_tactics(table, seat)
        return
    (stripped,) = await choose_one(table, seat, "strip", holders)
    table.declare("strips", stripped)
    await table.move(table.cards(TACTIC_HAND[stripped]), DISCARD)


def void_tactics(table: Table, seat: int) -> None:
    """Every tactic card now on the table counts no more, face up or down (SK-4.25)."""
    table.declare("voids", seat)
    for card in table.cards(*TACTIC):
        table.mark("void", card)
    table.unmark("weather")
    table.unmark("disaster")
    for side in table.seats:
        table.unmark("gamble", side)
    for card in all_soldiers(table):
        table.unmark("mutation", card)
        if table.marker("copy", card):
            was = shown(table, card)
            table.unmark("copy", card)
            become(table, card, was)


async def gamble(now: Round, seat: int) -> None:
    """Even on a die, or tails on a coin: enemies' attack is 0 this round (SK-4.26)."""
    (die_,) = await now.table.roll("gamble_die", 6)
    (coin,) = await now.table.roll("gamble_coin", 2)
    if die_ % 2 == 0 or coin == 2:
        for enemy in enemies(now.table, seat):
            now.table.mark("gamble", enemy)


Effect = Callable[[Round, int], Awaitable[None]]

# French Salute is not here: it waits for the end of the round (SK-6.3).
EFFECTS: dict[Tactic, Effect] = {
    Tactic.NUKE: nuke,
    Tactic.GENE_COPY: gene_copy,
    Tactic.GENE_MUTATION: gene_mutation,
    Tactic.COERCION: coercion,
    Tactic.RESURRECTION: resurrection,
    Tactic.DUMB_DOWN: dumb_down,
    Tactic.GAMBLE: gamble,
}
