"""Lines as they are typed, while the game goes on."""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import TextIO


class Keyboard:
    """Calls `on_line` for each line and with None at the end of input.

    The terminal edits the line (canonical mode); we only read whole ones, so that a
    Ctrl-C is a signal and nothing has to be put back when we are killed.
    """

    def __init__(
        self, on_line: Callable[[str | None], None], source: TextIO | None = None
    ):
        self._on_line = on_line
        self._source = source or sys.stdin
        self._begun = b""
        self._is_watched = False

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self._source.fileno(), self._read)
            self._is_watched = True
        except (OSError, ValueError):
            # A plain file cannot be waited for; it can be read at once.
            self._hear(self._source.read().encode())
            self._end()

    def stop(self) -> None:
        if self._is_watched:
            self._is_watched = False
            asyncio.get_running_loop().remove_reader(self._source.fileno())

    def _read(self) -> None:
        try:
            heard = os.read(self._source.fileno(), 4096)
        except OSError:  # the terminal has gone away
            heard = b""
        if heard:
            self._hear(heard)
        else:
            self.stop()
            self._end()

    def _hear(self, heard: bytes) -> None:
        *lines, self._begun = (self._begun + heard).split(b"\n")
        for line in lines:
            self._on_line(line.decode(errors="replace"))

    def _end(self) -> None:
        if self._begun:
            self._on_line(self._begun.decode(errors="replace"))
        self._on_line(None)


async def line_typed() -> str | None:
    """The next line; None at the end of input. Unlike `input` it can be cancelled."""
    heard: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    keyboard = Keyboard(lambda line: None if heard.done() else heard.set_result(line))
    keyboard.start()
    try:
        return await heard
    finally:
        keyboard.stop()
