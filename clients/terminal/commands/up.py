"""`anpai up`: run everything here until told to stop."""

import asyncio
import signal

from rich.console import Console

from clients.terminal.finding import option_for
from clients.terminal.stack.folder import Folder
from clients.terminal.stack.supervisor import Stack
from clients.terminal.words import Words

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def up(folder: Folder, port: int, workers: int, words: Words, out: Console) -> None:
    """Returns once everything has been stopped; StackError if it cannot start."""
    asyncio.run(Up(folder, port, workers, words, out).run())


class Up:
    """One run of a stack, from the terminal's side."""

    def __init__(
        self, folder: Folder, port: int, workers: int, words: Words, out: Console
    ):
        self._words = words
        self._out = out
        self._asked = asyncio.Event()
        self._folder = folder
        self._port = port
        self._stack = Stack(folder, port, workers, self._say)

    async def run(self) -> None:
        for number in STOP_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._stop_asked)
        if not await self._started():
            return
        if self._folder.exports is not None:
            self._say("up.exports", folder=self._folder.exports)
        self._out.print(self._ready(), soft_wrap=True)
        await self._asked.wait()
        self._say("up.stopping")
        await self._stack.stop()
        self._say("up.stopped")

    async def _started(self) -> bool:
        """False if it was asked to stop meanwhile."""
        starting = asyncio.create_task(self._stack.start())
        asked = asyncio.create_task(self._asked.wait())
        with self._out.status(self._words("up.begin", folder=self._folder.root)):
            await asyncio.wait({starting, asked}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if not starting.done():
            starting.cancel()
            self._say("up.stopping")
        try:
            await starting
        except asyncio.CancelledError:
            self._say("up.stopped")
            return False
        return True

    def _stop_asked(self) -> None:
        """Twice means at once."""
        if self._asked.is_set():
            self._stack.kill()
        self._asked.set()

    def _say(self, key: str, **values: object) -> None:
        self._out.print(f"  {self._words(key, **values)}", soft_wrap=True)

    def _ready(self) -> str:
        option = option_for(self._folder.root)
        return self._words("up.ready", option=option, port=self._port)
