"""Which of several ways does best, tried in worlds that are the same for all of them.

Every lap tries each way that is left once more, in one more world; ways that are
clearly behind the best one drop out, so that time goes where the question is open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Generic, NamedTuple, TypeVar

Way = TypeVar("Way")

LAPS_AT_LEAST = 4
DOUBT = 1.6  # standard errors behind, and a way is tried no more
TRUST = 12.0  # in the usual way, while worlds are few: see `_leading`
LEAST_SPREAD = 0.02


@dataclass(slots=True)
class Trial(Generic[Way]):
    """A way and what came of it, world by world."""

    way: Way
    results: list[float] = field(default_factory=list)

    def behind(self, other: "Trial[Way]", laps: int) -> "Gap":
        """How far it is behind another in the same worlds."""
        pairs = zip(other.results[:laps], self.results[:laps], strict=True)
        gaps = [theirs - own for theirs, own in pairs]
        mean = sum(gaps) / laps
        spread = sum((gap - mean) ** 2 for gap in gaps) / laps
        return Gap(mean, (spread + LEAST_SPREAD) / laps)


class Gap(NamedTuple):
    """A mean difference, and the variance of that mean."""

    mean: float
    variance: float


def best_of(
    ways: Sequence[Way],
    play: Callable[[Way, int], float],
    may_go_on: Callable[[], bool],
) -> Way:
    """The best way by `play(way, world)`; the first one while too little is known."""
    left = [Trial(way) for way in ways]
    usual, lap = left[0], 0
    while len(left) > 1:
        for trial in left:
            if not may_go_on():
                return _leading(left, usual, lap).way
            trial.results.append(play(trial.way, lap))
        lap += 1
        if lap >= LAPS_AT_LEAST:
            best = _luckiest(left, lap)
            left = [t for t in left if t is best or not _is_behind(t, best, lap)]
    return left[0].way


def _is_behind(trial: Trial[Way], best: Trial[Way], laps: int) -> bool:
    """Whether by more than chance may explain."""
    gap = trial.behind(best, laps)
    return gap.mean > DOUBT * sqrt(gap.variance)


def _leading(trials: Sequence[Trial[Way]], usual: Trial[Way], laps: int) -> Trial[Way]:
    """The best after whole laps; the usual one, where it is not clear enough.

    The best of many is also the luckiest. Were ways, before any trial, a little worse
    than the usual one by a normal distribution, this is when the best has overtaken it.
    """
    if laps < LAPS_AT_LEAST:
        return usual
    best = _luckiest(trials, laps)
    if usual not in trials:
        return best
    gap = usual.behind(best, laps)
    return best if gap.mean > TRUST * gap.variance else usual


def _luckiest(trials: Sequence[Trial[Way]], laps: int) -> Trial[Way]:
    """Whose results sum to most; of equal ones the first."""
    return max(trials, key=lambda trial: sum(trial.results[:laps]))
