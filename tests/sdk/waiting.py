"""Waiting for what a test cannot await."""

import asyncio
from collections.abc import Callable


async def until(holds: Callable[[], bool]) -> None:
    """Until it holds, for half a minute at most."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
