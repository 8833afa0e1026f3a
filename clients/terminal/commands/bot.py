"""`anpai bot`: tables of bots, for whoever wants to see the load or the latency."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console

from anpai import connect
from clients.bots.evening import Evening, Summary
from clients.bots.strategies import STRATEGIES
from clients.terminal.bringing import legal
from clients.terminal.choosing import game_among, seats_at, variant_among
from clients.terminal.commands.deck import Entry
from clients.terminal.say import Trouble, tell
from clients.terminal.words import Words


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    game: str
    variant: str
    seats: int | None
    tables: int
    strategy: str
    think: float
    decks: Sequence[Entry] = ()


def evening(server: str, wanted: Wanted, words: Words) -> Summary:
    """Play all tables to the end."""
    if wanted.strategy not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        told = words("bot.no_strategy", strategy=wanted.strategy, strategies=known)
        raise Trouble(told)
    return asyncio.run(play(server, wanted, words))


async def play(server: str, wanted: Wanted, words: Words) -> Summary:
    async with connect(server) as house:
        game = game_among(await house.games(), wanted.game, words)
        variant = variant_among(game, wanted.variant, words)
        table = Evening(
            house,
            game.name,
            variant=variant.name,
            seats=seats_at(variant.name, variant.seats, wanted.seats, words),
            tables=wanted.tables,
            strategy=wanted.strategy,
            think=wanted.think,
            decks=await legal(house, game, variant, wanted.decks, words),
        )
        return await table.play()


def print_summary(summary: Summary, words: Words, out: Console) -> None:
    told = summary.as_json()
    tell(out, words("bot.tables", **told))
    tell(out, words("bot.speed", **told, **told["latency_ms"]))
    for reason, count in summary.errors.items():
        tell(out, words("bot.error", reason=reason, count=count))
