"""Many at once: each gets its own seat, and every answer its own reply."""

import asyncio
from collections import Counter

import grpc

from tests.scale import scaled
from tests.services.engine.playing import an_answer, options, reason_of

FIVE = ("anna", "ben", "carl", "dora", "eve")


async def seated(opened, player, *names, **wish):
    table = await opened(*names, **wish)
    players = [player(name) for name in names]
    await asyncio.gather(*(one.takes_seat(table) for one in players))
    return table, players


async def outcome_of(call):
    """The reason it was refused for, or ACCEPTED."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return "ACCEPTED"


async def test_t15_seats_that_answer_at_once_are_all_heard(opened, player):
    table, players = await seated(
        opened, player, *FIVE, game="gwent", variant="free-for-all"
    )
    rounds = 0
    while rounds < 2:
        views = await asyncio.gather(*(one.looks(table) for one in players))
        asked = [
            (one, view.question)
            for one, view in zip(players, views, strict=True)
            if view.HasField("question")
        ]
        rounds += len(asked) == len(FIVE)
        told = await asyncio.gather(
            *(outcome_of(one.answers(table, an_answer(each))) for one, each in asked)
        )
        assert told == ["ACCEPTED"] * len(asked)


async def test_t15_of_many_answers_to_one_question_one_is_kept_and_each_is_told(
    opened, player
):
    table, players = await seated(opened, player, *FIVE[:2])
    for _ in range(scaled(6, 60)):
        views = await asyncio.gather(*(one.looks(table) for one in players))
        if views[0].HasField("outcome"):
            break
        who = next(v.viewer for v in views if v.HasField("question"))
        question = views[who].question
        sent = [
            an_answer(question, [option] if question.max else [])
            for option in options(question)[:3] * 2
        ]
        told = await asyncio.gather(
            *(outcome_of(players[who].answers(table, answer)) for answer in sent)
        )
        counted = Counter(told)
        assert counted.pop("ACCEPTED") == 1
        assert set(counted) <= {"QUESTION_STALE", "ANSWER_ILLEGAL"}
        assert sum(counted.values()) == len(sent) - 1


async def test_t15_partners_who_are_asked_together_both_hear_who_was_first(
    opened, player
):
    table, players = await seated(
        opened, player, *FIVE[:4], game="gwent", variant="team"
    )
    met = 0
    for _ in range(200):
        views = await asyncio.gather(*(one.looks(table) for one in players))
        asked = [v for v in views if v.HasField("question")]
        if not asked or met == 2:
            break
        told = await asyncio.gather(
            *(
                outcome_of(players[v.viewer].answers(table, an_answer(v.question)))
                for v in asked
            )
        )
        assert "ACCEPTED" in told
        assert set(told) <= {"ACCEPTED", "QUESTION_STALE"}
        met += "QUESTION_STALE" in told
    assert met > 0


async def test_t16_however_many_sit_down_at_once_each_has_the_own_seat(
    opened, player, worker
):
    other = (await worker()).address
    doors = [(player(name), player(name, other)) for name in FIVE[:4]]
    zoe = player("zoe")
    for _ in range(scaled(10, 2500)):
        table = await opened(*FIVE[:4], game="gwent", variant="team")
        racing = [
            one.takes_seat(table)
            for here, there in doors
            for one in (here, there, here)
        ]
        taken = await asyncio.gather(*racing, return_exceptions=True)
        seats = [one.seat for one in taken if not isinstance(one, BaseException)]
        moving = [one for one in taken if isinstance(one, BaseException)]
        assert {reason_of(error) for error in moving} <= {"TABLE_MOVING"}
        again = [(await here.takes_seat(table)).seat for here, _ in doors]
        assert again == [0, 1, 2, 3]
        assert set(seats) <= set(again)
        events = await all_events(zoe, table)
        assert sorted(e.seat_taken.seat.number for e in events) == [0, 1, 2, 3]


async def all_events(looker, table):
    """Every time somebody took a seat, from the first event on."""
    last, found = (await looker.looks(table)).revision, []
    async with looker.watching(table, 0) as stream:
        seen = 0
        while seen < last:
            told = (await stream.update()).events.events
            found += [event for event in told if event.HasField("seat_taken")]
            seen = told[-1].revision
    return found
