"""`anpai export`: the disclosure of a finished game as a file."""

import asyncio
from pathlib import Path

import anpai
from clients.terminal.finding import Where
from clients.terminal.say import Trouble


def export(table_id: str, file: Path | None, where: Where) -> Path:
    """Where it was written; AnpaiCallError while the game goes on."""
    told = export_bytes(table_id, where)
    path = file or Path(f"{table_id}.json")
    try:
        path.write_bytes(told)
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}.") from None
    return path


def export_bytes(table_id: str, where: Where) -> bytes:
    return asyncio.run(disclosure(table_id, where))


async def disclosure(table_id: str, where: Where) -> bytes:
    async with anpai.connect(where.server) as house:
        return await house.disclosure(table_id)
