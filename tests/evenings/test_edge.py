"""Through Envoy, as it is deployed: what is public is played, the rest is not there."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

import anpai
from tests.contract.contract import methods
from tests.evenings.edge import an_edge
from tests.evenings.players import Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import GAME, BotSeat, Town, a_town
from tests.services.callers import everybody
from tests.services.raw import end_of, path_of
from tests.stores import StoreProcess

HIDDEN = ("anpai.vault.", "anpai.engine.internal.")
PAUSE = 0.04


@pytest.fixture
async def edged(
    own_store: StoreProcess, keys_folder: Path, tmp_path: Path
) -> AsyncIterator[Town]:
    async with (
        a_town(own_store, keys_folder, tmp_path, edged=True) as town,
        an_edge(town),
    ):
        yield town


def is_hidden(method) -> bool:
    service: str = method.containing_service.full_name
    return service.startswith(HIDDEN) or method.name == "HostBots"


def through_the_edge(bot: BotSeat) -> BotSeat:
    """Nobody outside knows a worker's own address."""
    bot.seat.engine_address = ""
    return bot


async def test_games_are_played_through_it_while_workers_are_replaced(edged: Town):
    seating = Seating(edged.edge, edged.folder, PAUSE)
    bots = [bot for seats in (2, 3, 4) for bot in await edged.open_table(seats)]
    playing = [asyncio.create_task(seating.play(through_the_edge(bot))) for bot in bots]
    watching = asyncio.create_task(seating.watch(bots[0].seat))
    await asyncio.sleep(1.0)
    for engine in edged.engines:
        assert await engine.stop() == 0
        await engine.start()

    played = [*await asyncio.gather(*playing), await watching]

    games = await games_of(edged.edge, played)
    assert len(games) == 3
    assert_nothing_is_lost(games)


async def test_a_seat_found_through_it_is_played_through_it(edged: Town):
    async def seat(name: str) -> anpai.Assignment:
        async with anpai.connect(edged.edge) as house:
            await house.sign_in(name)
            return await (await house.enter(GAME, seats=2)).seat()

    seats = await asyncio.gather(seat("Anna"), seat("Ben"))

    assert {one.engine_address for one in seats} == {edged.edge}
    assert len({one.table_id for one in seats}) == 1


async def test_only_what_is_public_is_there(edged: Town, keys_folder: Path):
    engine = everybody(keys_folder, "vault")["the engine service"]
    async with grpc.aio.insecure_channel(edged.edge) as channel:
        for method in methods():
            end = await end_of(channel, method, b"", engine.metadata)

            not_there = end.code is grpc.StatusCode.UNIMPLEMENTED
            assert not_there == is_hidden(method), (path_of(method), end)
