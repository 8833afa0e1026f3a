"""What a store that has failed over has lost, and the matcher has not; what a matcher
that is stopped has begun."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.telemetry import fresh_metrics
from services.matchmaking import keys
from services.matchmaking.lead import Lead
from services.matchmaking.match import Match
from services.matchmaking.matcher import Matcher
from services.matchmaking.openings import Openings
from services.matchmaking.seating import OpenedTable
from services.matchmaking.ticket import State, Ticket, Wish
from services.matchmaking.tickets import RedisTickets
from services.matchmaking.timings import TIMINGS, wall_clock
from services.matchmaking.wakeups import Wakeups
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.test_results import until

IN_A_ROOM = Wish("skirmish", "usual", 2, room="QXRTAC")


class Engine:
    async def open_table(self, match):
        return OpenedTable("t-1", "c0ffee", "e:1")


@pytest.fixture
def tickets(store):
    return RedisTickets(store.pipeline)


@pytest.fixture
def matcher(store, tickets):
    metrics = fresh_metrics()
    openings = Openings(tickets, Engine(), metrics)
    timings = replace(TIMINGS, tick=50)
    return Matcher(tickets, openings, Lead(store.pipeline), metrics, timings)


async def enter(tickets, who):
    now = wall_clock()
    await tickets.create(
        Ticket(f"k-{who}", "n", who, who, IN_A_ROOM, now, now + 600_000)
    )


async def test_a_queue_that_counts_its_changes_from_before_is_looked_at(
    store, tickets, matcher
):
    """It has as many as when it was last looked at, and they are others."""
    await enter(tickets, "anna")
    assert await matcher.go_through()
    seen = await tickets.pools()
    await enter(tickets, "ben")
    await store.redis.zadd(keys.POOLS, seen)

    running = asyncio.create_task(matcher.run(Wakeups(store)))

    async def is_seated():
        return (await tickets.get("k-ben")).state is State.ASSIGNED

    await until(is_seated)
    running.cancel()
    await asyncio.wait([running])


async def test_a_matcher_that_is_stopped_as_it_reserves_opens_the_table(
    tickets, monkeypatch
):
    """The store has done it, and nobody has heard of that yet."""
    for who in ("anna", "ben"):
        await enter(tickets, who)
    openings = Openings(tickets, Engine(), fresh_metrics())
    change, done, heard = tickets.change, asyncio.Event(), asyncio.Event()

    async def slowly(changes):
        is_done = await change(changes)
        done.set()
        await heard.wait()
        return is_done

    monkeypatch.setattr(tickets, "change", slowly)
    match = Match(tuple(await tickets.queue(IN_A_ROOM.pool, 2)))
    beginning = asyncio.create_task(openings.begin([match]))
    await done.wait()

    beginning.cancel()
    await asyncio.wait([beginning])
    heard.set()
    await openings.finish()

    assert (await tickets.get("k-ben")).state is State.ASSIGNED
