"""Gwent (昆特牌): two sides muster units in three rows, best of three rounds."""

from dataclasses import replace

from services.engine.games.gwent.decks import faults
from services.engine.games.gwent.play import game
from services.engine.games.gwent.sight import SIGHT
from services.engine.games.gwent.words import catalog
from services.engine.kernel import Clocks, Game, Text, Variant

CLOCKS = Clocks(by_name={"exchange": 45, "choose_deck": 30, "who_begins": 20})

GWENT = Game(
    name="gwent",
    title=Text("Gwent", "昆特牌"),
    variants=(
        Variant("duel", (2,), Text("Duel", "双人对局"), 1, score="gems"),
        Variant("advanced", (2,), Text("Advanced", "进阶"), 1, score="gems"),
        Variant(
            "tournament",
            (2,),
            Text("Tournament", "锦标赛"),
            3,
            score="games",
            clocks=replace(CLOCKS, bank=900),
        ),
        Variant("team", (4,), Text("Team", "双人团队"), 1, (0, 1, 0, 1), "gems"),
        Variant(
            "free-for-all",
            (3, 4, 5),
            Text("Free-for-all", "自由混战"),
            1,
            score="points",
        ),
        Variant("solo", (1,), Text("Solo", "单人挑战"), score="gems"),
        Variant(
            "solo-leaders",
            (1,),
            Text("Solo with leaders", "单人挑战（领袖）"),
            score="gems",
        ),
    ),
    play=game,
    sight=SIGHT,
    catalog=catalog(),
    version="2",
    clocks=CLOCKS,
    deck_faults=faults,
)
