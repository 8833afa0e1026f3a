"""`anpai status`: what runs here, how it is, and how much is going on."""

import os
import time
import urllib.request
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live

from clients.terminal.finding import option_for
from clients.terminal.numbers import Labels, Numbers
from clients.terminal.say import Trouble
from clients.terminal.screen.status import drawn
from clients.terminal.stack.folder import Folder, read_stack
from clients.terminal.words import Words

REPLY_SECONDS = 3.0
# Rates are between two looks.
BETWEEN_LOOKS = 1.0

COUNTS = {
    "live_tables": "anpai_live_tables",
    "watchers": "anpai_watchers",
    "queued_tickets": "anpai_queued_tickets",
    "answers": "anpai_answers_total",
    "seats_playing": "anpai_bot_seats_playing",
}


@dataclass(frozen=True, slots=True)
class PartStatus:
    """One part: whether it takes players, how it is, what it counts by name. None is
    what it does not tell."""

    name: str
    ready: bool
    up_seconds: int | None = None
    memory_bytes: int | None = None
    lag_ms: float | None = None
    calls_per_s: float | None = None
    streams: int | None = None
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameStatus:
    """One game: who waits for it, its tables in memory, its answers."""

    game: str
    waiting: int
    oldest_seconds: float
    gathering: int
    playing: int
    over: int
    answers_per_s: float
    refused_per_s: float


@dataclass(frozen=True, slots=True)
class Look:
    """A part at one moment, as it tells of itself; or that it lives, if it does not."""

    ready: bool
    at: float
    numbers: Numbers


Looks = dict[str, Look]


class Watching:
    """Looks at a stack again and again; Trouble where none runs."""

    def __init__(self, directory: Path, words: Words) -> None:
        self._directory = directory
        self._words = words
        self._before = self._look()[1]

    def status(self) -> dict[str, Any]:
        """After a moment: the stack, every part and every game."""
        time.sleep(BETWEEN_LOOKS)
        told, looks = self._look()
        before, self._before = self._before, looks
        parts = [
            part_status(name, before.get(name, look), look)
            for name, look in looks.items()
        ]
        return {
            "server": told["matchmaking"],
            "started_at": told["started_at"],
            "workers": sum(part.ready for part in parts if "engine" in part.name),
            "live_tables": sum(part.counts.get("live_tables", 0) for part in parts),
            "parts": [asdict(part) for part in parts],
            "games": [asdict(game) for game in games_status(before, looks)],
        }

    def _look(self) -> tuple[dict[str, Any], Looks]:
        told = read_stack(Folder(self._directory))
        if told is None:
            option = option_for(self._directory)
            raise Trouble(
                self._words("no_stack", folder=self._directory, option=option)
            )
        return told, {name: look_at(part) for name, part in told["parts"].items()}


def is_well(status: dict[str, Any]) -> bool:
    return all(part["ready"] for part in status["parts"])


def show_live(watching: Watching, words: Words, out: Console) -> dict[str, Any]:
    """Until Ctrl-C; the status as it was last."""
    status = watching.status()
    with Live(drawn(status, words), console=out, auto_refresh=False) as live:
        try:
            while True:
                status = watching.status()
                live.update(drawn(status, words), refresh=True)
        except KeyboardInterrupt:
            return status


# ---- one part ------------------------------------------------------------------------


def look_at(part: dict[str, Any]) -> Look:
    address = part["metrics"]
    if not address:
        return Look(lives(part["pid"]), time.time(), Numbers(""))
    ready = page(address, "readyz") is not None
    return Look(ready, time.time(), Numbers(page(address, "metrics") or ""))


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


# All parts are on this machine: no proxy can reach them for us.
DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def page(address: str, name: str) -> str | None:
    """What the operators' port answers; None unless all is well."""
    try:
        url = f"http://{address}/{name}"
        with DIRECTLY.open(url, timeout=REPLY_SECONDS) as reply:
            return str(reply.read().decode())
    except (OSError, HTTPException):
        return None


def part_status(name: str, before: Look, now: Look) -> PartStatus:
    """A service has a loop that is watched; bots and the store have not, and on some
    systems no process tells its memory."""
    numbers = now.numbers
    is_service = numbers.tell("anpai_loop_lag_seconds_count")
    started = numbers.total("process_start_time_seconds")
    counts = {key: round(numbers.total(metric)) for key, metric in COUNTS.items()}
    return PartStatus(
        name=name,
        ready=now.ready,
        up_seconds=round(now.at - started) if started else None,
        memory_bytes=round(numbers.total("process_resident_memory_bytes")) or None,
        lag_ms=lag_ms(before, now) if is_service else None,
        calls_per_s=rate("anpai_calls_total", before, now) if is_service else None,
        streams=round(numbers.total("anpai_open_streams")) if is_service else None,
        counts={key: count for key, count in counts.items() if count},
    )


def rate(metric: str, before: Look, now: Look, labels: Labels | None = None) -> float:
    """By the second."""
    seconds = max(now.at - before.at, 0.001)
    return round(grown(metric, before, now, labels or {}) / seconds, 1)


def grown(metric: str, before: Look, now: Look, labels: Labels) -> float:
    """A part that was started again has counted from 0."""
    earlier = before.numbers.total(metric, **labels)
    return max(0.0, now.numbers.total(metric, **labels) - earlier)


def lag_ms(before: Look, now: Look) -> float:
    """How late the loop woke, on average."""
    woken = grown("anpai_loop_lag_seconds_count", before, now, {})
    late = grown("anpai_loop_lag_seconds_sum", before, now, {})
    return round(1000 * late / woken, 1) if woken else 0.0


# ---- one game ------------------------------------------------------------------------


BY_GAME = ("anpai_live_tables", "anpai_queued_players", "anpai_answers_total")


def games_status(before: Looks, now: Looks) -> list[GameStatus]:
    """Those that anything is known of."""
    games = set[str]()
    for look in now.values():
        games.update(*(look.numbers.values_of("game", one) for one in BY_GAME))
    return [game_status(game, before, now) for game in sorted(games)]


def game_status(game: str, before: Looks, now: Looks) -> GameStatus:
    def tables(state: str) -> int:
        return round(total(now, "anpai_live_tables", game=game, state=state))

    def answers(**labels: str) -> float:
        of, known = {"game": game, **labels}, now.items()
        return sum(
            rate("anpai_answers_total", before.get(name, look), look, of)
            for name, look in known
        )

    accepted = answers(outcome="ACCEPTED")
    return GameStatus(
        game=game,
        waiting=round(total(now, "anpai_queued_players", game=game)),
        oldest_seconds=total(now, "anpai_oldest_ticket_seconds", game=game),
        gathering=tables("gathering"),
        playing=tables("playing"),
        over=tables("over"),
        answers_per_s=round(accepted, 1),
        refused_per_s=round(answers() - accepted, 1),
    )


def total(looks: Looks, metric: str, **labels: str) -> float:
    return sum(look.numbers.total(metric, **labels) for look in looks.values())
