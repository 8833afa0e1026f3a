"""Families whose tables would not open rest for a while: longer each time they fail."""

from collections.abc import Callable

from services.matchmaking.timings import Timings

REMEMBERED = 8


class Rests:
    """`_rests` has when a family's last rest ends, and how long it is, in ms."""

    def __init__(self, timings: Timings, now: Callable[[], int]):
        self._timings = timings
        self._now = now
        self._rests: dict[str, tuple[int, int]] = {}

    def is_resting(self, family: str) -> bool:
        until, lasts = self._rests.get(family, (0, 0))
        return 0 < until - self._now() <= lasts

    def rest(self, family: str) -> None:
        """Failures of one rest count once, however many tables failed together."""
        if self.is_resting(family):
            return
        _, last = self._rests.get(family, (0, 0))
        first, longest = self._timings.rest, self._timings.longest_rest
        rest = min(last * 2, longest) or first
        self._rests[family] = (self._now() + rest, rest)

    def end(self, family: str) -> None:
        self._rests.pop(family, None)

    def tidy(self) -> None:
        """Rooms come and go: a rest long over need not be remembered."""
        since = self._now() - REMEMBERED * self._timings.longest_rest
        rests = self._rests.items()
        self._rests = {family: rest for family, rest in rests if rest[0] > since}
