"""Skirmish (士兵战): two to four seats lay soldiers face down and turn them up."""

from services.engine.games.skirmish.board import SEATS
from services.engine.games.skirmish.play import game
from services.engine.games.skirmish.sight import SIGHT
from services.engine.games.skirmish.skills import WINDOW_SECONDS
from services.engine.games.skirmish.words import catalog
from services.engine.kernel import Clocks, Game, Text, Variant

SKIRMISH = Game(
    name="skirmish",
    title=Text("Skirmish", "士兵战"),
    variants=(Variant("standard", SEATS, Text("Standard", "标准")),),
    play=game,
    sight=SIGHT,
    catalog=catalog(),
    version="2",
    clocks=Clocks(by_name={"bomb": WINDOW_SECONDS, "throw": 15}),
)
