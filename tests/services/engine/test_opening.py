"""Opening tables, as matchmaking asks for it."""

import asyncio
import uuid

import grpc
import pytest

from anpai.engine.internal.v1 import engine_internal_service_pb2 as pb
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as rpc
from services.chassis.tokens import Credential
from tests.services.engine.playing import reason_of


def wish(**changes):
    seats = [pb.Assigned(player_id=name, name=name) for name in ("anna", "ben")]
    wanted = {"request_id": uuid.uuid4().hex, "game": "skirmish", "seats": seats}
    return pb.OpenTableRequest(**(wanted | changes))


@pytest.fixture
async def door(engine, matchmaking):
    credential = Credential(matchmaking, "engine")
    async with grpc.aio.insecure_channel(engine.address) as channel:
        stub = rpc.EngineInternalServiceStub(channel)
        yield lambda wanted: stub.OpenTable(wanted, metadata=credential.metadata())


async def test_the_same_request_gives_the_same_table(door):
    wanted = wish()

    tables = await asyncio.gather(*(door(wanted) for _ in range(20)))

    assert len({table.table_id for table in tables}) == 1
    assert len({table.commitment for table in tables}) == 1


async def test_other_workers_give_the_same_table(door, worker, matchmaking):
    wanted = wish()
    here = await door(wanted)
    other = await worker()
    async with grpc.aio.insecure_channel(other.address) as channel:
        there = await rpc.EngineInternalServiceStub(channel).OpenTable(
            wanted, metadata=Credential(matchmaking, "engine").metadata()
        )

    assert (here.table_id, here.commitment) == (there.table_id, there.commitment)


async def test_the_commitment_is_what_the_table_shows(door, player):
    table = await door(wish())

    view = await player("carl").looks(table.table_id)
    taken = await player("anna").takes_seat(table.table_id)

    assert view.commitment == taken.commitment == table.commitment
    assert [seat.name for seat in view.seats] == ["anna", "ben"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "chess"}, "GAME_NOT_FOUND"),
        ({"variant": "blitz"}, "INVALID_FIELD"),
        ({"seats": []}, "INVALID_FIELD"),
        ({"seats": [pb.Assigned(player_id="anna", name="Anna")] * 2}, "INVALID_FIELD"),
        ({"seats": [pb.Assigned(player_id=p, name="") for p in "ab"]}, "INVALID_FIELD"),
        ({"seats": [pb.Assigned(name=p) for p in "ab"]}, "INVALID_FIELD"),
        ({"request_id": "short"}, "INVALID_FIELD"),
        ({"request_id": "x" * 129}, "INVALID_FIELD"),
    ],
)
async def test_what_cannot_be_opened_is_refused(door, changes, reason):
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await door(wish(**changes))

    assert reason_of(refused.value) == reason


async def test_players_cannot_open_tables(engine, player):
    async with grpc.aio.insecure_channel(engine.address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await rpc.EngineInternalServiceStub(channel).OpenTable(
                wish(), metadata=player("anna").metadata
            )

    assert reason_of(refused.value) == "NOT_ALLOWED"


async def test_a_nonce_counts_the_first_time(door, player):
    table = (await door(wish())).table_id
    anna = player("anna")

    first = await anna.takes_seat(table, b"1" * 32)
    again = await anna.takes_seat(table, b"2" * 32)

    assert first == again
    assert (await anna.looks(table)).seats[0].nonce == (b"1" * 32).hex()
