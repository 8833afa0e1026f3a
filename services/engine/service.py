"""The public engine: read the request, call one function, shape the reply."""

from collections.abc import AsyncGenerator
from functools import partial
from importlib.metadata import version

import grpc

from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from anpai.engine.v1 import catalog_pb2
from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.operator.v1 import ban_service_pb2_grpc as ban_rpc
from anpai.operator.v1 import table_service_pb2_grpc as operator_rpc
from services.chassis import bans
from services.chassis.config import EngineConfig
from services.chassis.decks import Fault
from services.chassis.server import Bound, Resources
from services.chassis.tokens import caller
from services.engine import catalog, decks, fields, operating
from services.engine.forwarding import (
    Context,
    Forwarding,
    streamed_from_there,
    wherever_the_table_is,
)
from services.engine.internal import EngineInternalService
from services.engine.live import open_table
from services.engine.running import Parts
from services.engine.sitting import Requests, Sitting, entered
from services.engine.tables import Tables

NAMES = (
    "anpai.engine.v1.EngineService",
    "anpai.engine.internal.v1.EngineInternalService",
    operating.NAME,
    bans.NAME,
)
PACKAGES = ("anpai.engine.v1",)


async def bind(server: grpc.aio.Server, resources: Resources[EngineConfig]) -> Bound:
    """One engine worker on this server."""
    parts = Parts(resources)
    await parts.start()
    public = EngineService(parts.tables, parts.forwarding, parts.works.worker.id)
    internal = EngineInternalService(
        partial(open_table, parts.works), parts.readers, parts.tables, parts.forwarding
    )
    rpc.add_EngineServiceServicer_to_server(public, server)
    operators = operating.TableService(
        *(parts.tables, parts.forwarding, parts.listing, parts.works.worker),
        resources.withdrawal.now,
    )
    internal_rpc.add_EngineInternalServiceServicer_to_server(internal, server)
    operator_rpc.add_TableServiceServicer_to_server(operators, server)
    turning_away = bans.BanService(resources.revocations)
    ban_rpc.add_BanServiceServicer_to_server(turning_away, server)
    return Bound(NAMES, parts.drain, parts.close)


class EngineService(rpc.EngineServiceServicer):
    """Every RPC on a table is served wherever the table is."""

    def __init__(self, tables: Tables, forwarding: Forwarding, worker: str) -> None:
        self.forwarding = forwarding
        self._tables = tables
        self._worker = worker

    @wherever_the_table_is
    async def TakeSeat(
        self, request: pb.TakeSeatRequest, context: Context
    ) -> pb.TakeSeatResponse:
        nonce = fields.nonce(request.nonce)
        table = await self._tables.at(fields.table_id(request.table_id))
        brought = decks.brought(request.decks, table.live.game, table.live.variant)
        seat = await table.take_seat(caller().id, nonce, brought)
        return pb.TakeSeatResponse(seat=seat, commitment=table.live.commitment)

    @wherever_the_table_is
    async def GetView(
        self, request: pb.GetViewRequest, context: Context
    ) -> pb.GetViewResponse:
        table = await self._tables.at(fields.table_id(request.table_id))
        view = await table.seen_by(caller().id)
        return pb.GetViewResponse(view=view, past=table.past_of(view))

    @streamed_from_there
    async def Watch(  # type: ignore[override]  # bytes that Watcher put together
        self, request: pb.WatchRequest, context: Context
    ) -> AsyncGenerator[bytes, None]:
        after = request.after_revision if request.HasField("after_revision") else None
        past = fields.past(request.past)
        table = await self._tables.at(fields.table_id(request.table_id))
        heard = request.after_said if request.HasField("after_said") else None
        with await table.watched_by(caller().id, after, heard, past) as watcher:
            async for step in watcher:
                yield step

    @streamed_from_there
    async def Sit(  # type: ignore[override]
        self, requests: Requests, context: Context
    ) -> AsyncGenerator[bytes, None]:
        enter = await entered(requests)
        past = fields.past(enter.past)
        table = await self._tables.at(fields.table_id(enter.table_id))
        after = enter.after_revision if enter.HasField("after_revision") else None
        heard = enter.after_said if enter.HasField("after_said") else None
        with await table.watched_by(caller().id, after, heard, past) as watcher:
            sitting = Sitting(table, caller().id, watcher)
            async with sitting.answering(requests):
                async for step in watcher:
                    yield step

    @wherever_the_table_is
    async def Answer(
        self, request: pb.AnswerRequest, context: Context
    ) -> pb.AnswerResponse:
        table = await self._tables.at(fields.table_id(request.table_id))
        revision = await table.answer(caller().id, fields.answer(request))
        past = table.ring.past_at(revision, table.company.seat_of(caller().id))
        return pb.AnswerResponse(revision=revision, past=past)

    @wherever_the_table_is
    async def Concede(
        self, request: pb.ConcedeRequest, context: Context
    ) -> pb.ConcedeResponse:
        table = await self._tables.at(fields.table_id(request.table_id))
        revision = await table.concede(caller().id)
        return pb.ConcedeResponse(revision=revision)

    @wherever_the_table_is
    async def Say(self, request: pb.SayRequest, context: Context) -> pb.SayResponse:
        words = words_in(request)
        table = await self._tables.at(fields.table_id(request.table_id))
        return pb.SayResponse(number=await table.say(caller().id, words))

    async def ListGames(
        self, request: pb.ListGamesRequest, context: Context
    ) -> pb.ListGamesResponse:
        games = catalog.games_in(fields.locale(request.locale))
        return pb.ListGamesResponse(games=games)

    async def GetCatalog(
        self, request: pb.GetCatalogRequest, context: Context
    ) -> pb.GetCatalogResponse:
        locale = fields.locale(request.locale)
        return pb.GetCatalogResponse(catalog=catalog.catalog_of(request.game, locale))

    async def CheckDecks(
        self, request: pb.CheckDecksRequest, context: Context
    ) -> pb.CheckDecksResponse:
        locale = fields.locale(request.locale)
        game = catalog.game_named(request.game)
        variant = catalog.variant_named(game, request.variant)
        brought = decks.brought(request.decks, game, variant)
        faults = decks.faults(game, variant.name, brought, locale)
        return pb.CheckDecksResponse(faults=map(fault_message, faults))

    async def GetServerInfo(
        self, request: pb.GetServerInfoRequest, context: Context
    ) -> pb.GetServerInfoResponse:
        return pb.GetServerInfoResponse(
            version=version("anpai-server"),
            packages=PACKAGES,
            games=catalog.games_in("en"),
            worker=self._worker,
        )


def words_in(request: pb.SayRequest) -> fields.Words:
    """INVALID_FIELD."""
    if request.channel not in (pb.CHANNEL_TABLE, pb.CHANNEL_TEAM):
        fields.refuse("channel", "TABLE or TEAM")
    return fields.Words(
        text=fields.words(request.text),
        to_team=request.channel == pb.CHANNEL_TEAM,
        request_id=fields.request_id(request.request_id),
    )


def fault_message(fault: Fault) -> catalog_pb2.DeckFault:
    return catalog_pb2.DeckFault(
        deck=fault.deck, face=fault.face, message=fault.sentence
    )
