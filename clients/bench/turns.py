"""When seats answer: at once, or at an open rate."""

import asyncio
import random
from collections import deque
from time import monotonic

from clients.bench.seat import Asked


class Paced:
    """At once to begin with: the next answer goes out when the one before is known.

    At an open rate answers come due at random moments of their own, and one that finds
    nobody asked waits; its latency counts from when it was due. So a server that stalls
    is charged for all that would have come meanwhile.
    """

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._due: deque[float] = deque()
        self._asked: deque[Asked] = deque()
        self._coming: asyncio.Task[None] | None = None
        self._is_over = False

    def asked(self, seat: Asked) -> None:
        """This seat may answer from now on."""
        if self._is_over:
            return
        if self._coming is None:
            seat.answer(monotonic())
        else:
            self._asked.append(seat)
            self._match()

    def open(self, rate: float) -> None:
        """From now on so many answers come due every second."""
        self._coming = asyncio.create_task(self._come(rate))

    def stop(self) -> int:
        """No more answers; how many were due and had found nobody asked."""
        self._is_over = True
        if self._coming is not None:
            self._coming.cancel()
        return len(self._due)

    async def _come(self, rate: float) -> None:
        at = monotonic()
        while True:
            at += self._dice.expovariate(rate)
            await asyncio.sleep(max(0.0, at - monotonic()))
            self._due.append(at)
            self._match()

    def _match(self) -> None:
        while self._due and self._asked:
            seat = self._asked.popleft()
            if seat.is_asked:
                seat.answer(self._due.popleft())
