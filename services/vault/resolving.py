"""Resolves batches: works out what they give, and records it before anybody is told.

Tables in use are kept in memory at the ledger's tip; any other is made anew from its
ledger. A table leaves this memory while a batch of it is under way and comes back when
the batch is recorded, so a batch that is refused or forgotten leaves nothing behind.
What it is at a head follows from the head: no cut can make it wrong, only useless.

The store refuses before we do: it alone knows whose the table is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.chassis.errors import AnpaiError
from services.vault.counts import Counts
from services.vault.faces import Batch, Faces, Secrets, refusal
from services.vault.holdings import Holdings, Operation, Results
from services.vault.ledger import Recorded
from services.vault.refusal import OperationRefused

MOST_LIVE = 10_000


@dataclass(slots=True)
class Live:
    """A table in memory; `length` counts the batches up to its head."""

    secrets: Secrets
    holdings: Holdings
    length: int = 0

    def play(self, digest: str, operations: Sequence[Operation]) -> Recorded:
        """Go on by one batch."""
        results = self.holdings.resolve(digest, operations)
        self.length += 1
        return Recorded(digest, self.holdings.head, operations, results)


class Resolver:
    """The tables in memory, at most `most` of them."""

    def __init__(self, faces: Faces, counts: Counts, most: int = MOST_LIVE):
        self._faces = faces
        self._counts = counts
        self._most = most
        self._live: dict[str, Live] = {}

    async def resolve(self, batch: Batch) -> Results:
        """What a batch gives, once it is recorded; AnpaiError where it is refused."""
        if not (is_hash(batch.head) and is_hash(batch.digest)):
            raise refusal("HEAD_REFUSED", batch.table_id)
        live = self._live.pop(batch.table_id, None)
        if live is None or live.holdings.head != batch.head:
            live = await self._rebuilt(batch.table_id, batch.head)
        if live is None:
            await self._faces.judge(batch)
            raise refusal("HEAD_REFUSED", batch.table_id)
        results = await self._record(batch, live)
        self._keep(live)
        self._count(batch)
        return results

    def forget(self, table_id: str) -> None:
        """Its ledger was cut, or it is over."""
        self._live.pop(table_id, None)

    async def _record(self, batch: Batch, live: Live) -> Results:
        position = live.length
        try:
            record = live.play(batch.digest, batch.operations)
        except OperationRefused as error:
            await self._faces.judge(batch)
            raise AnpaiError(error.reason, str(error), table=batch.table_id) from None
        earlier = await self._faces.append(batch, live.secrets, position, record)
        if earlier is not None and earlier.results != record.results:
            raise refusal("LEDGER_LOST", batch.table_id)
        return record.results

    async def _rebuilt(self, table_id: str, head: str) -> Live | None:
        """The table as it was at a head of its ledger; None for an unknown head."""
        kept = await self._faces.read(table_id)
        if kept.texts:
            self._counts.rebuilt.inc()
        live = Live(kept.secrets, Holdings(table_id, kept.secrets.seed))
        for record in kept.ledger():
            if live.holdings.head == head:
                break
            if live.play(record.digest, record.operations).results != record.results:
                raise refusal("LEDGER_LOST", table_id)
        return live if live.holdings.head == head else None

    def _count(self, batch: Batch) -> None:
        self._counts.batches.inc()
        for *_, verb in batch.operations:
            self._counts.operations.labels(verb).inc()

    def _keep(self, live: Live) -> None:
        self._live[live.secrets.table_id] = live
        if len(self._live) > self._most:
            del self._live[next(iter(self._live))]


def is_hash(text: str) -> bool:
    """64 hex digits, small letters."""
    return len(text) == 64 and not text.strip("0123456789abcdef")
