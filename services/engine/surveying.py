"""Looking at all tables of a worker, without keeping those that are played waiting."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 50  # a millisecond or two


async def each_in_turn(tables: Sequence[T], look: Callable[[T], None]) -> None:
    """Look at each; whatever else is due comes in between."""
    for at in range(0, len(tables), AT_ONCE):
        for table in tables[at : at + AT_ONCE]:
            look(table)
        await asyncio.sleep(0)
