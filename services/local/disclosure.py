"""Reading a disclosure: a file anybody may have written, so nothing is taken on trust.

Its parts stay as they came; the re-run compares them in their canonical form, in which
1, 1.0 and true are three different things.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.engine.games import GAMES
from services.engine.kernel.entry import Entry, EntryKind, Opening, canonical
from services.engine.kernel.game import Game
from services.local.findings import Finding
from services.vault.chain import SEED_BYTES, commitment_of
from services.vault.ledger import FORMAT

MOST_BEHIND = 1000
_PARTS = {"format", "table", "game", "seed", "ledger", "journal", "events"}


@dataclass(frozen=True, slots=True)
class Disclosure:
    """The parts of a disclosure, of the right kind but not yet believed."""

    table: str
    game: Game
    seed: bytes
    ledger: list[Any]
    journal: list[Any]
    events: list[Any]

    @property
    def commitment(self) -> str:
        """What this seed would have been published as."""
        return commitment_of(self.seed)

    def opening(self) -> Opening:
        """What the table was opened with, from the journal's first entry."""
        entry = entry_in(self.journal, 0)
        if entry.kind is not EntryKind.OPEN:
            raise Finding("The journal does not begin with the table's opening.")
        opening = _opening(entry.details)
        if opening.table != self.table:
            raise Finding(f"The journal is that of table {opening.table!r}.")
        if opening.game != self.game.name:
            raise Finding(f"The journal is that of a game of {opening.game!r}.")
        if opening.rules_version != self.game.version:
            raise Finding(
                f"It was played with version {opening.rules_version!r} of the rules; "
                f"this program has {self.game.version!r}."
            )
        seats = [v.seats for v in self.game.variants if v.name == opening.variant]
        if not seats:
            raise Finding(f"{self.game.name} has no variant {opening.variant!r}.")
        if not (opening.seats in seats[0] and type(opening.seats) is int):
            raise Finding(f"{self.game.name} is not played by {opening.seats!r}.")
        if opening.commitment != self.commitment:
            raise Finding("The seed is not the one that was committed to before play.")
        return opening


def read(given: bytes | str | Mapping[str, Any]) -> Disclosure:
    """The parts; `Finding` where it is no disclosure."""
    parts = _parsed(given)
    if not isinstance(parts, Mapping) or parts.get("format") != FORMAT:
        raise Finding(f"This is no disclosure of the form {FORMAT!r}.")
    if set(parts) != _PARTS:
        odd = ", ".join(sorted(map(repr, _PARTS ^ set(parts))))
        raise Finding(f"Its parts are not those of a disclosure: {odd}.")
    for name in ("ledger", "journal", "events"):
        if not isinstance(parts[name], list):
            raise Finding(f"Its {name} is no list.")
    if not isinstance(parts["game"], str) or parts["game"] not in GAMES:
        raise Finding(f"This program does not know the game {parts['game']!r}.")
    return Disclosure(
        parts["table"],
        GAMES[parts["game"]],
        _seed(parts["seed"]),
        parts["ledger"],
        parts["journal"],
        parts["events"],
    )


def entry_in(journal: list[Any], index: int) -> Entry:
    """An entry of the journal; `Finding` where it is none."""
    try:
        return Entry.read(canonical(journal[index]))
    except (ValueError, TypeError, LookupError):
        raise Finding(f"Entry {index + 1} of the journal is none.") from None


def _parsed(given: bytes | str | Mapping[str, Any]) -> Any:
    if isinstance(given, Mapping):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise Finding("This is not JSON.") from None


def _seed(text: Any) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES or seed.hex() != text:
        raise Finding(f"The seed is not {SEED_BYTES} bytes in hex.")
    return seed


def _opening(details: Any) -> Opening:
    try:
        opening = Opening.told_by(details)
        if type(opening.spectators) is int and -1 <= opening.spectators <= MOST_BEHIND:
            return opening
    except (TypeError, LookupError):
        pass
    raise Finding("The journal's first entry does not open a table.")
