"""A process of watchers: so many streams, on which nothing happens but heartbeats.

Told by the words `begin` and `end`; says how many streams are open.
"""

import asyncio
import gc
import json
import sys
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from time import monotonic
from typing import Any, Self

import uvloop

from anpai import AnpaiError, House, Stream, TableUpdate, connect
from clients.bench.helper import orders, say_how_far, say_result
from clients.bots.playing import reason_of

OPENING_AT_ONCE = 32
PROGRESS_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """`streams` streams, shared out over these tables and so many connections."""

    server: str
    tables: list[str]
    streams: int
    connections: int

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(**json.loads(text))


class Watchers:
    """The watchers of one process."""

    def __init__(self, plan: Plan, houses: list[House]) -> None:
        self.opened = 0
        self.seconds: list[float] = []
        self.errors: Counter[str] = Counter()
        self._plan = plan
        self._houses = houses
        self._streams: list[Stream] = []
        self._opening = asyncio.Semaphore(OPENING_AT_ONCE)
        self._begun = 0.0

    async def watch(self) -> None:
        """For ever; cancel it to stop."""
        where = zip(cycle(self._houses), cycle(self._plan.tables), strict=False)
        async with asyncio.TaskGroup() as group:
            for house, table in islice(where, self._plan.streams):
                group.create_task(self._one(house, table))

    async def _one(self, house: House, table: str) -> None:
        try:
            following = await self._open(house, table)
            await following
        except AnpaiError as error:
            self.errors[reason_of(error)] += 1

    async def _open(self, house: House, table: str) -> "asyncio.Task[None]":
        """Until it has shown its table."""
        shown = asyncio.Event()

        def hear(update: TableUpdate) -> None:
            shown.set()

        async with self._opening:
            began = monotonic()
            stream = await house.stream(table, hear)
            following = asyncio.create_task(stream.follow())
            following.add_done_callback(lambda _: shown.set())
            await shown.wait()
        self.seconds.append(monotonic() - began)
        self._streams.append(stream)
        self.opened += 1
        return following

    def begin(self) -> None:
        self._begun = monotonic()

    def told(self) -> dict[str, Any]:
        """How fast they were open, and how many have heard nothing since `begin`."""
        silent = sum((one.heard_at or 0.0) < self._begun for one in self._streams)
        return {
            "streams": len(self._streams),
            "seconds": [round(taken, 6) for taken in self.seconds],
            "silent": silent,
            "resumed": sum(one.resumed for one in self._streams),
            "errors": dict(self.errors),
        }


async def run(plan: Plan) -> None:
    async with AsyncExitStack() as stack:
        houses = []
        for _ in range(plan.connections):
            house = connect(plan.server, apart=True)
            houses.append(await stack.enter_async_context(house))
            await house.sign_in("Watcher", bot=True)
        watchers = Watchers(plan, houses)
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(watchers.watch())
            saying = group.create_task(keep_saying(watchers))
            async for word in orders():
                if word == "begin":
                    watchers.begin()
                else:
                    say_result(watchers.told())
            watching.cancel()
            saying.cancel()


async def keep_saying(watchers: Watchers) -> None:
    while True:
        say_how_far(opened=watchers.opened)
        await asyncio.sleep(PROGRESS_SECONDS)


def main() -> None:
    gc.set_threshold(20_000, 10, 10)
    uvloop.run(run(Plan.of(sys.argv[1])))


if __name__ == "__main__":
    main()
