"""`python -m loadtest`: evenings of locust's on a stack of this machine.

A stack of its own is started and stopped, unless `--dir` names one that runs. Exit
code 1 where anything went wrong for anybody.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.bench.machine import machine
from clients.bench.stage import fresh_stack, stack_in
from clients.terminal.stack.folder import Folder, StackError

# Beyond it one process of visitors measures itself.
MOST_USERS = 1_000
MOST_SECONDS = 3_600.0
BETWEEN_RESTARTS = 8.0
STOP_SECONDS = 60.0
FILE = Path(__file__).with_name("evenings.py")


Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Evening:
    """Who comes, and what it is about."""

    about: str
    classes: tuple[str, ...]
    restarts: bool = False


EVENINGS = {
    "first-game": Evening("strangers, paired two by two", ("FirstGame",)),
    "party": Evening("friends, never split, at tables of four", ("Party",)),
    "reconnect-storm": Evening(
        "every ten seconds all connections break at once", ("ReconnectStorm",)
    ),
    "rolling-restart": Evening(
        "engine workers restarted in turn, in mid-game", ("RollingRestart",), True
    ),
    "spectators": Evening("a few tables, and a crowd around", ("Table", "Spectator")),
}


def main(arguments: Sequence[str] | None = None) -> int:
    told = parser().parse_args(arguments)
    if told.users > MOST_USERS or told.seconds > MOST_SECONDS:
        return refuse(f"{MOST_USERS} users and {MOST_SECONDS:.0f} s are the most.")
    try:
        with a_stack(told.dir, told.workers) as folder:
            did = {name: evening(folder, name, told) for name in names_in(told)}
    except StackError as error:
        return refuse(str(error))
    if told.json:
        print(json.dumps({"machine": machine(), "evenings": did}))
    return 0 if all(map(went_well, did.values())) else 1


def names_in(told: argparse.Namespace) -> list[str]:
    return list(told.evening) or list(EVENINGS)


def went_well(rows: Sequence[Row]) -> bool:
    return bool(rows) and not any(row["failures"] for row in rows)


def refuse(sentence: str) -> int:
    print(f"loadtest: {sentence}", file=sys.stderr)
    return 2


def evening(folder: Folder, name: str, told: argparse.Namespace) -> list[Row]:
    """A row for each thing that visitors did."""
    wanted, over = EVENINGS[name], threading.Event()
    with tempfile.TemporaryDirectory(prefix="anpai") as short:
        results = Path(short) / "results.json"
        process = subprocess.Popen(
            command(stack_in(folder).server, name, told, results), stdout=sys.stderr
        )
        restarting = threading.Thread(target=restart, args=(folder, over))
        if wanted.restarts:
            restarting.start()
        try:
            code = process.wait(told.seconds + STOP_SECONDS)
        finally:
            over.set()
            process.kill()
        if code:
            raise StackError(f"locust ended with {code}; see its words above.")
        rows = rows_in(json.loads(results.read_text()))
    print_rows(name, rows)
    return rows


def command(
    server: str, name: str, told: argparse.Namespace, results: Path
) -> list[str]:
    report = told.html / f"{name}.html" if told.html else None
    return [
        *(sys.executable, "-m", "locust", "-f", str(FILE), *EVENINGS[name].classes),
        *("--headless", "--only-summary", "--host", server),
        *("--users", str(told.users), "--spawn-rate", str(told.spawn_rate)),
        *("--run-time", f"{told.seconds:.0f}s", "--stop-timeout", "0"),
        *("--game", told.game, "--variant", told.variant, "--think", str(told.think)),
        *("--json-file", str(results.with_suffix("")), "--exit-code-on-error", "0"),
        *(("--html", str(report)) if report else ()),
    ]


def rows_in(stats: list[dict[str, Any]]) -> list[Row]:
    return [
        {
            "name": one["name"],
            "times": one["num_requests"],
            "failures": one["num_failures"],
            "mean_ms": round(one["total_response_time"] / one["num_requests"], 2),
            **percentiles(one),
        }
        for one in stats
    ]


def percentiles(stats: dict[str, Any]) -> dict[str, float]:
    """Of response times, which locust keeps rounded, by how often each came."""
    times = sorted((float(ms), n) for ms, n in stats["response_times"].items())
    return {f"p{percent}_ms": at(times, percent) for percent in (50, 95, 99)}


def at(times: Sequence[tuple[float, int]], percent: int) -> float:
    wanted = sum(number for _, number in times) * percent / 100
    for milliseconds, number in times:
        wanted -= number
        if wanted <= 0:
            return milliseconds
    return 0.0


def print_rows(name: str, rows: Sequence[Row]) -> None:
    print(f"{name}: {EVENINGS[name].about}", file=sys.stderr)
    for row in rows:
        print(
            f"  {row['name']:<16}{row['times']:>7} times {row['failures']:>5} failed"
            f"{row['p50_ms']:>9.0f} ms (50 %) {row['p99_ms']:>7.0f} ms (99 %)",
            file=sys.stderr,
        )


def restart(folder: Folder, over: threading.Event) -> None:
    """One engine worker after the other, as a new release would; the stack starts each
    again."""
    while True:
        for name in [one for one in stack_in(folder).pids if "engine" in one]:
            if over.wait(BETWEEN_RESTARTS):
                return
            os.kill(stack_in(folder).pids[name], signal.SIGTERM)


@contextmanager
def a_stack(directory: Path | None, workers: int) -> Iterator[Folder]:
    """The one that runs in a directory, or one for us alone."""
    if directory is not None:
        yield Folder(directory)
        return
    with fresh_stack(workers) as folder:
        yield folder


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("loadtest", description=__doc__)
    parser.add_argument(
        "evening", nargs="*", choices=[*EVENINGS, []], help=", ".join(EVENINGS)
    )
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--spawn-rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=0.5, help="seconds an answer")
    parser.add_argument("--game", default="skirmish")
    parser.add_argument("--variant", default="")
    parser.add_argument("--dir", type=Path, help="the directory of a running stack")
    parser.add_argument("--workers", type=int, default=2, help="engine workers")
    parser.add_argument("--html", type=Path, help="a folder for locust's reports")
    parser.add_argument("--json", action="store_true", help="end with one line of it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
