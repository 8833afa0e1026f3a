"""A stack under load, for real but briefly."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from clients.bench.echo import echo_cpu_ms
from clients.bench.load import Wanted, figures, played
from clients.terminal.__main__ import app
from tests.scale import scaled

FIELDS = [
    *("game", "seats", "tables", "workers", "seconds", "answers", "answers_per_s"),
    *("p50_ms", "p95_ms", "p99_ms", "server_cpu_ms_per_answer"),
    *("client_cpu_ms_per_answer", "echo_cpu_ms", "cost_ratio", "rss_mb", "errors"),
]


def bench(*arguments, directory):
    """`anpai bench`, as a script runs it; what it ended with, and left behind."""
    return subprocess.run(
        [sys.executable, "-m", "clients.terminal", "bench", *arguments, "--json"],
        env=os.environ | {"TMPDIR": str(directory), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


def wanted(**changed):
    usual = {
        "game": "skirmish",
        "variant": "standard",
        "seats": 2,
        "tables": 4,
        "workers": 2,
        "rate": 40.0,
        "seconds": 3.0,
        "warm_up": 1.0,
        "clients": 2,
    }
    return Wanted(**(usual | changed))


async def test_a_load_counts_what_was_answered_and_what_that_cost(folder, said):
    echo = await echo_cpu_ms(calls=500)
    told = figures(wanted(), await played(folder, wanted(), said), echo)

    assert list(told)[: len(FIELDS)] == FIELDS
    assert (told["tables"], told["seats"], told["errors"]) == (4, 2, 0)
    assert 10 < told["answers"] < 270
    assert 0 < told["p50_ms"] <= told["p95_ms"] <= told["p99_ms"]
    parts = told["cpu_ms_per_answer"]
    server = parts["engine"] + parts["vault"] + parts["store"]
    assert told["server_cpu_ms_per_answer"] == pytest.approx(server, abs=0.001)
    assert told["cost_ratio"] == pytest.approx(server / echo, rel=0.01)
    assert {"engine-1", "engine-2", "vault", "store"} <= set(told["rss_mb"])


async def test_without_a_rate_it_goes_as_fast_as_it_can(folder, said):
    wish = wanted(rate=None)
    told = figures(wish, await played(folder, wish, said), echo_ms=0.2)
    assert told["answers"] > 5
    assert (told["rate"], told["overdue"]) == (None, 0)
    assert said[-1] == "bench.measuring"


@pytest.mark.skipif(scaled(0, 1) == 0, reason="half a minute: with ANPAI_SCALE=full")
def test_a_script_gets_one_line_of_json_and_nothing_is_left_behind(tmp_path):
    wish = ("--tables", "4", "--seconds", "2", "--rate", "40")
    result = bench("load", *wish, directory=tmp_path)
    assert result.returncode == 0, result.stderr
    assert list(json.loads(result.stdout))[: len(FIELDS)] == FIELDS
    assert list(tmp_path.iterdir()) == []


def test_a_number_of_seats_the_game_does_not_have_is_a_sentence():
    result = CliRunner().invoke(app, ["bench", "load", "--seats", "9", "--lang", "en"])
    assert result.exit_code == 1
    assert result.stderr.strip() == "standard has 2, 3, 4 seats."
