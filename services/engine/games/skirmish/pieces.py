"""The cards: commanders, soldiers and tactics, each row what is printed on one.

What a card does stands under its skill: `skills.py` and `tactics.py` do it, `attack.py`
counts it, `words.py` says it.
"""

from dataclasses import dataclass
from enum import StrEnum

from services.engine.kernel import Text


class Row(StrEnum):
    """The rows of a side; a soldier's class is the row it is made for."""

    SCOUT = "scout"
    ASSAULT = "assault"
    SNIPER = "sniper"


ROWS = tuple(Row)


class Commander(StrEnum):
    """Who leads a seat."""

    WOLF = "wolf"
    FIRE_FOX = "firefox"
    SNOW_LEOPARD = "snow_leopard"
    VULTURE = "vulture"


class Skill(StrEnum):
    """What a soldier can do."""

    LURKER = "stays_if_alive"
    SPY = "infiltrate"
    MEDIC = "ward"
    BROTHERS = "brothers"
    SPOTTER = "spotter"
    COVER = "cover"
    BUGLE = "bugle"
    LONE_RANGER = "lone"
    BOMBER = "bomb"
    ROOKIE = "rookie"
    CALL_OF_DUTY = "call_up"
    SOUL_CHASER = "recover_fallen"
    DISPATCH_TO_SCOUT = "dispatch_scout"
    DISPATCH_TO_SNIPER = "dispatch_sniper"
    GAZE = "gaze"
    OLD_HAND = "old_hand"
    HOT_BLOOD = "hot_blood"
    SERGEANT = "sergeant"
    ADRENALINE = "adrenaline"
    QUICK_DRAW = "quick_draw"
    SNIPER_GOD = "counter_sniper"
    BLIND_SHOT = "needs_spotter"
    SEEING_EYE = "unaffected"
    RECLUSE = "recluse"
    ASSAULT_SNIPER = "dispatch_scout_2"
    PRECISION_RIFLE = "fair_weather"


class Tactic(StrEnum):
    """What a tactic card is; weather and disasters lie on until the reckoning."""

    SNOW = "snow"
    RAIN = "rain"
    FOG = "fog"
    SANDSTORM = "sandstorm"
    CLEAR = "clear"
    WILDFIRE = "wildfire"
    THUNDERSTORM = "thunderstorm"
    TSUNAMI = "tsunami"
    EARTHQUAKE = "earthquake"
    NUKE = "nuke"
    GENE_COPY = "gene_copy"
    GENE_MUTATION = "gene_mutation"
    COERCION = "coercion"
    FRENCH_SALUTE = "french_salute"
    RESURRECTION = "resurrection"
    DUMB_DOWN = "dumb_down"
    GAMBLE = "gamble"


WEATHERS = frozenset(
    {Tactic.SNOW, Tactic.RAIN, Tactic.FOG, Tactic.SANDSTORM, Tactic.CLEAR}
)
DISASTERS = frozenset(
    {Tactic.WILDFIRE, Tactic.THUNDERSTORM, Tactic.TSUNAMI, Tactic.EARTHQUAKE}
)


@dataclass(frozen=True, slots=True)
class Soldier:
    """What is printed on a soldier; `second` is a row it may go to at `penalty`."""

    face: str
    name: Text
    row: Row
    number: int
    attack: int
    skill: Skill
    second: Row | None = None
    penalty: int = 0

    @property
    def rows(self) -> tuple[Row, ...]:
        """Where its own card lets it go (SK-3.3, SK-3.4)."""
        return (self.row,) if self.second is None else (self.row, self.second)


# Whose card names a second row, and what it costs there (SK-3.4).
SECOND_ROWS = {
    Skill.DISPATCH_TO_SCOUT: (Row.SCOUT, -1),
    Skill.DISPATCH_TO_SNIPER: (Row.SNIPER, -1),
    Skill.ASSAULT_SNIPER: (Row.SCOUT, -2),
}


def soldier(
    row: Row, number: int, attack: int, en: str, zh: str, skill: Skill
) -> Soldier:
    """One row of the table below."""
    second, penalty = SECOND_ROWS.get(skill, (None, 0))
    face, name = f"{row}_{number}", Text(en, zh)
    return Soldier(face, name, row, number, attack, skill, second, penalty)


SCOUTS = [
    soldier(Row.SCOUT, 1, 2, "Lurker", "猥琐流", Skill.LURKER),
    soldier(Row.SCOUT, 2, 2, "Spy", "间谍", Skill.SPY),
    soldier(Row.SCOUT, 3, 2, "Part-time Medic", "兼职医疗", Skill.MEDIC),
    soldier(Row.SCOUT, 4, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.SCOUT, 5, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.SCOUT, 6, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.SCOUT, 7, 3, "Spotter", "观察手", Skill.SPOTTER),
    soldier(Row.SCOUT, 8, 3, "Spotter", "观察手", Skill.SPOTTER),
    soldier(Row.SCOUT, 9, 3, "Spotter", "观察手", Skill.SPOTTER),
    soldier(Row.SCOUT, 10, 3, "Cover", "掩护", Skill.COVER),
    soldier(Row.SCOUT, 11, 3, "Bugle Call", "冲锋号", Skill.BUGLE),
    soldier(Row.SCOUT, 12, 6, "Lone Ranger", "独行侠", Skill.LONE_RANGER),
]

ASSAULTS = [
    soldier(Row.ASSAULT, 1, 1, "Suicide Bomber", "自爆", Skill.BOMBER),
    soldier(Row.ASSAULT, 2, 2, "Rookie", "新兵", Skill.ROOKIE),
    soldier(Row.ASSAULT, 3, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 4, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 5, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 6, 3, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 7, 4, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 8, 4, "Band of Brothers", "兄弟连", Skill.BROTHERS),
    soldier(Row.ASSAULT, 9, 4, "Call of Duty", "使命召唤", Skill.CALL_OF_DUTY),
    soldier(Row.ASSAULT, 10, 4, "Call of Duty", "使命召唤", Skill.CALL_OF_DUTY),
    soldier(Row.ASSAULT, 11, 4, "Call of Duty", "使命召唤", Skill.CALL_OF_DUTY),
    soldier(Row.ASSAULT, 12, 4, "Soul Chaser", "冥土追魂", Skill.SOUL_CHASER),
    soldier(Row.ASSAULT, 13, 4, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SCOUT),
    soldier(Row.ASSAULT, 14, 5, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SCOUT),
    soldier(Row.ASSAULT, 15, 5, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SCOUT),
    soldier(
        Row.ASSAULT, 16, 5, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SNIPER
    ),
    soldier(
        Row.ASSAULT, 17, 5, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SNIPER
    ),
    soldier(
        Row.ASSAULT, 18, 5, "Forced Dispatch", "强行调度", Skill.DISPATCH_TO_SNIPER
    ),
    soldier(Row.ASSAULT, 19, 5, "War God's Gaze", "战神的扫视", Skill.GAZE),
    soldier(Row.ASSAULT, 20, 5, "Old Hand", "老油条", Skill.OLD_HAND),
    soldier(Row.ASSAULT, 21, 5, "Old Hand", "老油条", Skill.OLD_HAND),
    soldier(Row.ASSAULT, 22, 5, "Hot Blood", "热血青年", Skill.HOT_BLOOD),
    soldier(Row.ASSAULT, 23, 5, "Master Sergeant", "士官长", Skill.SERGEANT),
    soldier(Row.ASSAULT, 24, 6, "Adrenaline", "打鸡血", Skill.ADRENALINE),
]

SNIPERS = [
    soldier(Row.SNIPER, 1, 5, "Quick Draw", "快枪手", Skill.QUICK_DRAW),
    soldier(Row.SNIPER, 2, 6, "Sniper God", "狙神", Skill.SNIPER_GOD),
    soldier(Row.SNIPER, 3, 7, "Blind Shot", "盲狙", Skill.BLIND_SHOT),
    soldier(Row.SNIPER, 4, 7, "Blind Shot", "盲狙", Skill.BLIND_SHOT),
    soldier(Row.SNIPER, 5, 8, "Seeing Eye", "明知之眼", Skill.SEEING_EYE),
    soldier(Row.SNIPER, 6, 8, "Recluse", "孤僻", Skill.RECLUSE),
    soldier(Row.SNIPER, 7, 8, "Assault Sniper", "冲锋狙", Skill.ASSAULT_SNIPER),
    soldier(Row.SNIPER, 8, 10, "Precision Rifle", "精密狙击枪", Skill.PRECISION_RIFLE),
]

SOLDIERS = {one.face: one for one in (*SCOUTS, *ASSAULTS, *SNIPERS)}

COMMANDERS = {
    Commander.WOLF: Text("Wolf", "战狼"),
    Commander.FIRE_FOX: Text("Fire Fox", "火狐"),
    Commander.SNOW_LEOPARD: Text("Snow Leopard", "雪豹"),
    Commander.VULTURE: Text("Vulture", "秃鹫"),
}

# How many of a tactic there are in the deck, and its name.
TACTICS = {
    Tactic.SNOW: (3, Text("Snow", "雪")),
    Tactic.RAIN: (3, Text("Rain", "雨")),
    Tactic.FOG: (3, Text("Fog", "雾")),
    Tactic.SANDSTORM: (1, Text("Sandstorm", "沙尘暴")),
    Tactic.CLEAR: (3, Text("Clear", "晴")),
    Tactic.WILDFIRE: (1, Text("Wildfire", "山火")),
    Tactic.THUNDERSTORM: (1, Text("Thunderstorm", "雷暴")),
    Tactic.TSUNAMI: (1, Text("Tsunami", "海啸")),
    Tactic.EARTHQUAKE: (1, Text("Earthquake", "地震")),
    Tactic.NUKE: (1, Text("Tactical Nuke", "战术核弹")),
    Tactic.GENE_COPY: (1, Text("Gene Copy", "基因复制")),
    Tactic.GENE_MUTATION: (1, Text("Gene Mutation", "基因突变")),
    Tactic.COERCION: (1, Text("Coercion", "威逼利诱")),
    Tactic.FRENCH_SALUTE: (1, Text("French Salute", "法式军礼")),
    Tactic.RESURRECTION: (1, Text("Resurrection", "秽土转生")),
    Tactic.DUMB_DOWN: (1, Text("Dumbing Strike", "降智打击")),
    Tactic.GAMBLE: (1, Text("Yan Shuangying's Gamble", "燕双鹰的赌局")),
}


def tactic_cards() -> list[str]:
    """The face of every tactic card of the deck, copies and all."""
    return [one.value for one, (copies, _) in TACTICS.items() for _ in range(copies)]
