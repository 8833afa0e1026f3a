"""Who may do what at a table, at every stage of it.

Each method that names a table, with everybody who might call it; a method that nobody
has listed here fails the test.
"""

import asyncio
import random
import uuid

import grpc
import pytest

from anpai.access.v1 import access_pb2
from anpai.engine.v1 import engine_service_pb2 as pb
from services.chassis.tokens import Credential, Kind, player_token
from tests.contract.contract import access_of, methods
from tests.one_store import store_process  # noqa: F401
from tests.services.callers import GARBAGE, bearer, everybody
from tests.services.engine.playing import an_answer
from tests.services.raw import SECONDS, end_of

SEATED, ANY_PLAYER = "seated", "any player"

WHO_MAY = {
    "TakeSeat": SEATED,
    "GetView": ANY_PLAYER,
    "Watch": ANY_PLAYER,
    "Sit": ANY_PLAYER,
    "Answer": SEATED,
    "Concede": SEATED,
    "Say": SEATED,
}
# A stream that is let in stays open.
A_MOMENT = 0.15
STAGES = ("gathering", "playing", "over")

# Whatever else is refused was let through the door.
AT_THE_DOOR = {
    *("TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "TOKEN_REVOKED"),
    *("NOT_ALLOWED", "NOT_SEATED"),
}


def names_a_table(method):
    fields = {one.name for one in method.input_type.fields}
    return method.full_name.startswith("anpai.engine.v1.") and (
        "table_id" in fields or "enter" in fields
    )


METHODS = {method.name: method for method in methods() if names_a_table(method)}


def request_for(method, table):
    """As it would be sent by somebody who may."""
    if method.name == "Sit":
        return pb.SitRequest(enter=pb.Enter(table_id=table))
    named = uuid.uuid4().hex
    more = {
        "TakeSeat": {"nonce": b"n" * 32},
        "Answer": {"question_id": "q-1", "answer_id": named, "choice": ["x"]},
        "Say": {"text": "Good luck", "request_id": named, "channel": 1},
    }
    request = getattr(pb, f"{method.name}Request")
    return request(table_id=table, **more.get(method.name, {}))


@pytest.fixture
def roles(keys_folder, matchmaking):
    """Everybody who might call: the header they bring, and who they are there."""

    def token(name, kind=Kind.GUEST):
        return bearer(player_token(matchmaking, name, name.title(), kind, 600))

    known = everybody(keys_folder, "engine")
    services = {
        name: (caller.authorization, "NOT_ALLOWED")
        for name, caller in known.items()
        if caller.service
    }
    bad = {
        name: (caller.authorization, caller.wrong or "TOKEN_MISSING")
        for name, caller in known.items()
        if not caller.service and not caller.player
    }
    strangers = {
        f"a {kind} who watches": (token("carl", kind), ANY_PLAYER)
        for kind in (Kind.GUEST, Kind.MEMBER, Kind.BOT)
    }
    # Last, for what they do may end the game.
    seats = {f"seat of {name}": (token(name), SEATED) for name in ("ben", "anna")}
    revoked = {"who is turned away": (token("dora"), "TOKEN_REVOKED")}
    return services | bad | revoked | strangers | seats


def due(who, may):
    """The reason at the door with which the design says this one is refused."""
    if who in (SEATED, may):
        return ""
    return "NOT_SEATED" if who == ANY_PLAYER else who


@pytest.fixture
def at_stage(opened, player):
    async def at(stage):
        table = await opened("anna", "ben")
        if stage != "gathering":
            for name in ("anna", "ben"):
                await player(name).takes_seat(table)
        if stage == "over":
            await player("anna").concedes(table)
        return table

    return at


def test_t11_every_method_that_names_a_table_is_listed():
    assert METHODS.keys() == WHO_MAY.keys()
    assert {access_of(one) for one in METHODS.values()} == {access_pb2.ACCESS_PLAYER}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", METHODS)
async def test_t11_at_every_stage_of_a_table_each_may_do_what_is_for_him(
    name, stage, at_stage, roles, engine, player
):
    await engine._resources.revocations.revoke_player("dora", 600)
    method, table, met = METHODS[name], await at_stage(stage), {}
    raw = request_for(method, table).SerializeToString()
    before = await player("anna").looks(table)
    async with grpc.aio.insecure_channel(engine.address) as channel:
        for role, (header, who) in roles.items():
            expected = due(who, WHO_MAY[name])
            told = (("authorization", header),) if header is not None else ()
            patience = SECONDS if expected else A_MOMENT
            end = await end_of(channel, method, raw, told, patience)
            met[role] = end.reason if end.reason in AT_THE_DOOR else ""
            if expected:
                assert await player("anna").looks(table) == before, role

    assert met == {role: due(who, WHO_MAY[name]) for role, (_, who) in roles.items()}


# ---- who one is ----------------------------------------------------------------------

CLAIMS = (
    *(("x-role", "operator"), ("x-seat", "0"), ("x-player-id", "anna")),
    *(("x-anpai-passed-on", "1"), ("spectator", "true"), ("x-anpai-table", "t-1")),
)


def with_claims(raw, dice):
    """The same message with fields that nobody knows: what else might one claim?"""
    for _ in range(dice.randint(1, 4)):
        number, text = dice.randint(20, 500), dice.choice((b"anna", b"operator", b"1"))
        raw += varint(number << 3 | 2) + varint(len(text)) + text
        raw += varint(dice.randint(20, 500) << 3) + varint(dice.randint(0, 3))
    return raw


def varint(number):
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


@pytest.mark.parametrize("name", ["anna", "ben", "carl"])
async def test_t03_whatever_is_claimed_one_sees_what_is_one_s_own(
    name, at_stage, player, engine
):
    table, dice = await at_stage("playing"), random.Random(3)
    own = await player(name).looks(table)
    request = pb.GetViewRequest(table_id=table).SerializeToString()
    view = player(name).channel.unary_unary(
        "/anpai.engine.v1.EngineService/GetView",
        response_deserializer=pb.GetViewResponse.FromString,
    )
    watch = player(name).channel.unary_stream(
        "/anpai.engine.v1.EngineService/Watch",
        response_deserializer=pb.WatchResponse.FromString,
    )
    for _ in range(20):
        claimed = [*player(name).metadata, dice.choice(CLAIMS), dice.choice(CLAIMS)]
        raw = with_claims(request, dice)

        assert (await view(raw, metadata=claimed)).view == own
        line = watch(raw, metadata=claimed)
        assert (await line.read()).update.view == own
        line.cancel()


async def test_t03_a_spectator_sees_no_more_than_a_seat_whoever_it_is(
    at_stage, player, matchmaking
):
    table = await at_stage("playing")
    watchers = []
    for kind in (Kind.GUEST, Kind.MEMBER, Kind.BOT):
        carl = player("carl")
        carl.token = player_token(matchmaking, "carl", "Carl", kind, 600)
        watchers.append(await carl.looks(table))
    seats = [await player(name).looks(table) for name in ("anna", "ben")]

    public = faces_in(watchers[0])
    assert watchers[0] == watchers[1] == watchers[2]
    assert not watchers[0].HasField("viewer")
    for seat in seats:
        assert public <= faces_in(seat)


def faces_in(view):
    return {
        (card.handle, card.face)
        for place in view.places
        for card in place.cards
        if card.face
    }


# ---- wrong tokens never cost the right player anything -------------------------------


async def test_t20_wrong_tokens_do_not_lock_the_owner_out(
    at_stage, player, keys_folder, engine
):
    """While her stream is cut others try in her name; she comes back to all she had."""
    table = await at_stage("playing")
    anna = player("anna")
    async with anna.sitting(table) as stream:
        before = (await stream.update()).view
    wrong = [GARBAGE, "", *(one.authorization for one in impostors(keys_folder))]
    async with grpc.aio.insecure_channel(engine.address) as channel:
        raw = pb.SitRequest(enter=pb.Enter(table_id=table)).SerializeToString()
        tries = (
            end_of(channel, METHODS["Sit"], raw, (("authorization", bearer(one)),))
            for one in wrong * 5
        )
        ends = await asyncio.gather(*tries)
    assert {end.reason.partition("_")[0] for end in ends} == {"TOKEN"}

    async with anna.sitting(table, before.revision) as stream:
        view = await anna.looks(table)
        assert view.places == before.places
        asked = anna if view.HasField("question") else player("ben")
        question = (await asked.looks(table)).question
        assert await asked.answers(table, an_answer(question))
        assert (await stream.next()) is not None


def impostors(folder):
    return [one for one in everybody(folder, "engine").values() if one.wrong]


async def test_t20_a_credential_of_ours_is_no_way_to_a_seat(
    at_stage, engine, keys_folder, matchmaking
):
    table = await at_stage("playing")
    told = Credential(matchmaking, "engine").metadata()
    raw = pb.ConcedeRequest(table_id=table).SerializeToString()
    async with grpc.aio.insecure_channel(engine.address) as channel:
        end = await end_of(channel, METHODS["Concede"], raw, told)

    assert end.reason == "NOT_ALLOWED"
