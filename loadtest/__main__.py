"""`python -m loadtest`: start a stack, let a swarm loose on it, and tell what it cost.

`make bench` runs the usual scenarios. `--server` takes a stack that runs already, in
the directory `--dir`.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clients.bench.cost import between, read_all
from clients.terminal.stack.folder import Folder, StackError, read_stack
from clients.terminal.stack.own import own_stack
from loadtest import report
from loadtest.scenarios import SCENARIOS, USUAL, Scenario
from loadtest.swarm import NotLoopback, swarm


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 1 where a table did not end or anything went wrong, 2 for a bad wish."""
    told = parser().parse_args(arguments)
    wanted = [SCENARIOS[name] for name in told.scenario or USUAL]
    try:
        with a_stack(told.dir, told.workers) as folder:
            rows = bench(folder, wanted, quiet=told.json)
    except (StackError, NotLoopback) as error:
        print(f"loadtest: {error}", file=sys.stderr)
        return 2
    if told.json:
        print(json.dumps({"machine": report.machine(), "scenarios": rows}))
    return 0 if all(is_well(row) for row in rows) else 1


def bench(
    folder: Folder, wanted: Sequence[Scenario], quiet: bool = False
) -> list[dict[str, Any]]:
    """Run these on the stack in a directory; a line for each as it ends."""
    rows = []
    say = (lambda text: None) if quiet else print
    say(report.HEAD)
    for scenario in wanted:
        rows.append(measured(folder, scenario))
        say(report.line(rows[-1]))
    say(report.foot())
    return rows


def measured(folder: Folder, scenario: Scenario) -> dict[str, Any]:
    told = read_stack(folder)
    if told is None:
        raise StackError(f"No stack runs in {folder.root}.")
    pids = {name: part["pid"] for name, part in told["parts"].items()}
    before = read_all(pids)
    swarmed = asyncio.run(swarm(told["matchmaking"], scenario))
    return report.row(swarmed, between(before, read_all(pids)))


def is_well(row: dict[str, Any]) -> bool:
    return bool(row["finished"] == row["tables"] and not row["errors"])


@contextmanager
def a_stack(directory: Path | None, workers: int) -> Iterator[Folder]:
    """The one that runs in a directory, or one for us alone."""
    if directory is not None:
        yield Folder(directory)
        return
    with tempfile.TemporaryDirectory(prefix="anpai") as short:
        path = Path(short) / "stack"
        with own_stack(path, workers):
            yield Folder(path)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("loadtest", description=__doc__)
    parser.add_argument(
        "scenario", nargs="*", choices=[*SCENARIOS, []], help=", ".join(SCENARIOS)
    )
    parser.add_argument("--dir", type=Path, help="the directory of a running stack")
    parser.add_argument("--workers", type=int, default=2, help="engine workers")
    parser.add_argument("--json", action="store_true", help="end with one line of it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
