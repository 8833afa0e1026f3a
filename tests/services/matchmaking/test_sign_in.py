"""Guests, and where they find the rest."""

import time

import grpc
import pytest

from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.chassis.keys import load_keys
from services.chassis.tokens import Kind, Verifier
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import House, refused, wish

EDGE = "play.example:443"


async def signed_in(house, name):
    return await house.stub.SignIn(pb.SignInRequest(name=name))


@pytest.mark.parametrize("service", ["engine", "vault"])
async def test_the_token_is_good_at_every_service_without_asking(
    house, keys_folder, service
):
    reply = await signed_in(house, "  Anna Żółć 暗牌 ")

    who = Verifier(load_keys(keys_folder, service)).caller_of(reply.token)

    assert (who.kind, who.id, who.name) == (
        Kind.GUEST,
        reply.player_id,
        "Anna Żółć 暗牌",
    )


async def test_a_program_that_says_so_is_a_bot(house, keys_folder):
    reply = await house.stub.SignIn(pb.SignInRequest(name="Ada", bot=True))

    who = Verifier(load_keys(keys_folder, "engine")).caller_of(reply.token)

    assert who.kind is Kind.BOT


async def test_a_program_may_say_what_it_is(house, keys_folder):
    robot = await house.sign_in("Robot", bot=True)

    who = Verifier(load_keys(keys_folder, "engine")).caller_of(robot.token)

    assert (who.kind, who.id) == (Kind.BOT, robot.id)


async def test_it_is_good_for_a_day(house):
    reply = await signed_in(house, "Anna")

    left = reply.expires_at.seconds - time.time()

    assert 23.9 * 3600 < left <= 24 * 3600


async def test_others_may_have_the_same_name(house):
    first, second = [await signed_in(house, "Anna") for _ in range(2)]

    assert first.player_id != second.player_id


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 33, "a\nb", "a\u202eb", "\x00", "\u200b"]
)
async def test_a_name_that_cannot_be_shown_is_refused(house, name):
    with refused("INVALID_FIELD") as error:
        await house.sign_in(name)

    assert error.value.metadata["field"] == "name"


async def test_the_longest_name_is_32_letters_as_they_are_shown(house, keys_folder):
    reply = await signed_in(house, "e\u0301" * 32)

    who = Verifier(load_keys(keys_folder, "engine")).caller_of(reply.token)

    assert who.name == "\u00e9" * 32


async def test_tickets_are_for_those_who_have_signed_in(house):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await house.stub.CreateTicket(pb.CreateTicketRequest(wish=wish()))

    assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_players_do_not_host_bots(house):
    anna = await house.sign_in()
    told = (("authorization", f"Bearer {anna.token}"),)

    with pytest.raises(grpc.aio.AioRpcError) as error:
        await house.stub.HostBots(metadata=told).read()

    assert error.value.code() is grpc.StatusCode.PERMISSION_DENIED


async def test_the_directory_tells_where_the_others_are(house, engines):
    found = await house.stub.GetDirectory(pb.GetDirectoryRequest())

    assert list(found.engines) == [engine.address for engine in engines]
    assert found.audit == "audit:1"


async def test_behind_an_edge_all_addresses_are_the_edges(begin, keys_folder):
    running = await begin(edge=EDGE)
    house = House(running.address, keys_folder)
    anna = await house.sign_in()

    found = await house.stub.GetDirectory(pb.GetDirectoryRequest())
    seat = await anna.play(wish(bots=1))

    assert [*found.engines, found.audit, seat.engine_address] == [EDGE] * 3
    await house.close()
