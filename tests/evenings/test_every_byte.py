"""The canary sweep: many games, and every byte that anybody at them was sent."""

import asyncio
from itertools import cycle, islice

import pytest

from services.engine.games import GAMES
from tests.evenings.canary import canaries_in, hidden_bytes, told_too_soon
from tests.evenings.players import Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import Town
from tests.scale import scaled

pytestmark = pytest.mark.timeout(240)

WAYS = [
    (seats, game.name, variant.name)
    for game in GAMES.values()
    for variant in game.variants
    for seats in variant.seats
]
MANY = list(islice(cycle(WAYS), scaled(2 * len(WAYS), 50)))


async def test_t01_game_after_game_no_face_is_told_before_its_time(town: Town):
    seating = Seating(town.server, town.folder)
    tables = [await town.open_table(*way) for way in MANY]
    watching = [asyncio.create_task(seating.watch(bots[0].seat)) for bots in tables]

    played = await asyncio.gather(
        *(seating.play(bot) for bots in tables for bot in bots)
    )
    games = await games_of(town.server, [*played, *await asyncio.gather(*watching)])

    assert len(games) == len(MANY)
    assert_nothing_is_lost(games)
    for game in games:
        for one in game.played:
            assert told_too_soon(game, one) == []
            assert hidden_bytes(one) == []
    for part in town.services:
        assert canaries_in(await part.metrics()) == set()
        assert canaries_in(part.log.read_text()) == set()
    assert canaries_in(town.keyspace("engine", "matchmaking")) == set()
