"""Which of several servers goes through the queues, so that they do not run for the
same tickets. Nothing but work depends on it: two that both lead do no harm."""

import secrets
from collections.abc import Callable

from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.timings import TIMINGS, Timings, wall_clock


class Lead:
    """Taken for a while, and taken again when half of it is over."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._call = pipeline.call
        self._lasts = timings.lead
        self._now = now
        self._name = secrets.token_hex(8)
        self._taken_ms = 0

    async def is_ours(self) -> bool:
        now = self._now()
        if 0 <= now - self._taken_ms < self._lasts // 2:
            return True
        terms: list[str | int] = [self._name, self._lasts]
        is_taken = bool(await self._call(scripts.TAKE_LEAD, [keys.LEAD], terms))
        self._taken_ms = now if is_taken else 0
        return is_taken

    async def let_go(self) -> None:
        """Another may take it at once."""
        self._taken_ms = 0
        await self._call(scripts.LEAVE_LEAD, [keys.LEAD], [self._name])
