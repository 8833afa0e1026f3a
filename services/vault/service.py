"""The servicers: translate, call, translate."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any, TypeVar

import grpc

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.audit.v1 import audit_service_pb2_grpc as audit_grpc
from anpai.vault.v1 import vault_service_pb2 as vault
from anpai.vault.v1 import vault_service_pb2_grpc as vault_grpc
from services.chassis.config import VaultConfig
from services.chassis.errors import AnpaiError
from services.chassis.server import Bound, Resources
from services.chassis.stores import patiently
from services.chassis.telemetry import Metrics, noted_incident
from services.chassis.traces import traces
from services.vault import wire
from services.vault.chain import commitment_of, veil_of
from services.vault.counts import Counts
from services.vault.disclosing import disclose
from services.vault.exporting import Exports
from services.vault.faces import Faces
from services.vault.overlap import overlapping
from services.vault.resolving import Resolver
from services.vault.sealing import HeldMasterKey

T = TypeVar("T")

NAMES = ("anpai.vault.v1.VaultService", "anpai.audit.v1.AuditService")


async def bind(server: grpc.aio.Server, resources: Resources[VaultConfig]) -> Bound:
    """Serve the vault and its audit; ConfigError where the master key is another's."""
    config = resources.config
    master = HeldMasterKey(config.master_key, *config.old_master_keys)
    faces = Faces(resources.store, master, config.kept_days, config.stopped_days)
    await patiently(faces.prove_master_key)
    counts = Counts(resources.metrics.registry)
    resolver, metrics = Resolver(faces, counts), resources.metrics
    exports = Exports(config.exports, faces, counts) if config.exports else None
    servicer = VaultServicer(faces, exports, resolver, counts, metrics)
    vault_grpc.add_VaultServiceServicer_to_server(servicer, server)
    audit_grpc.add_AuditServiceServicer_to_server(AuditServicer(faces), server)
    return Bound(NAMES)


class VaultServicer(vault_grpc.VaultServiceServicer):
    """For engine workers alone: the contract's access option says so."""

    def __init__(
        self,
        faces: Faces,
        exports: Exports | None,
        resolver: Resolver,
        counts: Counts,
        metrics: Metrics,
    ):
        self._faces = faces
        self._exports = exports
        self._resolver = resolver
        self._counts = counts
        self._metrics = metrics

    async def OpenTable(
        self, request: vault.OpenTableRequest, context: Any
    ) -> vault.OpenTableResponse:
        held = await self._faces.open(wire.new_table_of(request), request.game)
        return vault.OpenTableResponse(
            commitment=commitment_of(held.seed), veil=veil_of(held.seed)
        )

    async def TakeOver(
        self, request: vault.TakeOverRequest, context: Any
    ) -> vault.TakeOverResponse:
        epoch = wire.new_epoch_of(request.epoch)
        taken = await self._faces.take_over(request.table_id, epoch, request.head)
        self._resolver.forget(request.table_id)
        return wire.taken(taken)

    async def ReadLedger(
        self, request: vault.ReadLedgerRequest, context: Any
    ) -> AsyncIterator[vault.ReadLedgerResponse]:
        epoch = wire.epoch_of(request.epoch)
        ledger = await self._faces.taken_ledger(request.table_id, epoch)
        for page in wire.pages(ledger):
            yield page

    async def Resolve(  # type: ignore[override]  # replies when ready, not in turn
        self, requests: AsyncIterator[vault.ResolveRequest], context: Any
    ) -> None:
        writing = asyncio.Lock()

        async def reply(request: vault.ResolveRequest) -> None:
            resolved = await gathered([self._resolved(one) for one in request.batches])
            async with writing:
                await context.write(vault.ResolveResponse(resolved=resolved))

        await overlapping(requests, reply)

    async def Disclose(
        self, request: vault.DiscloseRequest, context: Any
    ) -> vault.DiscloseResponse:
        await self._disclose(request)
        return vault.DiscloseResponse()

    async def DiscloseInParts(
        self, requests: AsyncIterator[vault.DiscloseInPartsRequest], context: Any
    ) -> vault.DiscloseInPartsResponse:
        await self._disclose(await wire.joined(requests))
        return vault.DiscloseInPartsResponse()

    async def StopTable(
        self, request: vault.StopTableRequest, context: Any
    ) -> vault.StopTableResponse:
        await self._faces.stop(request.table_id)
        self._resolver.forget(request.table_id)
        return vault.StopTableResponse()

    async def _disclose(self, request: vault.DiscloseRequest) -> None:
        table_id, epoch = request.table_id, wire.epoch_of(request.epoch)
        told = (request.head, request.journal, request.events)
        await disclose(self._faces, self._exports, table_id, epoch, *told)
        self._resolver.forget(table_id)
        self._counts.disclosed.inc()

    async def _resolved(self, batch: vault.Batch) -> vault.Resolved:
        """A batch that fails leaves the others alone, so it is caught here."""
        table, number = batch.table_id, len(batch.operations)
        try:
            with traces().span("resolve", table, number, batch.traceparent):
                results = await self._resolver.resolve(wire.batch_of(batch))
            return wire.resolved(batch, results)
        except AnpaiError as error:
            return self._refused(batch, error)
        except Exception as error:
            noted_incident(self._metrics, error, method="Resolve")
            return self._refused(batch, AnpaiError("INTERNAL", ""))

    def _refused(self, batch: vault.Batch, error: AnpaiError) -> vault.Resolved:
        self._counts.refusals.labels(error.reason).inc()
        return wire.refused(batch, error)


async def gathered(ways: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """All of them side by side; one alone needs no task of its own."""
    return [await ways[0]] if len(ways) == 1 else await asyncio.gather(*ways)


class AuditServicer(audit_grpc.AuditServiceServicer):
    """For anybody."""

    def __init__(self, faces: Faces):
        self._faces = faces

    async def GetCommitment(
        self, request: audit.GetCommitmentRequest, context: Any
    ) -> audit.GetCommitmentResponse:
        about = await self._faces.about(request.table_id)
        return audit.GetCommitmentResponse(commitment=about.commitment)

    async def GetLedgerHead(
        self, request: audit.GetLedgerHeadRequest, context: Any
    ) -> audit.GetLedgerHeadResponse:
        about = await self._faces.about(request.table_id)
        return audit.GetLedgerHeadResponse(
            head=about.committed, length=about.committed_length
        )

    async def GetDisclosure(
        self, request: audit.GetDisclosureRequest, context: Any
    ) -> AsyncIterator[audit.GetDisclosureResponse]:
        async for piece in self._faces.disclosure(request.table_id):
            yield audit.GetDisclosureResponse(data=piece)
