"""What soldiers do: enter, spot, die, blow up, and act when they are turned up."""

from collections.abc import Awaitable, Callable, Iterable, Sequence

from services.engine.games.skirmish.attack import Field, attack_of
from services.engine.games.skirmish.board import (
    DISCARD,
    SIDE,
    SOLDIER_HAND,
    Laid,
    Round,
    call_ups,
    face_up,
    has,
    is_closed,
    is_led_by,
    row_of,
    shown,
    side_of,
    soldiers_of,
)
from services.engine.games.skirmish.pieces import (
    SOLDIERS,
    Commander,
    Row,
    Skill,
    Soldier,
)
from services.engine.kernel import Card, Default, Move, Question, Table, choose
from services.engine.kernel.ask import T

# -- asking --------------------------------------------------------------------------


async def choose_one(table: Table, seat: int, name: str, options: Sequence[T]) -> T:
    """What a seat must choose; unasked where all can see there is but one (SK-2.3).

    Only for options that everybody can see. By lot when time runs out (SK-2.4).
    """
    if len(options) == 1:
        return options[0]
    return await table.ask(seat, name, options)


async def may_choose(
    table: Table, seat: int, name: str, options: Sequence[T]
) -> T | None:
    """What a seat may choose; declining is told too (SK-2.2, SK-2.4, SK-1.6)."""
    chosen = await table.ask_may(seat, name, options)
    if chosen is None:
        table.declare("declines", seat, words=(name,))
    return chosen


# -- entering the table --------------------------------------------------------------


async def lay(now: Round, seat: int, move: Move, *, up: bool) -> None:
    """Put a card from the hand on the table, a soldier of Wolf's with leave (SK-3.5).

    One laid on a foreign side is the spy, as everybody knows (SK-3.7).
    """
    table = now.table
    await table.move(move.card, move.place, up=up, bringer=seat)
    now.laid.append(Laid(move.card, seat, move.place))
    if move.place.seat != seat:
        table.mark("spy", move.card)
    elif move.card.face in SOLDIERS and is_led_by(table, seat, Commander.WOLF):
        table.mark("leave", move.card)


async def enter(now: Round, card: Card) -> None:
    """A soldier came to lie face up: spotters first, then its skill, whole (SK-4.4)."""
    await spot(now)
    skill = AT_ONCE.get(shown(now.table, card).skill)
    if skill:
        await skill(now, side_of(card), card)
        await spot(now)


# -- spotting ------------------------------------------------------------------------


async def spot(now: Round) -> None:
    """Every face-up spotter that spots nobody spots, as soon as it can (SK-4.12).

    Several are asked in placing order (SK-2.6).
    """
    table = now.table
    for spotter in idle_spotters(now):
        seat = side_of(spotter)
        snipers = spottable(table, seat)
        if snipers:
            sniper = await choose_one(table, seat, "spot", snipers)
            table.mark("spots", spotter, sniper.handle)


def idle_spotters(now: Round) -> list[Card]:
    """The face-up spotters that spot nobody, in placing order."""
    table = now.table
    return [
        card
        for seat in now.order
        for card in soldiers_of(table, seat)
        if has(table, card, Skill.SPOTTER) and table.marker("spots", card) is None
    ]


def spottable(table: Table, seat: int) -> list[Card]:
    """Face-up soldiers of class sniper, in any row, that may be spotted (SK-4.13)."""
    return [
        card
        for card in face_up(soldiers_of(table, seat))
        if shown(table, card).row is Row.SNIPER and not is_closed(table, card)
    ]


def lose_spotters(table: Table, *snipers: Card) -> None:
    """Whoever spots these spots nobody now (SK-4.12)."""
    handles = [card.handle for card in snipers]
    spotters = [
        spotter
        for (name, spotter), value in table.markers.items()
        if name == "spots" and value in handles
    ]
    for spotter in spotters:
        table.unmark("spots", table.card(spotter))


def part_from_side(table: Table, card: Card) -> None:
    """Left its side, class or skill: it neither spots nor is spotted (SK-4.12)."""
    table.unmark("spots", card)
    lose_spotters(table, card)


def become(table: Table, card: Card, was: Soldier) -> None:
    """A soldier's card changed: spotting ends with class or skill (SK-4.12)."""
    is_now = shown(table, card)
    if (was.row, was.skill) != (is_now.row, is_now.skill):
        part_from_side(table, card)


# -- death ---------------------------------------------------------------------------


async def die(now: Round, cards: Sequence[Card]) -> None:
    """These die as one event: to the common discard, face up, without skill (SK-5.20).

    They are the fallen of this round for as long as they lie there (SK-5.23).
    """
    if not cards:
        return
    dying = await covered(now, cards)
    lose_spotters(now.table, *dying)
    await now.table.move(dying, DISCARD)
    for card in dying:
        now.table.mark("fallen", card, str(now.number))


async def covered(now: Round, cards: Sequence[Card]) -> list[Card]:
    """Each Cover not itself dying may die for one of its side (SK-5.21)."""
    dying = list(cards)
    for seat in now.order:
        for cover in covers_beside(now.table, seat, cards):
            saveable = [one for one in cards if one in dying and side_of(one) == seat]
            if saveable:
                saved = await may_choose(now.table, seat, "cover", saveable)
                if saved is not None:
                    now.table.declare("covers", seat, cards=(cover, saved))
                    dying[dying.index(saved)] = cover
    return dying


def covers_beside(table: Table, seat: int, dying: Sequence[Card]) -> list[Card]:
    """The face-up Covers of a side that live on."""
    return [
        card
        for card in soldiers_of(table, seat)
        if has(table, card, Skill.COVER) and card not in dying
    ]


def targets(table: Table, cards: Iterable[Card]) -> list[Card]:
    """Whom of these one may choose: on a rookie's side only rookies (SK-5.22)."""
    cards = list(cards)
    rookies = [card for card in cards if has(table, card, Skill.ROOKIE)]
    shielded = {side_of(rookie) for rookie in rookies}
    return [c for c in cards if side_of(c) not in shielded or c in rookies]


async def kill_one(
    now: Round, seat: int, killer: Card, name: str, of: list[Card]
) -> None:
    """A soldier kills one of these, if there is one to be chosen (SK-2.2, SK-5.22)."""
    of = targets(now.table, of)
    if of:
        victim = await choose_one(now.table, seat, name, of)
        now.table.declare("kills", seat, cards=(killer, victim))
        await die(now, [victim])


# -- the bomb's window ---------------------------------------------------------------

WINDOW_SECONDS = 10
BOMBERS = [face for face, one in SOLDIERS.items() if one.skill is Skill.BOMBER]


async def bomb_window(now: Round) -> None:
    """All who could hold the bomber are asked at once, secretly (SK-4.1).

    Left out only while it lies in the discard.
    """
    table = now.table
    if any(card.face in BOMBERS for card in table.cards(DISCARD)):
        return
    questions = [bomb_question(now, seat) for seat in now.order if has_body(now, seat)]
    if not questions:
        return
    answers = await table.ask_all(questions, secret=True, hold=WINDOW_SECONDS)
    bombs = [(seat, bomber) for seat in now.order for bomber in answers.get(seat, ())]
    if not bombs:
        table.declare("no_blast")
    for seat, bomber in bombs:
        assert isinstance(bomber, Card)
        await blow_up(now, seat, bomber)


def has_body(now: Round, seat: int) -> bool:
    """Whether a seat put a soldier face down on its own side this round (SK-4.1)."""
    return any(laid.seat == seat and laid.place in SIDE[seat] for laid in now.laid)


def bomb_question(now: Round, seat: int) -> Question:
    """Its list: no, and its own bomber if it lies there (SK-4.1)."""
    own = [
        laid.card
        for laid in now.laid
        if laid.seat == seat and laid.place in SIDE[seat] and laid.card.face in BOMBERS
    ]
    return choose(seat, "bomb", own, least=0, default=Default.DECLINE)


async def blow_up(now: Round, seat: int, bomber: Card) -> None:
    """Every soldier in a row of its owner's choice dies, and the bomber (SK-4.2)."""
    table = now.table
    await table.turn_up(bomber)
    rows = [row for side in table.seats for row in SIDE[side]]
    row = await table.ask(seat, "blast", rows)
    table.declare("blast", seat, cards=[bomber], places=[row])
    others = [card for card in table.cards(row) if card is not bomber]
    await die(now, [*others, bomber])


# -- skills that act at once ---------------------------------------------------------


async def medic(now: Round, seat: int, card: Card) -> None:
    """Only death touches one face-up soldier from now on (SK-4.7, SK-4.13)."""
    table = now.table
    own = face_up(soldiers_of(table, seat))
    wardable = [one for one in own if not has(table, one, Skill.SEEING_EYE)]
    if wardable:
        warded = await choose_one(table, seat, "ward", wardable)
        table.declare("wards", seat, cards=(card, warded))
        table.mark("ward", warded)
        table.unmark("mutation", warded)
        lose_spotters(table, warded)


async def call_of_duty(now: Round, seat: int, card: Card) -> None:
    """May put one soldier from the hand face up on the own side (SK-4.8)."""
    if now.table.count(SOLDIER_HAND[seat]):
        move = await may_choose(now.table, seat, "call_up", call_ups(now, seat))
        if move:
            await lay(now, seat, move, up=True)
            await enter(now, move.card)


async def soul_chaser(now: Round, seat: int, card: Card) -> None:
    """May take one of the fallen of the previous round into the hand (SK-4.9)."""
    fallen = fallen_of(now.table, now.number - 1)
    if fallen:
        soul = await may_choose(now.table, seat, "chase", fallen)
        if soul:
            await now.table.move(soul, SOLDIER_HAND[seat])


def fallen_of(table: Table, number: int) -> list[Card]:
    """Who died in a round and has lain in the discard since (SK-5.23)."""
    died = str(number)
    return [c for c in table.cards(DISCARD) if table.marker("fallen", c) == died]


async def quick_draw(now: Round, seat: int, card: Card) -> None:
    """Kills another face-up soldier whose attack is not above its own (SK-4.10)."""
    field = Field(now.table)
    attacks = {one.card.handle: attack_of(field, one) for one in field.fighters}
    own = attacks[card.handle]
    weaker = [
        one.card
        for one in field.fighters
        if one.card is not card and attacks[one.card.handle] <= own
    ]
    await kill_one(now, seat, card, "quick_draw", weaker)


async def sniper_god(now: Round, seat: int, card: Card) -> None:
    """Kills another soldier in a sniper row of any side, face up or down (SK-4.11)."""
    rows = [row_of(side, Row.SNIPER) for side in now.table.seats]
    lying = [one for one in now.table.cards(*rows) if one is not card]
    await kill_one(now, seat, card, "sniper_god", lying)


AtOnce = Callable[[Round, int, Card], Awaitable[None]]

AT_ONCE: dict[Skill, AtOnce] = {
    Skill.MEDIC: medic,
    Skill.CALL_OF_DUTY: call_of_duty,
    Skill.SOUL_CHASER: soul_chaser,
    Skill.QUICK_DRAW: quick_draw,
    Skill.SNIPER_GOD: sniper_god,
}
