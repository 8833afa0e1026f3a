"""A bot host inside the test's own process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anpai
from clients.bots.config import Config
from clients.bots.host import Host


@asynccontextmanager
async def a_bot_host(address: str, keys: Path, **more: Any) -> AsyncIterator[Host]:
    """It serves until the test is done."""
    async with anpai.connect(address) as house:
        host = Host(Config(address, keys, **more), house)
        running = asyncio.create_task(host.run())
        try:
            yield host
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
