"""A table in this worker's hands: the play, and the one way to move it.

`move` runs the rules on, asks the vault, and commits. Only what is committed is shown.
Whatever goes wrong on the way leaves the play torn: what it did was never committed, as
far as anybody knows, and before anything else the table is taken over and replayed.
"""

from collections.abc import Callable, Mapping, Sequence

import structlog

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import passage_of
from services.engine.journal import Epoch
from services.engine.kernel.budget import OverBudget
from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Draft, Entry, EntryKind
from services.engine.kernel.event import Event
from services.engine.kernel.play import Batch, Play
from services.engine.lease import NEVER, unheard
from services.engine.past import Past
from services.engine.refusals import (
    STOPPED,
    Doubt,
    OwnedElsewhere,
    is_fault,
    moving,
    stopped,
)
from services.engine.takeover import driven, stop, take_over
from services.engine.works import Works

log = structlog.get_logger()

# A table that waits for no clock is looked at this long after its last entry.
AGAIN_MS = 10 * 1000
# What a lost reply takes is no outage.
AWAY_MS = 1000
FORSAKEN_MS = 7 * 24 * 3600 * 1000

Show = Callable[[Entry, int, Sequence[Event]], None]


class Custody:
    """`revision` is the last one shown. `show(entry, first revision, events)` is called
    after each commit, and `lost` once, when the lease is gone."""

    play: Play

    def __init__(
        self,
        works: Works,
        table_id: str,
        shown: Past,
        show: Show,
        lost: Callable[[], None],
    ) -> None:
        self.works = works
        self.table_id = table_id
        self.past = shown
        self.revision = shown.last.revision if shown.length else 0
        self.disclosed = False
        self.is_torn = True
        self.is_gone = False
        self.stopped: AnpaiError | None = None
        self._show = show
        self._lost = lost
        self._lease = works.leases.new(table_id, self.lose)
        self._armed: int | None = None
        self._owed = 0
        self._away_since: int | None = None

    @property
    def epoch(self) -> Epoch:
        """The epoch this worker writes under; NEVER before the first takeover."""
        return self._lease.epoch

    # -- whole --------------------------------------------------------------------

    async def make_whole(self) -> None:
        """Have the play at the journal's end, and nothing left undone before it."""
        if self.stopped is not None:
            raise self.stopped
        if self.is_gone or (self.epoch != NEVER and not self._lease.lives):
            self.lose()
            raise moving(self.table_id)
        if self.is_torn:
            await self._take_over()
        await self._catch_up()

    async def _take_over(self) -> None:
        try:
            async with self.works.door:
                regained = await take_over(self.works, self._lease, self.past)
        except OwnedElsewhere:
            self.lose()
            raise
        except AnpaiError as error:
            self._note_stopped(error)
            raise
        self.play, self.past = regained.play, regained.past
        self._owed, self.disclosed = regained.owed, regained.disclosed
        await self._arm(self.past.last, anew=True)
        self.is_torn = False
        self._tell()

    async def _catch_up(self) -> None:
        """What a worker that died left undone. Clocks stood still meanwhile, and while
        the vault was away."""
        asking, away = self.play.asking, self._owed + self._time_away()
        if away and asking is not None and asking.deadlines:
            told = {"milliseconds": away}
            await self.move(self.draft(EntryKind.RESUME, details=told))
        self._away_since = None
        if self._is_seated and not self.play.started and self.play.outcome is None:
            await self.move_unasked(self.draft(EntryKind.START))

    def _time_away(self) -> int:
        """For how long nothing could be done here, in milliseconds."""
        if self._away_since is None:
            return 0
        away = self.works.now() - self._away_since
        return away if away >= AWAY_MS else 0

    @property
    def _is_seated(self) -> bool:
        return len(self.play.sitters) == self.play.opening.seats

    def note_away(self, since: int) -> None:
        """Something was begun at that time and could not be done: nobody can play."""
        if self._away_since is None:
            self._away_since = since

    # -- moving -------------------------------------------------------------------

    def draft(
        self,
        kind: EntryKind,
        seat: int = -1,
        answer_id: str = "",
        choice: tuple[str, ...] | None = None,
        details: Mapping[str, object] | None = None,
        at: int = 0,
    ) -> Draft:
        """A draft of now, or of `at` if that is later."""
        at = max(at, self.works.now())
        return Draft(kind, seat, answer_id, choice, at, dict(details or {}))

    async def move(self, draft: Draft, question_id: str = "") -> Entry:
        """Move the table and commit; the draft has been judged."""
        before = self.play.hash
        self.is_torn = True
        try:
            entry = await driven(self.play.apply(draft), self._results)
        except OverBudget:
            raise await self._overgrown(draft) from None
        await self._arm(entry)
        asked = self.works.leases.now()
        if not await self.works.journal.append(
            self.table_id, self.epoch, before, entry, self._owed
        ):
            raise Doubt
        self._lease.prolonged(asked)
        self._owed = 0
        self.past.add(entry, draft, question_id)
        self.is_torn = False
        self._tell()
        return entry

    async def _overgrown(self, draft: Draft) -> AnpaiError:
        """The table is abandoned; where it has not even room for that, stopped."""
        if draft.kind is EntryKind.ABANDON:
            return await self.stop("OVER_BUDGET")
        await self._take_over()
        await self.move(self.draft(EntryKind.ABANDON))
        return stopped(self.table_id, "OVER_BUDGET")

    async def move_unasked(self, draft: Draft) -> None:
        """Move the table as nobody chose. Where the rules fail on that they would fail
        for ever: then the table is abandoned."""
        try:
            await self.move(draft)
        except Exception as error:
            if not is_fault(error):
                raise
            log.error("rules fail", table=self.table_id, passage=passage_of(error))
            await self._take_over()
            await self.move(self.draft(EntryKind.ABANDON))

    async def confirm(self) -> None:
        """Raise Doubt unless epoch and journal are still ours: before any refusal."""
        last = self.play.hash
        if not await self.works.journal.confirm(self.table_id, self.epoch, last):
            raise Doubt

    async def _results(self, batch: Batch) -> Results:
        committed = self.past.last.head
        try:
            return await self.works.chance.resolve(
                self.table_id, self.epoch, batch, committed
            )
        except AnpaiError as error:
            if error.reason == "LEDGER_LOST":
                raise await self.stop("LEDGER_LOST") from None
            if error.reason == "TABLE_NOT_FOUND":
                raise Doubt from None
            raise

    def _tell(self) -> None:
        """Show what is committed and was not shown yet."""
        entry, first = self.past.last, self.revision + 1
        self.revision = entry.revision
        events = self.play.table.events[first - 1 : entry.revision]
        try:
            self._show(entry, first, events)
        except Exception as error:  # whoever watches is no reason to doubt the commit
            log.error("not shown", passage=passage_of(error))

    # -- time ---------------------------------------------------------------------

    def due_after(self, entry: Entry) -> int | None:
        """When the table has to be looked at if nobody calls; None: never again."""
        opening, seated = self.play.opening, self._is_seated
        if entry.outcome is not None:
            return None if self.disclosed else entry.at + AGAIN_MS
        if entry.deadlines:
            return min(at for _, at in entry.deadlines)
        if entry.kind in (EntryKind.OPEN, EntryKind.SEAT):
            opened = self.past.entries[0].at if self.past.length else entry.at
            return entry.at + AGAIN_MS if seated else opened + self.works.seating_ms
        return entry.at + (AGAIN_MS if opening.timed else FORSAKEN_MS)

    async def _arm(self, entry: Entry, anew: bool = False) -> None:
        """Before the commit: a worker that dies right after it leaves the time set."""
        due = self.due_after(entry)
        if due is None or (self._armed is not None and self._armed <= due and not anew):
            return
        self._armed = await self.works.deadlines.arm(self.table_id, due, anew)

    async def served(self, at: int) -> None:
        """What was due `at` is done: set the next time."""
        due = self.due_after(self.past.last)
        if due is not None and due <= at:
            due = at + AGAIN_MS
        deadlines = self.works.deadlines
        if self._armed is None:
            self._armed = await deadlines.arm(self.table_id, at)
        if await deadlines.served(self.table_id, self._armed, due):
            self._armed = due
        elif due is not None:
            self._armed = await deadlines.arm(self.table_id, due)

    # -- the end ------------------------------------------------------------------

    async def stop(self, reason: str) -> AnpaiError:
        """Flag the table for good; the error to raise."""
        error = await stop(self.works, self.table_id, self.epoch, reason)
        self._note_stopped(error)
        return error

    def _note_stopped(self, error: AnpaiError) -> None:
        if error.reason in STOPPED:
            self.stopped = error
            self.works.leases.drop(self._lease)

    def lose(self) -> None:
        """The lease is gone; nothing is begun any more."""
        if not self.is_gone:
            self.is_gone = True
            self.works.leases.drop(self._lease)
            self._lost()
            self._show, self._lost = unseen, unheard

    async def let_go(self, hand_over: bool) -> None:
        """Renew the lease no more; give it up at once, if it is still ours."""
        self.works.leases.drop(self._lease)
        if hand_over and not self.is_gone and self.epoch != NEVER:
            await self.works.journal.release(self.table_id, self.epoch)
        self._show, self._lost = unseen, unheard


def unseen(entry: Entry, first: int, events: Sequence[Event]) -> None:
    """The table is not here any more: nobody is told."""
