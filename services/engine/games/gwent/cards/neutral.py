"""Neutral cards: open to every faction."""

from services.engine.games.gwent.abilities import (
    avenger,
    commanders_horn,
    medic,
    morale_boost,
    muster,
    scorch_row,
    spy,
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
NEUTRAL = of_faction(
    Faction.NEUTRAL,
    hero("geralt", "Geralt of Rivia", "利维亚的杰洛特", 15, MELEE),
    hero("ciri", "Cirilla Fiona Elen Riannon", "希里雅·菲欧娜·伊伦·雷安伦", 15, MELEE),
    hero("triss", "Triss Merigold", "特莉丝·梅莉葛德", 7, MELEE),
    hero("yennefer", "Yennefer of Vengerberg", "温格堡的叶奈法", 7, RANGED, medic),
    hero("mysterious_elf", "Mysterious Elf", "神秘精灵", 0, MELEE, spy),
    unit("dandelion", "Dandelion", "丹德里恩", 2, MELEE, commanders_horn),
    unit("zoltan", "Zoltan Chivay", "卓尔坦·齐瓦", 5, MELEE),
    unit("vesemir", "Vesemir", "维瑟米尔", 6, MELEE),
    unit("regis", "Emiel Regis Rohellec Terzieff", "爱米尔·雷吉斯·洛赫雷课·塔吉夫",
         5, MELEE),
    unit("villentretenmerth", "Villentretenmerth", "维纶特瑞坦梅斯",
         7, MELEE, scorch_row(MELEE)),
    unit("olgierd", "Olgierd von Everec", "欧吉尔德·伊佛瑞克", 6, AGILE, morale_boost),
    unit("gaunter_odimm", "Gaunter O'Dimm", "刚特·欧迪姆",
         2, SIEGE, muster("gaunter_darkness")),
    unit("gaunter_darkness", "Gaunter O'Dimm: Darkness", "刚特·欧迪姆：黑暗",
         4, RANGED, muster("gaunter_darkness"), copies=3),
    unit("cow", "Cow", "牛", 0, RANGED, avenger("bovine_defense_force")),
    token("bovine_defense_force", "Bovine Defense Force", "波温防卫军", 8, MELEE),
)
# fmt: on
