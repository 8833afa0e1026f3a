"""An evening of bots that come as players do, and its summary."""

import asyncio
import json
from itertools import count

from grpc import StatusCode

from anpai import House, TooMany
from clients.bots.evening import Evening, percentile
from clients.bots.sharp import sharp_with
from clients.bots.strategies import STRATEGIES
from tests.one_store import store_process  # noqa: F401

RESOURCE_EXHAUSTED = StatusCode.RESOURCE_EXHAUSTED


async def test_every_table_is_played_to_its_end(anna, quick_windows):
    evening = Evening(anna, "skirmish", seats=3, tables=4, strategy="random", seed=1)

    summary = await evening.play()

    assert summary.ok
    assert summary.finished == 4
    assert summary.answers > 4 * 20
    assert summary.errors == {}
    assert 0 < summary.latency_ms["p50"] <= summary.latency_ms["p99"]


async def test_bots_that_think_ahead_do_it_beside_the_others(
    anna, quick_windows, monkeypatch
):
    monkeypatch.setitem(STRATEGIES, "sharp", sharp_with(4))
    evening = Evening(anna, "gwent", seats=2, tables=2, strategy="sharp", seed=1)

    summary = await evening.play()

    assert summary.ok
    assert summary.fallbacks == 0


async def test_the_summary_keeps_its_names(anna, quick_windows):
    summary = await Evening(anna, "skirmish", seats=2, tables=1, seed=1).play()

    told = json.loads(json.dumps(summary.as_json()))
    assert set(told) >= {"tables", "answers", "seconds", "answers_per_s", "errors"}
    assert told["latency_ms"].keys() == {"p50", "p99"}


async def test_a_game_nobody_has_is_counted_as_an_error(anna):
    evening = Evening(anna, "skirmish", seats=9, tables=2)

    summary = await evening.play()

    assert not summary.ok
    assert summary.finished == 0
    assert summary.errors == {"INVALID_FIELD": 2}


async def test_a_table_at_which_a_bot_finds_no_place_is_waited_for_by_nobody(
    anna, quick_windows, monkeypatch
):
    entering, enter = count(1), House.enter

    async def enter_unless_third(house, *what, **how):
        if next(entering) == 3:
            raise TooMany(RESOURCE_EXHAUSTED, "TOO_MANY", "Slowly.")
        return await enter(house, *what, **how)

    monkeypatch.setattr(House, "enter", enter_unless_third)
    evening = Evening(anna, "skirmish", seats=3, tables=1, strategy="random", seed=1)

    summary = await asyncio.wait_for(evening.play(), 60)

    assert summary.errors == {"TOO_MANY": 1}
    assert summary.finished == 0


def test_percentiles_are_measured_values():
    assert percentile([0.001, 0.002, 0.003, 0.1], 50) == 3.0
    assert percentile([0.001, 0.002, 0.003, 0.1], 99) == 100.0
    assert percentile([], 50) == 0.0
