"""Keyword abilities that more than one card prints: what they do, and their words."""

from collections.abc import Sequence

from services.engine.games.gwent.automaton import (
    burn_opponents,
    call_first,
    lay_decoy,
    lay_horn,
    lay_mardroeme,
    play_two_more,
)
from services.engine.games.gwent.automaton_choice import best_of
from services.engine.games.gwent.board import (
    HAND,
    PILE,
    WEATHER,
    landing_moves,
    leads,
    opponents,
    printed,
    side_of,
    units,
)
from services.engine.games.gwent.entering import (
    call,
    choose_one,
    choose_opponent,
    enter,
)
from services.engine.games.gwent.leaving import (
    brought_by,
    burn_row,
    burn_strongest,
    discard,
    end_weather,
)
from services.engine.games.gwent.pieces import FACES, Ability, Row
from services.engine.games.gwent.slots import (
    free_slots,
    lay_in_slot,
    slots_for_a_horn,
)
from services.engine.games.gwent.strength import recount
from services.engine.kernel import Card, Move, Place, Table, Text

# -- special cards -------------------------------------------------------------------


async def play_special(table: Table, who: int | None, card: Card, place: Place) -> None:
    """A special card does what its ability says (GW-6.1)."""
    (ability,) = printed(card).abilities
    assert ability.plays is not None
    await ability.plays(table, who, card, place)


def places_for(table: Table, seat: int, card: Card) -> Sequence[Place]:
    """Where a special card may be played now; nowhere: it is not offered (GW-6.6)."""
    (ability,) = printed(card).abilities
    assert ability.targets is not None
    return ability.targets(table, seat)


def rows_to_take_from(table: Table, who: int | None) -> list[Place]:
    """Own rows with a unit to take; none: unplayable (GW-6.5, GW-6.6)."""
    rows = side_of(table, who).rows
    return [row for row in rows if units(table.cards(row))]


async def take_back(table: Table, who: int | None, card: Card, row: Place) -> None:
    """The decoy lies in the row, a unit goes to the hand (GW-6.5, GW-14.6)."""
    assert who is not None
    await table.move(card, row, bringer=who)
    taken = await choose_one(table, who, "decoy", units(table.cards(row)))
    await table.move(taken, HAND[who])
    recount(table)


# -- abilities that last while their card lies there ---------------------------------

tight_bond = Ability(
    "tight_bond",
    Text(
        "Tight bond: its strength is multiplied by the number of cards of this name "
        "on your side.",
        "紧密联系：战力乘以己方场上同名牌的数量。",
    ),
)
morale_boost = Ability(
    "morale_boost",
    Text(
        "Morale boost: each other unit in its row has +1.",
        "士气鼓舞：同排其他单位战力各加1。",
    ),
)
commanders_horn = Ability(
    "commanders_horn",
    Text(
        "Commander's horn: the other units in its row count double.",
        "指挥号角：同排其他单位战力翻倍。",
    ),
    targets=slots_for_a_horn,
    plays=lay_in_slot,
    automaton_plays=lay_horn,
)
mardroeme = Ability(
    "mardroeme",
    Text(
        "Mardroeme: berserkers in its row are transformed.",
        "致幻菌菇：同排的狂战士发生变身。",
    ),
    targets=free_slots,
    plays=lay_in_slot,
    automaton_plays=lay_mardroeme,
)


def berserker(face: str) -> Ability:
    """Where Mardroeme is at work in its row, this card takes its place."""
    return Ability(
        "berserker",
        Text(
            "Berserker: becomes {} when Mardroeme is at work in its row.",
            "狂战士：所在排有致幻菌菇生效时，变身为{}。",
        ),
        faces=(face,),
    )


def avenger(face: str) -> Ability:
    """When it goes from the table to a discard pile, this card comes."""
    return Ability(
        "avenger",
        Text(
            "Avenger: when it goes from the table to a discard pile, {} comes.",
            "召唤：它从场上进入弃牌堆时，{}登场。",
        ),
        faces=(face,),
    )


# -- abilities of a unit that comes to lie on a row ----------------------------------


async def revive(table: Table, who: int | None, _medic: Card) -> None:
    """A unit of the own discard comes to its row, if there is one (GW-4.7, GW-4.8)."""
    fallen = revivable(table, who)
    if not fallen:
        return
    if leads(table, "emhyr_invader"):
        await bring_back(table, who, (await table.pick(fallen))[0])
    else:
        await return_to_row(table, who, await choose_fallen(table, who, fallen))


def revivable(table: Table, who: int | None) -> list[Card]:
    """The units of the own discard that are not on their way already (GW-4.7)."""
    fallen = units(table.cards(side_of(table, who).discard))
    return [card for card in fallen if table.marker("returns", card) is None]


async def choose_fallen(table: Table, who: int | None, fallen: Sequence[Card]) -> Move:
    """Which one, and where it has several rows to come to, which row (GW-D5).

    The automaton's is the one that gains it most (GW-16.11).
    """
    moves = landing_moves(table, who, fallen)
    if who is None:
        return best_of(table, moves)
    if len(moves) > len(fallen):
        return await table.ask(who, "medic", moves)
    card = await choose_one(table, who, "medic", fallen)
    return moves[fallen.index(card)]


async def bring_back(table: Table, who: int | None, card: Card) -> None:
    """What chance drew: an agile one to melee; a spy's opponent is chosen (GW-8.16)."""
    moves = landing_moves(table, who, [card])
    if who is not None and not printed(card).is_agile:
        at = {move.place.seat: move for move in moves if move.place.seat is not None}
        if len(at) > 1:
            moves = [at[await choose_opponent(table, who, list(at))]]
    await return_to_row(table, who, moves[0])


async def return_to_row(table: Table, who: int | None, move: Move) -> None:
    """A partner's card stays the partner's; an opponent's is the reviver's (GW-D11)."""
    brought = brought_by(table, move.card)
    own = brought in side_of(table, who).seats
    await enter(table, who, [move], bringer=brought if own else who)


medic = Ability(
    "medic",
    Text(
        "Medic: choose a unit of your discard pile, no hero; it is played at once.",
        "医疗：从己方弃牌堆选择一张非英雄单位牌，立即上场。",
    ),
    enters=revive,
)


async def draw_two(table: Table, who: int | None, _spy: Card) -> None:
    """Two cards, or what is left (GW-4.5)."""
    assert who is not None
    await table.draw(PILE[who], 2, HAND[who])


spy = Ability(
    "spy",
    Text(
        "Spy: lies on an opponent's side and counts there; draw two cards.",
        "间谍：放到对手一侧并计入其战力；你抽两张牌。",
    ),
    enters=draw_two,
    automaton=play_two_more,
)


def muster(*faces: str) -> Ability:
    """Calls every card with one of these faces from hand and pile (GW-4.9)."""

    async def call_kin(table: Table, who: int | None, _caller: Card) -> None:
        """Each goes to its own row, not to the caller's (GW-4.9)."""
        own = side_of(table, who)
        places = {face: own.row(FACES[face].rows[0]) for face in faces}
        if who is None:
            await call_first(table, places)
        else:
            await call(table, who, places)

    return Ability(
        "muster",
        Text(
            "Muster: calls all of these from your hand and pile: {}.",
            "集结：从手牌和牌库中召出全部的{}。",
        ),
        enters=call_kin,
        faces=faces,
    )


async def scorch_all(table: Table, _who: int | None, _unit: Card) -> None:
    """As the special card, when it comes, itself not spared (GW-4.15)."""
    await burn_strongest(table)


def own_discard(table: Table, who: int | None) -> list[Place]:
    """Scorch goes there at once, and may do nothing (GW-6.8)."""
    return [side_of(table, who).discard]


async def play_scorch(table: Table, _who: int | None, card: Card, _to: Place) -> None:
    """First the card itself, then all that it burns (GW-6.8)."""
    await discard(table, [card])
    await burn_strongest(table)


scorch = Ability(
    "scorch",
    Text(
        "Scorch: the strongest units on the whole table go to the discard pile.",
        "烧灼：将全场战力最高的单位移入弃牌堆。",
    ),
    enters=scorch_all,
    targets=own_discard,
    plays=play_scorch,
    automaton=burn_opponents,
    automaton_plays=burn_opponents,
)


def scorch_row(row: Row) -> Ability:
    """Burns the strongest in the opponent's row of this kind, if it totals 10."""

    async def burn(table: Table, who: int | None, _unit: Card) -> None:
        """Each opponent's row by itself (GW-4.14, GW-15.2)."""
        for one in opponents(table, who):
            await burn_row(table, one.row(row))

    return Ability(
        f"scorch_{row}",
        Text(
            f"Scorch: burns the strongest units of the opponent's {row} row if that "
            "row totals 10 or more.",
            f"烧灼：若对手的{ROW_ZH[row]}总战力达到10，将其中战力最高的单位移入弃牌堆。",
        ),
        enters=burn,
        rows=(row,),
    )


ROW_ZH = {Row.MELEE: "近战排", Row.RANGED: "远程排", Row.SIEGE: "攻城排"}


# -- abilities of special cards alone ------------------------------------------------

decoy = Ability(
    "decoy", targets=rows_to_take_from, plays=take_back, automaton_plays=lay_decoy
)


def the_middle(_table: Table, _who: int | None) -> list[Place]:
    """Weather goes there, Clear Weather too (GW-7.1)."""
    return [WEATHER]


async def play_weather(table: Table, who: int | None, card: Card, _to: Place) -> None:
    """It lies in the middle; a second one of its kind is discarded (GW-7.1, GW-7.3)."""
    if any(lying.face == card.face for lying in table.cards(WEATHER)):
        await discard(table, [card])
    else:
        await table.move(card, WEATHER, bringer=who)
        recount(table)


async def play_clear(table: Table, _who: int | None, card: Card, _to: Place) -> None:
    """It is discarded, and so is all weather (GW-7.4)."""
    await discard(table, [card])
    await end_weather(table)
    recount(table)


clear_weather = Ability("clear_weather", targets=the_middle, plays=play_clear)


def weather(*rows: Row) -> Ability:
    """Sets the units in these rows of every side to 1 (GW-7.1, GW-5.2)."""
    return Ability("weather", targets=the_middle, plays=play_weather, rows=rows)
