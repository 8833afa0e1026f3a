"""An evening on a real cluster, watched from within: the keys of a script share a slot.

A cluster refuses what does not; that a script was called with such keys at all is seen
on any store.
"""

import asyncio
import tempfile
from pathlib import Path

import pytest
from redis.crc import key_slot

import anpai
from services.__main__ import house as a_house
from services.chassis.stores import Pipeline
from tests.evenings.players import Seating, Wish, assert_nothing_is_lost, games_of
from tests.groups import a_cluster
from tests.stores import kinds

WISHES = (
    Wish(2, game="gwent", variant="duel", ready=True, pause=0.01),
    Wish(1, game="gwent", variant="solo", pause=0.01),
)


@pytest.fixture
def called(monkeypatch):
    """Each script that was called, with its keys."""
    calls, call = [], Pipeline.call

    def noted(self, script, keys=(), args=()):
        calls.append((script.name, [str(key) for key in keys]))
        return call(self, script, keys, args)

    monkeypatch.setattr(Pipeline, "call", noted)
    return calls


async def test_all_keys_of_each_script_lie_in_one_slot(called, keys_folder, tmp_path):
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        a_cluster(kinds()["valkey"], Path(folder)) as cluster,
    ):
        async with a_house(cluster.url, keys_folder, b"m" * 32) as house:
            seating = Seating(house.matchmaking.address, tmp_path)
            played = await asyncio.gather(
                *(
                    seating.find_and_play(f"Guest {table}.{chair}", wish, chair)
                    for table, wish in enumerate(WISHES)
                    for chair in range(wish.people)
                ),
                changes_his_mind(house.matchmaking.address),
            )
            games = await games_of(house.matchmaking.address, played[:-1])

    assert_nothing_is_lost(games)
    assert len({name for name, _ in called}) > 25
    for name, keys in called:
        assert len({key_slot(key.encode()) for key in keys}) <= 1, (name, keys)


async def changes_his_mind(server: str) -> None:
    """A room, a ticket in it, and away."""
    async with anpai.connect(server) as house:
        await house.sign_in("Undecided")
        room = await house.create_room("skirmish", seats=2)
        ticket = await house.enter("skirmish", seats=2, room=room.code)
        await ticket.cancel()
        assert await house.my_seats() == []
