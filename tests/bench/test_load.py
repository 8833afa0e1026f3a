"""A stack under load, for real but briefly; and when its players answer."""

import asyncio
import json
import os
import random
import subprocess
import sys
from time import monotonic

import pytest

from clients.bench.stage import shares
from clients.bench.tally import Tally
from clients.bench.turns import Paced

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


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    directory = tmp_path_factory.mktemp("load")
    wish = ("--tables", "4", "--seconds", "1", "--warm-up", "2", "--rate", "40")
    result = bench("load", *wish, directory=directory)
    assert result.returncode == 0, result.stderr
    assert list(directory.iterdir()) == []
    return json.loads(result.stdout)


def test_a_load_tells_these_fields_first_and_by_these_names(loaded):
    assert list(loaded)[: len(FIELDS)] == FIELDS


def test_a_load_counts_what_was_answered_and_what_that_cost(loaded):
    assert (loaded["tables"], loaded["seats"], loaded["errors"]) == (4, 2, 0)
    assert 10 < loaded["answers"] < 90
    assert 0 < loaded["p50_ms"] <= loaded["p95_ms"] <= loaded["p99_ms"]
    server = loaded["server_cpu_ms_per_answer"]
    assert loaded["cost_ratio"] == pytest.approx(
        server / loaded["echo_cpu_ms"], rel=0.01
    )
    parts = loaded["cpu_ms_per_answer"]
    told = parts["engine"] + parts["vault"] + parts["store"]
    assert server == pytest.approx(told, abs=0.001)
    assert {"engine-1", "vault", "store", "matchmaking"} <= set(loaded["rss_mb"])


def test_a_number_of_seats_the_game_does_not_have_is_a_sentence(tmp_path):
    result = bench("load", "--seats", "9", "--lang", "en", directory=tmp_path)
    assert result.returncode == 1
    assert result.stderr.strip() == "standard has 2, 3, 4 seats."


# ---- turns ---------------------------------------------------------------------------


class Player:
    """Is asked, and notes from when on its answers count."""

    def __init__(self, is_asked=True):
        self.is_asked = is_asked
        self.answered = []
        self.has_answered = asyncio.Event()

    def answer(self, since):
        self.answered.append(since)
        self.has_answered.set()


async def test_without_a_rate_whoever_is_asked_answers_at_once():
    player = Player()
    Paced(random.Random(1)).asked(player)
    assert player.answered == [pytest.approx(monotonic(), abs=5)]


async def test_an_answer_that_found_nobody_asked_counts_from_when_it_was_due():
    turns, player = Paced(random.Random(1)), Player()
    turns.open(rate=1000.0)
    await asyncio.sleep(0.3)
    asked_at = monotonic()

    turns.asked(player)

    assert player.answered[0] < asked_at - 0.1


async def test_who_is_no_longer_asked_takes_no_turn():
    turns, late, asked = Paced(random.Random(1)), Player(is_asked=False), Player()
    turns.open(rate=50.0)
    turns.asked(late)
    turns.asked(asked)
    await asyncio.wait_for(asked.has_answered.wait(), 30)
    assert late.answered == []


async def test_after_the_end_nobody_answers_and_what_was_due_is_told():
    turns, player = Paced(random.Random(1)), Player()
    turns.open(rate=1000.0)
    await asyncio.sleep(0.3)
    assert turns.stop() > 10
    turns.asked(player)
    assert player.answered == []


# ---- tallies -------------------------------------------------------------------------


async def test_what_was_given_within_the_time_counts_however_late_it_is_told():
    tally = Tally()
    tally.begin()
    tally.give()
    since = monotonic()
    tally.end()
    tally.tell(since)
    told = tally.as_json()
    assert (told["answers"], len(told["seconds"])) == (0, 1)


async def test_an_answer_of_which_nothing_is_heard_is_an_error():
    tally = Tally()
    tally.begin()
    tally.give()
    tally.end()
    await tally.settle(within=0.01)
    assert tally.as_json()["errors"] == {"UNTOLD": 1}


def test_tables_are_shared_out_evenly():
    assert shares(100, 2) == [50, 50]
    assert shares(7, 3) == [3, 2, 2]
    assert shares(1, 4) == [1]
