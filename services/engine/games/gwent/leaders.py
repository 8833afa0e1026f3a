"""The 22 leaders: what each one does, and its row (GW-8.7 to GW-8.28).

Passive ones have no effect here: `strength.py`, `abilities.py` and `set_up.py` ask
whether they lead.
"""

from collections.abc import Sequence

from services.engine.games.gwent.abilities import (
    ROW_ZH,
    play_special,
    play_weather,
)
from services.engine.games.gwent.automaton_choice import weather_from_best
from services.engine.games.gwent.board import (
    HAND,
    PILE,
    SEARCH,
    TEAM,
    WEATHER,
    Side,
    opponents,
    pile,
    printed,
    search,
    side_deck,
    side_of,
    sides,
    units,
)
from services.engine.games.gwent.entering import choose_one, choose_opponent
from services.engine.games.gwent.hope import move_agile, would_move_agile
from services.engine.games.gwent.leaving import (
    brought_by,
    burn_row,
    discard,
    end_weather,
    to_burn_in,
)
from services.engine.games.gwent.pieces import (
    MELEE,
    RANGED,
    SIEGE,
    Faction,
    Kind,
    LeaderEffect,
    LeaderIsUsable,
    Row,
    leader,
    of_faction,
)
from services.engine.games.gwent.strength import (
    has_horn,
    recount,
)
from services.engine.kernel import Card, Default, Place, Table, Text

# -- weather out of the pile ---------------------------------------------------------


def has_pile(table: Table, who: int | None) -> bool:
    """Whether there is a pile to look through."""
    return table.count(pile(who)) > 0


def play_from_pile(
    face: str, en: str, zh: str
) -> tuple[Text, LeaderEffect, LeaderIsUsable, tuple[str, ...]]:
    """Fog, rain or frost out of the own pile (GW-8.7, GW-8.12, GW-8.22)."""

    async def play_it(table: Table, who: int | None) -> None:
        """It is found, the pile is shuffled, and it lies in the middle (GW-8.6)."""
        found = await table.find(pile(who), {face: search(who)}, 1)
        await table.shuffle(pile(who))
        for card in found:
            await play_weather(table, who, card, WEATHER)

    text = Text(
        f"Find {en} in your pile and play it.", f"从你的牌库中找出一张{zh}并打出。"
    )
    return text, play_it, has_pile, (face,)


ANY_WEATHER = (
    "biting_frost",
    "impenetrable_fog",
    "torrential_rain",
    "skellige_storm",
    "clear_weather",
)


async def play_any_weather(table: Table, who: int | None) -> None:
    """Of his own pile, as he chooses; Clear Weather clears (GW-8.17)."""
    if who is None:
        await play_best_weather(table)
    else:
        await choose_weather(table, who)


async def play_best_weather(table: Table) -> None:
    """The automaton's: of what is in its pile that which gains it most (GW-16.16)."""
    found: list[Card] = []
    for face in weather_from_best(table, ANY_WEATHER):
        found = found or await table.find(pile(None), {face: search(None)}, 1)
    await table.shuffle(pile(None))
    for card in found:
        await play_special(table, None, card, WEATHER)


async def choose_weather(table: Table, seat: int) -> None:
    """A seat looks through its pile, which is then shuffled (GW-8.17, GW-8.6)."""
    drawn = await table.draw(PILE[seat], table.count(PILE[seat]), SEARCH[seat])
    weather = [card for card in drawn if printed(card).kind is Kind.WEATHER]
    if weather:
        chosen = await table.ask(seat, "take", weather)
        drawn.remove(chosen)
    await table.shuffle(PILE[seat], drawn)
    if weather:
        await play_special(table, seat, chosen, WEATHER)


async def clear_the_sky(table: Table, _who: int | None) -> None:
    """All weather goes, as with Clear Weather (GW-8.8)."""
    await end_weather(table)
    recount(table)


def has_weather(table: Table, _who: int | None) -> bool:
    """Whether there is any to be cleared (GW-8.8)."""
    return table.count(WEATHER) > 0


# -- horns and scorching -------------------------------------------------------------


def sound_horn(row: Row) -> tuple[Text, LeaderEffect, LeaderIsUsable]:
    """The own siege, melee or ranged counts double (GW-8.9, GW-8.18, GW-8.23)."""

    async def sound(table: Table, who: int | None) -> None:
        """No card moves: a marker lies on the row (GW-8.4)."""
        table.mark("horn", side_of(table, who).row(row))
        recount(table)

    def is_free(table: Table, who: int | None) -> bool:
        """Not on a row that has a horn from slot or leader (GW-8.4, GW-6.3)."""
        own = side_of(table, who)
        return not has_horn(table, own.row(row), own.slot(row))

    text = Text(
        f"For this round the units of your {row} row count double.",
        f"本轮内，己方{ROW_ZH[row]}的单位战力翻倍。",
    )
    return text, sound, is_free


def scorch_opponents(row: Row) -> tuple[Text, LeaderEffect, LeaderIsUsable]:
    """Each opponent's siege, ranged or melee row (GW-8.10, GW-8.11, GW-8.25)."""

    async def burn(table: Table, who: int | None) -> None:
        """Where it totals 10 its strongest units go (GW-8.5, GW-15.2)."""
        for one in opponents(table, who):
            await burn_row(table, one.row(row))

    def would_burn(table: Table, who: int | None) -> bool:
        """Whether there is a unit in such a row (GW-8.5)."""
        return any(to_burn_in(table, o.row(row)) for o in opponents(table, who))

    text = Text(
        f"Burn the strongest units of an opponent's {row} row that totals 10 or more.",
        f"若对手{ROW_ZH[row]}总战力达到10，烧灼其中战力最高的单位。",
    )
    return text, burn, would_burn


# -- hands and discards: nothing for the automaton, which has no hand (GW-16.16) ------


def opponents_hands(table: Table, seat: int) -> list[int]:
    """The opponents who have a card in hand."""
    seats = [one for side in opponents(table, seat) for one in side.seats]
    return [one for one in seats if table.count(HAND[one])]


def has_hand_to_look_at(table: Table, who: int | None) -> bool:
    """Whether any opponent has a card in hand (GW-8.13, GW-16.16)."""
    return who is not None and bool(opponents_hands(table, who))


async def look_at_three(table: Table, who: int | None) -> None:
    """Three of an opponent's hand, at random; they stay there (GW-8.13, GW-14.10)."""
    assert who is not None
    opponent = await choose_opponent(table, who, opponents_hands(table, who))
    await table.peek(who, *await table.pick(table.cards(HAND[opponent]), 3))


def opponents_fallen(table: Table, seat: int) -> list[Card]:
    """The units in the discards of the opponents."""
    discards = [one.discard for one in opponents(table, seat)]
    return units(table.cards(*discards))


def own_fallen(table: Table, seat: int) -> list[Card]:
    """The units in the own discard."""
    return units(table.cards(side_of(table, seat).discard))


def has_opponents_fallen(table: Table, who: int | None) -> bool:
    """Whether an opponent's discard has a unit (GW-8.15, GW-16.16)."""
    return who is not None and bool(opponents_fallen(table, who))


def has_own_fallen(table: Table, who: int | None) -> bool:
    """Whether the own discard has a unit (GW-8.20, GW-16.16)."""
    return who is not None and bool(own_fallen(table, who))


async def take_opponents_fallen(table: Table, who: int | None) -> None:
    """To the hand, and the taker's from then on (GW-8.15)."""
    assert who is not None
    await take_to_hand(table, who, opponents_fallen(table, who))


async def take_own_fallen(table: Table, who: int | None) -> None:
    """To the hand, not to the table (GW-8.20)."""
    assert who is not None
    await take_to_hand(table, who, own_fallen(table, who))


async def take_to_hand(table: Table, seat: int, cards: Sequence[Card]) -> None:
    """One of these, as the seat chooses."""
    await table.move(await choose_one(table, seat, "take", cards), HAND[seat])


def has_two_cards_and_a_pile(table: Table, who: int | None) -> bool:
    """Whether there is enough to discard and to take (GW-8.19, GW-16.16)."""
    return who is not None and table.count(HAND[who]) > 1 and has_pile(table, who)


async def discard_two_take_one(table: Table, seat: int | None) -> None:
    """Two different cards go, one of the pile comes (GW-8.19)."""
    assert seat is not None
    hand = table.cards(HAND[seat])
    two = await table.ask_some(
        seat, "discard_two", hand, least=2, most=2, default=Default.LOT
    )
    await discard(table, two)
    drawn = await table.draw(PILE[seat], table.count(PILE[seat]), SEARCH[seat])
    taken = await table.ask(seat, "take", drawn)
    await table.move(taken, HAND[seat])
    await table.shuffle(PILE[seat], [card for card in drawn if card is not taken])


# -- discards back to the piles ------------------------------------------------------


def has_discards(table: Table, _who: int | None) -> bool:
    """Whether any discard has a card (GW-8.27)."""
    return any(table.count(one.discard) for one in sides(table))


async def shuffle_discards(table: Table, _who: int | None) -> None:
    """Each into the pile of its side, or of its bringer in a team (GW-8.27, GW-14.10).

    What came from a side deck goes back there (GW-4.17).
    """
    piles: dict[Place, list[Card]] = {}
    for one in sides(table):
        for card in table.cards(one.discard):
            who = whose(table, one, card)
            if printed(card).kind is Kind.TOKEN:
                await table.move(card, side_deck(who))
            else:
                piles.setdefault(pile(who), []).append(card)
    for place, cards in piles.items():
        await table.shuffle(place, cards)


def whose(table: Table, one: Side, card: Card) -> int | None:
    """The holder's; where partners share a discard, who brought it (GW-14.10)."""
    return brought_by(table, card) if table.variant == TEAM else one.seat


# -- the rows ------------------------------------------------------------------------

# A row stays a row.
# fmt: off
FOLTEST = of_faction(
    Faction.NORTHERN_REALMS,
    leader(
        "foltest_king", "Foltest: King of Temeria",
        "弗尔泰斯特：泰莫利亚之王",
        *play_from_pile("impenetrable_fog", "an Impenetrable Fog", "蔽日浓雾"),
    ),
    leader(
        "foltest_lord", "Foltest: Lord Commander of the North",
        "弗尔泰斯特：北方指挥官",
        Text("Clear all weather.", "清除全部天气。"),
        clear_the_sky,
        has_weather,
    ),
    leader(
        "foltest_siegemaster", "Foltest: The Siegemaster",
        "弗尔泰斯特：攻城之王",
        *sound_horn(SIEGE),
    ),
    leader(
        "foltest_steel_forged", "Foltest: The Steel-Forged",
        "弗尔泰斯特：钢铁之心",
        *scorch_opponents(SIEGE),
    ),
    leader(
        "foltest_son_of_medell", "Foltest: Son of Medell",
        "弗尔泰斯特：曼德尔王之子",
        *scorch_opponents(RANGED),
    ),
)

EMHYR = of_faction(
    Faction.NILFGAARD,
    leader(
        "emhyr_imperial", "Emhyr var Emreis: His Imperial Majesty",
        "恩希尔·恩瑞斯：皇帝陛下",
        *play_from_pile("torrential_rain", "a Torrential Rain", "倾盆大雨"),
    ),
    leader(
        "emhyr_emperor", "Emhyr var Emreis: Emperor of Nilfgaard",
        "恩希尔·恩瑞斯：尼弗迦德皇帝",
        Text(
            "Look at three cards of an opponent's hand, drawn by lot.",
            "随机查看一名对手的三张手牌。",
        ),
        look_at_three,
        has_hand_to_look_at,
    ),
    leader(
        "emhyr_white_flame", "Emhyr var Emreis: The White Flame",
        "恩希尔·恩瑞斯：白色火焰",
        Text(
            "Passive: all other leaders do nothing.",
            "被动：其他所有领袖都不起作用。",
        ),
    ),
    leader(
        "emhyr_relentless", "Emhyr var Emreis: The Relentless",
        "恩希尔·恩瑞斯：冷血无情",
        Text(
            "Take a unit, no hero, out of an opponent's discard pile into your hand.",
            "从一名对手的弃牌堆中拿一张非英雄单位牌加入你的手牌。",
        ),
        take_opponents_fallen,
        has_opponents_fallen,
    ),
    leader(
        "emhyr_invader", "Emhyr var Emreis: Invader of the North",
        "恩希尔·恩瑞斯：北方入侵者",
        Text(
            "Passive: whatever unit comes back from a discard pile to the table is "
            "drawn by lot, for everyone.",
            "被动：凡从弃牌堆回到场上的单位一律随机决定，对所有玩家有效。",
        ),
    ),
)

EREDIN = of_faction(
    Faction.MONSTERS,
    leader(
        "eredin_king", "Eredin: King of the Wild Hunt",
        "艾瑞汀：狂猎之王",
        Text(
            "Choose a weather card of your pile and play it.",
            "从你的牌库中选择一张天气牌并打出。",
        ),
        play_any_weather,
        has_pile,
        ANY_WEATHER,
    ),
    leader(
        "eredin_commander", "Eredin: Commander of the Red Riders",
        "艾瑞汀：红骑士指挥官",
        *sound_horn(MELEE),
    ),
    leader(
        "eredin_destroyer", "Eredin: Destroyer of Worlds",
        "艾瑞汀：世界毁灭者",
        Text(
            "Discard two cards of your hand, then take a card of your choice from your "
            "pile.",
            "弃掉两张手牌，再从你的牌库中任选一张加入手牌。",
        ),
        discard_two_take_one,
        has_two_cards_and_a_pile,
    ),
    leader(
        "eredin_bringer", "Eredin: Bringer of Death",
        "艾瑞汀：死亡使者",
        Text(
            "Take a unit, no hero, out of your discard pile into your hand.",
            "从己方弃牌堆中拿一张非英雄单位牌加入你的手牌。",
        ),
        take_own_fallen,
        has_own_fallen,
    ),
    leader(
        "eredin_treacherous", "Eredin Bréacc Glas: The Treacherous",
        "艾瑞汀·毕雷克·葛拉斯：诡计多端",
        Text(
            "Passive: all spies on the table, no heroes, have twice their strength.",
            "被动：场上所有非英雄间谍的战力翻倍。",
        ),
    ),
)

FRANCESCA = of_faction(
    Faction.SCOIATAEL,
    leader(
        "francesca_pureblood", "Francesca Findabair: Pureblood Elf",
        "法兰茜丝卡·芬达贝：纯血精灵",
        *play_from_pile("biting_frost", "a Biting Frost", "刺骨冰霜"),
    ),
    leader(
        "francesca_beautiful", "Francesca Findabair: The Beautiful",
        "法兰茜丝卡·芬达贝：绝世容颜",
        *sound_horn(RANGED),
    ),
    leader(
        "francesca_daisy", "Francesca Findabair: Daisy of the Valley",
        "法兰茜丝卡·芬达贝：山谷雏菊",
        Text(
            "Passive: you are dealt eleven cards.",
            "被动：起始手牌为十一张。",
        ),
    ),
    leader(
        "francesca_queen", "Francesca Findabair: Queen of Dol Blathanna",
        "法兰茜丝卡·芬达贝：多尔·布雷坦纳女王",
        *scorch_opponents(MELEE),
    ),
    leader(
        "francesca_hope", "Francesca Findabair: Hope of the Aen Seidhe",
        "法兰茜丝卡·芬达贝：艾恩·希德的希望",
        Text(
            "Move your agile units to the rows where your side is strongest.",
            "将己方敏捷单位移到能使己方总战力最高的排。",
        ),
        move_agile,
        would_move_agile,
    ),
)

SKELLIGE_LEADERS = of_faction(
    Faction.SKELLIGE,
    leader(
        "crach", "Crach an Craite",
        "克拉茨·奎特",
        Text(
            "Shuffle every discard pile back into its side's pile.",
            "将各方弃牌堆洗回各自的牌库。",
        ),
        shuffle_discards,
        has_discards,
    ),
    leader(
        "king_bran", "King Bran",
        "布兰王",
        Text(
            "Passive: in bad weather the units of your side have half their strength "
            "(rounded up) instead of 1.",
            "被动：己方单位在恶劣天气中战力减半（向上取整），而不是降到1。",
        ),
    ),
)
# fmt: on
