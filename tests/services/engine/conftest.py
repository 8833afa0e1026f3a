"""Engine workers on real sockets, a real store and the real vault."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from services.chassis.config import EngineConfig, VaultConfig
from services.chassis.keys import Keys, load_keys, make_keys
from services.chassis.server import Running, start
from services.chassis.tokens import Credential
from services.engine.service import bind as bind_engine
from services.vault.service import bind as bind_vault
from tests.services.engine.playing import Player
from tests.services.engine.processes import WorkerProcess

SOCKET = "127.0.0.1:0"
# No machine stands still for so long that a worker here would let its tables go.
LEASE_MS = 20_000
SHORT_LEASE_MS = 1000  # for those who die: others wait for the end of it
# These players come and go as fast as they can; limits are tried where they are made.
UNLIMITED = {"player_rate": 0, "address_rate": 0}


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def matchmaking(keys_folder: Path) -> Keys:
    return load_keys(keys_folder, "matchmaking")


@pytest.fixture
async def vault(valkey: str, keys_folder: Path) -> AsyncIterator[Running]:
    config = VaultConfig(
        listen=SOCKET,
        metrics_listen=SOCKET,
        redis_url=valkey,
        keys=keys_folder,
        master_key=b"m" * 32,
    )
    service = await start("vault", config, bind_vault)
    yield service
    await service.stop()


@pytest.fixture
def engine_settings() -> dict[str, Any]:
    """What a module's workers are told besides."""
    return {}


@pytest.fixture
def lease_ms() -> int:
    """Of the workers in this process."""
    return LEASE_MS


@pytest.fixture
async def worker(
    vault: Running,
    valkey: str,
    keys_folder: Path,
    engine_settings: dict[str, Any],
    lease_ms: int,
) -> AsyncIterator[Callable[[], Awaitable[Running]]]:
    """Starts an engine worker, and one more each time it is called."""
    config = EngineConfig(
        listen=SOCKET,
        metrics_listen=SOCKET,
        redis_url=valkey,
        keys=keys_folder,
        vault=vault.address,
        lease_ms=lease_ms,
        **UNLIMITED | engine_settings,
    )
    async with AsyncExitStack() as stack:

        async def one_more() -> Running:
            service = await start("engine", config, bind_engine)
            stack.push_async_callback(service.stop)
            return service

        yield one_more


@pytest.fixture
async def engine(worker: Callable[[], Awaitable[Running]]) -> Running:
    return await worker()


@pytest.fixture
def process(
    vault: Running, valkey: str, keys_folder: Path
) -> Iterator[Callable[[], WorkerProcess]]:
    """Starts a worker in a process of its own."""
    started = []

    def start() -> WorkerProcess:
        worker = WorkerProcess(valkey, vault.address, keys_folder, SHORT_LEASE_MS)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.clean_up()


@pytest.fixture
async def player(
    engine: Running, matchmaking: Keys
) -> AsyncIterator[Callable[..., Player]]:
    """Somebody at the engine's door, or at another worker's."""
    async with AsyncExitStack() as stack:

        def somebody(
            name: str, address: str = engine.address, window: int | None = None
        ) -> Player:
            player = Player(name, address, matchmaking, window)
            stack.push_async_callback(player.channel.close)
            return player

        yield somebody


Open = Callable[..., Awaitable[str]]


@pytest.fixture
async def opened(engine: Running, matchmaking: Keys) -> AsyncIterator[Open]:
    """Opens a table for these players, as matchmaking does; gives its id."""
    credential = Credential(matchmaking, "engine")
    async with grpc.aio.insecure_channel(engine.address) as channel:
        stub = internal_rpc.EngineInternalServiceStub(channel)

        async def a_table(
            *players: str,
            game: str = "skirmish",
            variant: str = "",
            timed: bool = False,
            rated: bool = False,
            request: str = "",
            bots: Sequence[str] = (),
            **more: Any,
        ) -> str:
            wanted = internal.OpenTableRequest(
                request_id=request or uuid.uuid4().hex,
                game=game,
                variant=variant,
                seats=[
                    internal.Assigned(player_id=p, name=p.title(), bot=p in bots)
                    for p in players
                ],
                timed=timed,
                rated=rated,
                **more,
            )
            reply = await stub.OpenTable(wanted, metadata=credential.metadata())
            return reply.table_id

        yield a_table
