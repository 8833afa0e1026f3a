"""An echo service on a real socket, with keys of its own."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import structlog

from services.chassis.config import ServiceConfig
from services.chassis.keys import SERVICES, Keys, load_keys, make_keys
from services.chassis.server import Running, start
from services.chassis.telemetry import set_up_logs
from tests.services.chassis.echo import Echo, EchoStub, bind_echo


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[str]]]:
    """Log as a service does; call it for the lines so far."""
    handlers = logging.root.handlers[:]
    set_up_logs("json", "info")
    yield lambda: capsys.readouterr().err.splitlines()
    logging.root.handlers[:] = handlers
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def keys(keys_folder: Path) -> dict[str, Keys]:
    return {name: load_keys(keys_folder, name) for name in SERVICES}


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
