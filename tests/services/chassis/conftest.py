"""An echo service on a real socket, with keys of its own."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.chassis.config import ServiceConfig
from services.chassis.server import Running, start
from services.chassis.tokens import Keys, load_keys, make_keys
from tests.services.chassis.echo import Echo, EchoStub, bind_echo


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def keys(keys_folder: Path) -> dict[str, Keys]:
    return {name: load_keys(keys_folder, name) for name in ("matchmaking", "engine")}


@pytest.fixture
def config(valkey: str, keys_folder: Path) -> ServiceConfig:
    return ServiceConfig(
        listen="127.0.0.1:0",
        metrics_listen="127.0.0.1:0",
        redis_url=valkey,
        keys=keys_folder,
    )


@pytest.fixture
async def echo() -> Echo:
    return Echo()


@pytest.fixture
async def running(config: ServiceConfig, echo: Echo) -> AsyncIterator[Running]:
    service = await start("engine", config, bind_echo(echo))
    yield service
    await service.stop()


@pytest.fixture
async def stub(running: Running) -> AsyncIterator[EchoStub]:
    stub = EchoStub(running.address)
    yield stub
    await stub.channel.close()


def reason(error: Any) -> str:
    from services.chassis.client import refusal_of

    return getattr(refusal_of(error.value), "reason", "")
