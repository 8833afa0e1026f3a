"""Answers that travel up a stream."""

import asyncio

import pytest

from anpai.engine.v1 import engine_service_pb2 as pb
from tests.sdk.waiting import until
from tests.services.engine.playing import Stream, an_answer, revisions_in

SIT = "/anpai.engine.v1.EngineService/Sit"


@pytest.fixture
async def table(opened, player):
    table = await opened("anna", "ben")
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    return table


@pytest.fixture
async def asked(table, player):
    """Whoever is asked, and the question."""
    for name in ("anna", "ben"):
        view = await player(name).looks(table)
        if view.HasField("question"):
            return player(name), view.question
    raise AssertionError("nobody is asked")


def stale(number):
    return pb.AnswerRequest(question_id="old", answer_id=f"answer-{number:04}")


async def test_answers_are_replied_to_in_the_order_sent(table, player):
    async with player("anna").sitting(table) as stream:
        await stream.update()
        for number in range(100):
            await stream.answers(stale(number))
        replies = [(await stream.next()).refused for _ in range(100)]

    assert [one.answer_id for one in replies] == [
        f"answer-{number:04}" for number in range(100)
    ]
    assert {one.refusal.reason for one in replies} == {"QUESTION_STALE"}


async def test_replies_wait_for_whoever_does_not_read(table, player, monkeypatch):
    monkeypatch.setattr("services.engine.watching.UNREAD_REPLIES", 4)
    async with player("anna", window=0).sitting(table) as stream:
        await stream.update()
        for number in range(300):
            await stream.answers(stale(number))
        replies = [(await stream.next()).refused.answer_id for _ in range(300)]

    assert replies == [f"answer-{number:04}" for number in range(300)]


async def test_bytes_that_are_no_message_end_the_stream(table, player):
    anna = player("anna")
    call = anna.channel.stream_stream(
        SIT, request_serializer=bytes, response_deserializer=pb.SitResponse.FromString
    )(metadata=anna.metadata)
    await call.write(pb.SitRequest(enter=pb.Enter(table_id=table)).SerializeToString())
    await call.read()
    await call.write(b"\xff\xff\xff")

    assert await Stream(call).reason_of_end() == "MALFORMED_MESSAGE"


async def test_whoever_says_no_more_goes_on_hearing(table, player, asked):
    one, question = asked
    async with player("carl").sitting(table) as stream:
        await stream.update()
        await stream.call.done_writing()
        await one.answers(table, an_answer(question))

        assert revisions_in(await stream.update())


async def test_a_storm_of_watchers_is_let_in(table, player, engine):
    crowd = [player(f"carl-{number}") for number in range(20)] * 75

    async with asyncio.timeout(30):
        await asyncio.gather(*(sits_for_a_moment(one, table) for one in crowd))


async def test_streams_that_are_broken_off_leave_nothing_behind(table, player, engine):
    crowd = [player(f"carl-{number}") for number in range(20)]
    for _ in range(10):
        await asyncio.gather(*(sits_for_a_moment(one, table) for one in crowd))
    open_streams = engine.metrics.open_streams.labels(SIT)

    await until(lambda: engine.metrics.watchers._value.get() == 0)
    await until(lambda: open_streams._value.get() == 0)


async def sits_for_a_moment(player, table):
    async with player.sitting(table) as stream:
        await stream.update()
