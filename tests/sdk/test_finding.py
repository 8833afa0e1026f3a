"""What a player asks of matchmaking, as it travels."""

import asyncio

import pytest

from anpai import ReadyCheck
from anpai.engine.v1.table_pb2 import (
    SPECTATING_DELAYED,
    SPECTATING_NONE,
    SPECTATING_OPEN,
)


@pytest.mark.parametrize(
    ("spectators", "behind", "wished"),
    [
        (True, 0, (SPECTATING_OPEN, 0)),
        (True, 30, (SPECTATING_DELAYED, 30)),
        (False, 0, (SPECTATING_NONE, 0)),
        (False, 30, (SPECTATING_NONE, 0)),
    ],
)
async def test_a_room_without_spectators_has_none_however_far_behind(
    matchmaking, player, spectators, behind, wished
):
    await player.create_room("skirmish", seats=2, spectators=spectators, behind=behind)

    [wish] = matchmaking.rooms
    assert (wish.spectating, wish.spectators_behind) == wished


async def test_what_goes_wrong_in_asking_a_player_is_not_lost(matchmaking, player):
    matchmaking.check = ReadyCheck(id="c-1")

    async def is_there(check):
        raise OSError("nobody can be asked here")

    ticket = await player.enter("skirmish", seats=2)
    with pytest.raises(OSError, match="nobody can be asked"):
        await asyncio.wait_for(ticket.seat(ready=is_there), 10)


async def test_a_partys_leader_asks_for_a_rematch_for_all(matchmaking, player):
    await player.rematch("t-1", party="ABCD")
    await player.rematch("t-1")

    asked = [(one.table_id, one.party_code) for one in matchmaking.rematches]
    assert asked == [("t-1", "ABCD"), ("t-1", "")]
