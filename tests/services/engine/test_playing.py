"""Whole games over sockets, through the front door."""

import asyncio

import grpc

from tests.services.engine.bots import Bot
from tests.services.engine.playing import Game, an_answer, revisions_in


async def seated(opened, *players):
    table = await opened(*(player.id for player in players))
    for player in players:
        await player.takes_seat(table)
    return table


async def the_one_asked(table, *players):
    views = [await player.looks(table) for player in players]
    return next(
        p for p, v in zip(players, views, strict=True) if v.HasField("question")
    )


async def test_a_game_is_played_to_its_end_by_those_who_sit(opened, player):
    anna, ben = player("anna"), player("ben")
    table = await seated(opened, anna, ben)

    first, second = await asyncio.gather(
        Bot(anna, table).plays(), Bot(ben, table).plays()
    )

    assert first.game.view.outcome == second.game.view.outcome
    assert first.game.view == await anna.looks(table)
    assert second.game.view == await ben.looks(table)
    assert not first.refused
    assert first.accepted


async def test_revisions_have_no_holes_for_seats_and_spectators(opened, player):
    anna, ben, carl = player("anna"), player("ben"), player("carl")
    table = await opened("anna", "ben")
    watched = asyncio.create_task(watch_all(carl, table))
    await asyncio.sleep(0.1)
    await anna.takes_seat(table)
    await ben.takes_seat(table)

    bots = await asyncio.gather(Bot(anna, table).plays(), Bot(ben, table).plays())

    for game in (bots[0].game, bots[1].game, await watched):
        assert game.revisions == list(range(game.revisions[0], game.view.revision + 1))


async def watch_all(player, table):
    game = Game()
    async with player.watching(table) as stream:
        while (step := await stream.next()) is not None:
            game.hear(step.update)
    return game


async def test_a_spectator_folds_the_events_to_the_public_view(opened, player):
    anna, ben, carl = player("anna"), player("ben"), player("carl")
    table = await seated(opened, anna, ben)
    watched = asyncio.create_task(watch_all(carl, table))

    await asyncio.gather(Bot(anna, table).plays(), Bot(ben, table).plays())

    game = await watched
    assert game.view == await carl.looks(table)
    assert not game.view.HasField("viewer")
    assert not game.view.HasField("question")


async def test_a_game_is_played_by_unary_calls_as_well(opened, player):
    players = [player("anna"), player("ben")]
    table = await seated(opened, *players)
    views = [await one.looks(table) for one in players]
    while not views[0].HasField("outcome"):
        for one, view in zip(players, views, strict=True):
            if view.HasField("question"):
                await one.answers(table, an_answer(view.question))
        views = [await one.looks(table) for one in players]

    assert views[0].outcome == views[1].outcome
    assert views[0].outcome.reason == "played"


async def test_t25_a_watcher_who_returns_gets_exactly_what_was_missed(opened, player):
    anna, ben = player("anna"), player("ben")
    table = await seated(opened, anna, ben)
    seen = (await anna.looks(table)).revision
    seat = await the_one_asked(table, anna, ben)
    await seat.answers(table, an_answer((await seat.looks(table)).question))
    now = (await anna.looks(table)).revision

    async with anna.watching(table, seen) as stream:
        missed = revisions_in(await stream.update())

    assert missed == list(range(seen + 1, now + 1))


async def test_a_watch_on_a_table_that_is_over_gives_the_view_and_ends(opened, player):
    anna, ben = player("anna"), player("ben")
    table = await seated(opened, anna, ben)
    await anna.concedes(table)

    game = await watch_all(ben, table)

    assert game.view.outcome.ranks == [2, 1]
    assert game.views == 1


async def test_the_same_answer_sent_twice_is_done_once(opened, player):
    anna, ben = player("anna"), player("ben")
    table = await seated(opened, anna, ben)
    seat = await the_one_asked(table, anna, ben)
    answer = an_answer((await seat.looks(table)).question)

    first = await seat.answers(table, answer)

    assert await seat.answers(table, answer) == first
    assert (await seat.looks(table)).revision == first


async def test_a_refused_answer_does_not_end_the_stream(opened, player):
    anna, ben = player("anna"), player("ben")
    table = await seated(opened, anna, ben)
    seat = await the_one_asked(table, anna, ben)
    async with seat.sitting(table) as stream:
        question = (await stream.update()).view.question
        await stream.answers(an_answer(question, ["nothing of the kind"]))
        refused = (await stream.next()).refused
        await stream.answers(an_answer(question))
        steps = [await stream.next()]
        while not steps[-1].HasField("accepted"):
            steps.append(await stream.next())

    assert refused.refusal.reason == "ANSWER_ILLEGAL"
    assert refused.refusal.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert "nothing of the kind" in refused.refusal.message


async def test_a_stream_must_begin_by_entering(opened, player):
    table = await opened("anna", "ben")
    async with player("anna").sitting(table) as stream:
        await stream.update()
        await stream.enters(table, None)

        assert await stream.reason_of_end() == "INVALID_FIELD"


async def test_whoever_is_ahead_of_the_table_is_told_so(opened, player):
    table = await opened("anna", "ben")
    async with player("anna").watching(table, 99) as stream:
        assert await stream.reason_of_end() == "REVISION_AHEAD"
