"""Whatever is killed in the middle of many tables: all end, and nothing is lost."""

import asyncio
from time import monotonic

from tests.evenings.through import play_through, stood_still
from tests.evenings.town import Town

AWAY = 0.7
HEALED_WITHIN = 10.0


async def test_t42_an_engine_worker_is_killed_and_stays_away(town: Town):
    """Its leases run out, and nobody has to tidy up after it."""
    killed = []

    async def trouble():
        town.engines[0].kill()
        killed.append(monotonic())

    played = await play_through(town, trouble)

    assert stood_still(played, killed[0]) < HEALED_WITHIN


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
