"""`anpai bench`: what was wished is checked, and what was measured is shown."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.console import Console
from rich.table import Table

from clients.bench.stage import Say
from clients.terminal import say
from clients.terminal.choosing import no_variant, seats_at
from clients.terminal.installed import must_know
from clients.terminal.say import Trouble
from clients.terminal.words import Words
from services.local import GAMES
from services.local.playouts import Speed, playouts

if TYPE_CHECKING:
    from clients.bench.report import Measured

W = TypeVar("W")
R = TypeVar("R")


class Way(NamedTuple):
    """A game as it is played here: its variant by name, and how many sit."""

    game: str
    variant: str
    seats: int


def way_to_play(game: str, variant: str, seats: int | None, words: Words) -> Way:
    """Trouble for what cannot be played."""
    must_know(game, words)
    found = GAMES[game]
    wanted = found.variant(variant)
    if wanted is None:
        raise no_variant(found.name, variant, (v.name for v in found.variants), words)
    number = seats_at(wanted.name, wanted.seats, seats, words)
    return Way(game, wanted.name, number)


# ---- playouts ------------------------------------------------------------------------


def measure(game: str, variant: str, seconds: float, words: Words) -> Speed:
    way = way_to_play(game, variant, None, words)
    found = GAMES[game]
    return playouts(found, seats=way.seats, variant=way.variant, seconds=seconds)


def print_speed(speed: Speed, words: Words, out: Console) -> None:
    told = {key: round(n) if isinstance(n, float) else n for key, n in speed.items()}
    out.print(words("bench.playouts", **told), soft_wrap=True)


# ---- on a stack of its own -----------------------------------------------------------


def with_steps(measure: Callable[[W, Say], R], wanted: W, words: Words) -> R:
    """Each step is told on standard error."""
    steps = say.console(for_json=True)

    def told(key: str, **values: object) -> None:
        steps.print(words(key, **values))

    return measure(wanted, told)


def print_load(told: Mapping[str, Any], words: Words, out: Console) -> None:
    out.print(words("bench.load", **told), soft_wrap=True)
    rows = Table(box=None, pad_edge=False)
    for key in ("bench.part", "bench.cpu", "bench.memory"):
        rows.add_column(words(key), justify="left" if key == "bench.part" else "right")
    costs, sizes = told["cpu_ms_per_answer"], told["rss_mb"]
    for part, memory in sizes.items():
        cost = costs[part.partition("-")[0]]
        rows.add_row(part, f"{cost:.3f}", f"{memory:.0f}")
    out.print(rows)
    print_errors(told, words, out)


def print_tickets(told: Mapping[str, Any], words: Words, out: Console) -> None:
    out.print(words("bench.tickets", **told), soft_wrap=True)
    out.print(words("bench.stages", **told["stages_ms"]), soft_wrap=True)
    if told["kills"]:
        out.print(words("bench.killed", **told))
    print_errors(told, words, out)


def print_streams(told: Mapping[str, Any], words: Words, out: Console) -> None:
    out.print(words("bench.streams", **told, **told["rss_mb"]), soft_wrap=True)
    print_errors(told, words, out)


def print_idle(told: Mapping[str, Any], words: Words, out: Console) -> None:
    out.print(words("bench.idle", **told, **told["rss_mb"]), soft_wrap=True)
    print_errors(told, words, out)


def write_report(file: Path, full: bool, words: Words) -> "Measured":
    """Trouble before anything is measured, where it could not be drawn or written."""
    try:
        from clients.bench.page import page
    except ImportError:
        raise Trouble(words("bench.no_plots")) from None
    from clients.bench.report import FULL, QUICK, measure

    was_there = file.exists()
    try:
        file.touch()
    except OSError as error:
        raise Trouble(f"{file}: {error.strerror}.") from None
    try:
        told = with_steps(measure, FULL if full else QUICK, words)
    except BaseException:
        if not was_there:
            file.unlink(missing_ok=True)
        raise
    file.write_text(page(told), encoding="utf-8")
    return told


def print_errors(told: Mapping[str, Any], words: Words, out: Console) -> None:
    for reason, count in told["errors_by_reason"].items():
        out.print(words("bot.error", reason=reason, count=count))
