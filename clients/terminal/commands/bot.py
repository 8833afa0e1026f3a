"""`anpai bot`: tables of bots, for whoever wants to see the load or the latency."""

import asyncio

from rich.console import Console

from anpai import connect
from clients.bots.evening import Evening, Summary
from clients.bots.strategies import STRATEGIES
from clients.terminal.say import Trouble, tell
from clients.terminal.words import Words


def evening(
    server: str, game: str, seats: int, tables: int, strategy: str, think: float
) -> Summary:
    """Play all tables to the end."""
    if strategy not in STRATEGIES:
        names = ", ".join(STRATEGIES)
        raise Trouble(f"There is no strategy {strategy}. There is: {names}.")

    async def play() -> Summary:
        async with connect(server) as house:
            table = Evening(
                house,
                game,
                seats=seats,
                tables=tables,
                strategy=strategy,
                think=think,
            )
            return await table.play()

    return asyncio.run(play())


def print_summary(summary: Summary, words: Words, out: Console) -> None:
    told = summary.as_json()
    tell(out, words("bot.tables", **told))
    tell(out, words("bot.speed", **told, **told["latency_ms"]))
    for reason, count in summary.errors.items():
        tell(out, words("bot.error", reason=reason, count=count))
