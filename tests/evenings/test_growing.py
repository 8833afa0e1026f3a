"""New workers are found by their name, while all play, and have their share at once."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from prometheus_client.parser import text_string_to_metric_families

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.wire import about
from tests.evenings.begun import Begun
from tests.evenings.edge import Edge, address_of, behind, running
from tests.evenings.names import a_name_server
from tests.evenings.players import assert_nothing_is_lost, games_of
from tests.evenings.processes import Process, Way
from tests.evenings.town import LEASE_MS, Town, a_town

VIEW = "/anpai.engine.v1.EngineService/GetView"
NEW = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
CALLS = 400
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
    return [await answered(worker) for worker in workers]


async def answered(worker: Process) -> float:
    families = text_string_to_metric_families(await worker.metrics())
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "anpai_calls_total" and sample.labels["method"] == VIEW
    )
