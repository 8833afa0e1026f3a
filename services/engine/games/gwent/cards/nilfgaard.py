"""Nilfgaard (尼弗迦德): spies and medics."""

from services.engine.games.gwent.abilities import medic, spy, tight_bond
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
NILFGAARD = of_faction(
    Faction.NILFGAARD,
    hero("letho", "Letho of Gulet", "古雷特的雷索", 10, MELEE),
    hero("menno", "Menno Coehoorn", "门诺·库霍恩", 10, MELEE, medic),
    hero("morvran", "Morvran Voorhis", "莫尔凡·符里斯", 10, SIEGE),
    hero("tibor", "Tibor Eggebracht", "蒂博尔·艾格布拉杰", 10, RANGED),
    unit("albrich", "Albrich", "亚伯力奇", 2, RANGED),
    unit("assire", "Assire var Anahid", "艾希蕾·阿纳兴", 6, RANGED),
    unit("cynthia", "Cynthia", "辛西亚", 4, RANGED),
    unit("fringilla", "Fringilla Vigo", "芙琳吉拉·薇歌", 6, RANGED),
    unit("morteisen", "Morteisen", "莫坦森", 3, MELEE),
    unit("rainfarn", "Rainfarn", "林法恩", 4, MELEE),
    unit("renuald", "Renuald aep Matsen", "雷努阿·爱普·马特森", 5, RANGED),
    unit("rotten_mangonel", "Rotten Mangonel", "腐烂的射石机", 3, SIEGE),
    unit("sweers", "Sweers", "斯维尔", 2, RANGED),
    unit("vanhemar", "Vanhemar", "凡赫玛", 4, RANGED),
    unit("vreemde", "Vreemde", "弗林姆德", 2, MELEE),
    unit("cahir", "Cahir Mawr Dyffryn aep Ceallach", "卡西尔·莫瓦·迪弗林·爱普·契拉克",
         6, MELEE),
    unit("puttkammer", "Puttkammer", "普特卡摩", 3, RANGED),
    unit("heavy_fire_scorpion", "Heavy Zerrikanian Fire Scorpion",
         "瑟瑞卡尼亚重型火蝎攻城弩", 10, SIEGE),
    unit("fire_scorpion", "Zerrikanian Fire Scorpion", "瑟瑞卡尼亚火蝎攻城弩",
         5, SIEGE),
    unit("siege_engineer", "Siege Engineer", "攻城工程师", 6, SIEGE),
    unit("shilard", "Shilard Fitz-Oesterlen", "希拉德·费兹-奥耶斯泰兰", 7, MELEE, spy),
    unit("stefan_skellen", "Stefan Skellen", "史提芬·史凯伦", 9, MELEE, spy),
    unit("vattier", "Vattier de Rideaux", "瓦提尔·德·李道克斯", 4, MELEE, spy),
    unit("etolian_archers", "Etolian Auxiliary Archers", "弓箭手支援",
         1, RANGED, medic, copies=2),
    unit("siege_technician", "Siege Technician", "攻城技师", 0, SIEGE, medic),
    unit("black_archer", "Black Infantry Archer", "黑步兵弓箭手", 10, RANGED, copies=2),
    unit("impera_guard", "Impera Brigade Guard", "近卫军",
         3, MELEE, tight_bond, copies=4),
    unit("nausicaa_rider", "Nausicaa Cavalry Rider", "那乌西卡旅骑兵",
         2, MELEE, tight_bond, copies=3),
    unit("young_emissary", "Young Emissary", "年轻的特使",
         5, MELEE, tight_bond, copies=2),
)
# fmt: on
