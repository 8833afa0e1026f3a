"""A release with other rules comes while tables are played by those they began with."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import anpai
from tests.evenings.begun import Begun
from tests.evenings.newer import OLD, VERSION
from tests.evenings.players import assert_nothing_is_lost, games_of
from tests.evenings.processes import Process
from tests.evenings.town import LEASE_MS, BotSeat, Town

PAUSE = 0.08


@pytest.fixture
async def newer(town: Town, keys_folder: Path) -> AsyncIterator[Process]:
    """A worker of the next release, beside the two there are."""
    process = Process(
        "engine-newer",
        "tests.evenings.newer",
        town.folder,
        ANPAI_REDIS_URL=town.store.url,
        ANPAI_KEYS=keys_folder,
        ANPAI_VAULT=town.vault.address,
        ANPAI_LEASE_MS=LEASE_MS,
    )
    try:
        await process.start()
        yield process
    finally:
        process.kill()


def called_at(process: Process, bot: BotSeat) -> BotSeat:
    """As an edge might send him, which knows nothing of releases."""
    bot.seat.engine_address = process.address
    return bot


async def test_t56_tables_are_played_to_the_end_by_the_rules_they_began_with(
    town: Town, newer: Process
):
    first, last = town.engines
    seating = Begun(town.server, town.folder, PAUSE)
    bots = [bot for seats in (2, 3, 4) for bot in await town.open_table(seats)]
    waiting, *_ = await town.open_table(2)
    playing = [asyncio.create_task(seating.play(called_at(newer, bot))) for bot in bots]
    await seating.have_accepted(15)
    assert await first.stop() == 0

    played = await asyncio.gather(*playing)

    assert_nothing_is_lost(await games_of(town.server, played))
    assert await rules_of(town, bots[0], newer) == OLD
    assert await rules_of(town, await new_table(town, newer), last) == VERSION
    assert await last.stop() == 0
    with pytest.raises(anpai.AnpaiCallError) as refusal:
        await asyncio.wait_for(until_refused(town, waiting, newer), 30)
    assert refusal.value.reason == "RULES_VERSION_UNAVAILABLE"
    await last.start()
    assert await rules_of(town, waiting, newer) == OLD


async def rules_of(town: Town, bot: BotSeat, at: Process) -> str:
    """The version of a table's rules, as somebody is told who asks there."""
    engines = [at.address]
    async with anpai.connect(town.server, token=bot.token, engines=engines) as house:
        return (await house.view(bot.seat.table_id)).rules_version


async def new_table(town: Town, newer: Process) -> BotSeat:
    """Opened by the worker that came last."""
    town.engines = [newer, *town.engines]
    bot, *_ = await town.open_table(2)
    return bot


async def until_refused(town: Town, bot: BotSeat, newer: Process) -> None:
    """Nobody knows at once that the last old worker is gone."""
    while True:
        await rules_of(town, bot, newer)
        await asyncio.sleep(0.1)
