"""A copy of the store, taken while all play, is a backup to go on from."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.evenings.begun import Begun
from tests.evenings.players import Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import BotSeat, a_town
from tests.stores import StoreProcess, a_store, kinds

TABLES = ((2, "skirmish"), (3, "skirmish"), (2, "gwent", "duel"), (4, "gwent", "team"))
PAUSE = 0.08
WELL_UNDER_WAY = 20


def elsewhere(bot: BotSeat) -> BotSeat:
    """The worker that had the table is not there any more."""
    bot.seat.engine_address = ""
    return bot


@pytest.fixture
async def copy(own_store: StoreProcess, keys_folder: Path, tmp_path: Path):
    """What is left of an evening that breaks off: its bots, all that was accepted until
    the copy was taken, and the copy. Its path is short, as a socket's must be."""
    with tempfile.TemporaryDirectory(prefix="anpai") as short:
        async with a_town(own_store, keys_folder, tmp_path) as town:
            bots = [bot for table in TABLES for bot in await town.open_table(*table)]
            seating = Begun(town.server, tmp_path, PAUSE)
            playing = [asyncio.create_task(seating.play(bot)) for bot in bots]
            accepted = await seating.have_accepted(WELL_UNDER_WAY)
            take(own_store.folder, Path(short))
            await seating.have_accepted(len(accepted) + 1)
            for one in playing:
                one.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        own_store.kill()
        yield bots, accepted, Path(short)


def take(store: Path, copy: Path) -> None:
    """As an operator takes it: the folder of the file that is appended to."""
    shutil.copytree(store / "appendonlydir", copy / "appendonlydir")


async def test_games_go_on_from_a_copy_of_the_store(copy, keys_folder, tmp_path):
    bots, accepted, folder = copy
    with a_store(kinds()["valkey"], folder) as store:
        async with a_town(store, keys_folder, folder) as town:
            seating = Seating(town.server, folder)
            played = await asyncio.gather(
                *(seating.play(elsewhere(one)) for one in bots)
            )
            games = await games_of(town.server, played)

    assert_nothing_is_lost(games)
    assert len(accepted) >= WELL_UNDER_WAY
    kept = [answer for game in games for answer in game.answers()]
    assert all(kept.count(answer) == 1 for answer in accepted)
