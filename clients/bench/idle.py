"""What open tables cost that nobody plays at, and how fast they are there again."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from time import monotonic
from typing import Any

from clients.bench.cost import read
from clients.bench.leavers import Plan
from clients.bench.stage import (
    Crowds,
    Say,
    Stack,
    crowds,
    fresh_stack,
    shares,
    stack_in,
)
from clients.bench.stages import numbers_at
from clients.bots.evening import percentile
from clients.terminal.stack.folder import StackError

OPENED_EVERY_SECOND = 5  # at the least: slower, and something is wrong
STARTING_SECONDS = 60.0
EVICTION_SECONDS = 180.0
SETTLING_SECONDS = 20.0  # until what they had is given back


@dataclass(frozen=True, slots=True)
class Wanted:
    """`tables` tables, each left after some `answers`; `returns` of them are then
    returned to, `rate` a second."""

    game: str
    variant: str
    seats: int
    tables: int
    answers: int
    returns: int
    rate: float
    clients: int
    seed: int = 1


class Sizes:
    """The engine's memory: at first, at most, and at last."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.first = self.most = self.last = read(pid).memory_mb

    def look(self) -> None:
        self.last = read(self._pid).memory_mb
        self.most = max(self.most, self.last)


def idle(wanted: Wanted, say: Say) -> dict[str, Any]:
    say("bench.starting")
    with fresh_stack(workers=1) as folder:
        return asyncio.run(left_and_returned_to(stack_in(folder), wanted, say))


async def left_and_returned_to(
    stack: Stack, wanted: Wanted, say: Say
) -> dict[str, Any]:
    sizes = Sizes(stack.pids["engine-1"])
    async with crowds("clients.bench.leavers", plans(stack, wanted)) as players:
        say("bench.leaving", tables=wanted.tables)
        opening = await left(players, sizes, wanted)
        say("bench.evicting")
        evicting = await evicted(players, stack, sizes)
        say("bench.returning", tables=wanted.returns)
        returned = await returned_to(players, wanted)
    return figures(wanted, sizes, opening, evicting, returned)


def plans(stack: Stack, wanted: Wanted) -> list[str]:
    return [
        Plan(
            *(stack.server, stack.engines, str(stack.keys)),
            *(wanted.game, wanted.variant, wanted.seats),
            *(tables, wanted.answers, wanted.seed + number),
        ).as_text()
        for number, tables in enumerate(shares(wanted.tables, wanted.clients))
    ]


async def left(players: Crowds, sizes: Sizes, wanted: Wanted) -> float:
    """Seconds until all tables have been opened, played a little at, and left."""

    def is_so() -> bool:
        sizes.look()
        return players.count("left") >= wanted.tables

    began = monotonic()
    if not await players.until(
        is_so, STARTING_SECONDS + wanted.tables / OPENED_EVERY_SECOND
    ):
        told = players.count("left")
        raise StackError(f"Only {told} of {wanted.tables} tables came so far.")
    return monotonic() - began


async def evicted(players: Crowds, stack: Stack, sizes: Sizes) -> float:
    """Seconds until the engine has none of them in memory."""

    def is_so() -> bool:
        sizes.look()
        return live_tables(stack) == 0

    began = monotonic()
    if not await players.until(is_so, EVICTION_SECONDS):
        raise StackError(f"{live_tables(stack)} idle tables are still in memory.")
    took = monotonic() - began
    await asyncio.sleep(SETTLING_SECONDS)
    sizes.look()
    return took


def live_tables(stack: Stack) -> int:
    """As the engine tells operators."""
    return round(numbers_at(stack.metrics["engine-1"]).total("anpai_live_tables"))


async def returned_to(players: Crowds, wanted: Wanted) -> list[dict[str, Any]]:
    wanted_of_each = shares(wanted.returns, players.size)
    rate = wanted.rate / len(wanted_of_each)
    players.tell_each([f"return {tables} {rate}" for tables in wanted_of_each])
    return await players.results()


def figures(
    wanted: Wanted,
    sizes: Sizes,
    opening: float,
    evicting: float,
    returned: list[dict[str, Any]],
) -> dict[str, Any]:
    taken = sorted(one for told in returned for one in told["seconds"])
    errors = sum((Counter(told["errors"]) for told in returned), Counter[str]())
    return {
        "game": wanted.game,
        "seats": wanted.seats,
        "tables": wanted.tables,
        "answers_each": wanted.answers,
        "rss_mb": {
            "empty": round(sizes.first, 1),
            "most": round(sizes.most, 1),
            "evicted": round(sizes.last, 1),
        },
        "rss_ratio": round(sizes.last / sizes.first, 3),
        "returned": len(taken),
        "p50_ms": percentile(taken, 50),
        "p95_ms": percentile(taken, 95),
        "p99_ms": percentile(taken, 99),
        "errors": sum(errors.values()),
        "variant": wanted.variant,
        "rate": wanted.rate,
        "opened_per_s": round(wanted.tables / opening, 1),
        "evicted_after_s": round(evicting, 1),
        "errors_by_reason": dict(sorted(errors.items())),
    }
