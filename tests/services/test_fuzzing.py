"""Whatever is sent to whichever method: an answer, and a house that plays on."""

import asyncio
import os
import random
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import grpc
import pytest

import anpai
from services.__main__ import House
from services.__main__ import house as a_house
from tests.bots.hosting import a_bot_host
from tests.contract.contract import methods
from tests.one_store import store_process  # noqa: F401
from tests.scale import scaled
from tests.services.callers import Caller, everybody
from tests.services.mutating import Mutator
from tests.services.raw import A_MOMENT, End, end_of_many, path_of, server_of
from tests.services.test_access import target_of
from tests.services.test_malformed import assert_is_ours, caller_for

pytestmark = pytest.mark.timeout(1200)

MASTER_KEY = b"m" * 32
AT_ONCE = 40
EACH = scaled(8, 1500)
SEED = int(os.environ.get("ANPAI_SEED", "1"))


@pytest.fixture
async def unlimited(valkey, keys_folder):
    """A house that counts nobody's calls: all of these are one caller's."""
    free = {"player_rate": 0, "address_rate": 0, "player_streams": 0}
    async with (
        a_house(valkey, keys_folder, MASTER_KEY, **free) as house,
        a_bot_host(house.matchmaking.address, keys_folder),
    ):
        yield house


async def values_of(house: House) -> tuple[str, Mapping[str, Sequence[Any]]]:
    """A player's token, and what means something to her: a table in play, its question,
    a ticket, a room."""
    async with anpai.connect(house.matchmaking.address) as anna:
        token = await anna.sign_in("Anna", bot=True)
        seat = await (await anna.enter("skirmish", seats=2, bots=1)).seat()
        async with anna.sit(seat) as table:
            async for _ in table:
                if table.question:
                    break
            asked = table.question
        room = await anna.create_room("gwent", seats=2)
        ticket = await anna.enter("skirmish", seats=4)
    assert asked is not None
    tables = [seat.table_id, seat.table_id, "t-unknown"]
    return token, {
        "table_id": tables,
        "question_id": [asked.id, "q-1"],
        "answer_id": [uuid.uuid4().hex for _ in range(3)],
        "request_id": [uuid.uuid4().hex for _ in range(3)],
        "choice": [option.id for option in asked.options],
        "ticket_id": [ticket.id, "k-unknown"],
        "room_code": ["", room.code],
        "game": ["skirmish", "gwent", "chess"],
        "variant": ["", "standard", "duel", "solo"],
        "player_id": ["p-1", "p-2", "p-3"],
        "name": ["Anna", "Ben"],
        "locale": ["", "en", "zh-CN"],
        "seats": [1, 2, 3],
        "bots": [0, 1],
        "after_revision": [0, 1, 5],
        "number": [1, 2, 3],
        "token": [uuid.uuid4().hex],
        "head": ["0" * 64, ""],
        "digest": ["1" * 64],
    }


async def test_nothing_that_is_sent_breaks_anything(unlimited, keys_folder):
    token, values = await values_of(unlimited)
    mutator = Mutator(random.Random(SEED), values)
    everyone = asyncio.Semaphore(AT_ONCE)
    channels = {
        one.address: grpc.aio.insecure_channel(one.address) for one in unlimited.all
    }

    async def sent(method: Any) -> End:
        number = mutator._dice.choice((1, 1, 2, 4)) if method.client_streaming else 1
        raws = [mutator.raw(method.input_type) for _ in range(number)]
        path = path_of(method)
        who = caller_for(path, everybody(keys_folder, target_of(path)))
        if who.player:
            who = Caller(f"Bearer {token}")
        channel = channels[server_of(unlimited, method)]
        async with everyone:
            return await end_of_many(channel, method, raws, who.metadata, A_MOMENT)

    ends = {path_of(method): [] for method in methods()}
    for method in methods():
        ends[path_of(method)] = await asyncio.gather(
            *(sent(method) for _ in range(EACH))
        )
    for channel in channels.values():
        await channel.close()

    for path, many in ends.items():
        for end in many:
            assert_is_ours(end._replace(told=f"{path}: {end.told}"))
    faults = {one.name: one.metrics.incidents._value.get() for one in unlimited.all}
    assert set(faults.values()) == {0}, faults
    assert await still_plays(unlimited) == "played"


async def still_plays(house: House) -> str:
    async with anpai.connect(house.matchmaking.address) as anna:
        await anna.sign_in("Anna", bot=True)
        seat = await (await anna.enter("skirmish", seats=2, bots=1)).seat()
        async with anna.sit(seat) as table:
            async for _ in table:
                if question := table.question:
                    await table.answer(*question.options[: question.min])
    assert table.outcome is not None
    return str(table.outcome.reason)
