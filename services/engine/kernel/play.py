"""Drives a game's rules: from drafts to entries, asking the vault where they need it.

`Play.apply` is a generator without I/O: it yields `Batch`es for the vault, is sent
their results, and returns the `Entry` to commit. The engine, the local table and the
verifier all drive this same object; replaying the entries is the state.
"""

from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import cache
from types import CoroutineType
from typing import Any, ClassVar, NamedTuple

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Default, Question
from services.engine.kernel.budget import OverBudget
from services.engine.kernel.chance import Begin, Operation, Pick, Results, Seal
from services.engine.kernel.entry import (
    NO_SEAT,
    START_OF_JOURNAL,
    Draft,
    Entry,
    EntryKind,
    Opening,
    Veil,
    digest_of,
    next_head,
)
from services.engine.kernel.game import Deck, Game
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.standing import placed, scores_of, standing
from services.engine.kernel.table import Answers, Table
from services.engine.kernel.waiting import Sitter, StandIn, Waiting

# Where the coroutines of the kernel's own verbs are: no rules of any game.
_VERBS = Table.draw.__code__.co_filename


class Diverged(Exception):
    """A replay did not give what the journal says: the table must stop."""


class Batch(NamedTuple):
    """Operations for the vault, to be resolved behind `head`; known by `digest`.

    `then` is the ledger's head after it.
    """

    head: str
    digest: str
    operations: tuple[Operation, ...]
    then: str


Steps = Generator[Batch, Results, Entry]
_Within = Generator[Batch, Results, Any]


class Play(Waiting):
    """One table in motion: its rules run, and journal and ledger grow."""

    def __init__(self, game: Game, opening: Opening, veil: bytes) -> None:
        super().__init__(game, opening)
        self.hash = START_OF_JOURNAL
        self.position = 0
        self.head = opening.commitment
        self._fresh = False
        self._veil = Veil(veil)
        self._draft = Draft(EntryKind.OPEN)
        self._rules: Coroutine[Any, Any, Outcome] | None = None

    # -- reading ------------------------------------------------------------------

    @property
    def revision(self) -> int:
        """The number of the last event; 0 before anything happened."""
        return len(self.table.events)

    @property
    def started(self) -> bool:
        """Whether all seats are taken and the rules run."""
        return self._rules is not None

    def may_be_away(self, seat: int) -> bool:
        """Whether it means anything that nobody is at this seat."""
        is_going_on = self.started and self.outcome is None and self.opening.timed
        return is_going_on and seat not in self.away and seat not in self.conceded

    def past_named(self, journal_hash: str) -> bytes:
        """A name for the past that ends in this entry; nothing can be told from it."""
        return bytes.fromhex(self._veil.digest(f"past {journal_hash}".encode())[:16])

    # -- moving -------------------------------------------------------------------

    def apply(self, draft: Draft) -> Steps:
        """Move the table; the draft must have been judged. Returns the entry."""
        self._draft, self._fresh = draft, False
        choice = yield from self._moves[draft.kind](self, draft)
        entry = self._entry(draft, choice)
        if self._fresh:
            self._pose(entry.hash)
        self.hash, self.position = entry.hash, entry.position
        return entry

    def _open(self, draft: Draft) -> _Within:
        return None
        yield  # a generator that asks the vault nothing

    def _sit(self, draft: Draft) -> _Within:
        told = draft.details
        sitter = Sitter(told["player"], told["name"], told["bot"], told["nonce"])
        if draft.choice:
            seal = Seal(draft.seat, draft.choice)
            yield from self._resolve((seal,), draft.seat, draft.choice)
            self.table.brought[draft.seat] = decks_in(draft.choice)
        self.sitters.setdefault(draft.seat, sitter)
        event = happened.SeatTaken(draft.seat, sitter.name, sitter.bot, sitter.nonce)
        self.table.emit(event)
        return None

    def _start(self, draft: Draft) -> _Within:
        nonces = tuple(self.sitters[seat].nonce for seat in self.table.seats)
        yield from self._resolve((Begin(nonces),), NO_SEAT, None)
        self._rules = self.game.play(self.table)
        yield from self._run(None)
        return None

    def _answer(self, draft: Draft) -> _Within:
        choice, chosen = draft.choice, draft.chosen
        assert self.asking is not None
        assert choice is not None
        if chosen is None:
            chosen = self._open_at(draft.seat).judge(choice)
        secret = self.asking.secret
        if secret:
            seal = Seal(draft.seat, choice)
            yield from self._resolve((seal,), draft.seat, choice)
        self._take(draft.seat, chosen, draft.at)
        answers = self._settled(draft.seat, draft.at, by_default=False)
        if answers is not None:
            yield from self._run(answers)
        return None if secret else choice

    def _default(self, draft: Draft) -> _Within:
        question = self._open_at(draft.seat)
        assert self.asking is not None
        secret = self.asking.secret
        choice = yield from self._default_of(question)
        self._take(draft.seat, question.judge(choice), draft.at)
        answers = self._settled(draft.seat, draft.at, by_default=True)
        if answers is not None:
            yield from self._run(answers)
        return None if secret else choice

    def _settle(self, draft: Draft) -> _Within:
        answers = self._settled(NO_SEAT, draft.at, by_default=False)
        if answers is not None:
            yield from self._run(answers)
        return None

    def _concede(self, draft: Draft) -> _Within:
        self.conceded.append(draft.seat)
        self.table.emit(happened.Conceded(draft.seat))
        left = [seat for seat in self.table.seats if seat not in self.conceded]
        if len({self.table.teams[seat] for seat in left}) <= 1 or self._rules is None:
            self._finish(standing(self.table, self.conceded))
        elif draft.seat in self.open_seats:
            question = self._open_at(draft.seat)
            choice = yield from self._default_of(question)
            self._take(draft.seat, question.judge(choice), draft.at)
            answers = self._settled(draft.seat, draft.at, by_default=True)
            if answers is not None:
                yield from self._run(answers)
        return None

    def _resume(self, draft: Draft) -> _Within:
        away = int(draft.details["milliseconds"])
        if self.asking is not None and self.asking.deadlines:
            later = self.asking = self._clock.move(self.asking, away)
            moved = happened.ClockMoved(away, later.deadlines, later.banked)
            self.table.emit(moved)
        return None
        yield

    def _leave(self, draft: Draft) -> _Within:
        if not self.may_be_away(draft.seat):
            raise ValueError("this seat cannot be away now")
        self.away[draft.seat] = None
        self.table.emit(happened.SeatAway(draft.seat))
        return None
        yield

    def _stand_in(self, draft: Draft) -> _Within:
        if self.away.get(draft.seat, draft) is not None:
            raise ValueError("this seat waits for nobody")
        stand_in = StandIn(draft.details["player"], draft.details["name"])
        self.away[draft.seat] = stand_in
        self.table.emit(happened.StoodIn(draft.seat, stand_in.name))
        return None
        yield

    def _come_back(self, draft: Draft) -> _Within:
        del self.away[draft.seat]
        self.table.emit(happened.SeatBack(draft.seat))
        return None
        yield

    def _abandon(self, draft: Draft) -> _Within:
        nobody = (0,) * self.opening.seats
        self._finish(Outcome(nobody, scores_of(self.table), "abandoned"))
        return None
        yield

    _moves: ClassVar[dict[EntryKind, Callable[["Play", Draft], _Within]]] = {
        EntryKind.OPEN: _open,
        EntryKind.SEAT: _sit,
        EntryKind.START: _start,
        EntryKind.ANSWER: _answer,
        EntryKind.DEFAULT: _default,
        EntryKind.SETTLE: _settle,
        EntryKind.CONCEDE: _concede,
        EntryKind.RESUME: _resume,
        EntryKind.AWAY: _leave,
        EntryKind.STAND_IN: _stand_in,
        EntryKind.BACK: _come_back,
        EntryKind.ABANDON: _abandon,
    }

    # -- the rules ----------------------------------------------------------------

    def _run(self, value: Any) -> _Within:
        """Run the rules until they wait for a seat or end."""
        assert self._rules is not None
        for _ in range(self.game.budget.steps_per_answer):
            try:
                need = self._rules.send(value)
            except StopIteration as end:
                self._finish(placed(end.value, self.conceded))
                return
            if isinstance(need, Asking):
                value = (yield from self._gone(need)) if self.conceded else {}
                if len(value) < len(need.questions):
                    self._ask(need, value)
                    self._fresh = True
                    return
            else:
                batch = self._batch(need, self._draft.seat, self._draft.choice)
                value = yield batch
                self.head = batch.then
        raise OverBudget("one answer runs through too many steps of the rules")

    def _gone(self, asking: Asking) -> _Within:
        """The answers of seats that conceded: they are answered for at once."""
        answers: Answers = {}
        for question in asking.questions:
            if question.seat in self.conceded:
                choice = yield from self._default_of(question)
                answers[question.seat] = question.judge(choice)
        return answers

    def _default_of(self, question: Question) -> _Within:
        if isinstance(question.default, str):
            return (question.default,)
        if question.default is Default.DECLINE:
            return ()
        count = max(question.least, 1)
        lots = Pick(len(question.lots), count)
        (result,) = yield from self._resolve((lots,), question.seat, None)
        return tuple(question.lots[number] for number in result.numbers)

    def _resolve(
        self,
        operations: tuple[Operation, ...],
        seat: int,
        choice: tuple[str, ...] | None,
    ) -> _Within:
        batch = self._batch(operations, seat, choice)
        results = yield batch
        self.head = batch.then
        return results

    def _batch(
        self,
        operations: tuple[Operation, ...],
        seat: int,
        choice: tuple[str, ...] | None,
    ) -> Batch:
        digest = digest_of(self._veil, self.hash, seat, choice, operations)
        return Batch(self.head, digest, operations, next_head(self.head, digest))

    def _path(self) -> tuple[str, ...]:
        """The rules we wait in, outermost first: game > round > turn > medic."""
        names: list[str] = []
        frame: Any = self._rules
        while type(frame) is CoroutineType:
            code = frame.cr_code
            if code.co_filename != _VERBS:
                names.append(code.co_name)
            frame = frame.cr_await
        return _without_underscores(tuple(names))

    # -- the end ------------------------------------------------------------------

    def _finish(self, outcome: Outcome) -> None:
        self.asking, self.answers, self.outcome = None, {}, outcome
        self.open_seats = ()
        if self._rules is not None:
            self._rules.close()
        self.table.emit(happened.Ended(outcome))

    # -- clocks and entries -------------------------------------------------------

    def _entry(self, draft: Draft, choice: tuple[str, ...] | None) -> Entry:
        if self._fresh and self.asking is not None and self.opening.timed:
            held = self._held(self.asking)
            self.asking = self._clock.ask(
                self.asking, draft.at, answered=self.answers, held=held
            )
        due = () if self.asking is None else self.asking.deadlines
        if self.answers:
            due = tuple(one for one in due if one[0] not in self.answers)
        if self.asking is not None and not self.open_seats:
            due = ((NO_SEAT, self.held_until),)
        return Entry.behind(
            self.hash,
            self.position + 1,
            draft.kind,
            draft.seat,
            draft.answer_id,
            choice,
            len(self.table.events) + self._fresh,
            self.head,
            draft.at,
            due,
            self.outcome,
            draft.details,
        )

    def _pose(self, journal_hash: str) -> None:
        """Name the questions by the journal's hash and let it be known who is asked."""
        assert self.asking is not None
        questions, secret, any_one, hold, _, _, _, due, held, banked = self.asking
        asked, path = self.open_seats, self._path()
        self.asking = Asking(
            *(questions, secret, any_one, hold, path, asked, journal_hash),
            *(due, held, banked),
        )
        self.table.emit(happened.Asked(self.asking))


@cache
def _without_underscores(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip("_") for name in names)


def brought_as(decks: Sequence[Deck]) -> tuple[str, ...]:
    """Decks as a seat's draft has them: each a text of faces, in order."""
    return tuple(" ".join(sorted(deck)) for deck in decks)


def decks_in(choice: Sequence[str]) -> tuple[Deck, ...]:
    """The decks that `brought_as` wrote."""
    return tuple(tuple(text.split()) for text in choice)


def redraft(entry: Entry, sealed: tuple[str, ...] | None = None) -> Draft:
    """The draft that gave an entry; `sealed` is the choice the ledger kept, if any."""
    choice = entry.choice if sealed is None else sealed
    if entry.kind not in (EntryKind.ANSWER, EntryKind.SEAT):
        choice = None
    return Draft(
        entry.kind, entry.seat, entry.answer_id, choice, entry.at, entry.details
    )
