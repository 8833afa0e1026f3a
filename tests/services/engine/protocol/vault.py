"""The vault's ledger of one table, simulated: what its scripts promise, once more.

What a batch gives comes from the vault's own pure files; who may write what behind
which head is written here independently. `broken` names rules to leave out.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from services.chassis.errors import AnpaiError
from services.engine.chance import LedgerTaken, Opened, Recorded
from services.engine.journal import Epoch
from services.engine.kernel.chance import Dealt, Result, Results
from services.engine.kernel.entry import canonical, next_head
from services.engine.kernel.play import Batch
from services.engine.lease import NEVER
from services.vault.chain import commitment_of, veil_of
from services.vault.holdings import Holdings
from services.vault.refusal import OperationRefused

SLOW_WRITE = 3.0


@dataclass(frozen=True)
class Line:
    """A batch in the ledger; `head` is the ledger's after it."""

    batch: Batch
    head: str
    results: Results

    @property
    def digest(self) -> str:
        return self.batch.digest


@dataclass(frozen=True)
class Ledger:
    """One table in the vault. `committed` and `taken` count batches."""

    seed: bytes
    lines: tuple[Line, ...] = ()
    epoch: Epoch = NEVER
    committed: int = 0
    taken: int = 0
    known: bool = True
    disclosed: bool = False

    @property
    def heads(self) -> list[str]:
        """Heads by the number of batches up to them."""
        return [commitment_of(self.seed), *(line.head for line in self.lines)]


class VaultTwin:
    """The vault with its store; `history` is what it may fall back to."""

    def __init__(self, draw: Callable[[], bytes], broken: frozenset[str]) -> None:
        self.tables: dict[str, Ledger] = {}
        self.history: list[dict[str, Ledger]] = [{}]
        self.cuts_at_equal_epoch = 0
        self.resolved_after_disclosure = 0
        self.rollbacks = 0
        self._draw = draw
        self._broken = broken
        self._live: Holdings | None = None

    def roll_back(self, steps: int) -> None:
        """Its store loses its last changes, but neither a seed nor a disclosure."""
        steps = min(steps, len(self.history) - 2)
        if steps > 0 and not any(one.disclosed for one in self.tables.values()):
            del self.history[-steps:]
            self.tables = dict(self.history[-1])
            self.rollbacks += 1

    def _put(self, table_id: str, ledger: Ledger) -> None:
        self.tables = {**self.tables, table_id: ledger}
        self.history.append(self.tables)

    # -- what the scripts do ------------------------------------------------------

    def open_table(self, table_id: str) -> Opened:
        if table_id not in self.tables or "redraw" in self._broken:
            self._put(table_id, Ledger(self._draw()))
        seed = self.tables[table_id].seed
        return Opened(commitment_of(seed), veil_of(seed))

    def take_over(self, table_id: str, epoch: Epoch, head: str) -> LedgerTaken:
        ledger = self._ledger(table_id)
        refused_below = ledger.epoch
        if epoch.number < refused_below.number or (
            epoch.number == refused_below.number and epoch != refused_below
        ):
            raise refused("EPOCH_REFUSED", epoch=str(refused_below.number))
        if epoch != ledger.epoch or "equal epoch cuts" in self._broken:
            self.cuts_at_equal_epoch += epoch == ledger.epoch
            ledger = self._cut(ledger, epoch, head)
            if "check, then write" in self._broken and epoch.number % 2:
                loop = asyncio.get_running_loop()
                loop.call_later(SLOW_WRITE, self._put, table_id, ledger)
            else:
                self._put(table_id, ledger)
        return LedgerTaken(
            veil_of(ledger.seed),
            commitment_of(ledger.seed),
            ledger.known,
            ledger.heads[ledger.taken],
            ledger.taken,
        )

    def _cut(self, ledger: Ledger, epoch: Epoch, head: str) -> Ledger:
        known = head in ledger.heads
        at = ledger.heads.index(head) if known else ledger.committed
        if at < ledger.committed:
            raise refused("JOURNAL_LOST")
        lines = ledger.lines[:at]
        return replace(ledger, lines=lines, epoch=epoch, taken=at, known=known)

    def read_ledger(self, table_id: str, epoch: Epoch) -> list[Recorded]:
        ledger = self._ledger(table_id)
        if epoch != ledger.epoch:
            raise refused("EPOCH_REFUSED", epoch=str(ledger.epoch.number))
        return [
            Recorded(
                line.digest, line.head, canonical(line.batch.operations), line.results
            )
            for line in ledger.lines[: ledger.taken]
        ]

    def resolve(
        self, table_id: str, epoch: Epoch, batch: Batch, committed: str
    ) -> Results:
        ledger = self._ledger(table_id)
        if epoch != ledger.epoch:
            raise refused("EPOCH_REFUSED", epoch=str(ledger.epoch.number))
        if ledger.disclosed:
            raise refused("DISCLOSED_ALREADY")
        if batch.head not in ledger.heads:
            raise refused("HEAD_REFUSED")
        at = ledger.heads.index(batch.head)
        tail = ledger.lines[at:]
        if tail and tail[0].digest != batch.digest:
            if "resolve cuts" not in self._broken:
                raise refused("HEAD_REFUSED")
            ledger, tail = replace(ledger, lines=ledger.lines[:at]), ()
        if not tail:
            line = self._line(table_id, ledger, batch)
            ledger = replace(ledger, lines=(*ledger.lines, line))
            tail = (line,)
        if committed in ledger.heads:
            named = max(ledger.committed, ledger.heads.index(committed))
            ledger = replace(ledger, committed=named)
        self.resolved_after_disclosure += ledger.disclosed
        self._put(table_id, ledger)
        return tail[0].results

    def disclose(self, table_id: str, epoch: Epoch, head: str) -> None:
        ledger = self._ledger(table_id)
        if ledger.disclosed and ledger.heads[-1] == head:
            return
        if epoch != ledger.epoch:
            raise refused("EPOCH_REFUSED", epoch=str(ledger.epoch.number))
        if ledger.heads[-1] != head:
            raise refused("HEAD_REFUSED")
        told = replace(ledger, disclosed=True, committed=len(ledger.lines))
        self._put(table_id, told)

    # -- what a batch gives -------------------------------------------------------

    def _line(self, table_id: str, ledger: Ledger, batch: Batch) -> Line:
        holdings = self._at(table_id, ledger)
        self._live = None
        try:
            given = holdings.resolve(batch.digest, batch.operations)
        except OperationRefused:
            raise refused("OPERATION_REFUSED") from None
        self._live = holdings
        results = tuple(
            Result(tuple(Dealt(*card) for card in one.cards), one.numbers)
            for one in given
        )
        return Line(batch, next_head(batch.head, batch.digest), results)

    def _at(self, table_id: str, ledger: Ledger) -> Holdings:
        if self._live is not None and self._live.head == ledger.heads[-1]:
            return self._live
        holdings = Holdings(table_id, ledger.seed)
        for line in ledger.lines:
            holdings.resolve(line.batch.digest, line.batch.operations)
        return holdings

    def _ledger(self, table_id: str) -> Ledger:
        if table_id not in self.tables:
            raise refused("TABLE_NOT_FOUND")
        return self.tables[table_id]


def refused(reason: str, epoch: str = "") -> AnpaiError:
    return AnpaiError(reason, "The vault refuses.", epoch=epoch)
