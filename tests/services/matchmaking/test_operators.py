"""What operators see of queues, and whom they turn away."""

import time

import grpc
import pytest

from anpai.operator.v1 import ban_service_pb2 as bans
from anpai.operator.v1 import ban_service_pb2_grpc as ban_rpc
from anpai.operator.v1 import queue_service_pb2 as pb
from anpai.operator.v1 import queue_service_pb2_grpc as rpc
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import refused, wish


@pytest.fixture
async def channel(running):
    async with grpc.aio.insecure_channel(running.address) as channel:
        yield channel


@pytest.fixture
def metadata(keys_folder):
    return Credential(load_keys(keys_folder, "operator"), "matchmaking").metadata()


@pytest.fixture
def queues(channel, metadata):
    async def ask():
        call = rpc.QueueServiceStub(channel).ListQueues
        return list((await call(pb.ListQueuesRequest(), metadata=metadata)).queues)

    return ask


async def test_queues_are_told_with_tickets_players_and_age(house, queues):
    assert await queues() == []
    anna, ben, carl = await house.players(3)
    await anna.ticket(wish(seats=3))
    await ben.ticket(wish(seats=3))
    await carl.ticket(wish("skirmish", seats=2, variant="quick"))

    quick, usual = sorted(await queues(), key=lambda one: one.seats)

    assert (quick.game, quick.variant, quick.tickets) == ("skirmish", "quick", 1)
    assert (usual.tickets, usual.players, usual.private) == (2, 2, False)
    assert 0 <= quick.oldest_ms <= usual.oldest_ms < 60_000


async def test_no_code_of_a_room_is_told(house, queues):
    rooms = []
    for player in await house.players(2):
        room = await player.room(wish(seats=3))
        rooms.append(room.code)
        await player.ticket(wish("", seats=0, room_code=room.code))

    (told,) = await queues()

    assert (told.private, told.tickets) == (True, 2)
    assert not [code for code in rooms if code in str(told)]


async def test_who_is_banned_finds_no_table_until_he_is_let_in(
    house, channel, metadata
):
    anna, ben = await house.players(2)
    stub = ban_rpc.BanServiceStub(channel)
    until = int(time.time() * 1000) + 60_000
    told = {"player_id": anna.id, "until_ms": until, "reason": "a test"}
    await stub.BanPlayer(bans.BanPlayerRequest(**told), metadata=metadata)

    with refused("TOKEN_REVOKED"):
        await anna.ticket(wish())
    await ben.ticket(wish())
    listed = await stub.ListBans(bans.ListBansRequest(), metadata=metadata)
    assert [one.player_id for one in listed.bans] == [anna.id]

    await stub.LiftBan(bans.LiftBanRequest(player_id=anna.id), metadata=metadata)
    await anna.ticket(wish())
