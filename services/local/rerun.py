"""Running a disclosed game again, comparing all it gives with what was disclosed."""

from collections.abc import Callable
from typing import Any, cast

from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Entry, EntryKind, canonical
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.play import Batch, Play, brought_as, decks_in, redraft
from services.engine.kernel.written import written
from services.local.disclosure import Disclosure, entry_in
from services.local.findings import Finding
from services.vault.chain import veil_of
from services.vault.holdings import Holdings
from services.vault.ledger import Recorded

_RECORD = ("digest", "head", "operations", "results")
_ENTRY = (
    *("position", "kind", "seat", "answer id", "choice", "revision", "ledger head"),
    *("time", "deadlines", "outcome", "details", "hash"),
)


class Rerun:
    """One game, run again from its seed, with the answers its journal has.

    `watch(play)` is called after every entry. `Finding` where anything differs.
    """

    def __init__(self, paper: Disclosure, watch: Callable[[Play], None]) -> None:
        opening = paper.opening()
        self.play = Play(paper.game, opening, veil_of(paper.seed))
        self.batches = 0
        self._paper = paper
        self._holdings = Holdings(paper.table, paper.seed)
        self._events = 0
        self._watch = watch

    def run(self) -> Outcome:
        """From the opening to the outcome."""
        for index in range(len(self._paper.journal)):
            if self.play.outcome is not None:
                raise Finding(f"The journal goes on after the outcome ({index}).")
            self._entry(index)
            self._watch(self.play)
        if self.play.outcome is None:
            raise Finding("The journal ends before the game does.")
        _same_length("The ledger", self._paper.ledger, self.batches)
        _same_length("The list of events", self._paper.events, self._events)
        return self.play.outcome

    def _entry(self, index: int) -> None:
        told = entry_in(self._paper.journal, index)
        where = f"Entry {index + 1} of the journal ({told.kind.value})"
        try:
            self._in_time(told)
            made = self._move(told)
        except Finding:
            raise
        except Exception as error:  # a forged entry may break rules in any way
            raise Finding(
                f"{where} cannot be played: {type(error).__name__}."
            ) from None
        _same(where, _ENTRY, self._paper.journal[index], [*made.items(), made.hash])
        self._compare_events()

    def _move(self, told: Entry) -> Entry:
        sealed = self._sealed(told)
        if told.kind is EntryKind.SEAT and sealed is not None:
            self._may_be_brought(told, sealed)
        steps = self.play.apply(redraft(told, sealed))
        try:
            batch = next(steps)
            while True:
                batch = steps.send(self._resolve(batch))
        except StopIteration as end:
            return cast(Entry, end.value)

    def _resolve(self, batch: Batch) -> Results:
        results = self._holdings.resolve(batch.digest, batch.operations)
        made = Recorded(batch.digest, self._holdings.head, batch.operations, results)
        where = f"Batch {self.batches + 1} of the ledger"
        _same(where, _RECORD, self._next_batch(), list(made))
        self.batches += 1
        return cast(Results, results)

    def _next_batch(self) -> Any:
        if self.batches >= len(self._paper.ledger):
            raise Finding(f"The ledger ends before its batch {self.batches + 1}.")
        return self._paper.ledger[self.batches]

    def _sealed(self, told: Entry) -> tuple[str, ...] | None:
        """The choice of a secret question, or decks, which the ledger alone has."""
        if not told.is_sealed:
            return None
        try:
            _, choice, verb = self._next_batch()[2][0]
            if verb == "seal":
                return tuple(choice)
        except (TypeError, ValueError, LookupError):
            pass
        raise Finding(f"Batch {self.batches + 1} of the ledger seals no answer.")

    def _may_be_brought(self, told: Entry, texts: tuple[str, ...]) -> None:
        """Decks are as many as was said, and legal by the rules."""
        decks, game = decks_in(texts), self.play.game
        variant = game.variant(self.play.opening.variant)
        assert variant is not None
        is_told = canonical(told.details["decks"]) == str(len(decks))
        may_be = is_told and brought_as(decks) == texts and len(decks) <= variant.decks
        if not may_be or game.deck_faults(variant.name, decks):
            raise Finding(f"Seat {told.seat} brought decks that it may not bring.")

    def _in_time(self, told: Entry) -> None:
        """Nobody may be answered for before his time is out."""
        due = self.play.deadline(told.seat)
        if told.kind is EntryKind.DEFAULT and due is not None and told.at < due:
            raise Finding(
                f"Entry {told.position} of the journal answers for seat {told.seat} "
                "before its time was out."
            )

    def _compare_events(self) -> None:
        for event in self.play.table.events[self._events :]:
            if self._events >= len(self._paper.events):
                raise Finding(f"The events end before number {self._events + 1}.")
            told = self._paper.events[self._events]
            self._events += 1
            if canonical(told) != written(event):
                raise Finding(f"Event {self._events} is not what happened.")


def _same(where: str, names: tuple[str, ...], told: Any, made: list[Any]) -> None:
    """Both alike, or a Finding that names the first item which differs."""
    if canonical(told) == canonical(made):
        return
    if not isinstance(told, list) or len(told) != len(names):
        raise Finding(f"{where} does not have {len(names)} items.")
    for name, one, other in zip(names, told, made, strict=True):
        if canonical(one) != canonical(other):
            raise Finding(f"{where}: {name} not as the re-run gives it.")


def _same_length(what: str, told: list[Any], made: int) -> None:
    if len(told) != made:
        raise Finding(f"{what} goes on after the game has ended ({made}).")
