"""What a worker knows of a table's committed past, in memory."""

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from services.engine.kernel.entry import Draft, Entry, EntryKind


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
