"""The ledger: what was asked of chance and what it gave, batch by batch. Pure."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from services.vault.cards import Dealt
from services.vault.chain import canonical
from services.vault.holdings import Operation, Result, Results

FORMAT = "anpai-disclosure-1"


class Recorded(NamedTuple):
    """A batch in the ledger; `head` is the ledger's after it, in hex."""

    digest: str
    head: str
    operations: Sequence[Operation]
    results: Results

    def text(self) -> str:
        """As it is kept and disclosed: the JSON array of these four."""
        return canonical(self)

    @classmethod
    def read(cls, text: str | bytes) -> "Recorded":
        """What `text()` wrote."""
        return recorded(json.loads(text))


def recorded(items: Sequence[Any]) -> Recorded:
    """A record from its JSON array; ValueError, KeyError or TypeError for any other."""
    digest, head, operations, results = items
    return Recorded(digest, head, operations, tuple(map(_result, results)))


def _result(items: Sequence[Any]) -> Result:
    cards, numbers = items
    return Result(tuple(Dealt(*card) for card in cards), tuple(numbers))


def disclosure_of(
    table_id: str,
    game: str,
    seed: bytes,
    ledger: Iterable[str],
    journal: Iterable[str],
    events: Iterable[str],
) -> str:
    """The disclosure, as JSON; the three lists come as canonical JSON already."""
    listed = {"ledger": ledger, "journal": journal, "events": events}
    head = canonical(
        {"format": FORMAT, "table": table_id, "game": game, "seed": seed.hex()}
    )
    lists = (f'"{name}":[\n{lines(items)}\n]' for name, items in listed.items())
    return lines((head[:-1], *lists)) + "}\n"


def lines(items: Iterable[str]) -> str:
    """One item on each line, as a person would rather read them."""
    return ",\n".join(items)
