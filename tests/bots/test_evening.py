"""An evening of bots that come as players do, and its summary."""

import json

from clients.bots.evening import Evening, percentile
from clients.bots.sharp import sharp_with
from clients.bots.strategies import STRATEGIES
from tests.one_store import store_process  # noqa: F401


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


def test_percentiles_are_measured_values():
    assert percentile([0.001, 0.002, 0.003, 0.1], 50) == 3.0
    assert percentile([0.001, 0.002, 0.003, 0.1], 99) == 100.0
    assert percentile([], 50) == 0.0
