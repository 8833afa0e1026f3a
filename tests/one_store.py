"""For tests to which one kind of store is as good as any: import `store_process`."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores import StoreProcess, a_store, kinds

__all__ = ["store_process"]


@pytest.fixture(scope="module")
def store_process() -> Iterator[StoreProcess]:
    """One for the module. Its path is short because a unix socket's must be."""
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        a_store(kinds()["valkey"], Path(folder)) as process,
    ):
        yield process
