"""Nobody is thrown out for pinging: the keepalives of client, edge and server fit.

Small, all of it runs sixty times as fast as in earnest: every interval is divided by
it, so that their proportions, which are what matters, stay as they are deployed.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from anpai.wire import OPTIONS
from services.chassis.client import SERVER_OPTIONS
from services.engine.watching import HEARTBEAT_SECONDS
from tests.evenings.edge import Edge, running
from tests.ports import HOST, free_port
from tests.scale import scale

HOUR = 3600.0
SPEED = 1.0 if scale() >= 1 else 60.0
IDLE = HOUR if scale() >= 1 else 10.0
QUIET = "/anpai.engine.v1.EngineService/Quiet"
TIMES = ("grpc.keepalive_time_ms", "grpc.http2.min_ping_interval_without_data_ms")

pytestmark = pytest.mark.timeout(IDLE + 110)


@pytest.mark.parametrize("beats", [True, False], ids=["heartbeats", "silence"])
async def test_t48_an_idle_stream_through_the_edge_stays_for_an_hour(
    tmp_path: Path, beats: bool
):
    """With heartbeats, as at a table where nobody plays; and without a word, which is
    harder on whoever pings, but only where the edge has the patience."""
    async with idling(tmp_path, SPEED, beats=beats) as edge:
        await asyncio.sleep(IDLE)
        stats = await edge.stats()

        assert stats["cluster.engine.upstream_rq_active"] == 1
        assert stats["cluster.engine.upstream_cx_total"] == 1
        assert stats["cluster.engine.upstream_cx_close_notify"] == 0
        assert stats["http.players.downstream_rq_rx_reset"] == 0


async def test_a_stream_that_falls_silent_is_cut_off(tmp_path: Path):
    """So heartbeats are what keeps it."""
    async with idling(tmp_path, speed=60.0, beats=True, beat=HOUR) as edge:
        await asyncio.wait_for(nobody_is_served(edge), 60)


async def nobody_is_served(edge: Edge) -> None:
    while True:
        if not (await edge.stats())["cluster.engine.upstream_rq_active"]:
            return
        await asyncio.sleep(0.1)


async def test_t48_an_edge_that_pings_too_often_would_be_thrown_out(tmp_path: Path):
    """So the test above would tell."""
    async with idling(tmp_path, speed=20.0, haste=30.0) as edge:
        await asyncio.wait_for(thrown_out(edge), 60)


async def thrown_out(edge: Edge) -> None:
    """Once a server has told the edge to go away."""
    while True:
        if (await edge.stats())["cluster.engine.upstream_cx_close_notify"]:
            return
        await asyncio.sleep(0.1)


@asynccontextmanager
async def idling(
    folder: Path,
    speed: float,
    haste: float = 1.0,
    beats: bool = False,
    beat: float = HEARTBEAT_SECONDS,
) -> AsyncIterator[Edge]:
    """A stream on which nothing is said but heartbeats, from the SDK's channel through
    the edge to a server of ours; the edge pings in more `haste` than it is told. If
    nothing `beats`, the edge bears with it."""
    server = grpc.aio.server(options=faster(SERVER_OPTIONS, speed))
    server.add_generic_rpc_handlers([Quiet(beat / speed if beats else HOUR)])
    address = f"{HOST}:{server.add_insecure_port(f'{HOST}:0')}"
    edge = Edge(f"{HOST}:{free_port()}", folder)
    config = edge.config({"engine": [address]})
    for keepalive in keepalives(config):
        seconds = float(keepalive["interval"].removesuffix("s"))
        keepalive["interval"] = f"{seconds / speed / haste:.3f}s"
    manager = manager_of(config)
    silence = float(manager["stream_idle_timeout"].removesuffix("s"))
    manager["stream_idle_timeout"] = f"{silence / speed:.3f}s" if beats else "0s"
    await server.start()
    try:
        async with running(edge, config), a_stream(edge, speed):
            yield edge
    finally:
        await server.stop(0)


@asynccontextmanager
async def a_stream(edge: Edge, speed: float) -> AsyncIterator[None]:
    options = faster(OPTIONS, speed)
    async with grpc.aio.secure_channel(edge.address, edge.trust, options) as channel:
        method: Any = channel.unary_stream(QUIET)
        call = method(b"", wait_for_ready=True)
        assert await call.read() == b"it is quiet now"
        try:
            yield
        finally:
            call.cancel()


def faster(options: list[tuple[str, Any]], speed: float) -> list[tuple[str, Any]]:
    return [
        (name, round(value / speed) if name in TIMES else value)
        for name, value in options
    ]


def keepalives(config: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Wherever the edge is told when to ping: players, and the engine's workers."""
    yield manager_of(config)["http2_protocol_options"]["connection_keepalive"]
    clusters = config["static_resources"]["clusters"]
    (engine,) = (one for one in clusters if one["name"] == "engine")
    (http,) = engine["typed_extension_protocol_options"].values()
    explicit = http["explicit_http_config"]
    yield explicit["http2_protocol_options"]["connection_keepalive"]


def manager_of(config: dict[str, Any]) -> dict[str, Any]:
    """What the edge does with players' connections."""
    (chain,) = config["static_resources"]["listeners"][0]["filter_chains"]
    (manager,) = chain["filters"]
    told: dict[str, Any] = manager["typed_config"]
    return told


class Quiet(grpc.GenericRpcHandler):
    """Says one thing, and then only that it is still there."""

    def __init__(self, beat: float) -> None:
        self._beat = beat

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        if details.method == QUIET:
            return grpc.unary_stream_rpc_method_handler(self.call)
        return None

    async def call(self, request: bytes, context: Any) -> AsyncIterator[bytes]:
        yield b"it is quiet now"
        while True:
            await asyncio.sleep(self._beat)
            yield b"still here"
