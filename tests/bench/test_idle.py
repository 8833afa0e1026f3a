"""Streams and tables on which nothing happens, and the way back to them."""

import resource

import pytest

from clients.bench import idle
from clients.bench.cost import Reading
from clients.bench.idle import Sizes, left, plans, returned_to
from clients.bench.stage import crowds
from clients.bench.streams import Wanted, check_files, figures, held
from clients.terminal.stack.folder import StackError
from tests.scale import scaled


async def test_streams_are_opened_over_several_connections_and_held(stack, said):
    wish = Wanted(streams=60, tables=6, connections=6, seconds=1.0, clients=2)

    told = figures(wish, await held(stack, wish, said))

    assert (told["streams"], told["errors"], told["resumed"]) == (60, 0, 0)
    assert told["kb_per_stream"] > 0
    assert 0 < told["p50_ms"] <= told["p99_ms"]
    assert told["silent"] <= 60
    assert said == ["bench.opening", "bench.streaming", "bench.measuring"]


@pytest.mark.skipif(scaled(0, 1) == 0, reason="half a minute: with ANPAI_SCALE=full")
async def test_every_idle_stream_hears_a_heartbeat(stack, said):
    wish = Wanted(streams=500, tables=10, connections=4, seconds=20.0, clients=4)
    told = figures(wish, await held(stack, wish, said))
    assert (told["streams"], told["silent"]) == (500, 0)


def test_more_connections_than_a_process_may_have_files_are_a_sentence(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1_000, 1_000))
    check_files(800)
    with pytest.raises(StackError, match=r"need 1100 open files.*ulimit -Hn"):
        check_files(1_000)


async def test_tables_are_left_in_mid_game_and_returned_to(stack):
    wish = idle.Wanted("skirmish", "standard", 2, 20, 6, 10, 20.0, 2)
    sizes = Sizes(stack.pids["engine-1"])
    async with crowds("clients.bench.leavers", plans(stack, wish)) as players:
        opening = await left(players, sizes, wish)
        returned = await returned_to(players, wish)

    told = idle.figures(wish, sizes, opening, 0.0, returned)

    assert (told["tables"], told["returned"], told["errors"]) == (20, 10, 0)
    assert 0 < told["p50_ms"] <= told["p95_ms"] <= told["p99_ms"]
    assert sizes.first <= sizes.most


def test_memory_is_told_as_it_was_first_at_most_and_last(monkeypatch):
    sizes = iter([100.0, 300.0, 120.0])
    monkeypatch.setattr(idle, "read", lambda pid: Reading(0.0, next(sizes)))
    seen = Sizes(1)
    seen.look()
    seen.look()
    assert (seen.first, seen.most, seen.last) == (100.0, 300.0, 120.0)
