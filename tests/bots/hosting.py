"""A bot host inside the test's own process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anpai
from clients.bots.host import Config, Host


@asynccontextmanager
async def a_bot_host(
    address: str, keys: Path, capacity: int = 20
) -> AsyncIterator[Host]:
    """It serves until the test is done."""
    async with anpai.connect(address) as house:
        host = Host(Config(address, keys, capacity), house)
        running = asyncio.create_task(host.run())
        try:
            yield host
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
