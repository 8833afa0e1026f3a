"""What factions and abilities do, in a sentence each, for who asks a client."""

from services.engine.games.gwent.pieces import Faction
from services.engine.games.gwent.starter import READY
from services.engine.kernel import Text

FACTIONS = {
    Faction.MONSTERS: Text(
        "After each round one of your units, drawn by lot, stays on the table.",
        "每轮结束时，随机保留己方场上的一张单位牌。",
    ),
    Faction.NILFGAARD: Text(
        "A round that is tied is yours, unless the opponent is Nilfgaard too.",
        "平局的一轮算你获胜，除非对手也是尼弗迦德。",
    ),
    Faction.NORTHERN_REALMS: Text(
        "For each round that you win you draw a card.",
        "每赢得一轮，抽一张牌。",
    ),
    Faction.SCOIATAEL: Text(
        "You say who starts the first round.",
        "由你决定第一轮由谁先手。",
    ),
    Faction.SKELLIGE: Text(
        "When the third round begins two units of your discard pile, drawn by lot, "
        "come back to the table.",
        "第三轮开始时，从己方弃牌堆随机选两张单位牌回到场上。",
    ),
}

# All copies work alike, whatever their card is.
ABILITIES = {
    "agile": Text(
        "Stands in melee or in ranged, as its player chooses.",
        "由打出者决定放在近战排还是远程排。",
    ),
    "tight_bond": Text(
        "Multiplied by the number of cards of its name on your side.",
        "战力乘以己方场上同名牌的数量。",
    ),
    "morale_boost": Text(
        "Each other unit in its row has +1.", "同排其他单位战力各加1。"
    ),
    "commanders_horn": Text(
        "The units in its row count double, itself not.",
        "同排单位战力翻倍，自身除外。",
    ),
    "mardroeme": Text(
        "Berserkers in its row are transformed.", "同排的狂战士发生变身。"
    ),
    "berserker": Text(
        "Another card takes its place when Mardroeme is at work in its row.",
        "所在排有致幻菌菇生效时，变身为另一张牌。",
    ),
    "avenger": Text(
        "When it goes to a discard pile another card comes from the side deck.",
        "进入弃牌堆时，辅助牌组中的另一张牌登场。",
    ),
    "medic": Text(
        "Choose a unit of your discard pile, no hero; it is played at once.",
        "从己方弃牌堆选择一张非英雄单位牌，立即上场。",
    ),
    "spy": Text(
        "Lies on an opponent's side and counts there; you draw two cards.",
        "放到对手一侧并计入其战力；你抽两张牌。",
    ),
    "muster": Text(
        "Its kin come with it from your hand and pile.",
        "从手牌和牌库中召出全部同类牌。",
    ),
    "scorch": Text(
        "The strongest units on the whole table go to the discard pile.",
        "将全场战力最高的单位移入弃牌堆。",
    ),
}

DECKS = {one.id: FACTIONS[one.faction] for one in READY.values()}

ABOUT = {one.value: text for one, text in FACTIONS.items()} | ABILITIES | DECKS
