"""The canary sweep: many games, and every byte that anybody at them was sent."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import pytest

from services.engine.games import GAMES
from tests.evenings.canary import canaries_in, hidden_bytes, told_too_soon
from tests.evenings.players import Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import Town, a_town
from tests.scale import scale, scaled
from tests.stores import a_store, kinds

pytestmark = pytest.mark.timeout(0 if scale() else 240)

Way = tuple[int, str, str]
WAYS = [
    (seats, game.name, variant.name)
    for game in GAMES.values()
    for variant in game.variants
    for seats in variant.seats
]
AT_ONCE = 2 * len(WAYS)
# What a store has of an evening's games it keeps for weeks.
AN_EVENING = 10 * AT_ONCE
MANY = list(islice(cycle(WAYS), scaled(AT_ONCE, 20_000)))


async def test_t01_game_after_game_no_face_is_told_before_its_time(
    keys_folder: Path, tmp_path: Path
):
    for ways in parts(MANY, AN_EVENING):
        folder = tmp_path / "evening"
        folder.mkdir()
        with (
            tempfile.TemporaryDirectory(prefix="anpai") as short,
            a_store(kinds()["valkey"], Path(short)) as store,
        ):
            async with a_town(store, keys_folder, folder) as town:
                for some in parts(ways, AT_ONCE):
                    await all_see_what_they_may(town, some)
                await operators_see_no_face(town)
        shutil.rmtree(folder)


def parts(ways: Sequence[Way], size: int) -> Iterator[Sequence[Way]]:
    for at in range(0, len(ways), size):
        yield ways[at : at + size]


async def all_see_what_they_may(town: Town, ways: Sequence[Way]) -> None:
    """Whoever plays or looks on, from the first byte to the last."""
    seating = Seating(town.server, town.folder)
    tables = [await town.open_table(*way) for way in ways]
    watching = [asyncio.create_task(seating.watch(bots[0].seat)) for bots in tables]

    played = await asyncio.gather(
        *(seating.play(bot) for bots in tables for bot in bots)
    )
    games = await games_of(town.server, [*played, *await asyncio.gather(*watching)])

    assert len(games) == len(ways)
    assert_nothing_is_lost(games)
    for game in games:
        for one in game.played:
            assert told_too_soon(game, one) == []
            assert hidden_bytes(one) == []


async def operators_see_no_face(town: Town) -> None:
    for part in town.services:
        assert canaries_in(await part.metrics()) == set()
        assert canaries_in(part.log.read_text()) == set()
    assert canaries_in(town.keyspace("engine", "matchmaking")) == set()
