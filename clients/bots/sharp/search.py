"""Which of several ways does best, tried in worlds that are the same for all of them.

Every lap tries each way that is left once more, in one more world; ways that are
clearly behind the best one drop out, so that time goes where the question is open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Generic, TypeVar

Way = TypeVar("Way")

LAPS_AT_LEAST = 4
DOUBT = 1.6  # standard errors


@dataclass(slots=True)
class Trial(Generic[Way]):
    """A way and what came of it, world by world."""

    way: Way
    results: list[float] = field(default_factory=list)

    def is_behind(self, best: "Trial[Way]") -> bool:
        """Whether it is worse than the best by more than chance may explain."""
        gaps = [b - own for b, own in zip(best.results, self.results, strict=True)]
        mean = sum(gaps) / len(gaps)
        spread = sum((gap - mean) ** 2 for gap in gaps) / len(gaps)
        return mean > DOUBT * sqrt((spread + LEAST_SPREAD) / len(gaps))


LEAST_SPREAD = 0.02


def best_of(
    ways: Sequence[Way],
    play: Callable[[Way, int], float],
    may_go_on: Callable[[], bool],
) -> Way:
    """The best way by `play(way, world)`; the first one while too little is known."""
    left = [Trial(way) for way in ways]
    lap = 0
    while len(left) > 1:
        for trial in left:
            if not may_go_on():
                return ways[0] if lap < LAPS_AT_LEAST else _leading(left, lap).way
            trial.results.append(play(trial.way, lap))
        lap += 1
        if lap >= LAPS_AT_LEAST:
            best = _leading(left, lap)
            left = [t for t in left if t is best or not t.is_behind(best)]
    return left[0].way


def _leading(trials: Sequence[Trial[Way]], laps: int) -> Trial[Way]:
    """The best after whole laps; of equal ones the first."""
    return max(trials, key=lambda trial: sum(trial.results[:laps]))
