"""Special and weather cards: three of each, open to every faction."""

from services.engine.games.gwent.abilities import (
    clear_weather,
    commanders_horn,
    decoy,
    mardroeme,
    scorch,
    weather,
)
from services.engine.games.gwent.pieces import (
    MELEE,
    RANGED,
    SIEGE,
    special,
    weather_card,
)
from services.engine.kernel import Text

SPECIALS = [
    special(
        "decoy",
        "Decoy",
        "诱饵",
        decoy,
        Text(
            "Takes the place of a unit on your side, no hero; the unit goes back to "
            "your hand.",
            "替下己方场上一张非英雄单位牌，被替下的牌回到你的手牌。",
        ),
    ),
    special(
        "commanders_horn",
        "Commander's Horn",
        "指挥号角",
        commanders_horn,
        Text(
            "For this round the units of one of your rows count double. Horns never "
            "add up.",
            "本轮内，己方一排的单位战力翻倍；多个号角不叠加。",
        ),
    ),
    special(
        "scorch",
        "Scorch",
        "烧灼",
        scorch,
        Text(
            "The strongest units on the whole table, yours too, go to the discard "
            "pile. Heroes are spared.",
            "不分敌我，全场战力最高的单位都进入弃牌堆；英雄不受影响。",
        ),
    ),
    special(
        "mardroeme",
        "Mardroeme",
        "致幻菌菇",
        mardroeme,
        Text(
            "For this round the berserkers in one of your rows are transformed, those "
            "to come too.",
            "本轮内，己方一排的狂战士全部变身，之后放入的也一样。",
        ),
    ),
]

WEATHER = [
    weather_card(
        "biting_frost",
        "Biting Frost",
        "刺骨冰霜",
        weather(MELEE),
        Text(
            "Units in the melee rows of every side fall to 1.",
            "各方近战排的单位战力降到1。",
        ),
    ),
    weather_card(
        "impenetrable_fog",
        "Impenetrable Fog",
        "蔽日浓雾",
        weather(RANGED),
        Text(
            "Units in the ranged rows of every side fall to 1.",
            "各方远程排的单位战力降到1。",
        ),
    ),
    weather_card(
        "torrential_rain",
        "Torrential Rain",
        "倾盆大雨",
        weather(SIEGE),
        Text(
            "Units in the siege rows of every side fall to 1.",
            "各方攻城排的单位战力降到1。",
        ),
    ),
    weather_card(
        "skellige_storm",
        "Skellige Storm",
        "史凯利格风暴",
        weather(RANGED, SIEGE),
        Text(
            "Units in the ranged and siege rows of every side fall to 1.",
            "各方远程排和攻城排的单位战力降到1。",
        ),
    ),
    weather_card(
        "clear_weather",
        "Clear Weather",
        "晴天",
        clear_weather,
        Text("Takes all weather off the table.", "移除场上的全部天气牌。"),
    ),
]
