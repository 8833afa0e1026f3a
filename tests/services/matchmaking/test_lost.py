"""What a store that has failed over has lost, and the matcher has not; and what was
begun by whoever has gone."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.telemetry import fresh_metrics
from services.matchmaking import keys
from services.matchmaking.bots import Offer, Switchboard
from services.matchmaking.calls import Call, Calls
from services.matchmaking.games import Games
from services.matchmaking.lead import Lead
from services.matchmaking.match import Match
from services.matchmaking.matcher import Matcher
from services.matchmaking.openings import Openings
from services.matchmaking.ready import ReadyChecks
from services.matchmaking.seating import OpenedTable
from services.matchmaking.ticket import Assignment, Lease, State, Ticket, Wish
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


class Slow:
    """A store that has done it, while nobody has heard of that yet."""

    def __init__(self, tickets, monkeypatch):
        self.has_done, self.is_heard = asyncio.Event(), asyncio.Event()
        self._change = tickets.change
        monkeypatch.setattr(tickets, "change", self.change)

    async def change(self, changes):
        is_done = await self._change(changes)
        self.has_done.set()
        await self.is_heard.wait()
        return is_done


async def given_up(doing, slow):
    """Whoever does it goes as soon as the store has done it."""
    task = asyncio.create_task(doing)
    await slow.has_done.wait()
    task.cancel()
    await asyncio.wait([task])
    slow.is_heard.set()


async def test_a_matcher_that_is_stopped_as_it_reserves_opens_the_table(
    tickets, monkeypatch
):
    for who in ("anna", "ben"):
        await enter(tickets, who)
    openings = Openings(tickets, Engine(), fresh_metrics())
    match = Match(tuple(await tickets.queue(IN_A_ROOM.pool, 2)))

    await given_up(openings.begin([match]), Slow(tickets, monkeypatch))
    await openings.finish()

    assert (await tickets.get("k-ben")).state is State.ASSIGNED


async def test_who_goes_as_he_says_that_he_is_there_is_seated_with_the_others(
    tickets, monkeypatch
):
    for who in ("anna", "ben"):
        await enter(tickets, who)
    queued = await tickets.queue(IN_A_ROOM.pool, 2)
    now = wall_clock()
    lease = Lease("l-1", now + 60_000, tuple(each.id for each in queued))
    asked = [each.asking(lease, now) for each in queued]
    anna, ben = (replace(each, here=()) for each in asked)
    told = [(queued[0], replace(anna, here=("anna",))), (queued[1], ben)]
    assert await tickets.change(told)
    openings = Openings(tickets, Engine(), fresh_metrics())
    checks = ReadyChecks(tickets, openings)
    ben = await tickets.get("k-ben")

    await given_up(checks.confirm(ben, "ben", lease.id), Slow(tickets, monkeypatch))
    await openings.finish()

    assert (await tickets.get("k-ben")).state is State.ASSIGNED


class Hangs:
    """An engine that does not say whether a bot may play."""

    def __init__(self):
        self.is_asked = asyncio.Event()

    async def let_in(self, call):
        self.is_asked.set()
        await asyncio.Event().wait()


async def nobody():
    return ()


async def offers(*said):
    for each in said:
        yield each
    await asyncio.Event().wait()


async def test_a_host_has_room_again_for_a_call_that_was_given_up(store):
    """As the loop is begun again: the call comes again, maybe to another."""
    calls, engine = Calls(store.pipeline), Hangs()
    switchboard = Switchboard(
        calls, engine, Games(nobody), Wakeups(store), fresh_metrics()
    )
    hosting = switchboard.host(offers(Offer(("skirmish",), 5)))
    listening = asyncio.create_task(anext(hosting))
    running = asyncio.create_task(switchboard.run())
    seat = Assignment("t-1", 0, "e:1", "c0ffee", "skirmish", "usual", 2)
    await calls.add(Call("c-1", "b-1", "Abacus", seat, "", stands_in=True))
    await engine.is_asked.wait()
    [host] = switchboard._hosts
    assert host.free == 4

    for task in (running, *switchboard._asking):
        task.cancel()
        await asyncio.wait([task])

    assert host.free == 5
    listening.cancel()
    await asyncio.wait([listening])
