"""What is to be played, as the command line names it: a game, and a variant of it."""

from collections.abc import Iterable, Sequence

from anpai import GameInfo, Variant, variant_in
from clients.terminal.say import Trouble
from clients.terminal.words import Words


def game_among(games: Iterable[GameInfo], name: str, words: Words) -> GameInfo:
    """By its name, or by its title as it is listed."""
    known = list(games)
    for game in known:
        if name in (game.name, game.title):
            return game
    names = ", ".join(game.name for game in known)
    raise Trouble(words("play.no_game", game=name, games=names))


def variant_among(game: GameInfo, name: str, words: Words) -> Variant:
    """By its name; the usual one where none is named."""
    found = variant_in(game, name)
    if found is None:
        names = (one.name for one in game.variants)
        raise no_variant(game.name, name, names, words)
    return found


def seats_at(
    variant: str, may_be: Sequence[int], wanted: int | None, words: Words
) -> int:
    """As many as wanted, else as usual; Trouble where the variant has no such table."""
    if wanted is not None and wanted not in may_be:
        listed = ", ".join(map(str, may_be))
        raise Trouble(words("play.seats", variant=variant, seats=listed))
    return wanted or may_be[0]


def no_variant(game: str, name: str, known: Iterable[str], words: Words) -> Trouble:
    listed = ", ".join(known)
    told = words("play.no_variant", game=game, variant=name, variants=listed)
    return Trouble(told)
