"""`anpai games` and `anpai cards`: what can be played, and with what."""

import asyncio
from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

import anpai
from clients.terminal.finding import Where
from clients.terminal.screen.lines import hanging, paragraph
from clients.terminal.screen.reader import Reader
from clients.terminal.words import Words

COLUMN = 16


def fetch_games(where: Where, words: Words) -> list[anpai.GameInfo]:
    async def ask() -> list[anpai.GameInfo]:
        async with anpai.connect(where.server) as house:
            return await house.games(locale=words.locale)

    return asyncio.run(ask())


def fetch_catalog(game: str, where: Where, words: Words) -> anpai.Catalog:
    async def ask() -> anpai.Catalog:
        async with anpai.connect(where.server) as house:
            return await house.catalog(game, locale=words.locale)

    return asyncio.run(ask())


def print_games(games: Iterable[anpai.GameInfo], words: Words, out: Console) -> None:
    for game in games:
        rules = words("games.rules", version=game.rules_version)
        items: list[Text | str] = [Text(game.title, "bold"), rules]
        for line in hanging(game.name, items, out.width, column=COLUMN):
            out.print(line)
        for one in game.variants:
            told = about(one, words)
            for line in hanging(one.name, told, out.width, indent=2, column=COLUMN):
                out.print(line)


def about(variant: anpai.Variant, words: Words) -> list[Text | str]:
    """Its title, for how many, and what else is to be known before it is played."""
    counts = "/".join(map(str, variant.seats))
    items: list[Text | str] = [Text(variant.title), words("games.seats", seats=counts)]
    if variant.teams:
        items.append(words("games.teams", teams=len(set(variant.teams))))
    if variant.decks:
        items.append(words("games.decks", decks=variant.decks))
    return items


def print_cards(catalog: anpai.Catalog, words: Words, out: Console) -> None:
    """Every face in the order of the rulebook, those that read the same as one."""
    reader = Reader(catalog, words)
    chapter = ""
    for (title, name, text, *printed), count in readings(catalog, reader).items():
        if title != chapter:
            chapter = title
            out.print(Text(title, "bold underline"))
        number = f" ×{count}" if count > 1 else ""
        items = [Text(name + number, "bold"), *map(Text, printed)]
        for line in hanging("", items, out.width, indent=2):
            out.print(line)
        for line in paragraph(text, out.width, indent=4):
            out.print(line)


def readings(catalog: anpai.Catalog, reader: Reader) -> Counter[tuple[str, ...]]:
    """What is printed on cards, and on how many: chapter, name, text, other items."""
    found: Counter[tuple[str, ...]] = Counter()
    for face in catalog.faces:
        named = reader.layout.printed
        printed = reader.printed(face, *CHAPTERS) if named else plainly(face)
        copies = int(face.attributes.get("copies", "1"))
        found[chapter_of(face, reader), face.name, face.text, *printed] += copies
    return found


# An attribute that divides a catalogue better than its kinds do.
CHAPTERS = ("faction",)


def chapter_of(face: anpai.Face, reader: Reader) -> str:
    """Its faction's name, or the kind of card it is."""
    for name in CHAPTERS:
        word = face.attributes.get(name)
        if word is not None:
            told = reader.any_word(word)
            return told if told != word else reader.words(f"cards.{word}")
    return face.kind


def plainly(face: anpai.Face) -> list[str]:
    """Attributes by their own names, where no layout says how to read them."""
    return [
        f"{name} {face.attributes[name]}"
        for name in sorted(face.attributes)
        if name not in ("copies", "number", "skill")
    ]


def games_as_json(games: Iterable[anpai.GameInfo]) -> list[dict[str, object]]:
    return [
        {
            "game": game.name,
            "title": game.title,
            "seats": sorted({count for one in game.variants for count in one.seats}),
            "variants": [variant_as_json(one) for one in game.variants],
            "rules_version": game.rules_version,
        }
        for game in games
    ]


def variant_as_json(variant: anpai.Variant) -> dict[str, object]:
    return {
        "name": variant.name,
        "title": variant.title,
        "seats": list(variant.seats),
        "decks": variant.decks,
        "teams": list(variant.teams),
    }


def cards_as_json(catalog: anpai.Catalog) -> list[dict[str, object]]:
    return [
        {
            "id": face.id,
            "kind": face.kind,
            "name": face.name,
            "text": face.text,
            "attributes": dict(face.attributes),
        }
        for face in catalog.faces
    ]
