"""`anpai watch`: the public's place at a table."""

import asyncio

from rich.console import Console

from clients.terminal.commands.play import reader_for
from clients.terminal.finding import Where
from clients.terminal.players import house_of
from clients.terminal.sitting import Sitting
from clients.terminal.words import Words


def watch(table_id: str, where: Where, words: Words, out: Console) -> None:
    """Until the outcome."""
    asyncio.run(follow(table_id, where, words, out))


async def follow(table_id: str, where: Where, words: Words, out: Console) -> None:
    async with house_of(where) as house, house.watch(table_id) as table:
        view = table.view
        if view.spectators_behind:
            told = words("watch.delayed", number=view.spectators_behind)
            out.print(told, soft_wrap=True)
        reader = await reader_for(house, view.game, view.variant, words)
        await Sitting(table, reader, out).run(listens=False)
