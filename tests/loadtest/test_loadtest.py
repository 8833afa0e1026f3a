"""The swarm plays, counts what it did, and keeps within its bounds."""

import json
import os

import pytest

from loadtest import report
from clients.bench.cost import Cost, Reading, between, parse_ps, read_all
from loadtest.scenarios import MOST_SEATS, SCENARIOS, Scenario
from loadtest.swarm import NotLoopback, swarm

SMALL = Scenario("small", "two tables and a spectator at each", 2, 2, watchers=1)


async def test_a_swarm_plays_its_tables_to_the_end(house):
    swarmed = await swarm(house.matchmaking.address, SMALL)

    summary = swarmed.summary
    assert (summary.finished, summary.errors) == (2, {})
    assert summary.answers > 50
    assert swarmed.events > summary.answers


async def test_a_scenario_may_be_of_another_game_and_variant(house):
    pairs = Scenario("pairs", "two against two", 4, 1, game="gwent", variant="team")

    summary = (await swarm(house.matchmaking.address, pairs)).summary

    assert (summary.game, summary.variant, summary.finished) == ("gwent", "team", 1)


async def test_it_goes_nowhere_but_to_this_machine():
    for address in ("10.1.2.3:7410", "play.example.org:443"):
        with pytest.raises(NotLoopback):
            await swarm(address, SMALL)


def test_it_is_bounded():
    with pytest.raises(ValueError, match="more than"):
        Scenario("flood", "too many", seats=4, tables=MOST_SEATS)
    assert all(one.name == name for name, one in SCENARIOS.items())


def test_a_process_is_charged_for_what_it_does():
    before = read_all({"me": os.getpid()})
    sum(number * number for number in range(2_000_000))
    after = read_all({"me": os.getpid()})

    (cost,) = between(before, after).values()
    assert 0.02 < cost.cpu_seconds < 5
    assert 10 < cost.memory_mb < 10_000


def test_where_there_is_no_proc_ps_is_asked():
    assert parse_ps("  1:02:03.50  20480\n") == Reading(3723.5, 20.48)
    assert parse_ps("0:07.25 1024") == Reading(7.25, 1.024)


async def test_a_row_has_the_cost_and_the_machine_is_named(house):
    swarmed = await swarm(house.matchmaking.address, SMALL)

    row = report.row(swarmed, {"engine": Cost(1.0, 80.0), "store": Cost(0.5, 10.0)})

    expected = 1500 / swarmed.summary.answers
    assert row["server_ms_per_answer"] == pytest.approx(expected, abs=0.001)
    assert json.loads(json.dumps(row))["parts"]["engine"]["memory_mb"] == 80.0
    assert report.line(row).split()[0] == "small"
    assert report.machine()["cores"] == os.cpu_count()
