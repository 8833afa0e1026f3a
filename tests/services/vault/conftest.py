"""A vault on a real socket and a real store, and a worker that calls it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.chassis.config import VaultConfig
from services.chassis.keys import load_keys, make_keys
from services.chassis.server import Running, start
from services.chassis.tokens import Credential
from services.vault.service import bind
from tests.services.vault.worker import Worker

MASTER_KEY = b"m" * 32


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def config(valkey: str, keys_folder: Path) -> VaultConfig:
    return VaultConfig(
        listen="127.0.0.1:0",
        metrics_listen="127.0.0.1:0",
        redis_url=valkey,
        keys=keys_folder,
        master_key=MASTER_KEY,
    )


@pytest.fixture
async def running(config: VaultConfig) -> AsyncIterator[Running]:
    service = await start("vault", config, bind)
    yield service
    await service.stop()


@pytest.fixture
def credential(keys_folder: Path) -> Credential:
    return Credential(load_keys(keys_folder, "engine"), "vault")


@pytest.fixture
async def worker(running: Running, credential: Credential) -> AsyncIterator[Worker]:
    """The worker that opened table "t" and has taken it over with epoch 1."""
    async with Worker(running.address, credential) as worker:
        await worker.open("t")
        await worker.take_over(1, worker.commitment)
        yield worker


@pytest.fixture
async def rival(running: Running, credential: Credential) -> AsyncIterator[Worker]:
    """Another worker, which has not taken the table over yet."""
    async with Worker(running.address, credential, token="rival") as rival:
        await rival.open("t")
        yield rival
