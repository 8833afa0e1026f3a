"""One live table: a task of its own that takes what comes in, one thing at a time.

A caller that goes away cancels nothing: what came in is done. What is refused is
refused only once the store has confirmed that this worker still knows the table.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from services.chassis.telemetry import REQUEST, TABLE
from services.chassis.traces import traces
from services.engine.absence import Absence
from services.engine.custody import Custody
from services.engine.disclosing import Disclosing
from services.engine.kernel.entry import Entry
from services.engine.kernel.event import Event
from services.engine.kernel.game import Deck, Game, Variant
from services.engine.kernel.play import Play
from services.engine.opening import (
    Assigned,
    Wanted,
    assigned_in,
    open_table,
)
from services.engine.past import NamedPast, Past
from services.engine.refereeing import Referee
from services.engine.refusals import (
    OwnedElsewhere,
    is_doubt,
    moving,
    not_seated,
    outcome_unknown,
)
from services.engine.saying import Sayings
from services.engine.works import Works

PAUSES = (0.0, 0.05, 0.2)  # before each attempt at one thing

Shown = Callable[["LiveTable", Entry, int, Sequence[Event]], None]
Lost = Callable[["LiveTable"], None]


class Work(NamedTuple):
    """Something to be done at a table, who waits for it, and on whose behalf."""

    do: Callable[[], Awaitable[int]]
    done: "asyncio.Future[int]"
    request: str
    span: str


class Patience(NamedTuple):
    """Seconds until a bot plays for a player who is away, and until a table ends that
    all people have left."""

    absent: float
    forsaken: float


class LiveTable:
    """A table this worker owns.

    `shown(table, entry, first_revision, events)` is called after commits, and never
    before; `events` may be empty. `lost(table)` is called once if the lease can not be
    kept: from then on every call raises TABLE_MOVING, and the table has to be opened
    anew with `reopen`. `assigned` is the seat table: who may sit where.
    """

    def __init__(
        self, works: Works, table_id: str, shown: Shown, lost: Lost, past: Past
    ) -> None:
        self.table_id = table_id
        self._custody = Custody(
            works, table_id, past, partial(shown, self), partial(lost, self)
        )
        self._works = works
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[Work] = deque()
        self._task: asyncio.Task[None] | None = None
        self._looking: list[asyncio.Future[None]] = []
        self._answering: dict[tuple[int, str, str, tuple[str, ...], str], Work] = {}
        self._is_working = False
        self._is_closing = False
        self._absence = Absence(self._custody)
        self._referee = Referee(self._custody, self._absence)
        self._disclosing = Disclosing(self._custody)

    # -- reading ------------------------------------------------------------------

    @property
    def play(self) -> Play:
        """Read it right after `settled()`, before your next await."""
        return self._custody.play

    @property
    def revision(self) -> int:
        """The last revision that may be shown."""
        return self._custody.revision

    @property
    def past(self) -> Past:
        """What this worker has committed and shown here."""
        return self._custody.past

    def pasts(self, revision: int) -> list[NamedPast]:
        """The pasts there were at a revision, by names that tell nothing of them."""
        name = self.play.past_named
        ends = self.past.ending_at(revision)
        return [NamedPast(entry.seat, name(entry.hash)) for entry in ends]

    @property
    def assigned(self) -> tuple[Assigned, ...]:
        """Who may sit where, by seat."""
        return assigned_in(self.past.entries[0])

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, in hex."""
        return self.play.opening.commitment

    @property
    def game(self) -> Game:
        """What is played here."""
        return self.play.game

    @property
    def variant(self) -> Variant:
        """Which of its variants."""
        variant = self.game.variant(self.play.opening.variant)
        assert variant is not None
        return variant

    @property
    def sayings(self) -> Sayings:
        """Where what is said at tables is kept."""
        return self._works.sayings

    @property
    def patience(self) -> Patience:
        """How long its people may be gone."""
        works, variant = self._works, self.play.opening.variant
        absent = works.absent_ms
        if absent is None:
            absent = self.game.clocks_of(variant).absent * 1000
        return Patience(absent / 1000, works.forsaken_ms / 1000)

    @property
    def due_ms(self) -> int | None:
        """When time next moves the table, in wall milliseconds; None: never again."""
        return self._custody.due_after(self.past.last)

    @property
    def is_lost(self) -> bool:
        """Whether its lease is gone."""
        return self._custody.is_gone

    def is_late_by(self, milliseconds: int) -> bool:
        """Whether what was due so long ago has still not been done."""
        due = self.due_ms
        return due is not None and due + milliseconds <= self._works.now()

    async def settled(self) -> None:
        """Wait until no answer is being worked on; until your next await nothing moves.

        Raises TABLE_MOVING, and why a stopped table is stopped.
        """
        while self._is_working or self._custody.is_torn or self._custody.is_gone:
            if self._is_working:
                turn = self._loop.create_future()
                self._looking.append(turn)
                await turn
            else:
                await self._mended()

    # -- what is asked of it ------------------------------------------------------

    async def take_seat(
        self, player_id: str, nonce: bytes, decks: tuple[Deck, ...] = ()
    ) -> int:
        """The number of the seat; its first nonce and its first decks count.

        NOT_SEATED, TABLE_ENDED, DECK_ILLEGAL.
        """
        for seat, assigned in enumerate(self.assigned):
            if assigned.player == player_id:
                sit = partial(self._referee.sit, seat, assigned, nonce.hex(), decks)
                return await self._done(sit)
        raise not_seated(self.table_id)

    async def answer(
        self,
        seat: int,
        question_id: str,
        answer_id: str,
        choice: tuple[str, ...],
        stand_in: str = "",
    ) -> int:
        """The revision after it; repeating an answer_id gives the first result.

        `stand_in` is the bot that answers for the seat: NOT_SEATED once it is not to.
        QUESTION_STALE, ANSWER_ILLEGAL, ANSWER_ID_REUSED, TABLE_ENDED; OUTCOME_UNKNOWN
        and TABLE_MOVING: repeat the same answer_id.
        """
        key = (seat, answer_id, question_id, choice, stand_in)
        running = self._answering.get(key)
        if running is None:
            running = self._put(partial(self._referee.answer, *key))
            self._answering[key] = running
            running.done.add_done_callback(lambda _: self._answering.pop(key))
        try:
            return await asyncio.shield(running.done)
        finally:
            del running  # which holds the error that holds this frame

    async def concede(self, seat: int) -> int:
        """The revision after it. TABLE_ENDED."""
        return await self._done(partial(self._referee.concede, seat))

    async def leave(self, seat: int) -> None:
        """The seat's player has gone away: all see it."""
        await self._done(partial(self._absence.leave, seat))

    async def come_back(self, seat: int) -> None:
        """The seat's player is back, and plays alone."""
        await self._done(partial(self._absence.come_back, seat))

    async def stand_in(self, seat: int, player: str, name: str) -> None:
        """A bot plays for a player who is away. TABLE_ENDED, SEAT_OCCUPIED."""
        await self._done(partial(self._absence.stand_in, seat, player, name))

    async def time_out(self, at_ms: int) -> None:
        """Serve what is due at `at_ms`, judged against the journal; idempotent.

        Defaults, held outcomes, a table nobody came to, and what a crash left undone.
        Sets the table's next time.
        """
        await self._done(partial(self._referee.time_out, at_ms))

    async def abandon(self) -> None:
        """End the table without a winner; nothing happens where it has ended."""
        await self._done(self._referee.abandon)

    async def close(self, hand_over: bool) -> None:
        """Finish what came in, take no more; `hand_over` gives the lease up."""
        self._is_closing = True
        while self._task is not None:
            await asyncio.wait([self._task])
        await self._disclosing.close()
        await self._custody.let_go(hand_over)

    # -- the task -----------------------------------------------------------------

    async def _done(self, do: Callable[[], Awaitable[int]]) -> int:
        return await asyncio.shield(self._put(do).done)

    async def _mended(self) -> None:
        await self._done(self._nothing)

    async def _nothing(self) -> int:
        return 0

    def _put(self, do: Callable[[], Awaitable[int]]) -> Work:
        if self._is_closing:
            raise moving(self.table_id)
        done = self._loop.create_future()
        work = Work(do, done, REQUEST.get(), traces().here())
        work.done.add_done_callback(noticed)
        self._inbox.append(work)
        if self._task is None:
            self._task = self._loop.create_task(self._work())
        return work

    async def _work(self) -> None:
        """Until the inbox is empty. Whoever wants to look does so between two works."""
        TABLE.set(self.table_id)
        try:
            while self._inbox:
                await self._work_at(self._inbox.popleft())
                if self._looking:
                    self._let_look()
                    await asyncio.sleep(0)
        finally:
            self._task = None
            for work in self._inbox:  # we are being cancelled
                work.done.cancel()

    async def _work_at(self, work: Work) -> None:
        self._is_working = True
        REQUEST.set(work.request)
        try:
            with traces().span("table", self.table_id, above=work.span):
                result = await self._attempted(work.do)
        except Exception as error:
            work.done.set_exception(error)
        except BaseException:
            work.done.cancel()
            raise
        else:
            work.done.set_result(result)
        finally:
            self._is_working = False
            del work  # which holds the error that holds this frame
        if not self._custody.is_torn:
            self._disclosing.go_on(self._mended)

    def _let_look(self) -> None:
        looking, self._looking = self._looking, []
        for turn in looking:
            if not turn.done():
                turn.set_result(None)

    async def _attempted(self, do: Callable[[], Awaitable[int]]) -> int:
        """Judge and do; in doubt take over, look, judge again: three times in all."""
        begun, custody, since = False, self._custody, self._works.now()
        for pause in PAUSES:
            if pause:
                await asyncio.sleep(pause)
            try:
                await custody.make_whole()
                begun, since = True, self._works.now()
                return await do()
            except Exception as error:
                if not is_doubt(error):
                    raise
                custody.is_torn = True
                custody.note_away(since)
                self._works.metrics.doubts.inc()
        raise outcome_unknown(self.table_id) if begun else moving(self.table_id)


def noticed(done: "asyncio.Future[int]") -> None:
    """Whoever asked may be gone; what became of it is no stray error."""
    if not done.cancelled():
        done.exception()


async def reopen(
    works: Works,
    table_id: str,
    shown: Shown,
    lost: Lost,
    remembered: Past | None = None,
) -> LiveTable:
    """Take a table over and replay it.

    TABLE_NOT_FOUND, OwnedElsewhere, RULES_VERSION_UNAVAILABLE, a stopped table's
    reason. `remembered` is what this worker has shown of it, if it still knows: it is
    put back where the store has lost it.
    """
    table = LiveTable(works, table_id, shown, lost, remembered or Past())
    try:
        await table.settled()
    except BaseException:
        await table.close(hand_over=False)
        raise
    return table


__all__ = [
    "Assigned",
    "LiveTable",
    "OwnedElsewhere",
    "Wanted",
    "Works",
    "open_table",
    "reopen",
]
