"""Scoia'tael (松鼠党): agile, and never alone."""

from services.engine.games.gwent.abilities import (
    medic,
    morale_boost,
    muster,
    scorch_row,
)
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

# A row stays a row.
# fmt: off
SCOIATAEL = of_faction(
    Faction.SCOIATAEL,
    hero("eithne", "Eithné", "艾思娜", 10, RANGED),
    hero("saesenthessis", "Saesenthessis", "萨琪亚萨司", 10, RANGED),
    hero("isengrim", "Isengrim Faoiltiarna", "伊森格林·法欧提亚纳",
         10, MELEE, morale_boost),
    hero("iorveth", "Iorveth", "伊欧菲斯", 10, RANGED),
    unit("dennis_cranmer", "Dennis Cranmer", "丹尼斯·克莱默", 6, MELEE),
    unit("milva", "Milva", "米尔瓦", 10, RANGED, morale_boost),
    unit("ida_emean", "Ida Emean aep Sivney", "艾达·艾敏·爱普·西维尼", 6, RANGED),
    unit("filavandrel", "Filavandrel aén Fidháil", "菲拉凡德芮", 6, AGILE),
    unit("yaevinn", "Yaevinn", "亚伊文", 6, AGILE),
    unit("toruviel", "Toruviel", "托露薇尔", 2, RANGED),
    unit("riordain", "Riordain", "李欧丹恩", 1, RANGED),
    unit("ciaran", "Ciaran aep Easnillien", "席朗·爱普·依斯尼兰", 3, AGILE),
    unit("barclay", "Barclay Els", "巴克莱·艾尔斯", 6, AGILE),
    unit("schirru", "Schirrú", "希鲁", 8, SIEGE, scorch_row(SIEGE)),
    unit("havekar_smuggler", "Havekar Smuggler", "私枭走私者",
         5, MELEE, muster("havekar_smuggler"), copies=3),
    unit("havekar_healer", "Havekar Healer", "私枭医生", 0, RANGED, medic, copies=3),
    unit("vrihedd_veteran", "Vrihedd Brigade Veteran", "维里赫德旅老兵",
         5, AGILE, copies=2),
    unit("vrihedd_recruit", "Vrihedd Brigade Recruit", "维里赫德旅新兵", 4, RANGED),
    unit("dol_blathanna_scout", "Dol Blathanna Scout", "多尔·布雷坦纳斥候",
         6, AGILE, copies=3),
    unit("dol_blathanna_archer", "Dol Blathanna Archer", "多尔·布雷坦纳弓箭手",
         4, RANGED),
    unit("dwarven_skirmisher", "Dwarven Skirmisher", "矮人好斗分子",
         3, MELEE, muster("dwarven_skirmisher"), copies=3),
    unit("elven_skirmisher", "Elven Skirmisher", "精灵好斗分子",
         2, RANGED, muster("elven_skirmisher"), copies=3),
    unit("mahakaman_defender", "Mahakaman Defender", "玛哈坎守卫", 5, MELEE, copies=5),
)
# fmt: on
