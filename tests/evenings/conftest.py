"""A town for an evening: real processes, a store of its own with its file."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.evenings.town import Town, a_town
from tests.stores import StoreProcess

# Envoy's wheel is for Linux alone.
collect_ignore = [] if sys.platform.startswith("linux") else ["test_edge.py"]


@pytest.fixture
async def town(
    own_store: StoreProcess, keys_folder: Path, tmp_path: Path
) -> AsyncIterator[Town]:
    """Vault, two engine workers, matchmaking."""
    async with a_town(own_store, keys_folder, tmp_path) as town:
        yield town
