"""How many seats matchmaking assigns, how soon, and at what cost; and whether nobody is
forgotten or seated twice, whatever is killed."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Any

from clients.bench.replicas import Replicas, replicas
from clients.bench.seekers import Plan
from clients.bench.stage import (
    Crowds,
    Say,
    Stack,
    crowds,
    fresh_stack,
    shares,
    stack_in,
)
from clients.bench.stages import Readings, mean_ms, read_stages
from clients.bots.evening import percentile
from clients.terminal.stack.folder import Folder, StackError

SIGNING_IN_SECONDS = 120.0
WARM_UP_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """`rate` tickets a second, of so many `players`; with `kill_every`, one replica is
    killed and started again, again and again."""

    game: str
    variant: str
    seats: int
    rate: float
    players: int
    workers: int
    replicas: int
    kill_every: float | None
    seconds: float
    clients: int
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Sought:
    """What it cost, by the system's accounting, and what the players say."""

    seconds: float
    stages_ms: dict[str, float]
    cpu_seconds: dict[str, float]
    kills: int
    players: list[dict[str, Any]]


def tickets(wanted: Wanted, say: Say) -> dict[str, Any]:
    say("bench.starting")
    with fresh_stack(wanted.workers) as folder:
        return figures(wanted, asyncio.run(sought(folder, wanted, say)))


async def sought(folder: Folder, wanted: Wanted, say: Say) -> Sought:
    async with AsyncExitStack() as stack:
        them = await stack.enter_async_context(replicas(folder, wanted.replicas))
        players = await stack.enter_async_context(
            crowds("clients.bench.seekers", plans(them, wanted))
        )
        await signed_in(players, wanted, say)
        say("bench.measuring", seconds=wanted.seconds)
        return await measured(players, them, stack_in(folder), wanted)


def plans(them: Replicas, wanted: Wanted) -> list[str]:
    """Each process has its replica, as behind a balancer each connection has."""
    numbers = shares(wanted.players, wanted.clients)
    return [
        Plan(
            them.addresses[number % len(them.addresses)],
            *(wanted.game, wanted.variant, wanted.seats),
            *(players, wanted.rate / len(numbers), wanted.seed + number),
        ).as_text()
        for number, players in enumerate(numbers)
    ]


async def signed_in(players: Crowds, wanted: Wanted, say: Say) -> None:
    say("bench.signing_in", players=wanted.players)
    is_there = await players.until(
        lambda: players.count("ready") >= wanted.players, SIGNING_IN_SECONDS
    )
    if not is_there:
        raise StackError(f"Only {players.count('ready')} players could sign in.")
    await asyncio.sleep(WARM_UP_SECONDS)


async def measured(
    players: Crowds, them: Replicas, stack: Stack, wanted: Wanted
) -> Sought:
    earlier = stages(them, stack)
    players.tell("begin")
    before, began = them.cpu_seconds(), monotonic()
    await them.last(wanted.seconds, wanted.kill_every)
    after, seconds = them.cpu_seconds(), monotonic() - began
    players.tell("stop")
    made = sum(await players.results())
    players.tell_first(f"fill {-made % wanted.seats}")
    players.tell("end")
    taken = mean_ms(earlier, stages(them, stack))
    spent = {name: after[name] - before[name] for name in after}
    return Sought(seconds, taken, spent, them.kills, await players.results())


def stages(them: Replicas, stack: Stack) -> Readings:
    engines = [page for name, page in stack.metrics.items() if "engine" in name]
    vault = [stack.metrics["vault"]]
    return read_stages({"matchmaking": them.metrics, "engine": engines, "vault": vault})


# ---- the figures ---------------------------------------------------------------------


def figures(wanted: Wanted, sought: Sought) -> dict[str, Any]:
    assigned = sum(told["within"] for told in sought.players)
    taken = sorted(one for told in sought.players for one in told["seconds"])
    errors = sum((Counter(told["errors"]) for told in sought.players), Counter[str]())
    waiting = sum(told["waiting"] for told in sought.players)
    found = [tuple(one) for told in sought.players for one in told["found"]]
    listed = [tuple(one) for told in sought.players for one in told["listed"]]
    spent = sum(sought.cpu_seconds.values())
    return {
        "assignments_per_s": round(assigned / sought.seconds, 1),
        "assignments_per_s_per_core": round(assigned / spent, 1),
        "p50_ms": percentile(taken, 50),
        "p99_ms": percentile(taken, 99),
        "lost": waiting + sum(errors.values()) + half_empty(found, wanted.seats),
        "double": twice(found, listed),
        "tables": len({table for _, _, table, _ in found}),
        "seconds": round(sought.seconds, 2),
        "errors": sum(errors.values()),
        "game": wanted.game,
        "variant": wanted.variant,
        "seats": wanted.seats,
        "rate": wanted.rate,
        "replicas": wanted.replicas,
        "kills": sought.kills,
        "stages_ms": sought.stages_ms,
        "cpu_ms_per_assignment": {
            name: round(1000 * seconds / max(1, assigned), 4)
            for name, seconds in sought.cpu_seconds.items()
        },
        "errors_by_reason": dict(sorted(errors.items())),
    }


def half_empty(found: Iterable[Any], seats: int) -> int:
    """Seats of tables that were opened for somebody who never heard of it."""
    at = Counter(table for _, _, table, _ in found)
    return sum(max(0, seats - number) for number in at.values())


def twice(found: Iterable[Any], listed: Iterable[Any]) -> int:
    """Tickets with two seats, seats with two tickets, and seats that a player has by
    matchmaking's list but by none of its tickets."""
    known = list(found)
    tickets = Counter(ticket for ticket, _, _, _ in known)
    seats = Counter((table, seat) for _, _, table, seat in known)
    repeated = sum(number - 1 for number in (*tickets.values(), *seats.values()))
    own = {(player, table, seat) for _, player, table, seat in known}
    return repeated + len(set(listed) - own)
