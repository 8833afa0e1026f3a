"""A town for an evening: real processes, a store of its own with its file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.evenings.town import Town, a_town
from tests.stores import StoreProcess


@pytest.fixture
async def town(
    own_store: StoreProcess, keys_folder: Path, tmp_path: Path
) -> AsyncIterator[Town]:
    """Vault, two engine workers, matchmaking."""
    async with a_town(own_store, keys_folder, tmp_path) as town:
        yield town
