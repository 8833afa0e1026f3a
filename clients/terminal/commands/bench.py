"""`anpai bench playouts`: how fast games are played on one core."""

from rich.console import Console

from clients.terminal.choosing import no_variant
from clients.terminal.say import Trouble
from clients.terminal.words import Words
from services.local import GAMES
from services.local.playouts import Speed, playouts


def measure(game: str, variant: str, seconds: float, words: Words) -> Speed:
    if game not in GAMES:
        names = ", ".join(sorted(GAMES))
        raise Trouble(words("play.no_game", game=game, games=names))
    found = GAMES[game]
    wanted = found.variant(variant)
    if wanted is None:
        raise no_variant(found.name, variant, (v.name for v in found.variants), words)
    seats, name = wanted.seats[0], wanted.name
    return playouts(found, seats=seats, variant=name, seconds=seconds)


def print_speed(speed: Speed, words: Words, out: Console) -> None:
    told = {key: round(n) if isinstance(n, float) else n for key, n in speed.items()}
    out.print(words("bench.playouts", **told), soft_wrap=True)
