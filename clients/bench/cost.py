"""What something cost: processor time and memory of processes, by their ids."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Reading:
    """One process at one moment."""

    cpu_seconds: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class Cost:
    """One process over a while: processor seconds, and megabytes at its end."""

    cpu_seconds: float
    memory_mb: float


Readings = dict[str, Reading]


def read_all(pids: Mapping[str, int]) -> Readings:
    return {name: read(pid) for name, pid in pids.items()}


def read(pid: int) -> Reading:
    proc = Path(f"/proc/{pid}")
    return read_proc(proc) if proc.exists() else read_ps(pid)


def read_proc(proc: Path) -> Reading:
    """Linux. What follows the name, which may hold anything, is split by blanks; the
    four times are its own and those of children that have ended, as a store has them
    for writing its file anew."""
    fields = (proc / "stat").read_text().rpartition(")")[2].split()
    ticks, pages = sum(map(int, fields[11:15])), int(fields[21])
    return Reading(
        ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    )


def read_ps(pid: int) -> Reading:
    """Elsewhere, such as on macOS."""
    told = subprocess.run(
        ["ps", "-o", "time=,rss=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    return parse_ps(told.stdout)


def parse_ps(line: str) -> Reading:
    """[hours:]minutes:seconds, and kilobytes."""
    clock, kilobytes = line.split()
    seconds = 0.0
    for part in clock.split(":"):
        seconds = seconds * 60 + float(part)
    return Reading(seconds, int(kilobytes) / 1e3)


def between(before: Readings, after: Readings) -> dict[str, Cost]:
    return {
        name: Cost(
            round(after[name].cpu_seconds - before[name].cpu_seconds, 2),
            round(after[name].memory_mb, 1),
        )
        for name in after
    }
