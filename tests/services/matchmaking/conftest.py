"""Matchmaking on a real socket and store, with an engine that does as it is told."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from services.chassis.config import EngineConfig, MatchmakingConfig
from services.chassis.keys import Keys, load_keys, make_keys
from services.chassis.server import Running, start
from services.chassis.stores import Store, open_store
from services.chassis.telemetry import fresh_metrics
from services.matchmaking.binding import bind
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings
from tests.services.matchmaking.engine import Engine, Tables
from tests.services.matchmaking.players import House

QUICK = replace(
    TIMINGS, lease=1200, opening=800, attempt=300, rest=50, tick=50, lead=200, measure=0
)


# So long an engine takes to open a table where something is done meanwhile.
SLOWLY = 1.5


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def keys(keys_folder: Path) -> Keys:
    return load_keys(keys_folder, "matchmaking")


@pytest.fixture
async def store(valkey: str) -> AsyncIterator[Store]:
    store = await open_store(valkey, fresh_metrics())
    yield store
    await store.close()


@pytest.fixture
def timings() -> Timings:
    """Quicker than in earnest; a test that needs it otherwise overrides this."""
    return QUICK


@pytest.fixture
def slow() -> Timings:
    """Engines may take their time."""
    return replace(QUICK, lease=20_000, opening=15_000, attempt=10_000)


@pytest.fixture
def limits() -> Limits:
    return LIMITS


@pytest.fixture
async def tables() -> Tables:
    return Tables()


@pytest.fixture
async def engines(
    valkey: str, keys_folder: Path, tables: Tables
) -> AsyncIterator[list[Engine]]:
    """Two workers."""
    engines, running = [Engine(tables), Engine(tables)], []
    for engine in engines:
        config = EngineConfig(
            listen="127.0.0.1:0",
            metrics_listen="127.0.0.1:0",
            redis_url=valkey,
            keys=keys_folder,
            vault="127.0.0.1:1",
        )
        running.append(await start("engine", config, engine.bind))
    yield engines
    for service in running:
        await service.stop()


@pytest.fixture
def config(valkey: str, keys_folder: Path, engines: list[Engine]) -> MatchmakingConfig:
    return MatchmakingConfig(
        listen="127.0.0.1:0",
        metrics_listen="127.0.0.1:0",
        redis_url=valkey,
        keys=keys_folder,
        engines=tuple(engine.address for engine in engines),
        audit="audit:1",
    )


StartMatchmaking = Callable[..., Awaitable[Running]]


@pytest.fixture
async def begin(
    config: MatchmakingConfig, timings: Timings, limits: Limits
) -> AsyncIterator[StartMatchmaking]:
    """Starts a server of matchmaking, as many as the test wants."""
    running: list[Running] = []

    async def begin(**changed: Any) -> Running:
        bound = partial(bind, timings=timings, limits=limits)
        told = replace(config, **changed)
        running.append(await start("matchmaking", told, bound))
        return running[-1]

    yield begin
    for service in running:
        if service.is_serving:
            await service.stop()


@pytest.fixture
async def running(begin: StartMatchmaking) -> Running:
    return await begin()


@pytest.fixture
async def house(running: Running, keys_folder: Path) -> AsyncIterator[House]:
    house = House(running.address, keys_folder)
    yield house
    await house.close()
