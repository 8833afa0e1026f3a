"""A town for an evening: real processes, a store of its own with its file."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.evenings.town import Town, a_town
from tests.evenings.watched import Watched, watched_evening
from tests.stores import StoreProcess

# Envoy's wheel is for Linux alone.
with_envoy = [
    *("test_edge.py", "test_edge_tls.py", "test_growing.py"),
    *("test_javascript.py", "test_keepalive.py"),
]
collect_ignore = [] if sys.platform.startswith("linux") else with_envoy


@pytest.fixture
async def town(
    own_store: StoreProcess, keys_folder: Path, tmp_path: Path
) -> AsyncIterator[Town]:
    """Vault, two engine workers, matchmaking."""
    async with a_town(own_store, keys_folder, tmp_path) as town:
        yield town


@pytest.fixture(scope="session")
def watched(keys_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """An evening with everything that operators look at."""
    return asyncio.run(watched_evening(keys_folder, tmp_path_factory.mktemp("watched")))
