"""What every test may ask for."""

from collections.abc import Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).parent

# From the quick and telling to the slow and whole; what is not named comes last.
ORDER = ["contract", "rules", "laws", "transcripts", "services", "evenings"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: rank(item.path.relative_to(HERE).parts))


def rank(path: Sequence[str]) -> int:
    return ORDER.index(path[0]) if path[0] in ORDER else len(ORDER)
