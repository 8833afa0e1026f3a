"""Keyword abilities that more than one card prints."""

from services.engine.games.gwent.pieces import Ability, Row
from services.engine.kernel import Text

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
)
mardroeme = Ability(
    "mardroeme",
    Text(
        "Mardroeme: berserkers in its row are transformed.",
        "致幻菌菇：同排的狂战士发生变身。",
    ),
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

medic = Ability(
    "medic",
    Text(
        "Medic: choose a unit of your discard pile, no hero; it is played at once.",
        "医疗：从己方弃牌堆选择一张非英雄单位牌，立即上场。",
    ),
)
spy = Ability(
    "spy",
    Text(
        "Spy: lies on an opponent's side and counts there; draw two cards.",
        "间谍：放到对手一侧并计入其战力；你抽两张牌。",
    ),
)


def muster(*faces: str) -> Ability:
    """Calls every card with one of these faces from hand and pile."""
    return Ability(
        "muster",
        Text(
            "Muster: calls all of these from your hand and pile: {}.",
            "集结：从手牌和牌库中召出全部的{}。",
        ),
        faces=faces,
    )


scorch = Ability(
    "scorch",
    Text(
        "Scorch: the strongest units on the whole table go to the discard pile.",
        "烧灼：将全场战力最高的单位移入弃牌堆。",
    ),
)


def scorch_row(row: Row) -> Ability:
    """Burns the strongest in the opponent's row of this kind, if it totals 10."""
    return Ability(
        f"scorch_{row}",
        Text(
            f"Scorch: burns the strongest units of the opponent's {row} row if that "
            "row totals 10 or more.",
            f"烧灼：若对手的{ROW_ZH[row]}总战力达到10，将其中战力最高的单位移入弃牌堆。",
        ),
        rows=(row,),
    )


ROW_ZH = {Row.MELEE: "近战排", Row.RANGED: "远程排", Row.SIEGE: "攻城排"}


# -- abilities of special cards alone ------------------------------------------------

decoy = Ability("decoy")
clear_weather = Ability("clear_weather")


def weather(*rows: Row) -> Ability:
    """Sets the units in these rows of every side to 1."""
    return Ability("weather", rows=rows)
