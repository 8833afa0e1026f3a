"""Where things are measured: a stack of its own, and processes full of players."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from clients.bench.helper import Helper, helper
from clients.terminal.stack.folder import Folder, StackError, read_stack
from clients.terminal.stack.own import own_stack


@contextmanager
def fresh_stack(workers: int) -> Iterator[Folder]:
    """As `anpai up` runs it, each part a process, with a store of its own; gone
    afterwards."""
    with tempfile.TemporaryDirectory(prefix="anpai") as short:
        directory = Path(short) / "stack"
        with own_stack(directory, workers, {"ANPAI_REDIS_URL": ""}):
            yield Folder(directory)


def parts_of(folder: Folder) -> dict[str, int]:
    """The process id of each part of a running stack."""
    told = read_stack(folder)
    if told is None:
        raise StackError(f"The stack in {folder.root} has ended.")
    return {name: part["pid"] for name, part in told["parts"].items()}


class Crowds:
    """Processes full of players, seen as one."""

    def __init__(self, helpers: list[Helper]) -> None:
        self._helpers = helpers

    def count(self, name: str) -> int:
        """How many of these there are by now, in all of them."""
        return sum(one.said.get(name, 0) for one in self._helpers)

    def tell(self, word: str) -> None:
        for one in self._helpers:
            one.tell(word)

    def open(self, rate: float) -> None:
        """So many answers a second from now on, by all of them together."""
        self.tell(f"open {rate / len(self._helpers)}")

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
