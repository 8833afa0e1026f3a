"""Monsters (怪物): they come in packs."""

from services.engine.games.gwent.abilities import morale_boost, muster, scorch_row
from services.engine.games.gwent.pieces import (
    AGILE,
    MELEE,
    RANGED,
    SIEGE,
    Faction,
    hero,
    of_faction,
    unit,
)

ARACHAS = muster("arachas", "arachas_behemoth")
VAMPIRES = muster(
    "vampire_ekimmara",
    "vampire_fleder",
    "vampire_garkain",
    "vampire_bruxa",
    "vampire_katakan",
)
CRONES = muster("crone_brewess", "crone_weavess", "crone_whispess")

MONSTERS = of_faction(
    Faction.MONSTERS,
    hero("draug", "Draug", "战灵", 10, MELEE),
    hero("imlerith", "Imlerith", "伊勒瑞斯", 10, MELEE),
    hero("leshen", "Leshen", "鹿首精", 10, RANGED),
    hero("kayran", "Kayran", "巨章鱼怪", 8, AGILE, morale_boost),
    unit("toad", "Toad", "蟾蜍", 7, RANGED, scorch_row(RANGED)),
    unit("forktail", "Forktail", "叉尾龙", 5, MELEE),
    unit("earth_elemental", "Earth Elemental", "土元素", 6, SIEGE),
    unit("fire_elemental", "Fire Elemental", "火元素", 6, SIEGE),
    unit("fiend", "Fiend", "鹿首魔", 6, MELEE),
    unit("plague_maiden", "Plague Maiden", "瘟疫妖女", 5, MELEE),
    unit("griffin", "Griffin", "狮鹫", 5, MELEE),
    unit("werewolf", "Werewolf", "狼人", 5, MELEE),
    unit("botchling", "Botchling", "尸婴", 4, MELEE),
    unit("frightener", "Frightener", "畏惧者", 5, MELEE),
    unit("ice_giant", "Ice Giant", "寒冰巨人", 5, SIEGE),
    unit("endrega", "Endrega", "安德莱格", 2, RANGED),
    unit("cockatrice", "Cockatrice", "石化鸡蛇", 2, RANGED),
    unit("gargoyle", "Gargoyle", "石像鬼", 2, RANGED),
    unit("grave_hag", "Grave Hag", "墓穴女巫", 5, RANGED),
    unit("foglet", "Foglet", "小雾妖", 2, MELEE),
    unit("wyvern", "Wyvern", "翼手龙", 2, RANGED),
    unit("harpy", "Harpy", "鹰身女妖", 2, AGILE),
    unit("celaeno_harpy", "Celaeno Harpy", "赛尔伊诺鹰身女妖", 2, AGILE),
    unit("arachas", "Arachas", "蟹蜘蛛", 4, MELEE, ARACHAS, copies=3),
    unit("arachas_behemoth", "Arachas Behemoth", "蟹蜘蛛巨兽", 6, SIEGE, ARACHAS),
    unit("nekker", "Nekker", "孽鬼", 2, MELEE, muster("nekker"), copies=3),
    unit("ghoul", "Ghoul", "食尸鬼", 1, MELEE, muster("ghoul"), copies=3),
    unit("vampire_ekimmara", "Vampire: Ekimmara", "吸血鬼：蝙魔", 4, MELEE, VAMPIRES),
    unit("vampire_fleder", "Vampire: Fleder", "吸血鬼：蝠翼魔", 4, MELEE, VAMPIRES),
    unit("vampire_garkain", "Vampire: Garkain", "吸血鬼：丑瘤脑魔", 4, MELEE, VAMPIRES),
    unit("vampire_bruxa", "Vampire: Bruxa", "吸血鬼：吸血女妖", 4, MELEE, VAMPIRES),
    unit("vampire_katakan", "Vampire: Katakan", "吸血鬼：吸血夜妖", 5, MELEE, VAMPIRES),
    unit("crone_brewess", "Crone: Brewess", "老巫妪：煮婆", 6, MELEE, CRONES),
    unit("crone_weavess", "Crone: Weavess", "老巫妪：织婆", 6, MELEE, CRONES),
    unit("crone_whispess", "Crone: Whispess", "老巫妪：呢喃婆", 6, MELEE, CRONES),
)
