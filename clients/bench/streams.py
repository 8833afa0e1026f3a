"""What open streams cost on which nothing happens: memory, and a heartbeat now and
then."""

import asyncio
import resource
from collections import Counter
from dataclasses import dataclass
from time import monotonic
from typing import Any

from clients.bench.cost import Reading, read
from clients.bench.opening import Opening
from clients.bench.stage import Say, Stack, crowds, fresh_stack, shares, stack_in
from clients.bench.watchers import Plan
from clients.bots.evening import percentile
from clients.terminal.stack.folder import StackError

OPENED_EVERY_SECOND = 25  # at the least: slower, and something is wrong
STARTING_SECONDS = 60.0
# What a process needs besides its connections: files, pipes, the store's socket.
OTHER_FILES = 100
NOBODY = ("b-nobody", "b-nobody-else")
GAME = "skirmish"


@dataclass(frozen=True, slots=True)
class Wanted:
    """`streams` streams at `tables` tables, over so many `connections`."""

    streams: int
    tables: int
    connections: int
    seconds: float
    clients: int


@dataclass(frozen=True, slots=True)
class Held:
    """What the engine and the watchers say of it."""

    empty: Reading
    opened: Reading
    after: Reading
    opening: float
    seconds: float
    watchers: list[dict[str, Any]]


def streams(wanted: Wanted, say: Say) -> dict[str, Any]:
    check_files(wanted.connections)
    say("bench.starting")
    with fresh_stack(workers=1, told={"ANPAI_SEAT_WAIT": "86400"}) as folder:
        return figures(wanted, asyncio.run(held(stack_in(folder), wanted, say)))


def check_files(connections: int) -> None:
    """Each connection is a file of its process: as many as it may have, for the engine
    too, which inherits our limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if most != resource.RLIM_INFINITY and needed > most:
        raise StackError(
            f"{connections} connections need {needed} open files, and a process here "
            f"may have {most} (ulimit -Hn): ask for fewer connections."
        )
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft != resource.RLIM_INFINITY and needed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


async def held(stack: Stack, wanted: Wanted, say: Say) -> Held:
    engine = stack.pids["engine-1"]
    say("bench.opening", tables=wanted.tables)
    tables = await opened(stack, wanted.tables)
    empty = read(engine)
    plans = [
        Plan(stack.server, tables, number, connections).as_text()
        for number, connections in zip(
            shares(wanted.streams, wanted.clients),
            shares(wanted.connections, wanted.clients),
            strict=True,
        )
    ]
    async with crowds("clients.bench.watchers", plans) as watchers:
        say("bench.streaming", streams=wanted.streams)
        began = monotonic()
        if not await watchers.until(
            lambda: watchers.count("opened") >= wanted.streams,
            STARTING_SECONDS + wanted.streams / OPENED_EVERY_SECOND,
        ):
            number = watchers.count("opened")
            raise StackError(f"Only {number} of {wanted.streams} streams are open.")
        opening, open_now = monotonic() - began, read(engine)
        say("bench.measuring", seconds=wanted.seconds)
        watchers.tell("begin")
        await asyncio.sleep(wanted.seconds)
        watchers.tell("end")
        after, seconds = read(engine), monotonic() - began - opening
        told = await watchers.results()
        return Held(empty, open_now, after, opening, seconds, told)


async def opened(stack: Stack, tables: int) -> list[str]:
    """Tables at which nobody takes a seat."""
    async with Opening(stack.engines, stack.keys) as opening:
        return [
            (await opening.table(GAME, "", NOBODY))[0].table_id for _ in range(tables)
        ]


def figures(wanted: Wanted, held: Held) -> dict[str, Any]:
    taken = sorted(one for told in held.watchers for one in told["seconds"])
    errors = sum((Counter(told["errors"]) for told in held.watchers), Counter[str]())
    grown = held.after.memory_mb - held.empty.memory_mb
    busy = held.after.cpu_seconds - held.opened.cpu_seconds
    return {
        "streams": sum(told["streams"] for told in held.watchers),
        "tables": wanted.tables,
        "connections": wanted.connections,
        "seconds": round(held.seconds, 2),
        "kb_per_stream": round(1000 * grown / wanted.streams, 2),
        "rss_mb": {
            "empty": round(held.empty.memory_mb, 1),
            "full": round(held.after.memory_mb, 1),
        },
        "opened_per_s": round(wanted.streams / held.opening, 1),
        "p50_ms": percentile(taken, 50),
        "p99_ms": percentile(taken, 99),
        "silent": sum(told["silent"] for told in held.watchers),
        "resumed": sum(told["resumed"] for told in held.watchers),
        "engine_cpu_share": round(busy / held.seconds, 4),
        "errors": sum(errors.values()),
        "errors_by_reason": dict(sorted(errors.items())),
    }
