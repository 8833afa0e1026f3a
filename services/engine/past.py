"""What a worker knows of a table's committed past, in memory."""

import zlib
from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

import msgspec

from services.engine.kernel.entry import Draft, Entry, EntryKind

FORMER_ENTRIES = 100_000  # of about 100 bytes each


class Given(NamedTuple):
    """What an answer id was used for, and the revision it gave."""

    question_id: str
    choice: tuple[str, ...]
    revision: int

    def is_for(self, question_id: str, choice: tuple[str, ...]) -> bool:
        return self.question_id == question_id and self.choice == choice


class NamedPast(NamedTuple):
    """Up to an entry: whose that is, and what everything up to it is called."""

    seat: int
    name: bytes


@dataclass(slots=True)
class Past:
    """Every committed entry, and what the journal does not say of them.

    `answers` is by seat and answer id. `sealed` has the choices and decks that only
    the ledger keeps, by position.
    """

    entries: list[Entry] = field(default_factory=list)
    answers: dict[tuple[int, str], Given] = field(default_factory=dict)
    sealed: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def length(self) -> int:
        return len(self.entries)

    @property
    def last(self) -> Entry:
        return self.entries[-1]

    def ending_at(self, revision: int) -> list[Entry]:
        """The entry that led to a revision; then those that none shows, such as secret
        answers, and that may be lost like any other."""
        if self.length > 1 and self.entries[-2].revision < revision:
            return [self.last]  # as nearly always
        at = bisect_left(self.entries, revision, key=attrgetter("revision"))
        later = takewhile(lambda it: it.revision == revision, self.entries[at + 1 :])
        return [self.entries[at], *later]

    def add(self, entry: Entry, draft: Draft, question_id: str) -> None:
        """An entry is committed, and this draft gave it."""
        self.entries.append(entry)
        if draft.kind is EntryKind.ANSWER and draft.choice is not None:
            given = Given(question_id, draft.choice, entry.revision)
            self.answers[draft.seat, draft.answer_id] = given
        if draft.choice is not None and entry.is_sealed:
            self.sealed[entry.position] = draft.choice


class Packed(msgspec.Struct, array_like=True):
    """A past as it is laid aside: a tenth of what it takes in play."""

    entries: list[str]
    answers: list[tuple[int, str, Given]]
    sealed: dict[int, tuple[str, ...]]


def packed(past: Past) -> bytes:
    texts = [entry.text() for entry in past.entries]
    answers = [(*key, given) for key, given in past.answers.items()]
    return zlib.compress(_pack(Packed(texts, answers, past.sealed)), 1)


def unpacked(past: bytes) -> Past:
    told = _unpack(zlib.decompress(past))
    answers = {(seat, answer_id): given for seat, answer_id, given in told.answers}
    return Past(list(map(Entry.read, told.entries)), answers, told.sealed)


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Packed).decode


class Former:
    """The pasts of tables that a worker could not keep: what was shown here may yet
    have to be put back. A store that fails over takes all tables from it at once. Of
    too many entries those of the table lost longest ago are forgotten.
    """

    def __init__(self, most: int = FORMER_ENTRIES) -> None:
        self._most = most
        self._pasts: OrderedDict[str, tuple[bytes, int]] = OrderedDict()
        self._entries = 0

    def of(self, table_id: str) -> Past | None:
        """What was shown of a table, if it is known."""
        past, _ = self._pasts.get(table_id, (None, 0))
        return None if past is None else unpacked(past)

    def keep(self, table_id: str, past: Past) -> None:
        """The table has just been lost."""
        self.forget(table_id)
        self._pasts[table_id] = packed(past), past.length
        self._entries += past.length
        while self._entries > self._most and len(self._pasts) > 1:
            self.forget(next(iter(self._pasts)))

    def forget(self, table_id: str) -> None:
        """The table is here again."""
        _, entries = self._pasts.pop(table_id, (None, 0))
        self._entries -= entries
