"""`anpai status`: what runs here, and how it is."""

import os
import re
import urllib.request
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from clients.terminal.finding import option_for
from clients.terminal.say import Trouble, tell
from clients.terminal.screen.lines import columns
from clients.terminal.stack.folder import Folder, read_stack
from clients.terminal.words import Words

REPLY_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class PartStatus:
    """One part: whether it takes players; what it counts, by name."""

    name: str
    ready: bool
    counts: dict[str, int] = field(default_factory=dict)


COUNTS = {
    "live_tables": "anpai_live_tables",
    "watchers": "anpai_watchers",
    "queued_tickets": "anpai_queued_tickets",
    "answers": "anpai_answers_total",
}


def stack_status(directory: Path, words: Words) -> tuple[dict[str, Any], bool]:
    """The stack with every part, and whether all of it is well."""
    told = read_stack(Folder(directory))
    if told is None:
        option = option_for(directory)
        raise Trouble(words("no_stack", folder=directory, option=option))
    parts = [part_status(name, part) for name, part in told["parts"].items()]
    tables = sum(part.counts.get("live_tables", 0) for part in parts)
    workers = sum(part.ready for part in parts if part.name.startswith("engine"))
    status = {
        "server": told["matchmaking"],
        "started_at": told["started_at"],
        "workers": workers,
        "live_tables": tables,
        "parts": [asdict(part) for part in parts],
    }
    return status, all(part.ready for part in parts)


def part_status(name: str, part: dict[str, Any]) -> PartStatus:
    """What it says of itself; of a part that says nothing, whether it lives."""
    address = part["metrics"]
    if not address:
        return PartStatus(name, lives(part["pid"]))
    ready = page(address, "readyz") is not None
    metrics = page(address, "metrics") or ""
    counts = {key: total(metrics, metric) for key, metric in COUNTS.items()}
    return PartStatus(name, ready, {key: n for key, n in counts.items() if n})


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def page(address: str, name: str) -> str | None:
    """What the operators' port answers; None unless all is well."""
    try:
        url = f"http://{address}/{name}"
        with urllib.request.urlopen(url, timeout=REPLY_SECONDS) as reply:
            return str(reply.read().decode())
    except OSError:
        return None


def total(metrics: str, name: str) -> int:
    """The sum of a metric over its labels."""
    found = re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", metrics, re.MULTILINE)
    return round(sum(map(float, found)))


def print_status(status: dict[str, Any], words: Words, out: Console) -> None:
    since = status["started_at"]
    tell(out, words("status.head", server=status["server"], since=since))
    tell(
        out,
        words("status.tables", workers=status["workers"], tables=status["live_tables"]),
    )
    items = [line_of(part, words) for part in status["parts"]]
    for line in columns(items, 1):
        out.print(line)


def line_of(part: dict[str, Any], words: Words) -> Text:
    style, key = ("green", "yes") if part["ready"] else ("bold red", "no")
    line = Text(f"{part['name']:12} ").append(words(f"status.{key}"), style)
    counts = " · ".join(f"{key} {number}" for key, number in part["counts"].items())
    return line.append(f"  {counts}" if counts else "")
