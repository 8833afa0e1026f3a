"""A process of ours that is told words, a line each, and answers in lines of JSON.

It ends with whoever started it, however that ends: with its standard input, and where
the kernel tells it of its parent's death, before.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from clients.terminal.stack.child import end_with
from clients.terminal.stack.folder import StackError

LONGEST_LINE = 64 * 1024 * 1024


class Helper:
    """The process, from the side of whoever started it. `said` is how far it was when
    it last said so."""

    def __init__(self, process: asyncio.subprocess.Process, module: str) -> None:
        self.pid = process.pid
        self.said: dict[str, Any] = {}
        self._process = process
        self._module = module
        self._results: asyncio.Queue[Any] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    def tell(self, word: str) -> None:
        """It need not listen yet."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n".encode())

    async def result(self) -> Any:
        """The next of its results; StackError if it has ended instead."""
        waiting = asyncio.create_task(self._results.get())
        await asyncio.wait(
            {waiting, self._reading}, return_when=asyncio.FIRST_COMPLETED
        )
        if not waiting.done() and self._results.empty():
            waiting.cancel()
            self.check()
        return await waiting

    def check(self) -> None:
        """StackError if it has ended."""
        if self._reading.done():
            raise StackError(f"{self._module} has ended; see its words above.")

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            told = json.loads(line)
            if "result" in told:
                self._results.put_nowait(told["result"])
            else:
                self.said = told

    async def end(self) -> None:
        self._reading.cancel()
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def helper(module: str, *arguments: str) -> AsyncIterator[Helper]:
    """`python -m module`, ended afterwards."""
    parent = os.getpid()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
        # A Ctrl-C is for whoever started it alone.
        start_new_session=True,
        preexec_fn=lambda: end_with(parent),
    )
    helper = Helper(process, module)
    try:
        yield helper
    finally:
        await helper.end()


# ---- the other side, in the process itself -------------------------------------------


def say_how_far(**counts: int) -> None:
    """Say so to whoever started this process."""
    say(counts)


def say_result(result: Any) -> None:
    """Say this to whoever started this process, who waits for it."""
    say({"result": result})


def say(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


async def orders() -> AsyncIterator[str]:
    """The words this process is told, until there will be none."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        yield line.decode().strip()
