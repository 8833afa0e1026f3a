"""Whatever is dropped is cancelled: no handler stays alive at the server (T-44)."""

import asyncio
import gc

import pytest

import anpai
from anpai.calls import Listening
from tests.sdk.test_resuming import first_answer, played
from tests.sdk.waiting import until


@pytest.fixture(autouse=True)
def kept_calls(monkeypatch):
    """Every call is still referred to: only cancelling it can end it."""
    kept, begin = [], Listening.__init__

    def begin_and_keep(self, call):
        kept.append(call)
        begin(self, call)

    monkeypatch.setattr(Listening, "__init__", begin_and_keep)
    return kept


async def test_t44_leaving_a_table_ends_its_call(engine, player, seat):
    for _ in range(20):
        async with player.sit(seat):
            assert engine.live["Sit"] == 1
        await until(lambda: engine.live["Sit"] == 0)


async def test_t44_a_house_that_is_closed_leaves_no_call(
    engine, matchmaking, address, seat
):
    house = anpai.connect(address)
    tables = [house.sit(seat), house.as_player(None).watch("t-home")]
    for table in tables:
        await table.__aenter__()
    ticket = await house.enter("skirmish", seats=2)
    waiting = asyncio.create_task(ticket.seat())
    asking = asyncio.create_task(ticket.cancel())
    await until(lambda: matchmaking.live["WatchTicket"] == 1)
    await until(lambda: matchmaking.live["CancelTicket"] == 1)

    await house.close()

    live = (engine.live, matchmaking.live)
    await until(lambda: not any(sum(one.values()) for one in live))
    for left in (*map(told_by, tables), waiting, asking, house.my_seats()):
        with pytest.raises(anpai.HouseClosed):
            await asyncio.wait_for(left, 10)
    for table in tables:
        await table.close()


async def told_by(table):
    return [event async for event in table]


async def test_t44_a_spectator_that_goes_leaves_nothing(engine, player):
    async with player.watch("t-home") as table:
        assert table.seat is None
        assert engine.live["Watch"] == 1

    await until(lambda: engine.live["Watch"] == 0)


async def test_t44_a_task_cancelled_while_it_waits_leaves_nothing(engine, player, seat):
    async def wait_for_ever():
        async with player.sit(seat) as table:
            async for _ in table:
                pass

    task = asyncio.create_task(wait_for_ever())
    await until(lambda: engine.live["Sit"] == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await until(lambda: engine.live["Sit"] == 0)


async def test_a_cancelled_answer_leaves_the_stream_alone(
    engine, player, seat, opponent
):
    engine.mischief.accepts_lost = 1
    async with player.sit(seat) as table:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await first_answer(table)
        assert table.is_connected
        assert table.resumed == 0


async def test_a_game_that_is_over_leaves_nothing(
    engine, player, seat, opponent, kept_calls
):
    async with player.sit(seat) as table:
        await played(table)

    assert kept_calls[0].done()
    await until(lambda: engine.live["Sit"] == 0)


async def test_a_ticket_nobody_watches_any_more_leaves_nothing(matchmaking, player):
    ticket = await player.enter("skirmish", seats=2)
    async for _ in ticket:
        break
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await ticket.seat()

    gc.collect()
    await until(lambda: matchmaking.live["WatchTicket"] == 0)
