"""`anpai deck show` and `anpai deck new`: a deck beside the set it is built from."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from anpai import Deck, Face, written
from anpai.decks import plain
from clients.terminal.commands.deck import Totals, totals_of, variant_of
from clients.terminal.installed import catalog_of
from clients.terminal.options import Listed
from clients.terminal.say import Trouble
from clients.terminal.screen.lines import paragraph
from clients.terminal.words import Words
from services.local.decks import ready_decks

KINDS = ("leader", "hero", "unit", "special", "weather")


# ---- a new deck ----------------------------------------------------------------------


def new_deck(game: str, faction: str, words: Words, *, advanced: bool) -> Deck:
    """The ready deck of a faction, however it is called."""
    decks = ready_decks(game, variant_of(game, words, advanced=advanced))
    found = next((one for one in decks if plain(faction) in called(one, game)), None)
    if found is None:
        catalog = catalog_of(game, words.language)
        names = [catalog.words[f"option.{one}"] for one in decks]
        listed = words("list.comma").join(names)
        raise Trouble(words("deck.no_faction", word=faction, factions=listed))
    return tuple(f"{game}/{face}" for face in decks[found])


def called(faction: str, game: str) -> set[str]:
    """Its id, and its name in each language."""
    key = f"option.{faction}"
    names = (catalog_of(game, language).words[key] for language in ("en", "zh"))
    return {plain(name) for name in (faction, *names)}


def faction_of(deck: Deck, game: str) -> str:
    return totals_of(deck, game).faction


def write(deck: Deck, path: Path, game: str, words: Words) -> None:
    """A file that is there already stays as it is."""
    text = written(deck, catalog_of(game, words.language), title=path.stem)
    try:
        with path.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise Trouble(words("deck.exists", path=path)) from None
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from None


# ---- a deck and its set --------------------------------------------------------------


def listed_cards(
    deck: Deck, game: str, words: Words, which: Listed | None
) -> list[Face]:
    """The deck's own cards, and others that it could have."""
    faction = faction_of(deck, game)
    catalog = catalog_of(game, words.language)
    return [
        face
        for face in catalog.faces
        if face.id in deck or (may_be_in(face, faction) and is_listed(face, which))
    ]


def may_be_in(face: Face, faction: str) -> bool:
    return face.kind in KINDS and face.attributes["faction"] in (faction, "neutral")


def is_listed(face: Face, which: Listed | None) -> bool:
    if which is Listed.BASE:
        return "starter" in face.attributes
    return which is Listed.ALL


def print_list(
    deck: Deck, game: str, words: Words, out: Console, *, which: Listed | None
) -> None:
    """Copies used and available, kind by kind, below what the deck has in all."""
    for line in paragraph(heading(totals_of(deck, game), game, words), out.width):
        out.print(Text(line.plain, "bold"))
    cards, used = listed_cards(deck, game, words, which), Counter(deck)
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for key, side in COLUMNS.items():
        grid.add_column(words(f"deck.{key}"), justify=side, overflow="fold")
    for kind in KINDS:
        of_kind = [one for one in cards if one.kind == kind]
        if of_kind:
            grid.add_row("", Text(words(f"deck.kind.{kind}"), "bold"))
        for face in of_kind:
            row = row_of(face, used[face.id], game, words)
            grid.add_row(*row, style="" if used[face.id] else "dim")
    out.print(grid)


Side = Literal["left", "right"]
COLUMNS: dict[str, Side] = {
    "copies": "right",
    "card": "left",
    "strength": "right",
    "rows": "left",
    "abilities": "left",
}


def row_of(face: Face, used: int, game: str, words: Words) -> Iterator[str]:
    """A fighter's abilities; what any other card does is in its name."""
    known = catalog_of(game, words.language).words
    yield f"{used}/{face.attributes['copies']}"
    yield face.name
    yield face.attributes.get("strength", "")
    yield "/".join(known[f"place.{row}"] for row in items(face, "rows"))
    if "strength" in face.attributes:
        abilities = [one for one in items(face, "abilities") if one != "agile"]
        yield words("list.comma").join(known[f"option.{one}"] for one in abilities)


def items(face: Face, name: str) -> list[str]:
    return face.attributes.get(name, "").split()


def heading(totals: Totals, game: str, words: Words) -> str:
    catalog = catalog_of(game, words.language)
    names = {face.id: face.name for face in catalog.faces}
    faction = catalog.words.get(f"option.{totals.faction}", "–")
    leader = names.get(totals.leader, "–")
    told = asdict(totals) | {"faction": faction, "leader": leader}
    return words("deck.heading", **told)


def list_as_json(
    deck: Deck, game: str, words: Words, *, which: Listed | None
) -> dict[str, object]:
    used = Counter(deck)
    cards = [
        {
            "face": face.id,
            "name": face.name,
            "kind": face.kind,
            "used": used[face.id],
            "available": int(face.attributes["copies"]),
            "strength": int(face.attributes.get("strength", "0")),
        }
        for face in listed_cards(deck, game, words, which)
    ]
    return {**asdict(totals_of(deck, game)), "cards": cards}
