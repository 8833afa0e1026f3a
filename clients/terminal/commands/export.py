"""`anpai export`: the disclosure of a finished game as a file."""

import asyncio
from pathlib import Path

import anpai
from clients.terminal.finding import Where


def export(table_id: str, file: Path | None, where: Where) -> Path:
    """Where it was written; Trouble while the game goes on."""
    told = asyncio.run(disclosure(table_id, where))
    path = file or Path(f"{table_id}.json")
    path.write_bytes(told)
    return path


async def disclosure(table_id: str, where: Where) -> bytes:
    async with anpai.connect(where.server) as house:
        return await house.disclosure(table_id)
