"""A strategy kept within its time: a slow or broken one still gives a legal answer."""

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from time import perf_counter

import structlog

from anpai import Question, View
from clients.bots.steady import steady
from clients.bots.strategy import Choice, Faces, Strategy, is_legal, plainest

log = structlog.get_logger()

LONGEST_THOUGHT = 5.0
# Left over for the answer's way to the engine.
MARGIN = 2.0


def nobody(_seconds: float) -> None:
    """Counts how long was thought."""


class Mind:
    """Thinks for one seat.

    With a pool a strategy thinks in a thread of it, and for so long only; without, it
    must be quick, for nothing else runs meanwhile. One that `needs` some seconds has
    them, or where they are not left, since many think or the deadline is near, `steady`
    answers. `fallbacks` counts the answers that were neither's. `counts` hears how many
    seconds were thought, for each.
    """

    def __init__(
        self,
        strategy: Strategy,
        faces: Faces,
        chance: random.Random,
        pool: Executor | None = None,
        longest: float = LONGEST_THOUGHT,
        needs: float = 0.0,
        counts: Callable[[float], None] = nobody,
    ) -> None:
        self.fallbacks = 0
        self._strategy = strategy
        self._faces = faces
        self._chance = chance
        self._pool = pool
        self._longest = longest
        self._needs = needs
        self._counts = counts

    async def choose(self, view: View, question: Question) -> Choice:
        """A legal answer, well before the question's deadline."""
        began = perf_counter()
        try:
            return await self._chosen(view, question)
        finally:
            self._counts(perf_counter() - began)

    async def _chosen(self, view: View, question: Question) -> Choice:
        try:
            choice = await self._thought(view, question)
        except TimeoutError:
            return self._fall_back(question, "too slow")
        except Exception as error:
            return self._fall_back(question, type(error).__name__)
        if not is_legal(question, choice):
            return self._fall_back(question, "not legal")
        return choice

    async def _thought(self, view: View, question: Question) -> Choice:
        within = self._within(question)
        latest = time.monotonic() + within - self._needs
        think = partial(self._think, view, question, latest)
        if self._pool is None:
            return think()
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(within):
            return await loop.run_in_executor(self._pool, think)

    def _think(self, view: View, question: Question, latest: float) -> Choice:
        """By the strategy, if it may begin before this moment."""
        is_late = self._needs > 0 and time.monotonic() > latest
        strategy = steady if is_late else self._strategy
        return strategy(view, question, self._faces, self._chance)

    def _within(self, question: Question) -> float:
        if question.deadline is None:
            return self._longest
        left = question.deadline - time.time() - MARGIN
        return min(self._longest, max(0.0, left))

    def _fall_back(self, question: Question, why: str) -> Choice:
        self.fallbacks += 1
        log.warning("plain answer instead", question=question.name, why=why)
        return plainest(question)
