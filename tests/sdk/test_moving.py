"""A worker goes while a game is on: the table moves, and its player goes with it."""

import asyncio

import pytest

import anpai
from tests.bots.hosting import a_bot_host


@pytest.fixture
async def anna(house, keys_folder, quick_windows):
    address = house.matchmaking.address
    async with a_bot_host(address, keys_folder), anpai.connect(address) as anna:
        await anna.sign_in("Anna")
        yield anna


async def test_a_game_goes_on_when_its_worker_stops(house, anna):
    ticket = await anna.enter("skirmish", seats=2, bots=1)
    seat = await ticket.seat()
    (worker,) = [one for one in house.engines if one.address == seat.engine_address]
    revisions, stopping = [], None

    async with anna.sit(seat) as table:
        async for event in table:
            revisions.append(event.revision)
            if table.question:
                await table.answer(*table.question.options[: table.question.min])
            if stopping is None and event.revision > 60:
                stopping = asyncio.create_task(worker.stop())

    await stopping
    assert table.outcome.reason == "played"
    assert table.resumed >= 1
    assert revisions == list(range(revisions[0], revisions[-1] + 1))
    assert table.view == await anna.view(seat.table_id)
