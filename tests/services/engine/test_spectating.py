"""Who looks on sees what the table lets them see, and when; whoever plays is no
spectator."""

import grpc
import pytest

from anpai.engine.v1 import table_pb2
from tests.services.engine.playing import Game, an_answer, reason_of

NAMES = ("anna", "ben")
DELAYED, NONE = table_pb2.SPECTATING_DELAYED, table_pb2.SPECTATING_NONE
OPEN = table_pb2.SPECTATING_OPEN


async def started(opened, player, **wish):
    table = await opened(*NAMES, **wish)
    for name in NAMES:
        await player(name).takes_seat(table)
    return table


async def plays(player, table, answers=1000):
    """Anna and Ben answer in turn; what Anna sees after each answer."""
    seen = [await player("anna").looks(table)]
    while len(seen) <= answers and not seen[-1].HasField("outcome"):
        for name in NAMES:
            view = await player(name).looks(table)
            if view.HasField("question"):
                await player(name).answers(table, an_answer(view.question))
        seen.append(await player("anna").looks(table))
    return seen


async def follows(player, table, after=None):
    """All that a spectator is sent by now, or to the end of the game."""
    game = Game()
    async with player.watching(table, after) as stream:
        game.hear(await stream.update())
    return game.view


async def test_t07_spectators_of_a_rated_table_are_behind(opened, player):
    table = await started(opened, player, rated=True)
    seen = await plays(player, table, answers=12)

    view = await player("carl").looks(table)

    assert (view.spectating, view.spectators_behind) == (DELAYED, 20)
    assert 0 < view.revision <= seen[-1].revision - 20


async def test_t07_being_behind_holds_across_streams_resumes_views_and_workers(
    opened, player, worker, engine
):
    table = await started(opened, player, spectating=DELAYED, spectators_behind=30)
    seen = await plays(player, table, answers=10)
    most = seen[-1].revision - 30
    carl = player("carl", (await worker()).address)

    view = await carl.looks(table)
    assert 0 < view.revision <= most
    assert await follows(carl, table) == view
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await follows(carl, table, view.revision + 1)
    assert reason_of(error.value) == "REVISION_AHEAD"
    assert str(seen[-1].revision) not in str(error.value.details())

    await engine.stop()
    assert await carl.looks(table) == view


async def test_a_spectator_who_is_behind_is_sent_every_event_and_in_the_end_all(
    opened, player
):
    table = await started(opened, player, spectating=DELAYED, spectators_behind=40)
    game = Game()
    async with player("carl").watching(table) as stream:
        game.hear(await stream.update())
        first = game.view.revision
        now = (await plays(player, table, answers=20))[-1].revision
        while game.view.revision == first:
            game.hear(await stream.update())
        assert first < game.view.revision <= now - 40
        last = (await plays(player, table))[-1]
        while (step := await stream.next()) is not None:
            game.hear(step.update)
    assert game.view.outcome == last.outcome
    assert game.revisions == list(range(first + 1, last.revision + 1))
    assert game.view == await player("carl").looks(table)
    assert game.view.revision == last.revision > first


async def test_what_is_seen_late_is_what_all_saw_then(opened, player):
    table = await started(opened, player, spectating=DELAYED, spectators_behind=15)
    public = {}
    late = player("carl")
    for _ in range(15):
        view = await late.looks(table)
        public.setdefault(view.revision, view)
        assert public[view.revision] == view
        await plays(player, table, answers=1)
    assert len(public) > 3
    assert not any(view.HasField("question") for view in public.values())
    places = [place for view in public.values() for place in view.places]
    cards = [card for place in places for card in place.cards]
    assert not any(card.HasField("face") and not card.face_up for card in cards)


async def test_a_table_without_spectators_shows_itself_at_its_end(opened, player):
    table = await started(opened, player, spectating=NONE)
    carl = player("carl")
    for call in (lambda: carl.looks(table), lambda: follows(carl, table)):
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call()
        assert reason_of(error.value) == "NO_SPECTATORS"

    await player("anna").concedes(table)

    assert (await carl.looks(table)).outcome.reason == "conceded"


async def test_t07_whoever_plays_is_no_spectator_however_they_call(opened, player):
    table = await started(opened, player, spectating=OPEN)
    ben = player("ben")
    own = await ben.looks(table)
    async with ben.sitting(table) as seat, ben.watching(table) as stream:
        assert (await seat.update()).view == own
        assert (await stream.update()).view == own
    assert own.viewer == 1


@pytest.mark.parametrize(
    "wish",
    [
        {"spectating": 9},
        {"spectating": DELAYED, "spectators_behind": 201},
        {"spectating": OPEN, "spectators_behind": 3},
    ],
)
async def test_ways_of_looking_on_that_there_are_not_are_refused(opened, wish):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await opened(*NAMES, **wish)
    assert reason_of(error.value) == "INVALID_FIELD"
