"""The games as clients see them: what can be played, and every face and word.

Made once for each language and kept: none of it changes while a worker runs.
"""

from collections.abc import Mapping
from functools import cache

from google.protobuf.duration_pb2 import Duration

from anpai.engine.v1 import catalog_pb2 as pb
from services.chassis.errors import AnpaiError
from services.engine import fields
from services.engine.games import GAMES
from services.engine.kernel import Clocks, Face, Game, Text, Variant

LOCALES = ("en", "zh-CN")


def games_by_version() -> Mapping[tuple[str, str], Game]:
    """Every game that tables can be pinned to, by name and rules version."""
    return {(game.name, game.version): game for game in GAMES.values()}


def game_named(name: str) -> Game:
    """The game new tables are opened with; GAME_NOT_FOUND."""
    game = GAMES.get(name)
    if game is None:
        raise AnpaiError("GAME_NOT_FOUND", "There is no such game here.", game=name)
    return game


def variant_named(game: Game, name: str) -> Variant:
    """A way to play it, the usual one for ""; INVALID_FIELD."""
    variant = game.variant(name)
    if variant is None:
        names = ", ".join(one.name for one in game.variants)
        fields.refuse("variant", f"one of {names}")
    return variant


@cache
def games_in(locale: str) -> tuple[pb.GameInfo, ...]:
    """The games, by name ascending; `locale` is one of LOCALES."""
    return tuple(game_info(GAMES[name], locale) for name in sorted(GAMES))


def game_info(game: Game, locale: str) -> pb.GameInfo:
    return pb.GameInfo(
        name=game.name,
        title=in_language(game.title, locale),
        variants=[variant_in(game, one, locale) for one in game.variants],
        rules_version=game.version,
    )


def variant_in(game: Game, variant: Variant, locale: str) -> pb.Variant:
    return pb.Variant(
        name=variant.name,
        title=in_language(variant.title, locale),
        seats=variant.seats,
        decks=variant.decks,
        teams=variant.teams,
        clocks=clocks_in(game.clocks_of(variant.name)),
    )


def clocks_in(clocks: Clocks) -> pb.Clocks:
    by_name = {name: seconds(time) for name, time in clocks.by_name.items()}
    return pb.Clocks(
        answer=seconds(clocks.default),
        by_name=by_name,
        bank=seconds(clocks.bank),
        absent=seconds(clocks.absent),
    )


def seconds(number: int) -> Duration:
    return Duration(seconds=number)


def catalog_of(name: str, locale: str) -> pb.Catalog:
    """Every face and every word of a game; GAME_NOT_FOUND."""
    return _catalog(game_named(name).name, locale)


@cache
def _catalog(name: str, locale: str) -> pb.Catalog:
    game = GAMES[name]
    words = game.catalog.words.items()
    return pb.Catalog(
        game=name,
        rules_version=game.version,
        locale=locale,
        faces=[face_in(game, face, locale) for face in game.catalog.faces.values()],
        words={key: in_language(text, locale) for key, text in words},
    )


def face_in(game: Game, face: Face, locale: str) -> pb.Face:
    return pb.Face(
        id=f"{game.name}/{face.id}",
        kind=face.kind,
        name=in_language(face.name, locale),
        text=in_language(face.text, locale),
        attributes={name: str(value) for name, value in face.attributes.items()},
    )


def in_language(text: Text, locale: str) -> str:
    return text.zh if locale == "zh-CN" else text.en
