"""Whoever is turned away is, everywhere, within a second, and until then alone."""

import asyncio

import grpc
import jwt
import pytest
import redis

from services.chassis import revoked
from services.chassis.client import meaning_of
from services.chassis.server import start
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Credential, Kind, player_token
from tests.services.chassis.echo import Echo, EchoStub, bind_echo


@pytest.fixture
def list_of(running):
    return running._resources.revocations


@pytest.fixture
async def store(valkey):
    store = await open_store(valkey, fresh_metrics())
    yield store
    await store.close()


@pytest.fixture
def anna(keys):
    return player_token(keys["matchmaking"], "anna", "Anna", Kind.GUEST, 60)


def told(token):
    return (("authorization", f"Bearer {token}"),)


async def reason_of(call):
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return meaning_of(error).reason
    return "OK"


async def until(holds, within=30):
    async with asyncio.timeout(within):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_a_player_who_is_turned_away_is_refused_with_every_token(
    stub, list_of, keys, anna
):
    another = player_token(keys["matchmaking"], "anna", "Anna", Kind.MEMBER, 60)
    ben = player_token(keys["matchmaking"], "ben", "Ben", Kind.GUEST, 60)
    await list_of.revoke_player("anna", 60)

    for token in (anna, another):
        assert await reason_of(stub("WhoAmI", metadata=told(token))) == "TOKEN_REVOKED"
        assert await reason_of(stub("Echo", metadata=told(token))) == "TOKEN_REVOKED"
    assert await stub("WhoAmI", metadata=told(ben)) == "guest ben Ben"
    assert await stub("Echo", "anybody") == "anybody"


async def test_whoever_is_turned_away_is_counted_by_the_reason(
    stub, list_of, running, anna
):
    await list_of.revoke_player("anna", 60)

    await reason_of(stub("WhoAmI", metadata=told(anna)))

    value = running.metrics.registry.get_sample_value
    assert value("anpai_denied_calls_total", {"reason": "TOKEN_REVOKED"}) == 1


async def test_one_token_alone_may_be_turned_away(stub, list_of, keys, anna):
    again = player_token(keys["matchmaking"], "anna", "Anna", Kind.GUEST, 60)
    name = jwt.decode(anna, options={"verify_signature": False})["jti"]
    await list_of.revoke_token(name, 60)

    assert await reason_of(stub("WhoAmI", metadata=told(anna))) == "TOKEN_REVOKED"
    assert await stub("WhoAmI", metadata=told(again)) == "guest anna Anna"


async def test_it_ends_by_itself_and_leaves_nothing_behind(stub, list_of, anna, valkey):
    await list_of.revoke_player("anna", 5)
    assert await reason_of(stub("WhoAmI", metadata=told(anna))) == "TOKEN_REVOKED"

    async def is_let_in():
        return await reason_of(stub("WhoAmI", metadata=told(anna))) == "OK"

    await until(is_let_in)
    with redis.Redis.from_url(valkey) as store:
        kept = [*store.scan_iter("engine:{revoked}*")]
        assert kept
        assert all(0 < store.pttl(key) <= 61_000 for key in kept)


async def test_who_is_let_in_again_is(stub, list_of, anna):
    await list_of.revoke_player("anna", 60)
    (one,) = list_of.everybody()

    await list_of.let_in(one.whom)

    assert list_of.everybody() == []
    assert await stub("WhoAmI", metadata=told(anna)) == "guest anna Anna"


async def test_open_streams_end_and_others_go_on(stub, list_of, keys, anna):
    ben = player_token(keys["matchmaking"], "ben", "Ben", Kind.GUEST, 60)
    lines = [stub.chat(metadata=told(token)) for token in (anna, ben)]
    for line in lines:
        await line.write("hello")
        await line.read()

    await list_of.revoke_player("anna", 60)

    assert await reason_of(lines[0].read()) == "TOKEN_REVOKED"
    await lines[1].write("hello")
    assert (await lines[1].read()).value == "HELLO"
    lines[1].cancel()


async def test_who_is_turned_away_from_one_table_comes_again_and_is_refused_there(
    stub, list_of, anna
):
    line = stub.chat(metadata=told(anna))
    await line.write("hello")
    await line.read()

    await list_of.revoke_seat("t-1", "anna", 60)

    assert await reason_of(line.read()) == "PART_UNAVAILABLE"
    assert await stub("WhoAmI", metadata=told(anna)) == "guest anna Anna"
    with pytest.raises(revoked.AnpaiError) as error:
        list_of.refuse_at("t-1", "anna")
    assert error.value.reason == "TOKEN_REVOKED"
    list_of.refuse_at("t-2", "anna")
    list_of.refuse_at("t-1", "ben")


async def test_another_process_knows_it_soon_and_after_a_restart_at_once(
    config, list_of, anna
):
    another = await start("engine", config, bind_echo(Echo()))
    stub = EchoStub(another.address)
    await list_of.revoke_player("anna", 60)

    async def is_refused():
        reason = await reason_of(stub("WhoAmI", metadata=told(anna)))
        return reason == "TOKEN_REVOKED"

    await until(is_refused)
    await stub.channel.close()
    await another.stop()
    third = await start("engine", config, bind_echo(Echo()))
    stub = EchoStub(third.address)
    assert await is_refused()
    await stub.channel.close()
    await third.stop()


async def test_a_list_that_has_ended_and_begins_anew_is_seen(list_of, store):
    """By a process that slept meanwhile: no change is the first one again."""
    sleeper = revoked.Revocations(store, "engine")
    await list_of.revoke_player("ben", 60)
    await sleeper.look()
    for key in await store.redis.keys("engine:{revoked}*"):
        await store.redis.delete(key)

    await list_of.revoke_player("anna", 60)
    await sleeper.look()

    assert [one.whom for one in sleeper.everybody()] == ["player:anna"]


async def test_our_own_services_are_never_turned_away(stub, list_of, keys):
    await list_of.revoke_player("matchmaking", 60)
    matchmaking = Credential(keys["matchmaking"], "engine").metadata()

    assert await stub("Open", metadata=matchmaking) == "service matchmaking matchmaking"


async def test_who_has_come_again_is_not_cut_off_by_what_befalls_others(
    stub, list_of, anna
):
    await list_of.revoke_seat("t-1", "anna", 60)
    line = stub.chat(metadata=told(anna))
    await line.write("hello")
    assert (await line.read()).value == "HELLO"

    await list_of.revoke_seat("t-1", "ben", 60)
    await list_of.revoke_player("carl", 60)

    await line.write("hello again")
    assert (await line.read()).value == "HELLO AGAIN"
    line.cancel()
