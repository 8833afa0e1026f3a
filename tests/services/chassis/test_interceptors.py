import asyncio
import gc
import json

import grpc
import pytest

from anpai.faults import fault_of
from services.chassis.client import meaning_of
from services.chassis.passage import Passage
from services.chassis.tokens import Credential, Kind, player_token
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME

NOT_A_MESSAGE = b"\xff\xff\xff"


@pytest.fixture
def anna(keys):
    token = player_token(keys["matchmaking"], "p1", "Anna", Kind.GUEST, 60)
    return [("authorization", f"Bearer {token}")]


async def refusal(call):
    """The status and reason with which a call fails."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error.value.code().name, getattr(meaning_of(error.value), "reason", None)


async def test_anyone_may_call_what_is_for_anyone(stub):
    assert await stub("Echo", "hello") == "hello"


async def test_the_servicer_knows_the_verified_caller(stub, anna):
    assert await stub("WhoAmI", metadata=anna) == "guest p1 Anna"


async def test_a_call_for_players_needs_a_token(stub):
    assert await refusal(stub("WhoAmI")) == ("UNAUTHENTICATED", "TOKEN_MISSING")


async def test_a_wrong_token_is_refused_even_where_none_is_needed(stub):
    for wrong in ("Bearer nonsense", "Basic abc", "Bearer"):
        call = stub("Echo", metadata=[("authorization", wrong)])
        assert await refusal(call) == ("UNAUTHENTICATED", "TOKEN_INVALID")


async def test_a_player_may_not_call_what_is_for_a_service(stub, anna):
    call = stub("Open", metadata=anna)

    assert await refusal(call) == ("PERMISSION_DENIED", "NOT_ALLOWED")


async def test_only_the_named_service_may_call_what_is_for_it(stub, keys):
    matchmaking = Credential(keys["matchmaking"], "engine").metadata()
    engine = Credential(keys["engine"], "engine").metadata()

    assert await stub("Open", metadata=matchmaking) == "service matchmaking matchmaking"
    assert await refusal(stub("Open", metadata=engine)) == (
        "PERMISSION_DENIED",
        "NOT_ALLOWED",
    )


async def test_a_service_is_no_player(stub, keys):
    matchmaking = Credential(keys["matchmaking"], "engine").metadata()

    assert (await refusal(stub("WhoAmI", metadata=matchmaking)))[1] == "NOT_ALLOWED"


@pytest.mark.parametrize("method", ["Forgotten", "Unlisted"])
async def test_a_method_that_does_not_say_who_may_call_it_is_refused(
    stub, anna, method
):
    assert (await refusal(stub(method)))[1] == "NOT_ALLOWED"
    assert (await refusal(stub(method, metadata=anna)))[1] == "NOT_ALLOWED"


async def test_bytes_that_are_no_message_are_told_to_be_so(stub):
    call = stub("Echo", NOT_A_MESSAGE)

    assert await refusal(call) == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")


async def test_so_they_are_within_a_stream(stub):
    call = stub.chat()
    await call.write("hello")
    assert (await call.read()).value == "HELLO"

    await call.write(NOT_A_MESSAGE)

    assert await refusal(call.read()) == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE")


async def test_a_servicer_may_write_its_stream_itself(stub):
    assert [text.value async for text in stub.stream("Count", "3")] == ["0", "1", "2"]


async def test_a_refusal_tells_its_reason_its_sentence_and_when_to_try_again(stub):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await stub("Refuse")

    meant = meaning_of(error.value)
    assert error.value.details() == "A hero cannot be revived."
    assert (meant.reason, meant.metadata, meant.retry_after) == (
        "NOT_ALLOWED",
        {"seat": "2"},
        1.5,
    )


@pytest.mark.parametrize("method", ["Refuse", "Break", "WhoAmI"])
async def test_a_call_that_was_refused_is_gone_without_a_sweep(stub, unswept, method):
    with pytest.raises(grpc.aio.AioRpcError):
        await stub(method)

    await asyncio.wait_for(no_call_is_left(), 10)


async def test_so_is_a_stream(stub, unswept):
    call = stub.chat()
    await call.write(NOT_A_MESSAGE)
    with pytest.raises(grpc.aio.AioRpcError):
        await call.read()

    await asyncio.wait_for(no_call_is_left(), 10)


@pytest.fixture
def unswept():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def no_call_is_left():
    while True:
        if not any(isinstance(one, Passage) for one in gc.get_objects()):
            return
        await asyncio.sleep(0.05)


async def test_an_error_of_ours_is_told_by_its_incident_alone(stub, logged):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await stub("Break", metadata=[("x-request-id", "r-17")])

    told = f"{error.value.details()} {error.value.trailing_metadata()}"
    (line,) = logged()
    fault = fault_of(error.value)
    assert error.value.code() is grpc.StatusCode.INTERNAL
    assert (fault.reason, fault.metadata) == ("INTERNAL", {"incident": "r-17"})
    assert json.loads(line)["incident"] == "r-17"
    assert json.loads(line)["passage"][-1] == "KeyError"
    assert "secret-card" not in told + line


async def test_a_call_that_is_given_up_is_cancelled_in_the_servicer(stub, echo):
    call = stub.channel.unary_unary(f"/{NAME}/Sleep")(b"")
    await echo.asleep.wait()

    call.cancel()

    assert await echo.ended == "cancelled"


async def test_a_stream_that_is_forgotten_is_cancelled_too(stub, echo):
    """Why grpcio is pinned: from 1.83.0 on such a call is never collected."""
    call = stub.stream("Follow", "hello")
    await call.read()

    del call
    gc.collect()

    assert await asyncio.wait_for(echo.ended, 30) == "cancelled"


async def test_calls_are_counted_by_method_and_code(stub, running):
    await stub("Echo")
    await refusal(stub("WhoAmI"))

    value = running.metrics.registry.get_sample_value
    for method, code in [("Echo", "OK"), ("WhoAmI", "UNAUTHENTICATED")]:
        labels = {"method": f"/{NAME}/{method}", "code": code}
        assert value("anpai_calls_total", labels) == 1


async def test_whoever_is_turned_away_is_counted_by_the_reason(stub, running):
    await refusal(stub("WhoAmI"))
    await refusal(stub("Echo", metadata=[("authorization", "Bearer nonsense")]))
    await stub("Echo")

    value = running.metrics.registry.get_sample_value
    told = {
        reason: value("anpai_denied_calls_total", {"reason": reason})
        for reason in ("TOKEN_MISSING", "TOKEN_INVALID", "NOT_ALLOWED")
    }
    assert told == {"TOKEN_MISSING": 1, "TOKEN_INVALID": 1, "NOT_ALLOWED": 0}


async def test_faults_of_ours_are_counted_and_refusals_are_none(stub, running):
    value = running.metrics.registry.get_sample_value
    await refusal(stub("Refuse"))
    assert value("anpai_incidents_total") == 0

    await refusal(stub("Break"))

    assert value("anpai_incidents_total") == 1


async def test_a_stream_is_counted_while_it_is_open(stub, running):
    call = stub.chat()
    await call.write("hello")
    await call.read()
    value = running.metrics.registry.get_sample_value
    labels = {"method": f"/{NAME}/Chat"}
    assert value("anpai_open_streams", labels) == 1

    await call.done_writing()
    assert await call.read() is grpc.aio.EOF

    assert value("anpai_open_streams", labels) == 0


async def test_a_call_of_ours_that_is_cut_off_is_told_and_not_taken_for_the_callers(
    stub,
):
    call = stub("CutOff", timeout=30)

    assert await refusal(call) == ("UNAVAILABLE", "PART_UNAVAILABLE")
