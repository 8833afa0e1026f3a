"""An event loop whose time jumps to the next thing to happen, so that a run of hours
takes milliseconds and is the same every time."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Stuck(Exception):
    """Nothing is left that could ever happen."""


class _Jump(selectors.SelectSelector):
    """Waits for nothing: it moves the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Virtual time; one thread; nothing outside."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)
        self.strays: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, context: self.strays.append(context))

    def time(self) -> float:
        return self._jump.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to its end in virtual time; whatever is left then is dropped."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        asyncio.set_event_loop(None)
        loop.close()
