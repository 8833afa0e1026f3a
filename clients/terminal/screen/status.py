"""The table of `anpai status`: its parts, and the games that are played."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clients.terminal.screen.lines import clock
from clients.terminal.words import Words

NOTHING = "·"
MEGABYTE = 1024 * 1024

PARTS = ("part", "state", "up", "memory", "late", "calls", "streams")
GAMES = (
    *("game", "waiting", "oldest", "gathering", "playing", "over"),
    *("answers", "refused"),
)


def drawn(status: dict[str, Any], words: Words) -> RenderableType:
    """All of it, within 80 cells."""
    workers, tables = status["workers"], status["live_tables"]
    return Group(
        words("status.head", server=status["server"], since=status["started_at"]),
        words("status.tables", workers=workers, tables=tables),
        "",
        table(PARTS, [row_of_part(part, words) for part in status["parts"]], words),
        "",
        table(GAMES, map(row_of_game, status["games"]), words)
        if status["games"]
        else words("status.quiet"),
    )


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Text | str]], words: Words
) -> Table:
    """Words to the left, numbers to the right."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        is_word = number == 0 or column == "state"
        side: Literal["left", "right"] = "left" if is_word else "right"
        drawn.add_column(words(f"status.{column}"), justify=side, no_wrap=True)
    for row in rows:
        drawn.add_row(*row)
    return drawn


def row_of_part(part: dict[str, Any], words: Words) -> list[Text | str]:
    style, key = ("green", "yes") if part["ready"] else ("bold red", "no")
    return [
        part["name"],
        Text(words(f"status.{key}"), style),
        told(part["up_seconds"], clock),
        told(part["memory_bytes"], lambda it: f"{it / MEGABYTE:.0f} MB"),
        told(part["lag_ms"], lambda it: f"{it:.1f} ms"),
        told(part["calls_per_s"], rate),
        told(part["streams"], str),
    ]


def row_of_game(game: dict[str, Any]) -> list[Text | str]:
    oldest = game["oldest_seconds"] if game["waiting"] else None
    tables = [str(game[state]) for state in ("gathering", "playing", "over")]
    rates = [rate(game["answers_per_s"]), rate(game["refused_per_s"])]
    return [game["game"], str(game["waiting"]), told(oldest, clock), *tables, *rates]


def told(value: Any, written: Any) -> str:
    return NOTHING if value is None else str(written(value))


def rate(value: float) -> str:
    return f"{value:.1f}"
