"""How much one caller may ask for, and what happens beyond."""

import asyncio
import time
from dataclasses import replace
from unittest.mock import patch

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.chassis.client import meaning_of
from services.chassis.limits import Bucket, Buckets, address_of
from services.chassis.passage import LONGEST
from services.chassis.server import start
from services.chassis.tokens import Credential, Kind, player_token
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME, EchoStub, Text, bind_echo

RATE = 4
BURST = 5 * RATE


# ---- a bucket ------------------------------------------------------------------------


@given(
    rate=st.floats(0.1, 1000),
    burst=st.floats(1, 500),
    pauses=st.lists(st.floats(0, 5), max_size=80),
)
def test_t27_never_more_is_taken_than_time_has_given(rate, burst, pauses):
    bucket, now, taken = Bucket(rate, burst, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now) == 0
        assert taken <= burst + now * rate + 1e-6


@given(
    rate=st.floats(0.1, 1000),
    burst=st.floats(1, 50),
    tries=st.integers(1, 80),
)
def test_t27_who_comes_again_when_told_is_let_in(rate, burst, tries):
    bucket = Bucket(rate, burst, 0.0)
    waits = [bucket.take(0.0) for _ in range(tries)]

    assert bucket.take(max(waits) + 1e-6) == 0 or not any(waits)


def test_a_refusal_takes_nothing():
    bucket = Bucket(1, 1, 0.0)
    assert bucket.take(0.0) == 0

    assert [bucket.take(0.5) for _ in range(9)] == [0.5] * 9


VISITS = st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0, 3)), max_size=80)


@given(rate=st.floats(0.1, 4), visits=VISITS)
def test_nobody_is_let_in_sooner_for_being_forgotten(rate, visits):
    forgetting, now = Buckets(rate), 0.0
    remembering = {key: Bucket(rate, max(1.0, 5 * rate), 0.0) for key in "abcdef"}
    with patch("services.chassis.limits.monotonic", lambda: now):
        for key, pause in visits:
            now += pause
            assert forgetting.take(key) == pytest.approx(remembering[key].take(now))


def test_of_callers_who_come_once_few_are_remembered():
    buckets, now = Buckets(1), 0.0
    with patch("services.chassis.limits.monotonic", lambda: now):
        for number in range(1_000):
            now += 0.1
            buckets.take(f"caller {number}")

    assert len(buckets) <= 11  # one a tenth of a second, and full again after one


def test_of_too_many_callers_those_are_forgotten_who_were_quiet_longest():
    buckets = Buckets(1, remembered=2)
    for name in ("anna", "ben", "anna", "cleo"):
        buckets.take(name)

    assert list(buckets._of) == ["anna", "cleo"]


# ---- where a call comes from ---------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "edges", "address"),
    [
        ("ipv4:192.0.2.7:5000", "", 0, "192.0.2.7"),
        ("ipv4:192.0.2.7:5000", "198.51.100.1", 0, "192.0.2.7"),
        ("ipv4:192.0.2.7:5000", "198.51.100.1", 1, "198.51.100.1"),
        ("ipv4:192.0.2.7:5000", "203.0.113.9, 198.51.100.1", 1, "198.51.100.1"),
        ("ipv4:192.0.2.7:5000", "203.0.113.9,198.51.100.1", 2, "203.0.113.9"),
        ("ipv4:192.0.2.7:5000", "", 1, "192.0.2.7"),
        ("ipv4:192.0.2.7:5000", "198.51.100.1", 2, "192.0.2.7"),
        ("ipv4:192.0.2.7:5000", "garbage", 1, "unknown"),
        ("ipv6:%5B2001:db8::7%5D:5000", "", 0, "2001:db8::/64"),
        ("ipv6:[2001:db8::8]:5000", "", 0, "2001:db8::/64"),
        ("ipv6:[::ffff:192.0.2.7]:5000", "", 0, "192.0.2.7"),
        ("unix:/run/edge.sock", "", 0, "unix"),
    ],
)
def test_an_address_is_the_peer_s_or_what_our_own_edges_say(
    peer, forwarded, edges, address
):
    headers = {"x-forwarded-for": forwarded} if forwarded else {}

    assert address_of(peer, headers, edges) == address


# ---- over the wire -------------------------------------------------------------------


@pytest.fixture
async def strict(config, echo):
    told = replace(
        config, player_rate=RATE, address_rate=RATE, player_streams=3, edges=1
    )
    service = await start("engine", told, bind_echo(echo))
    yield service
    await service.stop()


@pytest.fixture
async def stub(strict):
    stub = EchoStub(strict.address)
    yield stub
    await stub.channel.close()


def as_player(keys, name):
    token = player_token(keys["matchmaking"], name, name, Kind.GUEST, 60)
    return (("authorization", f"Bearer {token}"),)


async def refusal(call):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return meaning_of(error.value)


async def refusals(stub, number, *call, **how):
    """Of so many calls at once, what those were told that were refused."""
    calls = [stub(*call, **how) for _ in range(number)]
    ends = await asyncio.gather(*calls, return_exceptions=True)
    return [meaning_of(end) for end in ends if isinstance(end, Exception)]


async def test_t27_who_calls_too_often_is_told_when_to_come_again(stub, keys):
    anna = as_player(keys, "anna")

    refused = await refusals(stub, 4 * BURST, "WhoAmI", metadata=anna)

    assert len(refused) > BURST / 2
    assert {(one.reason, one.metadata["limit"]) for one in refused} == {
        ("TOO_MANY", "calls")
    }
    assert all(0 < one.retry_after <= 1 for one in refused)
    await asyncio.sleep(max(one.retry_after for one in refused))
    assert await stub("WhoAmI", metadata=anna) == "guest anna anna"


async def test_each_player_has_an_allowance_of_its_own(stub, keys):
    await refusals(stub, 2 * BURST, "WhoAmI", metadata=as_player(keys, "anna"))

    assert await stub("WhoAmI", metadata=as_player(keys, "ben")) == "guest ben ben"


async def test_who_has_not_signed_in_is_counted_by_address(stub):
    here = (("x-forwarded-for", "203.0.113.9, 198.51.100.1"),)
    there = (("x-forwarded-for", "203.0.113.9, 198.51.100.2"),)

    assert await refusals(stub, 2 * BURST, "Echo", metadata=here)

    assert await refusals(stub, 10, "Echo", metadata=there) == []


async def test_heavy_calls_are_counted_apart_so_that_they_starve_no_other(stub, keys):
    anna = as_player(keys, "anna")

    refused = await refusals(stub, BURST, "Load", metadata=anna)

    assert len(refused) > BURST / 2
    assert {one.metadata["limit"] for one in refused} == {"heavy_calls"}
    assert await stub("WhoAmI", metadata=anna) == "guest anna anna"


async def test_our_own_services_are_not_counted(stub, keys):
    matchmaking = Credential(keys["matchmaking"], "engine").metadata()

    assert await refusals(stub, 2 * BURST, "Open", metadata=matchmaking) == []
    assert await refusals(stub, 2 * BURST, "Echo", metadata=matchmaking) == []


async def test_bad_tokens_are_soon_not_even_looked_at(stub, keys):
    anna, bad = as_player(keys, "anna"), (("authorization", "Bearer a.b.c"),)
    assert await stub("WhoAmI", metadata=anna)

    told = [one.reason for one in await refusals(stub, BURST, "Echo", metadata=bad)]

    assert set(told) == {"TOKEN_INVALID", "TOO_MANY"}
    assert told.count("TOO_MANY") > BURST / 2
    assert await stub("WhoAmI", metadata=anna) == "guest anna anna"


async def test_one_player_has_so_many_streams_and_no_more(stub, keys):
    anna = as_player(keys, "anna")
    open_ = [stub.chat(metadata=anna) for _ in range(3)]
    for call in open_:
        await call.write("hello")
        assert (await call.read()).value == "HELLO"

    fault = await refusal(stub.chat(metadata=anna).read())
    assert (fault.reason, fault.metadata) == ("TOO_MANY", {"limit": "streams"})

    await open_[0].done_writing()
    assert await open_[0].read() is grpc.aio.EOF
    again = stub.chat(metadata=anna)
    await again.write("hello")
    assert (await again.read()).value == "HELLO"
    for call in (*open_, again):
        call.cancel()


async def test_t27_what_comes_up_a_stream_too_fast_is_read_later_and_never_dropped(
    stub, keys
):
    many, started = BURST + RATE, time.monotonic()
    line = stub.chat(metadata=as_player(keys, "anna"))
    for number in range(many):
        await line.write(str(number))

    heard = [(await line.read()).value for _ in range(many)]

    assert heard == [str(number) for number in range(many)]
    assert time.monotonic() - started > 0.5
    line.cancel()


async def test_t53_open_streams_never_starve_calls(config, echo, keys):
    """No cap counts both: 600 streams, and each call is answered at once."""
    service = await start("engine", config, bind_echo(echo))
    stub = EchoStub(service.address)
    lines = [stub.chat(metadata=as_player(keys, f"p{n % 10}")) for n in range(600)]
    for line in lines:
        await line.write("hello")
        await line.read()

    anna = as_player(keys, "anna")
    told = await asyncio.gather(*(stub("WhoAmI", metadata=anna) for _ in range(50)))

    assert told == ["guest anna anna"] * 50
    for line in lines:
        line.cancel()
    await stub.channel.close()
    await service.stop()


async def test_a_message_longer_than_players_have_to_say_is_not_read(stub):
    longest = Text(value="x" * (LONGEST - 4))
    assert await stub("Echo", longest.SerializeToString()) == longest.value

    fault = await refusal(stub("Echo", "x" * LONGEST))
    assert fault.reason == "MESSAGE_TOO_LONG"
    line = stub.chat()
    await line.write("x" * LONGEST)
    assert (await refusal(line.read())).reason == "MESSAGE_TOO_LONG"


async def test_who_is_refused_is_counted_by_the_limit(strict, stub, keys):
    refused = await refusals(
        stub, 2 * BURST, "WhoAmI", metadata=as_player(keys, "anna")
    )

    value = strict.metrics.registry.get_sample_value
    assert value("anpai_limited_calls_total", {"limit": "calls"}) == len(refused)
    labels = {"method": f"/{NAME}/WhoAmI", "code": "RESOURCE_EXHAUSTED"}
    assert value("anpai_calls_total", labels) == len(refused)
