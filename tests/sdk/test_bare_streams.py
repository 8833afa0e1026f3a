"""A stream without a view: updates as they come, for those who play many seats."""

import asyncio

import pytest

from anpai import Answer, Unavailable


async def test_a_seat_is_played_from_bare_updates(engine, player, seat, opponent):
    heard, asked = [], asyncio.Event()

    def hear(update):
        heard.append(update)
        if question_in(update) is not None:
            asked.set()

    stream = await player.stream(seat, hear)
    following = asyncio.create_task(stream.follow())
    await asyncio.wait_for(asked.wait(), 30)
    question = question_in(heard[-1])
    kind = getattr(question, question.WhichOneof("kind"))
    choice = tuple(option.id for option in kind.options[: question.min])
    answer = Answer(seat.table_id, question.id, choice, lambda _: None)
    stream.send(answer)

    await answer.settled()

    assert answer.revision <= len(engine.table.events)
    following.cancel()


def question_in(update):
    if update.HasField("view"):
        return update.view.question if update.view.HasField("question") else None
    asked = (event.questions_asked for event in update.events.events)
    return next((one.question for one in asked if one.HasField("question")), None)


async def test_a_tables_id_is_watched_to_the_end(engine, player, seat, opponent):
    heard = []
    stream = await player.stream(seat.table_id, heard.append)
    assert not stream.sits
    async with player.sit(seat) as table:
        following = asyncio.create_task(stream.follow())
        async for _ in table:
            if table.question:
                await table.answer(*table.question.options[: table.question.min])

    await following

    assert heard[0].HasField("view")
    assert stream.revision == len(engine.table.events)


async def test_an_answer_sent_after_the_stream_has_ended_waits_for_nobody(
    engine, player, seat, opponent
):
    stream = await player.stream(seat, lambda update: None)
    following = asyncio.create_task(stream.follow())
    await asyncio.sleep(0)
    following.cancel()
    await asyncio.wait([following])
    answer = Answer(seat.table_id, "q-1", (), lambda _: None)

    stream.send(answer)

    with pytest.raises(Unavailable):
        await asyncio.wait_for(answer.settled(), 30)
