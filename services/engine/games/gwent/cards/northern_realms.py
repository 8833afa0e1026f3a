"""Northern Realms (北方领域): brothers in arms, and engines of siege."""

from services.engine.games.gwent.abilities import medic, morale_boost, spy, tight_bond
from services.engine.games.gwent.pieces import (
    MELEE,
    RANGED,
    SIEGE,
    Faction,
    hero,
    of_faction,
    unit,
)

# A row stays a row.
# fmt: off
NORTHERN_REALMS = of_faction(
    Faction.NORTHERN_REALMS,
    hero("vernon_roche", "Vernon Roche", "弗农·罗契", 10, MELEE),
    hero("john_natalis", "John Natalis", "约翰·纳塔利斯", 10, MELEE),
    hero("esterad", "Esterad Thyssen", "伊斯特拉德·蒂森", 10, MELEE),
    hero("philippa", "Philippa Eilhart", "菲丽芭·艾哈特", 10, RANGED),
    unit("thaler", "Thaler", "塔勒", 1, SIEGE, spy),
    unit("stennis", "Prince Stennis", "斯坦尼斯王子", 5, MELEE, spy),
    unit("dijkstra", "Sigismund Dijkstra", "西吉斯蒙德·迪杰斯特拉", 4, MELEE, spy),
    unit("ves", "Ves", "薇丝", 5, MELEE),
    unit("siegfried", "Siegfried of Denesle", "德内斯勒的齐格弗里德", 5, MELEE),
    unit("yarpen", "Yarpen Zigrin", "亚尔潘·齐格林", 2, MELEE),
    unit("keira", "Keira Metz", "凯拉·梅兹", 5, RANGED),
    unit("sile", "Síle de Tansarville", "席儿·德·坦沙维耶", 5, RANGED),
    unit("sabrina", "Sabrina Glevissig", "萨宾娜·葛丽维希格", 4, RANGED),
    unit("sheldon", "Sheldon Skaggs", "谢尔顿·斯卡格斯", 4, RANGED),
    unit("dethmold", "Dethmold", "戴斯摩", 6, RANGED),
    unit("trebuchet", "Trebuchet", "投石机", 6, SIEGE, copies=2),
    unit("ballista", "Ballista", "弩炮", 6, SIEGE, copies=2),
    unit("siege_tower", "Siege Tower", "攻城塔", 6, SIEGE),
    unit("catapult", "Catapult", "抛石机", 8, SIEGE, tight_bond, copies=2),
    unit("poor_infantry", "Poor Infantry", "可怜的步兵",
         1, MELEE, tight_bond, copies=4),
    unit("blue_stripes_commando", "Blue Stripes Commando", "蓝衣铁卫突击队",
         4, MELEE, tight_bond, copies=3),
    unit("crinfrid_hunter", "Crinfrid Reavers Dragon Hunter", "克林菲德掠夺者巨龙猎手",
         5, RANGED, tight_bond, copies=3),
    unit("redanian_soldier", "Redanian Foot Soldier", "瑞达尼亚步兵",
         1, MELEE, copies=2),
    unit("siege_expert", "Kaedweni Siege Expert", "科德温攻城专家",
         1, SIEGE, morale_boost, copies=3),
    unit("dun_banner_medic", "Dun Banner Medic", "褐旗营医师", 5, SIEGE, medic),
)
# fmt: on
