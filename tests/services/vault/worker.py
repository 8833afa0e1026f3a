"""An engine worker, as far as the vault can tell."""

import hashlib
from collections.abc import Iterable
from typing import Any

import grpc

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.audit.v1 import audit_service_pb2_grpc as audit_grpc
from anpai.vault.v1 import vault_service_pb2 as pb
from anpai.vault.v1 import vault_service_pb2_grpc as pb_grpc
from services.chassis.client import finishing
from services.chassis.tokens import Credential
from services.vault.chain import next_head

BEGIN = pb.Operation(begin=pb.Begin(nonces=["", ""]))
ROLL = pb.Operation(roll=pb.Roll(sides=6, dice=10))
FACES = [f"skirmish/face-{number}" for number in range(40)]
BUILD = pb.Operation(build=pb.Build(deck="deck", faces=FACES))


def draw(number: int, *seats: int) -> pb.Operation:
    return pb.Operation(draw=pb.Draw(deck="deck", number=number, seats=seats))


def digest(name: str) -> str:
    """Any digest will do: the vault cannot read them."""
    return hashlib.sha256(name.encode()).hexdigest()


class Worker:
    """Calls the vault for one table; `async with`."""

    def __init__(self, address: str, credential: Credential, token: str = "mine"):
        self._channel = grpc.aio.insecure_channel(address)
        self._stub = pb_grpc.VaultServiceStub(self._channel)
        self._credential = credential
        self._token = token
        self._stream: Any = None
        self.table = ""
        self.commitment = ""
        self.committed = ""
        self.epoch = pb.Epoch()

    async def __aenter__(self) -> "Worker":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hang_up()
        await self._channel.close()

    async def call(self, method: str, request: Any) -> Any:
        call = getattr(self._stub, method)(
            request, metadata=self._credential.metadata(), timeout=30
        )
        async with finishing(call):
            return await call

    async def open(self, table: str) -> pb.OpenTableResponse:
        self.table = table
        request = pb.OpenTableRequest(table_id=table, game="skirmish")
        opened: pb.OpenTableResponse = await self.call("OpenTable", request)
        self.commitment = self.committed = opened.commitment
        return opened

    async def take_over(self, number: int, head: str) -> pb.TakeOverResponse:
        epoch = pb.Epoch(number=number, token=self._token)
        request = pb.TakeOverRequest(table_id=self.table, epoch=epoch, head=head)
        taken: pb.TakeOverResponse = await self.call("TakeOver", request)
        self.epoch = epoch
        return taken

    async def ledger(self) -> list[pb.Recorded]:
        return [one for page in await self.pages() for one in page.batches]

    async def pages(self) -> list[pb.ReadLedgerResponse]:
        request = pb.ReadLedgerRequest(table_id=self.table, epoch=self.epoch)
        call = self._stub.ReadLedger(request, metadata=self._credential.metadata())
        async with finishing(call):
            return [page async for page in call]

    async def disclose(
        self, head: str, journal: Iterable[str] = (), events: Iterable[str] = ()
    ) -> None:
        request = pb.DiscloseRequest(
            table_id=self.table,
            epoch=self.epoch,
            head=head,
            journal=journal,
            events=events,
        )
        await self.call("Disclose", request)

    async def disclose_in_parts(self, head: str, *parts: dict[str, Any]) -> None:
        """The first says of which table, the others go on."""
        whose: dict[str, Any] = {
            "table_id": self.table,
            "epoch": self.epoch,
            "head": head,
        }
        requests = [
            pb.DiscloseInPartsRequest(**(whose if number == 0 else {}), **part)
            for number, part in enumerate(parts)
        ]
        await self.call("DiscloseInParts", requests)

    async def stop(self) -> None:
        await self.call("StopTable", pb.StopTableRequest(table_id=self.table))

    def batch(
        self, head: str, name: str, *operations: pb.Operation, table: str = ""
    ) -> pb.Batch:
        return pb.Batch(
            table_id=table or self.table,
            epoch=self.epoch,
            head=head,
            digest=digest(name),
            operations=operations,
            committed_head=self.committed,
        )

    async def send(self, *batches: pb.Batch) -> list[pb.Resolved]:
        """One message there, one back, on a stream that stays open."""
        await self.post(*batches)
        return await self.hear()

    async def post(self, *batches: pb.Batch) -> None:
        if self._stream is None:
            self._stream = self._stub.Resolve(metadata=self._credential.metadata())
        await self._stream.write(pb.ResolveRequest(batches=batches))

    async def hear(self) -> list[pb.Resolved]:
        return list((await self._stream.read()).resolved)

    async def audit(self, method: str) -> Any:
        """What anybody may ask, asked without any token."""
        stub = audit_grpc.AuditServiceStub(self._channel)
        request = getattr(audit, f"{method}Request")(table_id=self.table)
        call = getattr(stub, method)(request)
        async with finishing(call):
            if method == "GetDisclosure":
                return b"".join([piece.data async for piece in call])
            return await call

    async def resolve(
        self, head: str, name: str, *operations: pb.Operation
    ) -> pb.Resolved:
        (resolved,) = await self.send(self.batch(head, name, *operations))
        return resolved

    async def play(self, *names: str) -> list[str]:
        """Begin the table and resolve batches one behind another; the heads after."""
        heads, head = [], self.commitment
        for number, name in enumerate(names):
            first = (BEGIN, BUILD) if number == 0 else ()
            resolved = await self.resolve(head, name, *first, draw(1, 0), ROLL)
            assert resolved.refusal == ""
            head = next_head(head, digest(name))
            heads.append(head)
        return heads

    def hang_up(self) -> None:
        if self._stream is not None:
            self._stream.cancel()
            self._stream = None
