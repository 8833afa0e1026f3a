"""Several matchmakings of a running stack, with a store of their own; and their cost.

Why a store of their own: what engine and vault cost theirs is not matchmaking's.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from time import monotonic

from clients.bench.cost import read
from clients.bench.stage import UNLIMITED, Stack, stack_in
from clients.terminal.stack.child import Child, Part
from clients.terminal.stack.external import external_url
from clients.terminal.stack.folder import Folder, StackError, take_folder
from clients.terminal.stack.guard import Guard
from clients.terminal.stack.parts import (
    Ports,
    free_port,
    matchmaking_part,
    store_part,
)
from clients.terminal.stack.secrets import make_secrets
from clients.terminal.stack.store import url_for


class Replicas:
    """They and their store. One that was killed and is there again is the same."""

    def __init__(self, store: Child, children: list[Child]) -> None:
        self.kills = 0
        self._store = store
        self._children = children
        self._buried = 0.0

    @property
    def addresses(self) -> list[str]:
        return [child.address for child in self._children]

    @property
    def metrics(self) -> list[str]:
        """Where operators look."""
        return [child.metrics_address for child in self._children]

    def cpu_seconds(self) -> dict[str, float]:
        """So far: of matchmaking, those that were killed included, and of its store."""
        living = sum(read(child.pid).cpu_seconds for child in self._children)
        return {
            "matchmaking": self._buried + living,
            "store": read(self._store.pid).cpu_seconds,
        }

    async def kill_one(self) -> None:
        """The first, without a word; and start it again."""
        child = self._children[0]
        self._buried += read(child.pid).cpu_seconds
        child.kill()
        await child.ended()
        self.kills += 1
        await child.start()

    async def last(self, seconds: float, kill_every: float | None) -> None:
        """So long, with one killed again and again, and at the end all alive."""
        over = monotonic() + seconds
        while kill_every is not None and monotonic() + kill_every < over:
            await asyncio.sleep(kill_every)
            await self.kill_one()
        await asyncio.sleep(max(0.0, over - monotonic()))


@asynccontextmanager
async def replicas(stack: Folder, count: int) -> AsyncIterator[Replicas]:
    """So many, stopped afterwards."""
    if external_url():
        raise StackError("ANPAI_REDIS_URL is set: a store of its own is measured here.")
    own, guard = Folder(stack.root.parent / "matchmaking"), Guard()
    with locked(own) as kept_open:
        make_secrets(own)
        store = Child(store_part(own), kept_open, guard)
        children = [Child(part, kept_open, guard) for part in parts(stack, own, count)]
        try:
            await store.start()
            await asyncio.gather(*(child.start() for child in children))
            yield Replicas(store, children)
        finally:
            await asyncio.gather(*(child.stop() for child in children))
            await store.stop()
            guard.close()


@contextmanager
def locked(folder: Folder) -> Iterator[int]:
    """A directory for us alone; the file that children keep open."""
    ours, childrens = take_folder(folder, lambda key, **values: None)
    try:
        yield childrens.file
    finally:
        childrens.release()
        ours.release()


def parts(stack: Folder, own: Folder, count: int) -> Iterator[Part]:
    """Like the stack's matchmaking, but elsewhere, and with the other store."""
    there = stack_in(stack)
    for number in range(1, count + 1):
        part = matchmaking_part(stack, ports_of(there, free_port()))
        name = f"matchmaking-{number}"
        address_file = own.addresses.resolve() / f"{name}.json"
        told = {
            "ANPAI_ADDRESS_FILE": str(address_file),
            "ANPAI_REDIS_URL": url_for(own, "matchmaking"),
        }
        log = own.logs / f"{name}.log"
        env = part.env | UNLIMITED | told
        yield replace(part, name=name, log=log, env=env, address_file=address_file)


def ports_of(stack: Stack, players: int) -> Ports:
    engines = tuple(port_of(address) for address in stack.engines)
    return Ports(players, port_of(stack.audit), engines)


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])
