"""What a worker knows of a table's committed past, in memory."""

from dataclasses import dataclass, field
from typing import NamedTuple

from services.engine.kernel.entry import Draft, Entry, EntryKind


class Given(NamedTuple):
    """What an answer id was used for, and the revision it gave."""

    question_id: str
    choice: tuple[str, ...]
    revision: int

    def is_for(self, question_id: str, choice: tuple[str, ...]) -> bool:
        return self.question_id == question_id and self.choice == choice


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

    def add(self, entry: Entry, draft: Draft, question_id: str) -> None:
        """An entry is committed, and this draft gave it."""
        self.entries.append(entry)
        if draft.kind is EntryKind.ANSWER and draft.choice is not None:
            given = Given(question_id, draft.choice, entry.revision)
            self.answers[draft.seat, draft.answer_id] = given
        if draft.choice is not None and entry.is_sealed:
            self.sealed[entry.position] = draft.choice
