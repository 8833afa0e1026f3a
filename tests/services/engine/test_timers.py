"""Time runs out: tables are served though nobody calls, wherever they were."""

import asyncio

import pytest
import redis.asyncio as redis

from services.engine.deadlines import KEY
from services.engine.running import wall_ms
from tests.sdk.waiting import until
from tests.services.engine.playing import Game, an_answer

MINUTE = 60_000


class Clock:
    """The workers' clock, which a test may set forward."""

    def __init__(self):
        self.ahead = 0

    def __call__(self):
        return wall_ms() + self.ahead


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("services.engine.running.wall_ms", clock)
    monkeypatch.setattr("services.engine.timers.POLL_SECONDS", 0.02)
    return clock


async def started(opened, player, **wish):
    table = await opened("anna", "ben", **wish)
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    return table


async def heard_until(stream, is_it, view=None):
    """What a stream is sent after a view, until something holds of the view."""
    game, events = Game(view), []
    while game.view is None or not is_it(game.view):
        update = await stream.update()
        events += update.events.events
        game.hear(update)
    return events


def by_default(events):
    return [seat for event in events for seat in event.questions_answered.by_default]


async def test_t24_time_taken_from_a_bank_is_told_and_shown(opened, player, clock):
    table = await started(opened, player, timed=True)
    before = await player("carl").looks(table)
    (asked,) = before.asked
    bank = before.banks[asked.seat].ToSeconds()
    assert asked.deadline.seconds - asked.bank_from.seconds == bank

    clock.ahead += asked.bank_from.ToMilliseconds() - clock() + 30_000
    await answers(player(("anna", "ben")[asked.seat]), table)

    async with player("carl").watching(table, before.revision) as stream:
        told = (await stream.update()).events.events
    drawn = [event for event in told if event.HasField("bank_drawn")]
    after = await player("carl").looks(table)
    assert [one.bank_drawn.seat for one in drawn] == [asked.seat]
    assert drawn[0].bank_drawn.left == after.banks[asked.seat]
    assert bank - 45 < after.banks[asked.seat].ToSeconds() <= bank - 30


async def answers(who, table):
    await who.answers(table, an_answer((await who.looks(table)).question))


async def test_whoever_does_not_answer_in_time_is_answered_for(opened, player, clock):
    table = await started(opened, player, timed=True)
    async with player("carl").watching(table) as stream:
        first = (await stream.update()).view
        clock.ahead += 10 * MINUTE
        events = await heard_until(
            stream, lambda view: view.revision > first.revision, first
        )

    assert by_default(events)


async def test_at_a_table_without_clocks_nothing_runs_out(opened, player, clock):
    table = await started(opened, player, timed=False)
    before = await player("anna").looks(table)

    clock.ahead += 60 * MINUTE
    await asyncio.sleep(0.5)

    assert await player("anna").looks(table) == before


async def test_a_table_nobody_comes_to_is_abandoned(opened, player, clock):
    table = await opened("anna", "ben")
    await player("anna").takes_seat(table)

    clock.ahead += 3 * MINUTE

    async with asyncio.timeout(30):
        outcome = await outcome_of(player("anna"), table)
    assert outcome.reason == "abandoned"
    assert outcome.ranks == [0, 0]


async def outcome_of(looker, table):
    """As soon as there is one."""
    while True:
        view = await looker.looks(table)
        if view.HasField("outcome"):
            return view.outcome
        await asyncio.sleep(0.05)


async def test_a_table_at_which_only_time_plays_is_abandoned(opened, player, clock):
    table = await started(opened, player, timed=True)
    async with asyncio.timeout(30):
        while not (view := await player("anna").looks(table)).HasField("outcome"):
            clock.ahead += 10 * MINUTE
            await asyncio.sleep(0.05)

    assert view.outcome.reason == "abandoned"


async def test_a_table_somebody_watches_is_played_on_by_time_alone(
    opened, player, clock
):
    table = await started(opened, player, timed=True)
    async with player("carl").watching(table) as stream:
        playing = asyncio.create_task(
            heard_until(stream, lambda view: view.HasField("outcome"))
        )
        while not playing.done():
            clock.ahead += 10 * MINUTE
            await asyncio.sleep(0.02)

    assert (await playing)[-1].ended.outcome.reason == "played"


async def test_a_table_that_lives_nowhere_is_served_by_any_worker(
    opened, player, worker, engine, clock
):
    table = await started(opened, player, timed=True)
    before = await player("anna").looks(table)
    other = await worker()
    await engine.stop()

    clock.ahead += 10 * MINUTE
    await until(lambda: other.metrics.due_tables._value.get() >= 1)

    after = await player("anna", other.address).looks(table)
    assert after.revision > before.revision


async def test_what_can_never_be_served_stands_in_nobodys_way(engine, valkey):
    async with redis.Redis.from_url(valkey) as store:
        await store.zadd(KEY, {"t-gone": 1})

        async with asyncio.timeout(30):
            while await store.zscore(KEY, "t-gone") is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
