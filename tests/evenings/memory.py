"""Does memory grow? The slope of a process's RSS over time, and how sure one can be."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

PAGE = os.sysconf("SC_PAGE_SIZE")
HOUR = 3600.0
SURE = 4.0  # standard errors


class Sample(NamedTuple):
    """At this second a process had so many MB in memory."""

    at: float
    mb: float


@dataclass(frozen=True, slots=True)
class Trend:
    """MB an hour, and the standard error of that: what noise alone may make of it."""

    slope: float
    noise: float
    mean: float

    def grows(self, allowed: float) -> bool:
        """Whether it is surely more than is allowed, in MB an hour."""
        return self.slope - SURE * self.noise > allowed

    def __str__(self) -> str:
        return f"{self.mean:.1f} MB {self.slope:+.2f} ± {self.noise:.2f} MB/h"


def rss(pid: int) -> float:
    """What it has in memory now, in MB. OSError where there is no such process."""
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * PAGE / 1e6


def second_half(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Until then a process may fill its caches."""
    return samples[len(samples) // 2 :]


def trend(samples: Sequence[Sample], blocks: int = 12) -> Trend:
    """By least squares over the means of blocks.

    Memory wanders, so that neighbouring samples say the same: taken one by one they
    would make the slope look far surer than it is.
    """
    points = [mean_of(block) for block in split(samples, min(blocks, len(samples)))]
    if len(points) < 3:
        return Trend(0.0, math.inf, mean_of(points).mb)
    middle, mean = mean_of(points)
    spread = sum((one.at - middle) ** 2 for one in points)
    slope = sum((one.at - middle) * (one.mb - mean) for one in points) / spread
    rest = sum((one.mb - mean - slope * (one.at - middle)) ** 2 for one in points)
    error = math.sqrt(rest / (len(points) - 2) / spread)
    return Trend(slope * HOUR, error * HOUR, mean)


def split(samples: Sequence[Sample], parts: int) -> list[Sequence[Sample]]:
    size = len(samples) / parts
    return [samples[int(k * size) : int((k + 1) * size)] for k in range(parts)]


def mean_of(samples: Sequence[Sample]) -> Sample:
    count = len(samples)
    at = sum(one.at for one in samples) / count
    return Sample(at, sum(one.mb for one in samples) / count)
