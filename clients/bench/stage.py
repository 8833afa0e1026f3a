"""Where things are measured: a stack of its own, and processes full of players."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Protocol

from clients.bench.helper import Helper, helper
from clients.terminal.stack.folder import Folder, StackError, read_stack
from clients.terminal.stack.own import own_stack

# A bench is one caller who asks for more than any player, from one address.
UNLIMITED = {
    "ANPAI_PLAYER_RATE": "0",
    "ANPAI_ADDRESS_RATE": "0",
    "ANPAI_PLAYER_STREAMS": "0",
}
OWN_STORE = {"ANPAI_REDIS_URL": ""}


class Say(Protocol):
    """Hears what is done next: a key of the table of words, and what fills it."""

    def __call__(self, key: str, **values: object) -> None: ...


@contextmanager
def fresh_stack(
    workers: int, told: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Folder]:
    """As `anpai up` runs it, each part a process, with a store of its own; gone
    afterwards."""
    with tempfile.TemporaryDirectory(prefix="anpai") as short:
        directory = Path(short) / "stack"
        with own_stack(directory, workers, {**UNLIMITED, **OWN_STORE, **told}):
            yield Folder(directory)


@dataclass(frozen=True, slots=True)
class Stack:
    """A running stack: where its services are, its keys, and of each part the process
    and the operators' port."""

    server: str
    engines: list[str]
    audit: str
    keys: Path
    pids: dict[str, int]
    metrics: dict[str, str]


def stack_in(folder: Folder) -> Stack:
    """StackError if none runs there."""
    told = read_stack(folder)
    if told is None:
        raise StackError(f"The stack in {folder.root} has ended.")
    parts = told["parts"]
    return Stack(
        server=told["matchmaking"],
        engines=told["engines"],
        audit=told["audit"],
        keys=folder.keys.resolve(),
        pids={name: part["pid"] for name, part in parts.items()},
        metrics={name: part["metrics"] for name, part in parts.items()},
    )


class Crowds:
    """Processes full of players, seen as one."""

    def __init__(self, helpers: list[Helper]) -> None:
        self._helpers = helpers

    @property
    def size(self) -> int:
        """How many processes they are."""
        return len(self._helpers)

    def count(self, name: str) -> int:
        """How many of these there are by now, in all of them."""
        return sum(one.said.get(name, 0) for one in self._helpers)

    def tell(self, word: str) -> None:
        for one in self._helpers:
            one.tell(word)

    def tell_first(self, word: str) -> None:
        self._helpers[0].tell(word)

    def tell_each(self, words: Sequence[str]) -> None:
        """A word of its own for each of them."""
        for one, word in zip(self._helpers, words, strict=True):
            one.tell(word)

    async def until(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Wait until it is so; False if it is not after so many seconds."""
        latest = monotonic() + seconds
        while not is_so():
            for one in self._helpers:
                one.check()
            if monotonic() > latest:
                return False
            await asyncio.sleep(0.1)
        return True

    async def results(self) -> list[Any]:
        """The next of each."""
        return [await one.result() for one in self._helpers]


@asynccontextmanager
async def crowds(module: str, plans: Sequence[str]) -> AsyncIterator[Crowds]:
    """A process of this module for each plan."""
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(helper(module, plan)) for plan in plans
        ]
        yield Crowds(processes)


def shares(whole: int, parts: int) -> list[int]:
    """As equal as whole numbers can be; none is empty."""
    parts = min(whole, parts)
    return [whole // parts + (part < whole % parts) for part in range(parts)]
