"""What `anpai status` makes of what the parts tell."""

from dataclasses import asdict
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from clients.terminal.__main__ import app
from clients.terminal.commands.status import Look, games_status, part_status
from clients.terminal.numbers import Numbers
from clients.terminal.screen.status import drawn
from clients.terminal.words import Words
from tests.terminal.conftest import all_ready, status_once
from tests.terminal.pty import Terminal

PAGE = """
# TYPE anpai_answers_total counter
anpai_answers_total{game="gwent",outcome="ACCEPTED"} %d
anpai_answers_total{game="gwent",outcome="QUESTION_STALE"} 4
# TYPE anpai_live_tables gauge
anpai_live_tables{game="gwent",state="playing"} 2
anpai_live_tables{game="gwent",state="over"} 1
# TYPE anpai_calls_total counter
anpai_calls_total{method="a",code="OK"} %d
# TYPE anpai_loop_lag_seconds histogram
anpai_loop_lag_seconds_bucket{le="+Inf"} %d
anpai_loop_lag_seconds_count %d
anpai_loop_lag_seconds_sum %f
process_start_time_seconds 400
process_resident_memory_bytes 80000000
"""
QUEUE = """
anpai_queued_players{game="skirmish"} 3
anpai_oldest_ticket_seconds{game="skirmish"} 187.2
"""


def look(at, page):
    return Look(True, at, Numbers(page))


BEFORE = {"engine-1": look(500, PAGE % (100, 10, 4, 4, 0.1)), "desk": look(500, "")}
NOW = {"engine-1": look(502, PAGE % (121, 13, 8, 8, 0.3)), "desk": look(502, QUEUE)}


def test_a_parts_rates_are_between_two_looks():
    part = part_status("engine-1", BEFORE["engine-1"], NOW["engine-1"])

    assert asdict(part) == {
        "name": "engine-1",
        "ready": True,
        "up_seconds": 102,
        "memory_bytes": 80_000_000,
        "lag_ms": 50.0,
        "calls_per_s": 1.5,
        "streams": 0,
        "counts": {"live_tables": 3, "answers": 125},
    }


def test_a_part_that_was_started_again_counts_from_0():
    earlier = look(500, PAGE % (900, 900, 90, 90, 9.0))

    assert part_status("engine-1", earlier, NOW["engine-1"]).calls_per_s == 0


def test_of_a_part_that_tells_nothing_only_its_life_is_known():
    part = asdict(part_status("store", look(500, ""), look(502, "")))

    assert part.pop("ready") is True
    assert {key for key, value in part.items() if value} == {"name"}


def test_a_game_has_who_waits_its_tables_and_its_rates():
    gwent, skirmish = map(asdict, games_status(BEFORE, NOW))

    assert gwent == {
        "game": "gwent",
        "waiting": 0,
        "oldest_seconds": 0,
        "gathering": 0,
        "playing": 2,
        "over": 1,
        "answers_per_s": 10.5,
        "refused_per_s": 0.0,
    }
    assert (skirmish["waiting"], skirmish["oldest_seconds"]) == (3, 187.2)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("games", [games_status(BEFORE, NOW), []])
def test_it_fits_a_terminal_of_80_columns(language, games):
    part = part_status("matchmaking", BEFORE["engine-1"], NOW["engine-1"])
    status = {
        "server": "127.0.0.1:7410",
        "started_at": "2026-11-30T10:00:00+00:00",
        "workers": 2,
        "live_tables": 3,
        "parts": [asdict(part)],
        "games": list(map(asdict, games)),
    }
    out = Console(width=80, record=True, file=StringIO())
    out.print(drawn(status, Words(language)))

    lines = out.export_text().splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert not any("…" in line for line in lines)
    assert any("50.0 ms" in line and "1:42" in line for line in lines)


# ---- of a stack that runs ------------------------------------------------------------


def test_scripts_read_parts_workers_and_games(stack):
    told = status_once(stack, all_ready)

    parts = {part["name"]: part for part in told["parts"]}
    assert told["workers"] == 2
    assert parts.keys() == {
        *("store", "vault", "engine-1", "engine-2", "matchmaking", "bots")
    }
    assert parts["engine-1"]["memory_bytes"] > 10_000_000
    assert parts["bots"]["up_seconds"] > 0


def test_at_a_terminal_it_goes_on_until_ctrl_c(stack):
    terminal = Terminal("status", "--dir", str(stack.folder), "--lang", "en")
    for _ in range(2):
        terminal.reads("engine-1")
    terminal.presses_ctrl_c()

    assert terminal.ends() == 0
    assert "Traceback" not in terminal.shown


def test_it_is_told_once_where_it_is_piped_or_wished(stack):
    directory = ("--dir", str(stack.folder), "--lang", "en")
    piped = CliRunner().invoke(app, ["status", *directory])
    terminal = Terminal("status", "--once", *directory)

    assert terminal.ends() == piped.exit_code == 0
    for told in (piped.stdout, terminal.shown):
        assert told.count("engine-1") == 1
