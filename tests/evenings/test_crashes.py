"""Whatever is killed in the middle of many tables: all end, and nothing is lost."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic

import pytest
import pytest_asyncio

from tests.evenings.through import TABLES, play_through, stood_still
from tests.evenings.town import Town, a_town
from tests.scale import scale
from tests.stores import a_store, kinds

AWAY = 0.7
HEALED_WITHIN = 10.0
# Each of them lives through every second of the troubles.
SOME, OTHERS = (TABLES, TABLES) if scale() else (TABLES[::2], TABLES[1::2])

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(
    keys_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Town]:
    """One for all, for it takes its time to start; whoever was killed comes back."""
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as short,
        a_store(kinds()["valkey"], Path(short)) as store,
    ):
        folder = tmp_path_factory.mktemp("crashes")
        async with a_town(store, keys_folder, folder) as town:
            yield town


async def test_t42_an_engine_worker_is_killed_and_stays_away(town: Town):
    """Its leases run out, and nobody has to tidy up after it."""
    killed = []

    async def trouble():
        town.engines[0].kill()
        killed.append(monotonic())

    played = await play_through(town, trouble, tables=SOME)

    assert stood_still(played, killed[0]) < HEALED_WITHIN
    await town.engines[0].start()


async def test_both_engine_workers_are_killed_and_come_back(town: Town):
    async def trouble():
        for engine in town.engines:
            engine.kill()
        await asyncio.gather(*(engine.start() for engine in town.engines))

    await play_through(town, trouble, tables=OTHERS)


async def test_the_vault_is_killed_and_comes_back(town: Town):
    async def trouble():
        town.vault.kill()
        await asyncio.sleep(AWAY)
        await town.vault.start()

    await play_through(town, trouble, tables=SOME, is_felt=False)


async def test_the_store_is_killed_and_comes_back_with_its_file(town: Town):
    async def trouble():
        town.store.kill()
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(town.store.start)

    await play_through(town, trouble, tables=OTHERS, is_felt=False)


async def test_workers_are_replaced_one_after_the_other(town: Town):
    """A rolling restart: each hands its tables over, ends with 0, and comes back."""

    async def trouble():
        for engine in town.engines:
            assert await engine.stop() == 0
            await engine.start()

    await play_through(town, trouble, tables=SOME)


async def test_everything_is_told_to_stop_and_is_started_again(town: Town):
    """Streams are open everywhere; all end with 0, well within their grace."""

    async def trouble():
        async with asyncio.timeout(20):
            codes = await asyncio.gather(*(one.stop() for one in town.services))
        assert codes == [0, 0, 0, 0]
        await asyncio.gather(*(one.start() for one in town.services))

    await play_through(town, trouble, tables=OTHERS)
