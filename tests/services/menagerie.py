"""A game to which seats bring decks of three animals: to see how decks travel.

Their names stand nowhere else, so that wherever one is found, a deck has been told.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from services.engine import catalog
from services.engine.games import GAMES
from services.engine.kernel import (
    Catalog,
    Deck,
    DeckFault,
    Face,
    Game,
    Outcome,
    Place,
    Table,
    Text,
    Variant,
    everyone,
    nobody,
    owner,
    ranked,
)

ANIMALS = {
    "okapi": "㺢㹢狓",
    "quagga": "斑驴",
    "saola": "中南大羚",
    "takin": "羚牛",
    "vicuna": "骆马",
}
ZOO = ("quagga", "quagga", "quagga")
WANTED = 3
KINDS_OF_DECK = 3


def faults(variant: str, decks: Sequence[Deck]) -> list[DeckFault]:
    """Three animals that there are; of a cup three such decks."""
    found = []
    if variant == "cup" and len(decks) != KINDS_OF_DECK:
        missing = Text("A cup takes 3 decks.", "锦标赛需要3套牌组。")
        found.append(DeckFault(len(decks), "", missing))
    for number, deck in enumerate(decks):
        if len(deck) != WANTED:
            sentence = Text(
                f"{len(deck)} animals, not {WANTED}.", f"应有{WANTED}只动物。"
            )
            found.append(DeckFault(number, "", sentence))
        strange = dict.fromkeys(face for face in deck if face not in ANIMALS)
        unknown = Text("There is no such animal.", "没有这种动物。")
        found += [DeckFault(number, face, unknown) for face in strange]
    return found


async def play(table: Table) -> Outcome:
    """Everybody draws two of three and shows one."""
    for seat in table.seats:
        brought = table.brought.get(seat)
        pile = Place("pile", seat)
        await table.build(pile, brought[0] if brought else ZOO)
        await table.draw(pile, 2, Place("hand", seat))
    for seat in table.seats:
        hand = table.cards(Place("hand", seat))
        await table.move(await table.ask(seat, "show", hand), Place("row", seat))
    return ranked((0,) * len(table.seats))


def way(name: str, seats: int, decks: int = 1, *teams: int) -> Variant:
    return Variant(name, (seats,), Text(name.title(), name), decks, teams)


MENAGERIE = Game(
    name="menagerie",
    title=Text("Menagerie", "动物园"),
    variants=(
        way("pair", 2),
        way("alone", 1),
        way("cup", 2, KINDS_OF_DECK),
        way("plain", 2, 0),
        way("team", 4, 1, 0, 1, 0, 1),
    ),
    play=play,
    sight={"pile": nobody, "hand": owner, "row": everyone},
    catalog=Catalog(
        faces={
            name: Face(name, "animal", Text(name, chinese), Text("", ""))
            for name, chinese in ANIMALS.items()
        },
        words={},
    ),
    version="1",
    deck_faults=faults,
)


def ids(*faces: str) -> list[str]:
    """As a client names them."""
    return [f"menagerie/{face}" for face in faces]


@contextmanager
def opened_to_visitors(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """While this lasts it is one of the games that can be played."""
    patch.setitem(GAMES, MENAGERIE.name, MENAGERIE)
    catalog.games_in.cache_clear()
    yield
    catalog.games_in.cache_clear()
