"""The games, each a folder of rules on the kernel."""

from services.engine.games.gwent import GWENT
from services.engine.games.skirmish import SKIRMISH
from services.engine.kernel import Game

GAMES: dict[str, Game] = {game.name: game for game in (SKIRMISH, GWENT)}
