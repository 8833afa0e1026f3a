"""What must hold at every step (design.md §4, I1 to I10), and what was seen so far.

And I11: what is told of a table is committed, and told before the table is done with.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from services.engine.kernel.entry import Entry
from services.engine.kernel.event import Event
from services.engine.kernel.play import Play
from services.engine.kernel.written import written
from services.engine.news import STOPPED, News, TableOver

if TYPE_CHECKING:
    from tests.services.engine.protocol.world import World


class Violated(AssertionError):
    """An invariant does not hold."""


def hold(condition: bool, invariant: str, sentence: str) -> None:
    if not condition:
        raise Violated(f"{invariant}: {sentence}")


class Check:
    """Watches a run. What it finds is kept, so that no task's handler swallows it."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.shown: dict[int, str] = {}
        self.commitments: set[str] = set()
        self.accepted: dict[str, int] = {}
        self.refused: set[str] = set()
        self.stale: set[str] = set()
        self.found: Violated | None = None
        self._read: WeakKeyDictionary[Play, int] = WeakKeyDictionary()

    def _hold(self, condition: bool, invariant: str, sentence: str) -> None:
        try:
            hold(condition, invariant, sentence)
        except Violated as violated:
            self.found = self.found or violated
            raise

    # -- as things happen ---------------------------------------------------------

    def opened(self, commitment: str) -> None:
        self.commitments.add(commitment)
        self._hold(len(self.commitments) == 1, "I5", "a repeated opening drew anew")

    def told(self, table_id: str, entry: Entry, first: int, events: Sequence[Event]):
        """A worker shows events to seats and spectators."""
        self._committed(table_id, entry.position, entry.hash)
        for revision, event in enumerate(events, first):
            self._seen(revision, written(event))

    def viewed(self, table_id: str, play: Play, revision: int) -> None:
        """Somebody looks at the table as it is on a worker."""
        self._hold(
            play.revision == revision, "I3", "a view holds what is not committed"
        )
        self._committed(table_id, play.position, play.hash)
        read = self._read.get(play, 0)  # a play only grows
        for number, event in enumerate(play.table.events[read:], read + 1):
            self._seen(number, written(event))
        self._read[play] = play.revision

    def _committed(self, table_id: str, position: int, hash_: str) -> None:
        kept = self._world.store.replica.tables.get(table_id)
        entries = kept.entries if kept else ()
        is_there = len(entries) >= position and entries[position - 1].hash == hash_
        self._hold(is_there, "I3", f"entry {position} was shown, and is not replicated")

    def _seen(self, revision: int, text: str) -> None:
        known = self.shown.setdefault(revision, text)
        self._hold(known == text, "I5", f"revision {revision} was shown twice, unlike")

    def answered(self, answer_id: str, revision: int) -> None:
        known = self.accepted.setdefault(answer_id, revision)
        self._hold(known == revision, "I1", f"{answer_id} got another result")

    def aborted(self, answer_id: str, question_id: str) -> None:
        self.refused.add(answer_id)
        self.stale.add(question_id)
        known = answer_id in self.accepted
        self._hold(not known, "I1", f"{answer_id} was accepted, then aborted")

    def asked(self, table_id: str, play: Play, question_id: str) -> None:
        """A player reads a question, perhaps on a worker that is behind."""
        kept = self._world.store.replica.tables[table_id]
        is_open = play.hash == kept.last.hash and play.outcome is None
        wrong = is_open and question_id in self.stale
        self._hold(not wrong, "I6", "an open question was refused as stale")

    def came_back(self, known: bool, revision: int) -> None:
        """Somebody who saw the table before looks again."""
        self._hold(known, "I3", f"the past at revision {revision} is another")

    def ledger_reaches_journal(self, table_id: str) -> None:
        """After every commit and every takeover. A vault that has lost changes makes
        them again: whether it does, the replay in the end shows."""
        vault = self._world.vault
        if not vault.rollbacks:
            head = self._world.store.primary.tables[table_id].last.head
            is_there = head in vault.tables[table_id].heads
            self._hold(is_there, "I4", "the journal names a head that is gone")

    def disclosed(self, table_id: str, head: str) -> None:
        """The vault has just disclosed."""
        kept = self._world.store.replica.tables[table_id]
        ended = kept.last.outcome is not None and kept.last.head == head
        self._hold(ended, "I8", "disclosed before the outcome is committed")

    def stopped(self, table_id: str) -> None:
        """The vault is told that the table will never move again."""
        kept = self._world.store.replica.tables[table_id]
        self._hold(kept.flag != "", "I11", "stopped at the vault, and goes on")

    def put_up(self, news: News) -> None:
        """A worker tells what became of the table."""
        assert isinstance(news, TableOver)  # nobody is missed here
        kept = self._world.store.replica.tables[news.table]
        last = kept.last
        if news.reason == STOPPED:
            self._hold(kept.flag != "", "I11", "told as stopped, and goes on")
            return
        ranks = tuple(seat.rank for seat in news.seats)
        is_so = last.outcome is not None and last.outcome.ranks == ranks
        self._hold(is_so, "I11", "an outcome was told that is not committed")

    # -- in the end ---------------------------------------------------------------

    def at_the_end(self, table_id: str) -> None:
        if self.found is not None:
            raise self.found
        world = self._world
        entries = world.store.primary.tables[table_id].entries
        given = [entry.answer_id for entry in entries if entry.answer_id]
        hold(len(given) == len(set(given)), "I1", "an answer is in the journal twice")
        for answer_id in self.accepted:
            hold(answer_id in given, "I1", f"{answer_id} was accepted, and is lost")
        for answer_id in self.refused:
            hold(answer_id not in given, "I7", f"{answer_id} was aborted, and is kept")
        if world.store.primary.tables[table_id].disclosed:
            told = [one.mark for one in world.store.primary.news]
            hold(told == [f"over:{table_id}"], "I11", f"done with, and told {told}")
        vault = world.vault
        hold(vault.cuts_at_equal_epoch == 0, "I9", "an equal epoch has cut")
        hold(vault.resolved_after_disclosure == 0, "I8", "resolved after disclosure")
