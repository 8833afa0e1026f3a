"""The rules installed here, as a client meets them; no service is needed."""

from functools import cache

from anpai import Catalog, Face
from clients.terminal.say import Trouble
from clients.terminal.screen.reader import titled
from clients.terminal.words import Language, Words
from services.local import GAMES


def must_know(game: str, words: Words) -> None:
    """Trouble for a game that is not installed."""
    if game not in GAMES:
        names = ", ".join(sorted(GAMES))
        raise Trouble(words("play.no_game", game=game, games=names))


def title_of(game: str, variant: str, language: Language) -> str:
    """A game's title, and the variant's where there are several."""
    found = GAMES[game]
    titles = [one.title for one in found.variants if one.name == variant]
    told = [t.zh if language == "zh" else t.en for t in (found.title, *titles)]
    return titled(told[0], told[1:], len(found.variants))


@cache
def catalog_of(game: str, language: Language) -> Catalog:
    """Its faces and words, as the engine would send them."""
    found, zh = GAMES[game].catalog, language == "zh"
    catalog = Catalog(game=game, locale="zh-CN" if zh else "en")
    for face in found.faces.values():
        catalog.faces.append(
            Face(
                id=f"{game}/{face.id}",
                kind=face.kind,
                name=face.name.zh if zh else face.name.en,
                text=face.text.zh if zh else face.text.en,
                attributes={key: str(value) for key, value in face.attributes.items()},
            )
        )
    for key, text in found.words.items():
        catalog.words[key] = text.zh if zh else text.en
    return catalog
