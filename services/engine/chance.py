"""Chance, as the engine asks for it: the vault's only caller.

`Chance` is the port; `VaultChance` keeps one long-lived stream on which the batches of
many tables travel together: while a message is under way the next one fills, but never
for longer than a moment. Replies are matched by table, epoch, head and digest;
others are dropped. After a broken stream what has no reply is sent again, unchanged.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import grpc
import structlog

from anpai.vault.v1 import vault_service_pb2 as pb
from anpai.vault.v1 import vault_service_pb2_grpc as rpc
from services.chassis.client import Peer, finishing
from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics
from services.chassis.traces import traces
from services.engine.journal import Epoch
from services.engine.kernel.chance import Dealt, Operation, Result, Results
from services.engine.kernel.play import Batch

log = structlog.get_logger()

CALL_SECONDS = 5.0
PATIENCE_SECONDS = 5.0
DISCLOSE_SECONDS = 20.0
MESSAGE_BYTES = 1024 * 1024
# Longer than the vault takes for a message: only one that takes long is overtaken.
MOMENT_SECONDS = 0.005
PAUSES = (0.05, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Opened:
    """A seed was drawn: its hash, and the key of the table's digests."""

    commitment: str
    veil: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class LedgerTaken:
    """A ledger taken over.

    Where the head asked for is not known, it goes as far as `known_head`. `length` is
    how many batches lie up to there.
    """

    veil: bytes = field(repr=False)
    commitment: str
    head_known: bool
    known_head: str
    length: int


class Recorded(NamedTuple):
    """A batch of the ledger; `operations` is canonical JSON."""

    digest: str
    head: str
    operations: str
    results: Results


class Chance(Protocol):
    """Every call may raise PART_UNAVAILABLE: it has happened, or it has not."""

    async def open_table(self, table_id: str, game: str) -> Opened:
        """Draw a seed, or find the one drawn before for this table."""

    async def take_over(self, table_id: str, epoch: Epoch, head: str) -> LedgerTaken:
        """Cut the ledger behind `head`, unless the epoch is in force already.

        EPOCH_REFUSED (metadata `epoch`: the one in force), LEDGER_LOST, JOURNAL_LOST,
        TABLE_NOT_FOUND.
        """

    async def read_ledger(self, table_id: str, epoch: Epoch) -> list[Recorded]:
        """All batches up to the head taken over, in order. EPOCH_REFUSED."""

    async def resolve(
        self, table_id: str, epoch: Epoch, batch: Batch, committed: str
    ) -> Results:
        """What the batch gives. `committed` is the last committed entry's head.

        EPOCH_REFUSED, HEAD_REFUSED, DISCLOSED_ALREADY, OPERATION_REFUSED.
        """

    async def disclose(
        self,
        table_id: str,
        epoch: Epoch,
        head: str,
        journal: Sequence[str],
        events: Sequence[str],
    ) -> None:
        """Disclose a table whose outcome is committed. EPOCH_REFUSED, HEAD_REFUSED."""

    async def stop_table(self, table_id: str) -> None:
        """The table is stopped for good: some day what there is of it may go."""


class Part(NamedTuple):
    """Of a disclosure, as much as goes into one message."""

    journal: list[str]
    events: list[str]


class _Key(NamedTuple):
    table_id: str
    number: int
    token: str
    head: str
    digest: str


class _Waiting(NamedTuple):
    batch: pb.Batch
    reply: "asyncio.Future[Results]"


class VaultChance:
    """Chance from the vault service."""

    def __init__(
        self, vault: Peer, metrics: Metrics, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._vault = vault
        self._metrics = metrics
        self._patience = patience
        self._waiting: dict[_Key, _Waiting] = {}
        self._unsent: list[_Key] = []
        self._something = asyncio.Event()
        self._answered = asyncio.Event()
        self._talking: asyncio.Task[None] | None = None

    @property
    def _stub(self) -> Any:
        return self._vault.stub(rpc.VaultServiceStub)

    async def close(self) -> None:
        """End the stream; what waits for a reply is told that there will be none."""
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.wait([self._talking])
        for waiting in self._waiting.values():
            _settle(waiting.reply, vault_away())

    # -- one call each ------------------------------------------------------------

    async def open_table(self, table_id: str, game: str) -> Opened:
        request = pb.OpenTableRequest(table_id=table_id, game=game)
        opened = await self._ask(self._stub.OpenTable, request, pb.OpenTableResponse)
        return Opened(opened.commitment, opened.veil)

    async def take_over(self, table_id: str, epoch: Epoch, head: str) -> LedgerTaken:
        request = pb.TakeOverRequest(table_id=table_id, epoch=_epoch(epoch), head=head)
        taken = await self._ask(self._stub.TakeOver, request, pb.TakeOverResponse)
        where = (taken.head_known, taken.known_head, taken.length)
        return LedgerTaken(taken.veil, taken.commitment, *where)

    async def read_ledger(self, table_id: str, epoch: Epoch) -> list[Recorded]:
        request = pb.ReadLedgerRequest(table_id=table_id, epoch=_epoch(epoch))
        recorded: list[Recorded] = []
        call = self._stub.ReadLedger(
            request, timeout=CALL_SECONDS, metadata=self._vault.along()
        )
        async with finishing(call):
            async for page in call:
                recorded += map(_recorded, page.batches)
        return recorded

    async def disclose(
        self,
        table_id: str,
        epoch: Epoch,
        head: str,
        journal: Sequence[str],
        events: Sequence[str],
    ) -> None:
        told: dict[str, Any] = {"table_id": table_id, "head": head}
        told["epoch"] = _epoch(epoch)
        first, *others = in_parts(journal, events)
        if not others:
            whole = pb.DiscloseRequest(**told, **first._asdict())
            answer = pb.DiscloseResponse
            await self._ask(self._stub.Disclose, whole, answer, DISCLOSE_SECONDS)
            return
        made = pb.DiscloseInPartsRequest
        parts = [made(**told, **first._asdict())]
        parts += [made(**part._asdict()) for part in others]
        method, reply = self._stub.DiscloseInParts, pb.DiscloseInPartsResponse
        await self._ask(method, parts, reply, DISCLOSE_SECONDS)

    async def stop_table(self, table_id: str) -> None:
        request = pb.StopTableRequest(table_id=table_id)
        await self._ask(self._stub.StopTable, request, pb.StopTableResponse)

    async def _ask(
        self, method: Any, request: Any, reply: type[Any], within: float = CALL_SECONDS
    ) -> Any:
        return await self._vault.ask(method, request, reply, within)

    # -- resolving ----------------------------------------------------------------

    async def resolve(
        self, table_id: str, epoch: Epoch, batch: Batch, committed: str
    ) -> Results:
        with traces().span("chance", table_id, len(batch.operations)):
            return await self._resolved(table_id, epoch, batch, committed)

    async def _resolved(
        self, table_id: str, epoch: Epoch, batch: Batch, committed: str
    ) -> Results:
        key = _Key(table_id, *epoch, batch.head, batch.digest)
        spoken = pb.Batch(
            table_id=table_id,
            epoch=_epoch(epoch),
            head=batch.head,
            digest=batch.digest,
            operations=map(_spoken, batch.operations),
            committed_head=committed,
            traceparent=traces().here(),
        )
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[Results] = loop.create_future()
        self._waiting[key] = _Waiting(spoken, reply)
        self._unsent.append(key)
        self._wake()
        asked = perf_counter()
        late = loop.call_later(self._patience, _give_up, reply)
        try:
            return await reply
        finally:
            late.cancel()
            self._waiting.pop(key, None)
            self._metrics.vault_seconds.observe(perf_counter() - asked)

    def _wake(self) -> None:
        self._something.set()
        if self._talking is None or self._talking.done():
            self._talking = asyncio.create_task(self._talk())

    async def _talk(self) -> None:
        """Keep the stream, for as long as we live."""
        failures = 0
        while True:
            try:
                await self._talk_until_broken()
                failures = 0
            except (AnpaiError, grpc.aio.AioRpcError):
                if not failures:
                    self._metrics.vault_lost.inc()
                    log.warning("vault lost", waiting=len(self._waiting))
                failures += 1
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])

    async def _talk_until_broken(self) -> None:
        call = self._stub.Resolve(metadata=self._vault.metadata())
        self._unsent = list(self._waiting)
        self._something.set()
        async with finishing(call):
            sending = asyncio.create_task(self._send(call))
            try:
                async for response in call:
                    self._answered.set()
                    for resolved in response.resolved:
                        self._hear(resolved)
            finally:
                sending.cancel()

    async def _send(self, call: Any) -> None:
        """What was asked for goes out together, once the vault has answered."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._something.wait()
                self._something.clear()
                self._answered.clear()
                for batches in self._messages():
                    await call.write(pb.ResolveRequest(batches=batches))
                late = loop.call_later(MOMENT_SECONDS, self._answered.set)
                await self._answered.wait()
                late.cancel()
        except grpc.aio.AioRpcError:
            call.cancel()  # the reader is told why

    def _messages(self) -> Iterator[list[pb.Batch]]:
        """The batches not sent yet, in messages that are not too long."""
        keys, self._unsent = self._unsent, []
        message: list[pb.Batch] = []
        size = 0
        for key in dict.fromkeys(keys):
            if (waiting := self._waiting.get(key)) is None:
                continue
            size += waiting.batch.ByteSize()
            message.append(waiting.batch)
            if size > MESSAGE_BYTES:
                yield message
                message, size = [], 0
        if message:
            yield message

    def _hear(self, resolved: pb.Resolved) -> None:
        epoch = resolved.epoch
        key = _Key(
            resolved.table_id, epoch.number, epoch.token, resolved.head, resolved.digest
        )
        waiting = self._waiting.get(key)
        if waiting is None:
            return
        if resolved.refusal:
            _settle(waiting.reply, _refused(resolved))
        else:
            _settle(waiting.reply, tuple(map(_result, resolved.results)))


def in_parts(journal: Sequence[str], events: Sequence[str]) -> Iterator[Part]:
    """One behind the other, in order; at least one."""
    part, size = Part([], []), 0
    for to, texts in enumerate((journal, events)):
        for text in texts:
            if size > MESSAGE_BYTES:
                yield part
                part, size = Part([], []), 0
            part[to].append(text)
            size += len(text.encode())
    yield part


def vault_away() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE",
        "The vault does not answer; try again.",
        retry_after=0.5,
        part="vault",
    )


def _settle(future: "asyncio.Future[Results]", reply: Results | AnpaiError) -> None:
    if future.done():
        return
    if isinstance(reply, AnpaiError):
        future.set_exception(reply)
    else:
        future.set_result(reply)


def _give_up(reply: "asyncio.Future[Results]") -> None:
    _settle(reply, vault_away())


def _refused(resolved: pb.Resolved) -> AnpaiError:
    return AnpaiError(
        resolved.refusal,
        "The vault refused.",
        table=resolved.table_id,
        epoch=str(resolved.epoch_in_force.number),
    )


# ---- the vault's words ---------------------------------------------------------------


def _epoch(epoch: Epoch) -> pb.Epoch:
    return pb.Epoch(number=epoch.number, token=epoch.token)


def _spoken(operation: Operation) -> pb.Operation:
    """Kernel and contract name verbs and their items alike."""
    items: Any = operation._asdict()
    return pb.Operation(**{items.pop("verb"): items})


def _recorded(batch: pb.Recorded) -> Recorded:
    results = tuple(map(_result, batch.results))
    return Recorded(batch.digest, batch.head, batch.operations, results)


def _result(result: pb.Result) -> Result:
    cards = (_dealt(card) for card in result.cards)
    return Result(tuple(cards), tuple(result.numbers))


def _dealt(card: pb.Dealt) -> Dealt:
    return Dealt(card.handle, card.face if card.HasField("face") else None)
