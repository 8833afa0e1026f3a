"""`anpai bench playouts`: how fast games are played on one core."""

from rich.console import Console

from clients.terminal.say import Trouble
from clients.terminal.words import Words
from services.local import GAMES
from services.local.playouts import Speed, playouts


def measure(game: str, seconds: float, words: Words) -> Speed:
    if game not in GAMES:
        names = ", ".join(sorted(GAMES))
        raise Trouble(words("play.no_game", game=game, games=names))
    found = GAMES[game]
    return playouts(found, seats=min(found.variants[0].seats), seconds=seconds)


def print_speed(speed: Speed, words: Words, out: Console) -> None:
    told = {key: round(n) if isinstance(n, float) else n for key, n in speed.items()}
    out.print(words("bench.playouts", **told), soft_wrap=True)
