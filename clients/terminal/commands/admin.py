"""`anpai admin`: what operators see and do, in words and as JSON."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.protobuf.json_format import MessageToDict
from rich.console import Console
from rich.table import Table

from clients.terminal.say import Trouble
from clients.terminal.words import Words

STATES = ("any", "gathering", "playing", "over", "stopped")
UNITS = {"m": 60, "h": 3600, "d": 24 * 3600}


def seconds_in(text: str, words: Words) -> int:
    """7d, 12h or 30m. Trouble."""
    found = re.fullmatch(r"(\d{1,5})([mhd])", text)
    if found is None or not int(found[1]):
        raise Trouble(words("admin.how_long", text=text))
    return int(found[1]) * UNITS[found[2]]


def clock(ms: int) -> str:
    """As it reads everywhere."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def state_of(line: Any, words: Words) -> str:
    return words(f"admin.{STATES[line.state]}", reason=line.stopped)


def game_of(line: Any) -> str:
    return f"{line.game}, {line.variant}" if line.variant else str(line.game)


def worker_name(worker: str) -> str:
    """As it is drained by, without what tells its runs apart."""
    return worker.rpartition("-")[0]


def ago(ms: int, words: Words) -> str:
    return words("admin.ago", seconds=max(0, round(time.time() - ms / 1000)))


# ---- for people ----------------------------------------------------------------------


def columns(words: Words, *names: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in names:
        table.add_column(words(f"admin.{name}"), overflow="fold")
    return table


def print_tables(lines: Sequence[Any], words: Words, out: Console) -> None:
    if not lines:
        out.print(words("admin.no_tables"))
        return
    table = columns(words, "table", "game", "state", "moved", "worker")
    table.columns[0].no_wrap = table.columns[-1].no_wrap = True
    for one in lines:
        moved = ago(one.moved_ms, words)
        name = worker_name(one.worker)
        table.add_row(one.table_id, game_of(one), state_of(one, words), moved, name)
    out.print(table)


def print_table(seen: Any, words: Words, out: Console) -> None:
    line = seen.table
    about = [line.table_id, game_of(line), state_of(line, words)]
    if line.rated:
        about.append(words("admin.rated"))
    if line.worker:
        about.append(line.worker)
    out.print(words("list.comma").join(about), soft_wrap=True)
    for number, one in enumerate(seen.seats, 1):
        out.print(words("list.comma").join(sitting(number, one, words)), soft_wrap=True)
    told = {"revision": seen.view.revision, "watchers": seen.watchers}
    out.print(words("admin.watchers", **told))


def sitting(number: int, one: Any, words: Words) -> list[str]:
    told = [words("admin.seat", seat=number, name=one.name, player=one.player_id)]
    if one.bot:
        told.append(words("admin.bot"))
    if not one.here:
        told.append(words("admin.not_here"))
    if one.stand_in:
        told.append(words("admin.stand_in", name=one.stand_in))
    return told


def print_bans(bans: Mapping[str, int], words: Words, out: Console) -> None:
    if not bans:
        out.print(words("admin.nobody_banned"))
        return
    table = columns(words, "player", "until")
    for player, until in bans.items():
        table.add_row(player, clock(until))
    out.print(table)


def print_queues(queues: Sequence[Any], words: Words, out: Console) -> None:
    if not queues:
        out.print(words("admin.no_queue"))
        return
    table = columns(words, "game", "seats", "waiting", "oldest")
    for one in queues:
        private = [words("admin.private")] if one.private else []
        table.add_row(
            words("list.comma").join([game_of(one), *private]),
            *(str(one.seats), str(one.players)),
            words("admin.seconds", seconds=round(one.oldest_ms / 1000)),
        )
    out.print(table)


# ---- for scripts ---------------------------------------------------------------------


def as_json(message: Any) -> dict[str, Any]:
    """Every field by its own name, said or not; times as numbers."""
    told = MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
        use_integers_for_enums=True,
    )
    return {name: number(name, value) for name, value in told.items()}


def number(name: str, value: Any) -> Any:
    """64 bits are texts in protobuf's JSON."""
    return int(value) if name.endswith("_ms") or name == "entries" else value


def line_as_json(line: Any) -> dict[str, Any]:
    return as_json(line) | {"state": STATES[line.state]}


def lines_as_json(lines: Iterable[Any]) -> list[dict[str, Any]]:
    return [line_as_json(line) for line in lines]


def table_as_json(seen: Any) -> dict[str, Any]:
    return as_json(seen) | {"table": line_as_json(seen.table)}


def bans_as_json(bans: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"player_id": player, "until_ms": until} for player, until in bans.items()]
