"""Skellige (史凯利格): warriors who turn into bears."""

from services.engine.games.gwent.abilities import (
    avenger,
    berserker,
    commanders_horn,
    mardroeme,
    medic,
    morale_boost,
    muster,
    scorch,
    tight_bond,
)
from services.engine.games.gwent.pieces import (
    AGILE,
    MELEE,
    RANGED,
    SIEGE,
    Faction,
    hero,
    of_faction,
    token,
    unit,
)

# A row stays a row.
# fmt: off
SKELLIGE = of_faction(
    Faction.SKELLIGE,
    hero("hjalmar", "Hjalmar", "哈尔玛", 10, RANGED),
    hero("cerys", "Cerys", "凯瑞丝", 10, MELEE, muster("shield_maiden")),
    hero("ermion", "Ermion", "莫斯萨克", 8, RANGED, mardroeme),
    unit("draig", "Draig Bon-Dhu", "德莱格·波·德乌", 2, SIEGE, commanders_horn),
    unit("olaf", "Olaf", "奥拉夫", 12, AGILE, morale_boost),
    unit("holger", "Holger Blackhand", "“黑手”霍格", 4, SIEGE),
    unit("madman_lugos", "Madman Lugos", "疯子卢戈", 6, MELEE),
    unit("donar", "Donar an Hindar", "多纳·印达", 4, MELEE),
    unit("udalryk", "Udalryk", "乌达瑞克", 4, MELEE),
    unit("blueboy_lugos", "Blueboy Lugos", "“阿蓝”卢戈", 6, MELEE),
    unit("svanrige", "Svanrige", "斯凡瑞吉", 4, MELEE),
    unit("armorsmith", "Clan Tordarroch Armorsmith", "托达洛克家族盔甲匠", 4, MELEE),
    unit("skald", "Clan Heymaey Skald", "海玫家族诗人", 4, MELEE),
    unit("birna", "Birna Bran", "碧尔娜·布兰", 2, MELEE, medic),
    unit("dimun_pirate", "Clan Dimun Pirate", "迪门家族海盗", 6, RANGED, scorch),
    unit("kambi", "Kambi", "坎比", 0, MELEE, avenger("hemdall")),
    unit("berserker", "Berserker", "狂战士", 4, MELEE, berserker("vildkaarl")),
    unit("young_berserker", "Young Berserker", "年轻的狂战士",
         2, RANGED, berserker("young_vildkaarl"), copies=3),
    unit("craite_warrior", "Clan an Craite Warrior", "奎特家族战士",
         6, MELEE, tight_bond, copies=3),
    unit("shield_maiden", "Clan Drummond Shield Maiden", "德拉蒙家族持盾女卫",
         4, MELEE, tight_bond, copies=3),
    unit("light_longship", "Light Longship", "轻型长船",
         4, RANGED, muster("light_longship"), copies=3),
    unit("war_longship", "War Longship", "作战长船", 6, SIEGE, tight_bond, copies=3),
    unit("brokvar_archer", "Clan Brokvar Archer", "布洛克瓦尔家族弓箭手",
         6, RANGED, copies=3),
    token("vildkaarl", "Transformed Vildkaarl", "转化的维尔卡人",
          14, MELEE, morale_boost),
    token("young_vildkaarl", "Transformed Young Vildkaarl", "转化的年轻维尔卡人",
          8, RANGED, tight_bond, copies=3),
    token("hemdall", "Hemdall", "汉姆多尔", 11, MELEE, is_hero=True),
)
# fmt: on
