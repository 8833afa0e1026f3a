"""Several workers on one store: any of them takes any call."""

import asyncio

import grpc
import pytest

from services.engine.forwarding import PASSED_ON
from tests.sdk.waiting import until
from tests.services.engine.bots import Bot
from tests.services.engine.playing import an_answer


@pytest.fixture
async def other(worker, engine):
    """A second worker; tables come to the first one."""
    return await worker()


@pytest.fixture
async def table(opened, player):
    table = await opened("anna", "ben")
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    return table


async def test_t21_a_call_to_the_wrong_worker_is_served_by_the_owner(
    table, player, other, engine
):
    here, there = player("anna"), player("anna", other.address)

    assert await there.looks(table) == await here.looks(table)
    assert forwarded(other, "GetView") == 1
    assert forwarded(engine, "GetView") == 0


async def test_a_game_is_played_from_two_workers_at_once(table, player, other):
    anna, ben = Bot(player("anna"), table), Bot(player("ben", other.address), table)

    await asyncio.gather(anna.plays(), ben.plays())

    assert anna.game.view.outcome == ben.game.view.outcome
    assert (anna.game.resumed, ben.game.resumed) == (0, 0)
    assert not anna.refused
    assert not ben.refused


async def test_the_owner_judges_the_caller_by_the_callers_own_token(
    table, player, other
):
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await player("carl", other.address).concedes(table)

    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert not any(seat.conceded for seat in (await player("ben").looks(table)).seats)


async def test_a_call_passed_on_once_is_not_passed_on_again(table, player, other):
    anna = player("anna", other.address)
    anna.extra = ((PASSED_ON, "1"),)

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await anna.looks(table)

    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    assert forwarded(other, "GetView") == 0


async def test_streams_are_passed_on(table, player, other):
    async with player("anna", other.address).watching(table) as stream:
        view = (await stream.update()).view

    assert view.viewer == 0
    assert forwarded(other, "Watch") == 1


async def test_a_stream_passed_on_ends_for_the_owner_when_its_reader_leaves(
    table, player, other, engine
):
    async with player("anna", other.address).sitting(table) as stream:
        await stream.update()
        assert engine.metrics.watchers._value.get() == 1

    await until(lambda: engine.metrics.watchers._value.get() == 0)


async def test_a_worker_in_between_that_stops_ends_the_streams_it_passes_on(
    table, player, other
):
    async with (
        player("anna", other.address).sitting(table) as sat,
        player("carl", other.address).watching(table) as watched,
    ):
        await sat.update()
        await watched.update()
        async with asyncio.timeout(20):
            stopping = asyncio.create_task(other.stop())
            reasons = [await sat.reason_of_end(), await watched.reason_of_end()]
            await stopping

    assert reasons == ["TABLE_MOVING", "TABLE_MOVING"]


async def test_refusals_come_back_as_the_owner_spoke_them(table, player, other):
    async with player("anna", other.address).watching(table, 999) as stream:
        assert await stream.reason_of_end() == "REVISION_AHEAD"


async def test_t21_answers_travel_through_the_wrong_worker(table, player, other):
    players = [player("anna", other.address), player("ben", other.address)]
    for one in players:
        view = await one.looks(table)
        if view.HasField("question"):
            after = await one.answers(table, an_answer(view.question))
            break

    assert (await one.looks(table)).revision >= after


def forwarded(service, method):
    return service.metrics.forwarded.labels(method)._value.get()
