"""One line of a table's journal, and the hash that chains it to the line before.

The journal holds all that moves a table. It speaks in handles: no entry holds a face,
and the choice of a secret question is not here but sealed in the vault's ledger. The
canonical form of an entry is a JSON array; `docs/fairness.md` lists its items.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from services.engine.kernel.chance import Operation
from services.engine.kernel.outcome import Outcome

START_OF_JOURNAL = "0" * 64
NO_SEAT = -1


class EntryKind(Enum):
    """What moved the table."""

    OPEN = "open"
    SEAT = "seat"
    START = "start"
    SETTLE = "settle"
    ANSWER = "answer"
    DEFAULT = "default"
    CONCEDE = "concede"
    RESUME = "resume"
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True)
class Opening:
    """What a table is opened with; `commitment` is SHA-256 of the seed, in hex.

    `timed` tables have deadlines. `bots` says which seats are kept for bots, `names`
    who is to sit there.
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


@dataclass(frozen=True, slots=True)
class Draft:
    """Something that is about to move the table, not yet judged or committed.

    `at` is the worker's wall clock in milliseconds, written down once so that a replay
    reads the same. `details` belongs to OPEN, SEAT and RESUME. A SEAT's `choice` is the
    decks it brings, each a text of faces; its details then count them (`decks`).
    """

    kind: EntryKind
    seat: int = NO_SEAT
    answer_id: str = ""
    choice: tuple[str, ...] | None = None
    at: int = 0
    details: dict[str, Any] = field(default_factory=dict)


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

    def items(self) -> list[Any]:
        """The canonical form, without the hash."""
        end = self.outcome
        return [
            self.position,
            self.kind.value,
            self.seat,
            self.answer_id,
            self.choice,
            self.revision,
            self.head,
            self.at,
            self.deadlines,
            None if end is None else [end.ranks, end.scores, end.reason],
            self.details,
        ]

    @classmethod
    def behind(cls, previous: str, **fields: Any) -> "Entry":
        """An entry with its hash, chained to that of the entry before."""
        unchained = cls(**fields)
        return cls(*unchained[:-1], chained(previous, unchained.items()))

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
    """JSON without spaces, keys sorted, ASCII only: the one form that is hashed.

    Two encoders agree on all that can be printed in ASCII; the slow one is needed to
    escape the rest.
    """
    text = _encode_fast(value)
    is_plain = text.isascii() and b"\x7f" not in text
    return text.decode() if is_plain else _encode(value)


def chained(previous: str, items: Sequence[Any]) -> str:
    """The hash of an entry: SHA-256 over the hash before and the canonical items."""
    return hashlib.sha256((previous + canonical(items)).encode()).hexdigest()


def digest_of(
    veil: bytes,
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
    text = canonical([journal_hash, seat, choice, operations])
    return hmac.digest(veil, text.encode(), "sha256").hex()


def next_head(head: str, digest: str) -> str:
    """The ledger's head after a batch: SHA-256 over the head before and its digest."""
    return hashlib.sha256(bytes.fromhex(head + digest)).hexdigest()
