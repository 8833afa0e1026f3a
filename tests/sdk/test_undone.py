"""What the house has lost is told, and the game goes on from there."""

import asyncio

from anpai import AnswerState
from anpai.stream import STRIKES
from services.engine.projection import view_for
from tests.sdk.waiting import until

A_FEW = 3


async def play_a_little(engine, table):
    """And hear of it."""
    for _ in range(A_FEW):
        await engine.move(engine.table.waiting()[0])
    await hear_all(engine, table)


async def hear_all(engine, table):
    while table.view != view_for(engine.table.play, 0):
        await asyncio.wait_for(anext(table), 30)


async def test_whoever_comes_back_names_the_past_that_was_told_last(
    engine, player, seat
):
    engine.mischief.streams_cut_after = [1]
    async with player.sit(seat) as table:
        await play_a_little(engine, table)
        await until(lambda: table.resumed == 1)
        await hear_all(engine, table)

    first, second = engine.entered
    assert first is None
    assert engine.pasts == [b"", engine.past_at(second)[0]]
    assert table.undone == 0


async def test_t55_that_the_past_was_undone_is_told_though_the_revision_is_there(
    engine, player, seat
):
    async with player.sit(seat) as table:
        await play_a_little(engine, table)
        seen = table.view
        await engine.undo(A_FEW, others=A_FEW + 1)
        assert len(engine.table.events) > seen.revision
        await until(lambda: table.undone == 1)

        first = await anext(table)
        await hear_all(engine, table)

    assert first.WhichOneof("verb") is None
    assert engine.entered == [None, seen.revision]


async def test_t55_what_stays_ahead_of_the_house_was_undone(engine, player, seat):
    async with player.sit(seat) as table:
        await play_a_little(engine, table)
        seen = table.view.revision
        await engine.undo(A_FEW)

        await until(lambda: table.undone == 1)

        assert table.view.revision < seen
        await play_a_little(engine, table)
    assert engine.entered == [None, *[seen] * STRIKES, None]


async def test_what_was_answered_and_is_undone_can_be_answered_again(
    engine, player, seat
):
    async with player.sit(seat) as table:
        while table.question is None:
            await engine.move(1)
            await hear_all(engine, table)
        question = table.question
        before = await table.answer(*question.options[: question.min])
        await hear_all(engine, table)
        await engine.undo(1)
        await until(lambda: table.undone == 1)

        assert table.question is not None
        assert table.question.id == question.id
        again = await table.answer(*question.options[-question.min :])

    assert before.state is again.state is AnswerState.ACCEPTED
    assert list(engine.kept) == [again.id]


async def test_whoever_watches_is_told_as_well(engine, player, seat):
    async with player.watch(seat.table_id) as table:
        for _ in range(A_FEW):
            await engine.move(engine.table.waiting()[0])
        await until(lambda: table._stream.revision == len(engine.table.events))
        await engine.undo(A_FEW, others=A_FEW + 1)

        await until(lambda: table.undone == 1)
        assert (await anext(table)).WhichOneof("verb") is None
