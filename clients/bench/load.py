"""How many answers a second, how fast, and at what cost: a stack under load."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Any

import uvloop

from clients.bench.cost import Readings, read_all
from clients.bench.crowd import Plan
from clients.bench.echo import echo_cpu_ms
from clients.bench.stage import Crowds, Say, crowds, fresh_stack, shares, stack_in
from clients.bots.evening import percentile
from clients.terminal.stack.folder import Folder, StackError

STARTING_SECONDS = 60.0
OPENED_EVERY_SECOND = 5  # at the least: slower, and something is wrong
SETTLING_SECONDS = 3.0
FEW = 0.03  # of the tables are always between two games


@dataclass(frozen=True, slots=True)
class Wanted:
    """`rate` is of answers a second, None for as fast as they go. It is warm once as
    many games have ended as there are tables, or after `warm_up` seconds."""

    game: str
    variant: str
    seats: int
    tables: int
    workers: int
    rate: float | None
    seconds: float
    warm_up: float
    clients: int
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Window:
    """What the system's accounting and the players say of the time measured."""

    seconds: float
    before: Readings
    after: Readings
    players: list[dict[str, Any]]
    is_steady: bool


def load(wanted: Wanted, say: Say) -> dict[str, Any]:
    """All figures, under names that stay. `say` hears of each step."""
    echo = list(echoes(say))
    say("bench.starting")
    with fresh_stack(wanted.workers) as folder:
        window = asyncio.run(played(folder, wanted, say))
    echo += echoes(say)
    return figures(wanted, window, median(echo))


def echoes(say: Say) -> Iterator[float]:
    """Before and after what is compared with them: a machine has other things to do
    now and then."""
    say("bench.echo")
    for _ in range(2):
        yield uvloop.run(echo_cpu_ms())


async def played(folder: Folder, wanted: Wanted, say: Say) -> Window:
    async with crowds("clients.bench.crowd", plans(folder, wanted)) as players:
        await fill(players, wanted, say)
        is_steady = await warm_up(players, wanted, say)
        say("bench.measuring", seconds=wanted.seconds)
        return await measured(players, folder, wanted, is_steady)


def plans(folder: Folder, wanted: Wanted) -> list[str]:
    server, game, variant = stack_in(folder).server, wanted.game, wanted.variant
    return [
        Plan(server, game, variant, wanted.seats, tables, wanted.seed + n).as_text()
        for n, tables in enumerate(shares(wanted.tables, wanted.clients))
    ]


async def fill(players: Crowds, wanted: Wanted, say: Say) -> None:
    """Wait until all tables are open."""
    say("bench.opening", tables=wanted.tables)
    is_full = await players.until(
        lambda: players.count("opened") >= wanted.tables,
        STARTING_SECONDS + wanted.tables / OPENED_EVERY_SECOND,
    )
    if not is_full:
        opened = players.count("opened")
        raise StackError(f"Only {opened} of {wanted.tables} tables could be opened.")


async def warm_up(players: Crowds, wanted: Wanted, say: Say) -> bool:
    """Until tables are of every age; False where there was not time enough."""
    say("bench.warming_up")
    is_steady = await players.until(
        lambda: players.count("ended") >= wanted.tables, wanted.warm_up
    )
    if wanted.rate is not None:
        players.tell(f"open {wanted.rate / players.size}")
        await players.until(lambda: arriving(players, wanted) <= FEW, wanted.warm_up)
        await asyncio.sleep(SETTLING_SECONDS)
    return is_steady


def arriving(players: Crowds, wanted: Wanted) -> float:
    """The share of tables that have ended and are not open again: while the players
    went as fast as they could they queued for new ones."""
    playing = players.count("opened") - players.count("ended")
    return 1 - playing / wanted.tables


async def measured(
    players: Crowds, folder: Folder, wanted: Wanted, is_steady: bool
) -> Window:
    pids = stack_in(folder).pids
    players.tell("begin")
    before, began = read_all(pids), monotonic()
    await asyncio.sleep(wanted.seconds)
    after, took = read_all(pids), monotonic() - began
    players.tell("end")
    told = await players.results()
    if stack_in(folder).pids != pids:
        raise StackError(
            "A part of the stack has ended meanwhile; nothing is measured."
        )
    return Window(took, before, after, told, is_steady)


# ---- the figures ---------------------------------------------------------------------


def figures(wanted: Wanted, window: Window, echo_ms: float) -> dict[str, Any]:
    answers = sum(told["answers"] for told in window.players)
    taken = sorted(one for told in window.players for one in told["seconds"])
    errors = sum((Counter(told["errors"]) for told in window.players), Counter[str]())
    parts = {
        name: 1000 * seconds / max(1, answers)
        for name, seconds in by_part(window).items()
    }
    server = sum(parts[name] for name in ("engine", "vault", "store"))
    client = sum(told["cpu_seconds"] for told in window.players)
    return {
        "game": wanted.game,
        "seats": wanted.seats,
        "tables": wanted.tables,
        "workers": wanted.workers,
        "seconds": round(window.seconds, 2),
        "answers": answers,
        "answers_per_s": round(answers / window.seconds, 1),
        "p50_ms": percentile(taken, 50),
        "p95_ms": percentile(taken, 95),
        "p99_ms": percentile(taken, 99),
        "server_cpu_ms_per_answer": round(server, 4),
        "client_cpu_ms_per_answer": round(1000 * client / max(1, answers), 4),
        "echo_cpu_ms": round(echo_ms, 4),
        "cost_ratio": round(server / echo_ms, 3),
        "rss_mb": {name: round(one.memory_mb, 1) for name, one in window.after.items()},
        "errors": sum(errors.values()),
        # What helps to understand those.
        "variant": wanted.variant,
        "clients": len(window.players),
        "rate": wanted.rate,
        "cpu_ms_per_answer": {name: round(cost, 4) for name, cost in parts.items()},
        "games": sum(told["games"] for told in window.players),
        "overdue": sum(told["overdue"] for told in window.players),
        "is_steady": window.is_steady,
        "errors_by_reason": dict(sorted(errors.items())),
    }


def by_part(window: Window) -> dict[str, float]:
    """Processor seconds by kind of part: all engine workers are one."""
    spent: defaultdict[str, float] = defaultdict(float)
    for name, after in window.after.items():
        kind = name.partition("-")[0]
        spent[kind] += after.cpu_seconds - window.before[name].cpu_seconds
    return spent
