"""Faults that come over a town one after the other, by a seed.

Each is healed before the next one comes over the same part; two storms at once never
meet at one part. The timeline has a line for each beginning and end.
"""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from tests.evenings.processes import Process
from tests.evenings.town import Town
from tests.proxy import Proxy

Fault = Callable[[], Awaitable[None]]

AWAY = (0.0, 3.0)
ASLEEP = (0.2, 4.0)  # some outlast a lease
STORE_ASLEEP = (0.1, 2.0)
HELD = (0.5, 5.0)
SLOW = (1.0, 4.0)
REST = (0.2, 1.5)


class Storm:
    """What may befall a town and those who play there."""

    def __init__(
        self, town: Town, crowds: list[Process], seed: int, timeline: Path
    ) -> None:
        self._timeline = timeline
        self._town = town
        self._mortal = [*town.processes, *crowds]
        self._chance = random.Random(seed)
        self._begun = monotonic()
        self._locks: dict[str, asyncio.Lock] = {}
        self._faults: list[tuple[Fault, int]] = [
            (self._killed, 6),
            (self._asleep, 4),
            (self._told_to_stop, 2),
            (self._store_killed, 1),
            (self._store_asleep, 1),
            (self._cut, 4),
            (self._held, 3),
            (self._slow, 3),
            (self._deaf, 3),
        ]

    async def rage(self, seconds: float) -> None:
        """One fault after the other, until then; all is healed at the end."""
        kinds, weights = zip(*self._faults, strict=True)
        until = monotonic() + seconds
        while monotonic() < until:
            [fault] = self._chance.choices(kinds, weights)
            await fault()
            await asyncio.sleep(self._chance.uniform(*REST))

    def lasting(self, span: tuple[float, float]) -> float:
        """Short ones are likelier."""
        least, most = span
        return least + (most - least) * self._chance.random() ** 2

    @asynccontextmanager
    async def _befalls(self, name: str, what: str) -> AsyncIterator[None]:
        lock = self._locks.setdefault(name, asyncio.Lock())
        async with lock:
            self._note(f"{name}: {what}")
            yield
            self._note(f"{name}: well again")

    def _note(self, what: str) -> None:
        with self._timeline.open("a") as timeline:
            timeline.write(f"{monotonic() - self._begun:8.3f} {what}\n")

    # -- processes ----------------------------------------------------------------

    async def _killed(self) -> None:
        one, away = self._chance.choice(self._mortal), self.lasting(AWAY)
        async with self._befalls(one.name, f"SIGKILL, away for {away:.2f} s"):
            one.kill()
            await asyncio.sleep(away)
            await one.start()

    async def _asleep(self) -> None:
        one, asleep = self._chance.choice(self._mortal), self.lasting(ASLEEP)
        async with self._befalls(one.name, f"SIGSTOP for {asleep:.2f} s"):
            one.hear(signal.SIGSTOP)
            await asyncio.sleep(asleep)
            one.hear(signal.SIGCONT)

    async def _told_to_stop(self) -> None:
        one = self._chance.choice([*self._town.services, self._town.bots])
        async with self._befalls(one.name, "SIGTERM"):
            code = await one.stop()
            assert code == 0, f"{one.name} ended with {code}"
            await one.start()

    # -- the store ----------------------------------------------------------------

    async def _store_killed(self) -> None:
        store, away = self._town.store, self.lasting(AWAY)
        async with self._befalls("store", f"SIGKILL, away for {away:.2f} s"):
            store.kill()
            await asyncio.sleep(away)
            await asyncio.to_thread(store.start)

    async def _store_asleep(self) -> None:
        store, asleep = self._town.store, self.lasting(STORE_ASLEEP)
        async with self._befalls("store", f"SIGSTOP for {asleep:.2f} s"):
            store.hear(signal.SIGSTOP)
            await asyncio.sleep(asleep)
            store.hear(signal.SIGCONT)

    # -- links --------------------------------------------------------------------

    def _link(self) -> tuple[str, Proxy]:
        name, links = self._chance.choice(sorted(self._town.links.items()))
        if self._chance.random() < 0.5:
            return f"all ways to {name}", links.to_it
        return f"{name}'s way to the store", links.to_store

    async def _cut(self) -> None:
        (name, link), away = self._link(), self.lasting(AWAY)
        async with self._befalls(name, f"cut for {away:.2f} s"):
            link.is_away = True
            link.cut_all()
            await asyncio.sleep(away)
            link.is_away = False

    async def _held(self) -> None:
        """As when a machine is unplugged: nobody is told anything."""
        (name, link), held = self._link(), self.lasting(HELD)
        ends = self._chance.choice(["goes on", "is cut"])
        async with self._befalls(name, f"held for {held:.2f} s, then {ends}"):
            link.hold()
            await asyncio.sleep(held)
            if ends == "is cut":
                link.cut_all()
            link.let_go()

    async def _slow(self) -> None:
        (name, link), slow = self._link(), self.lasting(SLOW)
        delay = self._chance.uniform(0.01, 0.3)
        async with self._befalls(name, f"{delay:.2f} s late for {slow:.2f} s"):
            link.faults.delay = delay
            await asyncio.sleep(slow)
            link.faults.delay = 0.0

    async def _deaf(self) -> None:
        """Requests arrive, and some of their replies do not."""
        (name, link), deaf = self._link(), self.lasting(SLOW)
        async with self._befalls(name, f"deaf at times for {deaf:.2f} s"):
            link.faults.deaf = 0.05
            await asyncio.sleep(deaf)
            link.faults.deaf = 0.0
