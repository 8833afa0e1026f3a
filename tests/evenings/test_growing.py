"""New workers are found by their name, while all play, and have their share at once."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

import anpai
from anpai import wire
from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.wire import Channels, about
from services.chassis import client
from services.chassis.client import Peer
from tests.evenings.begun import Begun
from tests.evenings.edge import Edge, address_of, behind, running
from tests.evenings.names import a_name_server
from tests.evenings.players import assert_nothing_is_lost, games_of
from tests.evenings.processes import Process, Way
from tests.evenings.town import GAME, LEASE_MS, Town, a_town
from tests.ports import HOST, free_port

VIEW = "/anpai.engine.v1.EngineService/GetView"
OPEN = "/anpai.engine.internal.v1.EngineInternalService/OpenTable"
TAKE = "/anpai.engine.v1.EngineService/TakeSeat"
NEW = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
CALLS = 400
FOUND_WITHIN = 30
PAUSE = 0.1
RESOLVER = "envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig"


def by_name(config: dict[str, Any], engine: str, server: int) -> dict[str, Any]:
    """Workers are where the name `engine` says that they are, all at one port."""
    resolver = {
        "@type": f"type.googleapis.com/{RESOLVER}",
        "resolvers": [address_of(f"127.0.0.1:{server}")],
    }
    (cluster,) = (
        one for one in config["static_resources"]["clusters"] if one["name"] == "engine"
    )
    address = address_of(f"engine:{engine.rpartition(':')[2]}")
    endpoints = [{"lb_endpoints": [{"endpoint": {"address": address}}]}]
    cluster["load_assignment"]["endpoints"] = endpoints
    cluster["dns_refresh_rate"] = "1s"
    cares = {"name": "envoy.network.dns_resolver.cares", "typed_config": resolver}
    return config | {"typed_dns_resolver_config": cares}


@asynccontextmanager
async def more_workers(town: Town, keys: Path) -> AsyncIterator[Sequence[Process]]:
    """Where the new addresses are, at the port of the first."""
    port = town.engines[0].address.rpartition(":")[2]
    workers = [
        Process(
            f"engine-at-{host}",
            "services.engine",
            town.folder,
            Way(f"{host}:{port}", f"{host}:{port}"),
            ANPAI_REDIS_URL=town.store.url,
            ANPAI_KEYS=keys,
            ANPAI_VAULT=town.vault.address,
            ANPAI_LEASE_MS=LEASE_MS,
        )
        for host in NEW
    ]
    try:
        await asyncio.gather(*(one.start() for one in workers))
        yield workers
    finally:
        for one in workers:
            one.kill()


async def test_t49_new_workers_are_found_and_have_their_share(
    own_store, keys_folder: Path, tmp_path: Path
):
    async with (
        a_name_server() as (names, server),
        a_town(own_store, keys_folder, tmp_path, workers=1, edged=True) as town,
    ):
        names.addresses = ["127.0.0.1"]
        edge = Edge(town.edge, tmp_path)
        config = by_name(edge.config(behind(town)), town.engines[0].address, server)
        async with running(edge, config):
            seating = Begun(edge.address, tmp_path, PAUSE, edge.trust)
            bots = [bot for _ in range(4) for bot in await town.open_table(2)]
            playing = [asyncio.create_task(seating.play(bot)) for bot in bots]
            await seating.have_accepted(8)
            async with more_workers(town, keys_folder) as workers:
                names.addresses += NEW
                await asyncio.wait_for(known(edge, 1 + len(NEW)), 60)
                shares = await shares_of(town, edge, [*town.engines, *workers])
                played = await asyncio.gather(*playing)
            games = await games_of(edge.address, played, edge.trust)

    assert_nothing_is_lost(games)
    assert sum(shares) >= CALLS
    assert min(shares) > CALLS / 10


async def known(edge: Edge, number: int) -> None:
    """Once the edge knows so many workers."""
    while True:
        if (await edge.stats())["cluster.engine.membership_healthy"] == number:
            return
        await asyncio.sleep(0.1)


async def shares_of(town: Town, edge: Edge, workers: Sequence[Process]) -> list[float]:
    """How many calls about so many tables each worker was sent. There are none of
    these tables, so that nobody passes anything on."""
    token = ("authorization", f"Bearer {town.token('bot-asker')}")
    async with grpc.aio.secure_channel(edge.address, edge.trust) as channel:
        stub = rpc.EngineServiceStub(channel)
        for _ in range(CALLS):
            table = f"t-{secrets.token_hex(8)}"
            request = pb.GetViewRequest(table_id=table)
            call = stub.GetView(request, metadata=[token, *about(table)], timeout=20)
            assert await call.code() is grpc.StatusCode.NOT_FOUND
    return [await answered(worker, VIEW) for worker in workers]


async def answered(worker: Process, method: str) -> float:
    families = text_string_to_metric_families(await worker.metrics())
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "anpai_calls_total" and sample.labels["method"] == method
    )


# ---- without an edge between -------------------------------------------------------


async def test_t49_matchmaking_and_bots_call_all_that_a_name_stands_for_in_turn(
    own_store, keys_folder: Path, tmp_path: Path
):
    async with (
        a_name_server() as (names, server),
        a_town(own_store, keys_folder, tmp_path, workers=1) as town,
        more_workers(town, keys_folder) as others,
    ):
        workers, tables = [*town.engines, *others], 8
        names.addresses = [HOST, *NEW]
        port = workers[0].address.rpartition(":")[2]
        town.matchmaking.kill()
        async with by_their_name(
            town, keys_folder, f"dns://{HOST}:{server}/engine:{port}"
        ):
            await against_bots(town, tables)
            opened = [await answered(one, OPEN) for one in workers]
            taken = [await answered(one, TAKE) for one in workers]

    assert sum(opened) == tables
    assert min(opened) > 0
    assert min(taken) > 0


@asynccontextmanager
async def by_their_name(town: Town, keys: Path, engines: str) -> AsyncIterator[None]:
    """Matchmaking and bots who know the workers by nothing else."""
    told: dict[str, Any] = {
        "ANPAI_KEYS": keys,
        "ANPAI_ENGINES": engines,
        "ANPAI_REDIS_URL": town.store.url,
        "ANPAI_SERVER": town.server,
    }
    way = Way(town.server, town.server)
    parts = (
        Process("named-matchmaking", "services.matchmaking", town.folder, way, **told),
        Process("named-bots", "clients.bots.host", town.folder, **told),
    )
    try:
        for one in parts:
            await one.start()
        yield
    finally:
        for one in parts:
            one.kill()


async def against_bots(town: Town, tables: int) -> None:
    """So many tables at each of which somebody sits with a bot."""
    async with anpai.connect(town.server) as house:
        for number in range(tables):
            player = house.as_player(None)
            await player.sign_in(f"Guest {number}", bot=True)
            seat = await (await player.enter(GAME, seats=2, bots=1)).seat()
            async with player.sit(seat) as table, asyncio.timeout(FOUND_WITHIN):
                while not all(one.taken for one in table.view.seats):
                    await anext(table)


class Telling(grpc.GenericRpcHandler):
    """Says where it is."""

    def __init__(self, host: str) -> None:
        self._host = host.encode()

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        return grpc.unary_unary_rpc_method_handler(self._tell)

    async def _tell(self, request: bytes, context: Any) -> bytes:
        return self._host


class Where:
    """The stub of whoever tells it."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.ask: Any = channel.unary_unary("/anpai.Test/Where")


@pytest.mark.parametrize("kind", ["a service's", "a client's"])
async def test_t49_who_comes_to_a_name_later_is_called_as_well(kind, monkeypatch):
    """Though nothing breaks: gRPC alone would never look again."""
    monkeypatch.setattr(client, "NAME_SECONDS", 0.2)
    monkeypatch.setattr(client, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(wire, "NAME_SECONDS", 0.2)
    port = free_port()
    async with (
        telling(HOST, port),
        telling(NEW[0], port),
        a_name_server() as (names, server),
    ):
        names.addresses = [HOST]
        caller, call = callers(f"dns://{HOST}:{server}/engine:{port}")[kind]
        assert {await call() for _ in range(4)} == {HOST.encode()}

        names.addresses.append(NEW[0])
        async with asyncio.timeout(FOUND_WITHIN):
            while await call() != NEW[0].encode():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await caller.close()


def callers(address: str) -> dict[str, Any]:
    """Whoever calls, and how: with a stub for each call."""
    service, ours = Peer(address, in_turn=True), Channels(None)
    return {
        "a service's": (service, lambda: service.stub(Where).ask(b"")),
        "a client's": (ours, lambda: ours.stub(Where, address).ask(b"")),
    }


@asynccontextmanager
async def telling(host: str, port: int) -> AsyncIterator[None]:
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([Telling(host)])
    server.add_insecure_port(f"{host}:{port}")
    await server.start()
    try:
        yield
    finally:
        await server.stop(0)
