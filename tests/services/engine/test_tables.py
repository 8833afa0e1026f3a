"""Which tables live in a worker, and how they come and go."""

import asyncio
import gc
import weakref
from collections import Counter

import grpc
import pytest

from services.engine.custody import Custody
from services.engine.hosted import HostedTable, State
from services.engine.kernel.play import Play
from services.engine.live import LiveTable
from services.engine.ring import Ring
from services.engine.takeover import take_over
from services.engine.works import TAKEN_OVER_AT_ONCE
from tests.sdk.waiting import until
from tests.services.engine.playing import an_answer, reason_of


@pytest.fixture
def brief(monkeypatch):
    """Tables that nobody uses leave at once."""
    monkeypatch.setattr("services.engine.hosted.IDLE_SECONDS", 0.2)
    monkeypatch.setattr("services.engine.hosted.ENDED_SECONDS", 0.2)
    monkeypatch.setattr("services.engine.tables.SWEEP_SECONDS", 0.05)


@pytest.fixture
def crowded(monkeypatch):
    """Two tables that nobody watches are enough."""
    monkeypatch.setattr("services.engine.tables.SPARE_TABLES", 2)
    monkeypatch.setattr("services.engine.hosted.SPARE_SECONDS", 0.0)
    monkeypatch.setattr("services.engine.tables.SWEEP_SECONDS", 0.05)


@pytest.fixture
def given_back(monkeypatch):
    """How often memory was, where two tables are many."""
    given = asyncio.Queue()

    async def give_back():
        given.put_nowait("memory")

    monkeypatch.setattr("services.engine.tables.give_back", give_back)
    monkeypatch.setattr("services.engine.tables.MANY_TABLES", 2)
    monkeypatch.setattr("services.engine.tables.GIVING_BACK_SECONDS", 0.05)
    return given


async def seated(opened, player, *names):
    table = await opened(*names)
    for name in names:
        await player(name).takes_seat(table)
    return table


@pytest.fixture
def unswept():
    """Cycles stay where they are. Gives what there is of other tests' tables."""
    gc.collect()
    gc.disable()
    yield {id(one) for one in of_tables()}
    gc.enable()


def of_tables():
    kinds = (HostedTable, LiveTable, Custody, Play, Ring)
    return [one for one in gc.get_objects() if isinstance(one, kinds)]


def living(engine):
    live_tables = engine.metrics.live_tables.labels
    return sum(live_tables("skirmish", state)._value.get() for state in State)


async def test_an_idle_table_leaves_memory_and_comes_back_as_it_was(
    brief, opened, player, engine
):
    table = await seated(opened, player, "anna", "ben")
    before = [await player(name).looks(table) for name in ("anna", "ben", "carl")]
    await until(lambda: living(engine) == 0)

    async with player("dora").watching(table) as stream:
        await stream.update()
        after = [await player(name).looks(table) for name in ("anna", "ben", "carl")]

        assert after == before
        assert living(engine) == 1


async def test_of_many_that_nobody_watches_some_leave_sooner(
    crowded, opened, player, engine
):
    first, *others = [await opened("anna", "ben") for _ in range(4)]
    anna = player("anna")
    async with anna.watching(first) as stream:
        await stream.update()
        for table in others:
            await anna.looks(table)
        await until(lambda: living(engine) == 3)
        await asyncio.sleep(0.3)

        assert living(engine) == 3


async def test_memory_is_given_back_once_half_of_many_have_left(
    brief, given_back, opened, player, engine
):
    one, other = [await opened("anna", "ben") for _ in range(2)]
    async with player("carl").watching(one):
        async with player("dora").watching(other):
            await both_were_seen(engine, given_back)
            assert given_back.empty()

        await asyncio.wait_for(given_back.get(), 10)


async def test_but_not_what_few_had_while_others_are_here(
    brief, given_back, opened, player, engine, monkeypatch
):
    monkeypatch.setattr("services.engine.tables.MANY_TABLES", 3)
    one, other = [await opened("anna", "ben") for _ in range(2)]
    async with player("carl").watching(one):
        async with player("dora").watching(other):
            await both_were_seen(engine, given_back)
        await until(lambda: living(engine) == 1)
        await asyncio.sleep(0.2)

        assert given_back.empty()


async def both_were_seen(engine, given_back):
    """What they had when they left before they were watched is given back by now."""
    await until(lambda: living(engine) == 2)
    await asyncio.sleep(0.2)
    while not given_back.empty():
        given_back.get_nowait()
    await asyncio.sleep(0.2)


async def test_and_always_when_the_last_has_left(
    brief, given_back, opened, player, engine
):
    await player("anna").looks(await opened("anna", "ben"))
    await asyncio.wait_for(given_back.get(), 10)
    await until(lambda: living(engine) == 0)


async def test_a_table_that_left_is_gone_without_a_sweep(
    brief, opened, player, engine, unswept
):
    table = await seated(opened, player, "anna", "ben")
    async with player("carl").watching(table) as stream:
        await stream.update()
        kept = [weakref.ref(one) for one in of_tables() if id(one) not in unswept]
    assert len(kept) >= 5

    await until(lambda: living(engine) == 0)
    await until(lambda: all(one() is None for one in kept))


async def test_a_table_that_is_taken_away_is_gone_without_a_sweep(
    opened, player, engine, unswept
):
    """What its streams are told does not hold it."""
    table = await seated(opened, player, "anna", "ben")
    async with player("carl").watching(table) as stream:
        await stream.update()
        kept = [weakref.ref(one) for one in of_tables() if id(one) not in unswept]
        next(one() for one in kept if isinstance(one(), Custody)).lose()
        with pytest.raises(grpc.aio.AioRpcError):
            await stream.update()
    assert len(kept) >= 5

    await until(lambda: all(one() is None for one in kept))


async def test_a_table_somebody_watches_stays(brief, opened, player, engine):
    table = await seated(opened, player, "anna", "ben")
    async with player("carl").watching(table) as stream:
        await stream.update()
        await asyncio.sleep(0.5)

        assert living(engine) == 1


async def test_a_game_goes_on_at_a_table_that_leaves_after_every_answer(
    brief, opened, player, monkeypatch
):
    monkeypatch.setattr("services.engine.hosted.IDLE_SECONDS", 0.01)
    monkeypatch.setattr("services.engine.tables.SWEEP_SECONDS", 0.005)
    table = await seated(opened, player, "anna", "ben")
    players = [player("anna"), player("ben")]
    views = [await one.looks(table) for one in players]
    while not views[0].HasField("outcome"):
        for one, view in zip(players, views, strict=True):
            if view.HasField("question"):
                await one.answers(table, an_answer(view.question))
        views = [await one.looks(table) for one in players]

    assert views[0].outcome.reason == "played"


async def test_calls_at_once_open_a_table_once(opened, player, engine):
    table = await opened("anna", "ben")
    carl = player("carl")

    views = await asyncio.gather(*(carl.looks(table) for _ in range(50)))

    assert all(view == views[0] for view in views)
    assert living(engine) == 1


async def test_of_many_tables_a_few_are_replayed_at_a_time(
    brief, opened, player, engine, monkeypatch
):
    tables = [await seated(opened, player, "anna", "ben") for _ in range(30)]
    await until(lambda: living(engine) == 0)
    coming, together = Counter(), []

    async def counted(works, lease, shown):
        coming["now"] += 1
        together.append(coming["now"])
        regained = await take_over(works, lease, shown)
        coming["now"] -= 1
        return regained

    monkeypatch.setattr("services.engine.custody.take_over", counted)
    await asyncio.gather(*map(player("carl").looks, tables))

    assert len(together) == 30
    assert max(together) == TAKEN_OVER_AT_ONCE


async def test_a_table_that_is_not_there_is_not_found(player):
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await player("anna").looks("t-nowhere")

    assert reason_of(refused.value) == "TABLE_NOT_FOUND"


async def test_a_table_takes_so_many_spectators_and_every_seat(
    opened, player, monkeypatch
):
    monkeypatch.setattr("services.engine.hosted.WATCHERS_PER_TABLE", 1)
    table = await opened("anna", "ben")
    async with player("carl").watching(table) as first:
        await first.update()
        async with player("dora").watching(table) as second:
            assert await second.reason_of_end() == "TOO_MANY"
        async with player("anna").watching(table) as seat:
            assert (await seat.update()).view.viewer == 0
