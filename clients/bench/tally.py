"""What the seats of one process did while it was measured."""

import asyncio
from collections import Counter
from contextlib import suppress
from time import monotonic, process_time
from typing import Any


class Tally:
    """Counts from `begin` to `end`; before and after, answers are given and forgotten.

    An answer counts if it was told within; its latency, if it was given within, however
    long it took to be told.
    """

    def __init__(self) -> None:
        self.opened = 0
        self.ended = 0
        self.told = 0
        self.errors: Counter[str] = Counter()
        self._open = 0
        self._all_told = asyncio.Event()
        self._all_told.set()
        self._seconds: list[float] = []
        self._answers = 0
        self._games = 0
        self._span = (float("inf"), float("inf"))
        self._processor = 0.0

    def begin(self) -> None:
        self.errors.clear()
        self._games = -self.ended
        self._processor = -process_time()
        self._span = monotonic(), float("inf")

    def end(self) -> None:
        self._span = self._span[0], monotonic()
        self._processor += process_time()
        self._games += self.ended

    def give(self) -> None:
        """An answer is on its way."""
        self._open += 1
        self._all_told.clear()

    def tell(self, since: float) -> None:
        """One that was to be given at this moment is accepted, and shown."""
        begin, end = self._span
        now = monotonic()
        self.told += 1
        self._answers += begin <= now < end
        if begin <= since < end:
            self._seconds.append(now - since)
        self._close()

    def fail(self, reason: str) -> None:
        """One came to nothing."""
        self.errors[reason] += 1
        self._close()

    def _close(self) -> None:
        self._open -= 1
        if not self._open:
            self._all_told.set()

    async def settle(self, within: float) -> None:
        """Wait until all that was given has been told."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_told.wait(), within)
        if self._open:
            self.errors["UNTOLD"] += self._open

    def as_json(self) -> dict[str, Any]:
        return {
            "answers": self._answers,
            "games": self._games,
            "seconds": [round(taken, 6) for taken in self._seconds],
            "cpu_seconds": self._processor,
            "errors": dict(self.errors),
        }
