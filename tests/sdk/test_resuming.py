"""A broken stream is resumed without holes; an answer is done once (T-13, T-25)."""

import asyncio
import random

import grpc
import pytest

import anpai
from anpai import AnswerState, QuestionStale, Unavailable
from anpai.errors.v1.error_reason_pb2 import Refusal
from services.engine.projection import view_for
from tests.sdk.engine_at_home import seat_at
from tests.sdk.waiting import until

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE.value[0]
ABORTED = grpc.StatusCode.ABORTED.value[0]


async def played(table):
    """Answer everything with the first options; the revisions seen."""
    revisions = []
    async for event in table:
        revisions.append(event.revision)
        if table.question:
            least = table.question.min
            await table.answer(*table.question.options[:least])
    return revisions


async def test_a_game_is_played_to_the_end(engine, player, seat, opponent):
    async with player.sit(seat) as table:
        revisions = await played(table)

    assert table.outcome is not None
    assert table.view == view_for(engine.table.play, 0)
    assert revisions == list(range(revisions[0], len(engine.table.events) + 1))


async def test_a_stream_cut_at_any_message_is_resumed_without_holes(
    engine, player, seat, opponent
):
    chance = random.Random(7)
    engine.mischief.streams_cut_after = [chance.randint(1, 5) for _ in range(25)]

    async with player.sit(seat) as table:
        revisions = await played(table)

    assert table.resumed == 25
    assert table.view == view_for(engine.table.play, 0)
    assert revisions == list(range(revisions[0], len(engine.table.events) + 1))


async def test_an_answer_whose_reply_is_lost_is_sent_again_and_done_once(
    engine, player, seat, opponent
):
    engine.mischief.accepts_lost = 1
    engine.mischief.streams_cut_after = [2]

    async with player.sit(seat) as table:
        answer = await first_answer(table)

    assert answer.state is AnswerState.ACCEPTED
    assert [sent.answer_id for sent in engine.answers] == [answer.id] * 2
    assert len(engine.kept) == 1


async def first_answer(table):
    while table.question is None:
        await anext(table)
    return await table.answer(*table.question.options[: table.question.min])


async def test_an_answer_nobody_can_vouch_for_is_repeated(
    engine, player, seat, opponent
):
    unknown = Refusal(code=UNAVAILABLE, reason="OUTCOME_UNKNOWN", message="who knows")
    engine.mischief.refusals = [unknown, unknown]

    async with player.sit(seat) as table:
        answer = await first_answer(table)

    assert [sent.answer_id for sent in engine.answers] == [answer.id] * 3


async def test_a_refused_answer_is_refused(engine, player, seat, opponent):
    stale = Refusal(code=ABORTED, reason="QUESTION_STALE", message="too late")
    engine.mischief.refusals = [stale]

    async with player.sit(seat) as table:
        with pytest.raises(QuestionStale, match="too late"):
            await first_answer(table)
        assert table.question is None


async def test_a_stream_that_brings_nothing_new_is_opened_less_and_less_eagerly(
    engine, player, seat, monkeypatch
):
    pauses = []

    async def pause(backoff, at_least=None):
        pauses.append(backoff._pause)
        backoff._pause *= 2
        engine.mischief.heartbeat_after = 0
        await asyncio.sleep(0)

    monkeypatch.setattr("anpai.wire.Backoff.pause", pause)
    monkeypatch.setattr("anpai.stream.STEADY", 1_000)
    engine.mischief.streams_cut_after = [1] * 6
    engine.mischief.told_again = 3
    engine.mischief.heartbeat_after = 0

    async with player.sit(seat):
        await until(lambda: len(pauses) == 6)

    assert pauses == [0.05 * 2**number for number in range(6)]


async def test_a_hole_is_noticed_and_filled(engine, player, seat, opponent):
    engine.mischief.events_left_out = {len(engine.table.events) + 2}

    async with player.sit(seat) as table:
        revisions = await played(table)

    assert table.resumed == 1
    assert revisions == list(range(revisions[0], len(engine.table.events) + 1))


async def test_what_is_told_again_is_passed_over(engine, player, seat, opponent):
    engine.mischief.streams_cut_after = [5, 5, 5]
    engine.mischief.told_again = 3

    async with player.sit(seat) as table:
        revisions = await played(table)

    assert table.resumed == 3
    assert revisions == list(range(revisions[0], len(engine.table.events) + 1))


async def test_a_heartbeat_that_knows_more_makes_us_ask_again(engine, player, seat):
    engine.mischief.heartbeat_after = 3

    async with player.sit(seat) as table:
        await until(lambda: len(engine.entered) == 2)

    assert table.resumed == 1
    assert engine.entered == [None, len(engine.table.events)]


async def test_another_worker_serves_when_the_nearest_is_gone(engine, player, opponent):
    async with player.sit(seat_at("127.0.0.1:1")) as table:
        await played(table)

    assert table.outcome is not None


async def test_leaving_early_assumes_nothing_of_an_answer(
    engine, player, seat, opponent
):
    async with player.sit(seat) as table:
        while table.question is None:
            await anext(table)
        engine.mischief.accepts_lost = 99
        answer = table.send(*table.question.options[: table.question.min])

    with pytest.raises(Unavailable):
        await answer.settled()
    assert answer.state is AnswerState.SENT


async def played_unheard(engine, table):
    """To the end without a reply to any answer; all of them, in order."""
    engine.mischief.accepts_lost = 10**6
    answers = []
    async for _ in table:
        question = table.question
        if question and question.id not in {one.question_id for one in answers}:
            answers.append(table.send(*question.options[: question.min]))
        if table.outcome:
            break
    return answers


async def test_what_became_of_the_last_answers_is_asked_once_the_game_is_over(
    engine, player, seat, opponent
):
    async with player.sit(seat) as table:
        answers = await played_unheard(engine, table)
        for answer in answers:
            await answer.settled()

    assert {answer.state for answer in answers} == {AnswerState.ACCEPTED}
    asked = [sent.answer_id for sent in engine.answers[len(answers) :]]
    assert asked == [answer.id for answer in answers]


async def test_an_answer_of_which_nobody_can_tell_after_the_game_is_not_refused(
    engine, address, seat, opponent
):
    engine.mischief.unary_answers = "unavailable"
    async with (
        anpai.connect(address, patience=0.2) as player,
        player.sit(seat) as table,
    ):
        answers = await played_unheard(engine, table)
        with pytest.raises(Unavailable):
            await answers[-1].settled()

    assert {answer.state for answer in answers} == {AnswerState.SENT}


async def test_leaving_while_the_last_answers_are_asked_about_leaves_none_waiting(
    engine, player, seat, opponent
):
    engine.mischief.unary_answers = "never replied to"
    async with player.sit(seat) as table:
        answers = await played_unheard(engine, table)
        sent = len(engine.answers)
        await until(lambda: len(engine.answers) > sent)

    for answer in answers:
        with pytest.raises(Unavailable):
            async with asyncio.timeout(30):
                await answer.settled()


async def test_patience_runs_out_when_nobody_serves():
    nowhere = "127.0.0.1:1"
    async with anpai.connect(nowhere, patience=0.3) as player:
        with pytest.raises(Unavailable):
            await player.games()
        with pytest.raises(Unavailable):
            await player.sit(seat_at(nowhere)).__aenter__()


async def test_a_slow_reader_is_given_a_view_in_place_of_what_it_missed(
    engine, player, seat, monkeypatch
):
    monkeypatch.setattr("anpai.table.UNREAD", 10)

    async with player.sit(seat) as table:
        while engine.table.outcome is None:
            await engine.move(engine.table.waiting()[0])
            await asyncio.sleep(0)
        await until(lambda: table._is_done)
        last = [event async for event in table][-1]

    assert table.view == view_for(engine.table.play, 0)
    assert last.revision == len(engine.table.events)
