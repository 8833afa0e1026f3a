"""What every test may ask for."""

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
import redis
from hypothesis import settings

from services.__main__ import House
from services.__main__ import house as a_house
from services.chassis.keys import make_keys
from tests.stores import StoreProcess, a_store, kinds

HERE = Path(__file__).parent

# No example has to be done in a time: the machine may be busy with other tests.
settings.register_profile("patient", settings.default, deadline=None)
settings.load_profile("patient")

# From the quick and telling to the slow and whole; what is not named comes last.
ORDER = [
    *("contract", "deploy", "rules", "laws", "transcripts", "services"),
    *("sdk", "bots", "terminal", "bench", "loadtest", "evenings"),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: rank(item.path.relative_to(HERE).parts))


def rank(path: Sequence[str]) -> int:
    return ORDER.index(path[0]) if path[0] in ORDER else len(ORDER)


@pytest.fixture(scope="session", params=sorted(kinds(), reverse=True))
def store_process(request: pytest.FixtureRequest) -> Iterator[StoreProcess]:
    """One store for the whole run, of each kind this machine has. Its path is short
    because a unix socket's must be."""
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        a_store(kinds()[request.param], Path(folder)) as process,
    ):
        yield process


@pytest.fixture
def valkey(store_process: StoreProcess) -> str:
    """The URL of a real, empty store, AOF on."""
    with redis.Redis.from_url(store_process.url) as client:
        client.flushall()
    return store_process.url


@pytest.fixture
def own_store() -> Iterator[StoreProcess]:
    """A store of the test's own, to kill and restart."""
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        a_store(kinds()["valkey"], Path(folder)) as process,
    ):
        yield process


@pytest.fixture(scope="session")
def keys_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everybody's keys."""
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
async def house(valkey: str, keys_folder: Path) -> AsyncIterator[House]:
    """Vault, two engine workers and matchmaking, on real sockets and a real store."""
    async with a_house(valkey, keys_folder, b"m" * 32) as house:
        yield house
