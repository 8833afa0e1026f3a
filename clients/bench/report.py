"""One page of everything that is measured: which runs it takes, and their order."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from clients.bench import idle, load, streams, tickets
from clients.bench.machine import machine
from clients.bench.stage import Say

Row = dict[str, Any]
SEED = 1


@dataclass(frozen=True, slots=True)
class Size:
    """How much is run: as quick as means something, or all of it."""

    tables: Sequence[int]
    rated_tables: int
    rates: Sequence[float]
    gwent_tables: int
    seconds: float
    warm_up: float
    streams: int
    held: float
    idle_tables: int
    returns: int
    tickets: Sequence[float]


QUICK = Size(
    tables=(10, 50, 100, 200),
    rated_tables=100,
    rates=(60, 120, 240),
    gwent_tables=50,
    seconds=6,
    warm_up=20,
    streams=500,
    held=18,
    idle_tables=300,
    returns=100,
    tickets=(60,),
)
FULL = Size(
    tables=(10, 50, 100, 200, 400, 1000, 2000),
    rated_tables=400,
    rates=(120, 240, 360, 480),
    gwent_tables=100,
    seconds=20,
    warm_up=120,
    streams=5_000,
    held=30,
    idle_tables=10_000,
    returns=1_000,
    tickets=(60, 120, 170),
)


@dataclass(slots=True)
class Measured:
    """All rows, and what they were measured on."""

    machine: dict[str, Any]
    at: str
    seed: int
    seconds: float = 0.0
    loads: list[Row] = field(default_factory=list)
    rated: list[Row] = field(default_factory=list)
    gwent: list[Row] = field(default_factory=list)
    streams: list[Row] = field(default_factory=list)
    idle: list[Row] = field(default_factory=list)
    tickets: list[Row] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def errors(self) -> int:
        """Whatever went wrong anywhere."""
        rows = (*self.loads, *self.rated, *self.gwent, *self.streams, *self.idle)
        wrong = sum(int(row["errors"]) for row in rows)
        return wrong + sum(int(row["lost"] + row["double"]) for row in self.tickets)


def measure(size: Size, say: Say) -> Measured:
    """Every run on a fresh stack, one after the other."""
    began = time.monotonic()
    told = Measured(machine(), datetime.now(UTC).isoformat(timespec="seconds"), SEED)
    for wanted in loads(size):
        say("bench.run", run=f"load, {wanted.tables} × {wanted.game}")
        rows = told.gwent if wanted.game == "gwent" else told.loads
        rows = told.rated if wanted.rate else rows
        rows.append(load.load(wanted, say))
    say("bench.run", run=f"streams, {size.streams}")
    told.streams.append(streams.streams(stream_run(size), say))
    for wish in ticket_runs(size):
        say("bench.run", run=f"tickets, {wish.rate:.0f}/s, replicas: {wish.replicas}")
        told.tickets.append(tickets.tickets(wish, say))
    say("bench.run", run=f"idle, {size.idle_tables}")
    told.idle.append(idle.idle(idle_run(size), say))
    told.seconds = round(time.monotonic() - began, 1)
    return told


def loads(size: Size) -> Iterator[load.Wanted]:
    """As fast as they go, by tables; at open rates; and the other game."""
    one = load.Wanted(
        game="skirmish",
        variant="standard",
        seats=2,
        tables=0,
        workers=1,
        rate=None,
        seconds=size.seconds,
        warm_up=size.warm_up,
        clients=min(2, os.cpu_count() or 1),
        seed=SEED,
    )
    for tables in size.tables:
        yield replace(one, tables=tables)
    for rate in size.rates:
        yield replace(one, tables=size.rated_tables, rate=float(rate))
    yield replace(one, game="gwent", variant="duel", tables=size.gwent_tables)


def stream_run(size: Size) -> streams.Wanted:
    return streams.Wanted(
        streams=size.streams, tables=50, connections=4, seconds=size.held, clients=4
    )


def ticket_runs(size: Size) -> Iterator[tickets.Wanted]:
    """At several rates; then with one of two replicas killed again and again."""
    one = tickets.Wanted(
        game="skirmish",
        variant="standard",
        seats=2,
        rate=0,
        players=400,
        workers=1,
        replicas=1,
        kill_every=None,
        seconds=size.seconds,
        clients=2,
        seed=SEED,
    )
    for rate in size.tickets:
        yield replace(one, rate=float(rate))
    yield replace(one, rate=float(size.tickets[0]), replicas=2, kill_every=4.0)


def idle_run(size: Size) -> idle.Wanted:
    return idle.Wanted(
        game="skirmish",
        variant="standard",
        seats=2,
        tables=size.idle_tables,
        answers=10,
        returns=size.returns,
        rate=20.0,
        clients=2,
        seed=SEED,
    )
