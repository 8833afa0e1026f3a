"""Whatever is killed in the middle of many tables: all end, and nothing is lost."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.evenings.players import Played, Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import Town

TABLES = (
    *((2, "skirmish"), (3, "skirmish"), (4, "skirmish"), (2, "skirmish")),
    *((2, "gwent", "duel"), (2, "gwent", "tournament"), (4, "gwent", "team")),
    (5, "gwent", "free-for-all"),
)
PAUSE = 0.05
WELL_UNDER_WAY = 1.0
AWAY = 0.7

Trouble = Callable[[], Awaitable[object]]


async def play_through(town: Town, trouble: Trouble, *, is_felt: bool = True) -> None:
    """Play many tables, let trouble come in their midst, and check every game.

    `is_felt`: whether streams of players must have broken on it; if not, they may.
    """
    seating = Seating(town.server, town.folder, PAUSE)
    bots = [bot for table in TABLES for bot in await town.open_table(*table)]
    playing = [asyncio.create_task(seating.play(bot)) for bot in bots]
    await asyncio.sleep(WELL_UNDER_WAY)
    assert sum(one.done() for one in playing) < len(playing) / 2, "too late"
    await trouble()
    played: list[Played] = await asyncio.gather(*playing)

    assert any(one.resumed for one in played) or not is_felt
    games = await games_of(town.server, played)
    assert len(games) == len(TABLES)
    assert_nothing_is_lost(games)


async def test_an_engine_worker_is_killed_and_stays_away(town: Town):
    async def trouble():
        town.engines[0].kill()

    await play_through(town, trouble)


async def test_both_engine_workers_are_killed_and_come_back(town: Town):
    async def trouble():
        for engine in town.engines:
            engine.kill()
        await asyncio.gather(*(engine.start() for engine in town.engines))

    await play_through(town, trouble)


async def test_the_vault_is_killed_and_comes_back(town: Town):
    async def trouble():
        town.vault.kill()
        await asyncio.sleep(AWAY)
        await town.vault.start()

    await play_through(town, trouble, is_felt=False)


async def test_the_store_is_killed_and_comes_back_with_its_file(town: Town):
    async def trouble():
        town.store.kill()
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(town.store.start)

    await play_through(town, trouble, is_felt=False)


async def test_workers_are_replaced_one_after_the_other(town: Town):
    """A rolling restart: each hands its tables over, ends with 0, and comes back."""

    async def trouble():
        for engine in town.engines:
            assert await engine.stop() == 0
            await engine.start()

    await play_through(town, trouble)


async def test_everything_is_told_to_stop_and_is_started_again(town: Town):
    """Streams are open everywhere; all end with 0, well within their grace."""

    async def trouble():
        async with asyncio.timeout(20):
            codes = await asyncio.gather(*(one.stop() for one in town.services))
        assert codes == [0, 0, 0, 0]
        await asyncio.gather(*(one.start() for one in town.services))

    await play_through(town, trouble)
