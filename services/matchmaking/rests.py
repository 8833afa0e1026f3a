"""Pools whose tables would not open rest for a while: longer each time they fail."""

from collections.abc import Callable

from services.matchmaking.timings import Timings


class Rests:
    def __init__(self, timings: Timings, now: Callable[[], int]):
        self._timings = timings
        self._now = now
        self._rests: dict[str, tuple[int, int]] = {}

    def is_resting(self, pool: str) -> bool:
        until, _ = self._rests.get(pool, (0, 0))
        return self._now() < until

    def rest(self, pool: str) -> None:
        """Failures of one rest count once, however many tables failed together."""
        if self.is_resting(pool):
            return
        _, last = self._rests.get(pool, (0, 0))
        first, longest = self._timings.rest, self._timings.longest_rest
        rest = min(last * 2, longest) or first
        self._rests[pool] = (self._now() + rest, rest)

    def end(self, pool: str) -> None:
        self._rests.pop(pool, None)

    def forget_all_but(self, pools: set[str]) -> None:
        """Rooms come and go: what has no queue any more need not be remembered."""
        kept = {pool: rest for pool, rest in self._rests.items() if pool in pools}
        self._rests = kept
