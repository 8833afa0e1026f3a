"""Taking a table over: the journal, then the ledger, then a replay of both.

Whatever differs from what was shown stops the table and flags it in the store: a lost
past is never forked silently.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import structlog

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import passage_of
from services.engine.chance import LedgerTaken, Recorded
from services.engine.journal import Epoch, Flagged, Owned, Taken
from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Entry, next_head
from services.engine.kernel.play import Batch, Diverged, Play, Steps, redraft
from services.engine.lease import Lease
from services.engine.news import STOPPED, TableOver
from services.engine.opening import opening_in, rules_for, rules_of
from services.engine.past import Past
from services.engine.refusals import Doubt, OwnedElsewhere, not_found, stopped
from services.engine.works import Works

log = structlog.get_logger()

HINTS = 4
BREATH = 10  # entries replayed before others have their turn


@dataclass(frozen=True, slots=True)
class Regained:
    """A table in hand: rules and past at the journal's end."""

    play: Play
    past: Past
    epoch: Epoch
    owed: int
    disclosed: bool


class LedgerLost(Exception):
    """The ledger lacks what the journal says it has, and cannot be made again."""


async def take_over(works: Works, lease: Lease, shown: Past) -> Regained:
    """Make the table this worker's and bring it to the journal's end.

    `shown` is what this worker has shown of it before; empty if it never had it.
    TABLE_NOT_FOUND, RULES_VERSION_UNAVAILABLE, OwnedElsewhere, the reason of a stopped
    table; Doubt or PART_UNAVAILABLE: try again.
    """
    table_id = lease.table_id
    first = shown.entries[0] if shown.length else await works.journal.opening(table_id)
    if first is None:
        raise not_found(table_id)
    await left_to_who_has_the_rules(works, table_id, first)
    taken, ledger = await both_taken(works, lease, shown)
    works.metrics.takeovers.inc()
    entries = await works.journal.read(table_id, 1, taken.position)
    if not goes_on_from(shown, entries, taken):
        raise await stop(works, table_id, taken.epoch, "JOURNAL_LOST")
    records = await recorded(works, table_id, taken.epoch, ledger)
    replay = Replay(works, table_id, taken.epoch, ledger, records, shown)
    try:
        play, past = await replay.run(entries)
    except LedgerLost:
        raise await stop(works, table_id, taken.epoch, "LEDGER_LOST") from None
    except Diverged as error:
        log.error("replay diverged", table=table_id, passage=passage_of(error))
        raise await stop(works, table_id, taken.epoch, "REPLAY_DIVERGED") from None
    return Regained(play, past, taken.epoch, taken.owed, taken.disclosed)


async def left_to_who_has_the_rules(works: Works, table_id: str, first: Entry) -> None:
    """A worker without the rules leaves the table alone, and its calls to another."""
    try:
        rules_for(works, first)
    except AnpaiError:
        address = await works.journal.elsewhere(table_id, rules_of(first))
        if address is None:
            raise
        raise OwnedElsewhere(table_id, address) from None


async def stop(works: Works, table_id: str, epoch: Epoch, reason: str) -> AnpaiError:
    """Flag the table for good, under our own epoch only; the error to raise."""
    if not await works.journal.flag(table_id, epoch, reason):
        raise Doubt
    works.metrics.tables_stopped.labels(reason).inc()
    log.error("table stopped", table=table_id, reason=reason)
    await tell_stopped(works, table_id)
    return stopped(table_id, reason)


async def tell_stopped(works: Works, table_id: str) -> None:
    """Whoever meets it tells it again: the first may have died over it."""
    first = await works.journal.opening(table_id)
    if first is not None:
        opening = opening_in(first)
        what = (table_id, opening.game, opening.variant)
        news = TableOver(*what, False, STOPPED, (), ended_ms=works.now())
        await works.news.put_up(news)
    await works.chance.stop_table(table_id)


# ---- both stores ---------------------------------------------------------------------


async def both_taken(
    works: Works, lease: Lease, shown: Past
) -> tuple[Taken, LedgerTaken]:
    """One epoch in force in both. The vault may know a higher one: then again above."""
    hint = 0
    for _ in range(HINTS):
        taken = await journal_taken(works, lease, shown, hint)
        taken = await put_back(works, lease.table_id, taken, shown)
        try:
            return taken, await ledger_taken(works, lease.table_id, taken)
        except AnpaiError as error:
            if error.reason != "EPOCH_REFUSED":
                raise
            hint = int(error.metadata["epoch"])
    raise Doubt


async def journal_taken(works: Works, lease: Lease, shown: Past, hint: int) -> Taken:
    lease.moving, asked = True, works.leases.now()
    taken = await works.journal.take_over(lease.table_id, hint)
    if isinstance(taken, Owned):
        raise OwnedElsewhere(lease.table_id, taken.address)
    if isinstance(taken, Flagged):
        await tell_stopped(works, lease.table_id)
        raise stopped(lease.table_id, taken.reason)
    if taken is None:
        if not shown.length:
            raise not_found(lease.table_id)
        await works.journal.create(lease.table_id, shown.entries[0])
        raise Doubt
    lease.taken(taken.epoch, asked)
    return taken


async def put_back(works: Works, table_id: str, taken: Taken, shown: Past) -> Taken:
    """The entries this worker has shown and the store has lost are appended again."""
    if taken.position >= shown.length:
        return taken
    if shown.entries[taken.position - 1].hash != taken.hash:
        raise await stop(works, table_id, taken.epoch, "JOURNAL_LOST")
    log.warning("entries put back", count=shown.length - taken.position)
    last = taken.hash
    for entry in shown.entries[taken.position :]:
        if not await works.journal.append(table_id, taken.epoch, last, entry):
            raise Doubt
        last = entry.hash
    end = shown.last
    return replace(taken, position=end.position, hash=end.hash, head=end.head)


async def ledger_taken(works: Works, table_id: str, taken: Taken) -> LedgerTaken:
    try:
        return await works.chance.take_over(table_id, taken.epoch, taken.head)
    except AnpaiError as error:
        lost = {"TABLE_NOT_FOUND": "LEDGER_LOST"}.get(error.reason, error.reason)
        if lost not in ("LEDGER_LOST", "JOURNAL_LOST"):
            raise
    raise await stop(works, table_id, taken.epoch, lost)


def goes_on_from(shown: Past, entries: list[Entry], taken: Taken) -> bool:
    """Whether this is the whole journal, and the one that was shown."""
    if len(entries) != taken.position or entries[-1].hash != taken.hash:
        return False
    return not shown.length or entries[shown.length - 1].hash == shown.last.hash


async def recorded(
    works: Works, table_id: str, epoch: Epoch, ledger: LedgerTaken
) -> list[Recorded]:
    if not ledger.length:
        return []
    records = await works.chance.read_ledger(table_id, epoch)
    if len(records) != ledger.length:
        raise await stop(works, table_id, epoch, "LEDGER_LOST")
    return records


# ---- the replay ----------------------------------------------------------------------


async def driven(
    steps: Steps, results_of: Callable[[Batch], Awaitable[Results]]
) -> Entry:
    """Run a table's move to its end, asking for chance where it stops."""
    try:
        batch = next(steps)
        while True:
            batch = steps.send(await results_of(batch))
    except StopIteration as end:
        entry: Entry = end.value
        return entry


class Replay:
    """Journal and ledger, run once more. What the ledger lacks is resolved again."""

    def __init__(
        self,
        works: Works,
        table_id: str,
        epoch: Epoch,
        ledger: LedgerTaken,
        records: list[Recorded],
        shown: Past,
    ) -> None:
        self._works = works
        self._table_id = table_id
        self._epoch = epoch
        self._ledger = ledger
        self._records = records
        self._shown = shown
        self._next = 0
        self._past = Past()

    async def run(self, entries: list[Entry]) -> tuple[Play, Past]:
        """LedgerLost or Diverged where it does not give what was."""
        opening = opening_in(entries[0])
        if self._ledger.commitment != opening.commitment:
            raise LedgerLost
        self._head = opening.commitment
        game = rules_for(self._works, entries[0])
        self._play = Play(game, opening, self._ledger.veil)
        for entry in entries:
            await self._step(entry)
            if entry.position % BREATH == 0:
                await asyncio.sleep(0)
        if self._next != len(self._records):
            raise Diverged("the ledger goes on behind the journal")
        return self._play, self._past

    async def _step(self, entry: Entry) -> None:
        draft = redraft(entry, self._sealed(entry))
        asked = self._play.question(entry.seat)
        made = await driven(guarded(self._play.apply(draft)), self._results)
        if made.hash != entry.hash:
            raise Diverged(f"entry {entry.position} comes out otherwise")
        self._past.add(entry, draft, asked[0] if asked else "")

    def _sealed(self, entry: Entry) -> tuple[str, ...] | None:
        """A secret answer's choice: from the ledger, or as this worker remembers it."""
        if not entry.is_sealed:
            return None
        if self._next < len(self._records):
            return sealed_in(self._records[self._next], entry.seat)
        if entry.position not in self._shown.sealed:
            raise LedgerLost
        return self._shown.sealed[entry.position]

    async def _results(self, batch: Batch) -> Results:
        if self._next == len(self._records):
            return await self._resolved_again(batch)
        record = self._records[self._next]
        self._next += 1
        self._head = next_head(self._head, record.digest)
        if record.digest != batch.digest or record.head != self._head:
            raise Diverged("the ledger has another batch here")
        return record.results

    async def _resolved_again(self, batch: Batch) -> Results:
        """Chance is a function of the chain: the same batch gives what it gave."""
        if self._ledger.head_known:
            raise Diverged("the ledger ends before the journal")
        committed = self._past.last.head
        table_id, epoch = self._table_id, self._epoch
        try:
            return await self._works.chance.resolve(table_id, epoch, batch, committed)
        except AnpaiError as error:
            if error.reason in ("LEDGER_LOST", "OPERATION_REFUSED"):
                raise LedgerLost from error
            raise


def guarded(steps: Steps) -> Steps:
    """The same move; rules that fail in a replay have diverged."""
    try:
        return (yield from steps)
    except Diverged:
        raise
    except Exception as error:
        raise Diverged("the rules fail in the replay") from error


def sealed_in(record: Recorded, seat: int) -> tuple[str, ...]:
    match json.loads(record.operations):
        case [[int(whose), list(choice), "seal"]] if whose == seat:
            return tuple(choice)
    raise Diverged("the ledger has no sealed answer here")
