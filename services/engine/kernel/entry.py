"""One line of a table's journal, and the hash that chains it to the line before.

The journal holds all that moves a table. It speaks in handles: no entry holds a face,
and the choice of a secret question is not here but sealed in the vault's ledger. The
canonical form of an entry is a JSON array; `docs/fairness.md` lists its items.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from services.engine.kernel.ask import Option
from services.engine.kernel.chance import Operation
from services.engine.kernel.outcome import Outcome

START_OF_JOURNAL = "0" * 64
NO_SEAT = -1


class EntryKind(StrEnum):
    """What moved the table."""

    OPEN = "open"
    SEAT = "seat"
    START = "start"
    SETTLE = "settle"
    ANSWER = "answer"
    DEFAULT = "default"
    CONCEDE = "concede"
    RESUME = "resume"
    AWAY = "away"
    STAND_IN = "stand_in"
    BACK = "back"
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True)
class Opening:
    """What a table is opened with; `commitment` is SHA-256 of the seed, in hex.

    `timed` tables have deadlines. `bots` says which seats are kept for bots, `names`
    who is to sit there. `spectators` are so many events behind; -1: there are none.
    """

    table: str
    game: str
    variant: str
    rules_version: str
    seats: int
    commitment: str
    bots: tuple[bool, ...] = ()
    timed: bool = True
    names: tuple[str, ...] = ()
    spectators: int = 0

    def details(self) -> dict[str, Any]:
        """As the first entry has it; what is as usual may be left out."""
        told = asdict(self)
        if not self.spectators:
            del told["spectators"]
        return told

    @classmethod
    def told_by(cls, details: Mapping[str, Any]) -> "Opening":
        """What a first entry's details say; KeyError where they say too little."""
        usual = {"spectators": 0}
        told = {one.name: (usual | dict(details))[one.name] for one in fields(cls)}
        by_seat = {name: tuple(told[name]) for name in ("bots", "names")}
        return cls(**(told | by_seat))


NO_DETAILS: dict[str, Any] = {}


class Draft(NamedTuple):
    """Something that is about to move the table, not yet committed.

    `at` is the worker's wall clock in milliseconds, written down once so that a replay
    reads the same. `details` belongs to OPEN, SEAT, RESUME and STAND_IN. A SEAT's
    `choice` is the decks it brings, each a text of faces; its details then count them
    (`decks`). `chosen` is what an answer's choice was judged to mean, where it was
    judged before.
    """

    kind: EntryKind
    seat: int = NO_SEAT
    answer_id: str = ""
    choice: tuple[str, ...] | None = None
    at: int = 0
    details: dict[str, Any] = NO_DETAILS
    chosen: tuple[Option, ...] | None = None


class Entry(NamedTuple):
    """A committed draft; `revision` and `head` (the ledger's) as they stand after it.

    `choice` is None where there is none, or where it is sealed. `deadlines` are
    (seat, milliseconds) of the questions open after it; for `NO_SEAT`, when a held
    question settles that all have answered.
    """

    position: int
    kind: EntryKind
    seat: int
    answer_id: str
    choice: tuple[str, ...] | None
    revision: int
    head: str
    at: int
    deadlines: tuple[tuple[int, int], ...]
    outcome: Outcome | None
    details: dict[str, Any]
    hash: str = ""

    @property
    def is_sealed(self) -> bool:
        """Whether the ledger alone has what was chosen or brought."""
        if self.kind is EntryKind.SEAT:
            return "decks" in self.details
        return self.kind is EntryKind.ANSWER and self.choice is None

    def items(self) -> tuple[Any, ...]:
        """The canonical form, without the hash."""
        return _items(self[:-1])

    @classmethod
    def behind(cls, previous: str, *fields: Any) -> "Entry":
        """An entry with its hash, chained to that of the entry before."""
        return cls._make((*fields, chained(previous, _items(fields))))

    def text(self) -> str:
        """The entry as it is kept: a JSON array that ends with the hash."""
        return canonical([*self.items(), self.hash])

    @classmethod
    def read(cls, text: str | bytes) -> "Entry":
        """The entry that `text()` wrote; ValueError for anything else."""
        items = json.loads(text)
        if not isinstance(items, list) or len(items) != 12:
            raise ValueError("not a journal entry")
        end = items[9]
        return cls(
            position=items[0],
            kind=EntryKind(items[1]),
            seat=items[2],
            answer_id=items[3],
            choice=None if items[4] is None else tuple(items[4]),
            revision=items[5],
            head=items[6],
            at=items[7],
            deadlines=tuple((seat, at) for seat, at in items[8]),
            outcome=end and Outcome(tuple(end[0]), tuple(end[1]), end[2]),
            details=items[10],
            hash=items[11],
        )


def _items(fields: tuple[Any, ...]) -> tuple[Any, ...]:
    *before, end, details = fields
    if end is None:
        return fields
    return (*before, (end.ranks, end.scores, end.reason), details)


_encode = json.JSONEncoder(
    ensure_ascii=True, separators=(",", ":"), sort_keys=True
).encode


def _plain_text(value: Any) -> str:
    """A `Word` is text; nothing else that is strange may be written."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


_encode_fast = msgspec.json.Encoder(order="sorted", enc_hook=_plain_text).encode


def canonical(value: Any) -> str:
    """JSON without spaces, keys sorted, ASCII only: the one form that is hashed."""
    return canonical_bytes(value).decode()


def canonical_bytes(value: Any) -> bytes:
    """The same, encoded.

    Two encoders agree on all that can be printed in ASCII; the slow one is needed to
    escape the rest.
    """
    text = _encode_fast(value)
    is_plain = text.isascii() and b"\x7f" not in text
    return text if is_plain else _encode(value).encode()


def chained(previous: str, items: Sequence[Any]) -> str:
    """The hash of an entry: SHA-256 over the hash before and the canonical items."""
    return hashlib.sha256(previous.encode() + canonical_bytes(items)).hexdigest()


class Veil:
    """A table's key for its digests: HMAC-SHA-256 whose two pads are hashed once."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        padded = key.ljust(64, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))

    def digest(self, message: bytes) -> str:
        """The message authentication code, in hex."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.hexdigest()


def digest_of(
    veil: Veil,
    journal_hash: str,
    seat: int,
    choice: Sequence[str] | None,
    operations: Sequence[Operation],
) -> str:
    """What a batch is known by, in hex.

    It covers the whole past, who answered what, and the operations; never an answer id,
    a time or an epoch of the batch's own. It is keyed with the table's veil, so that a
    sealed choice cannot be guessed from the ledger heads that the journal holds.
    """
    return veil.digest(canonical_bytes((journal_hash, seat, choice, operations)))


def next_head(head: str, digest: str) -> str:
    """The ledger's head after a batch: SHA-256 over the head before and its digest."""
    return hashlib.sha256(bytes.fromhex(head + digest)).hexdigest()
