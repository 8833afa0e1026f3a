"""Matchers that die, and matchers that run at once."""

import asyncio
import random
from collections import Counter
from dataclasses import replace

import pytest

from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.matchmaking.lead import Lead
from services.matchmaking.matcher import Matcher
from services.matchmaking.openings import Openings
from services.matchmaking.seating import OpenedTable
from services.matchmaking.ticket import Lease, State, Ticket, Wish
from services.matchmaking.tickets import RedisTickets, ticket_id
from services.matchmaking.timings import LIMITS, TIMINGS, wall_clock
from tests.scale import scaled

LEASE = 60_000
SHORT_LEASE = 2000  # of those who die: others wait for the end of it
QUICK = replace(TIMINGS, rest=1, tick=0)
MANY = replace(LIMITS, openings=1000)


class Engine:
    """Opens in no time at all, or dies with its matcher."""

    def __init__(self):
        self.opened = Counter()
        self.deaths = 0
        self.dies = lambda: False

    async def _live_on(self):
        await asyncio.sleep(0)
        if self.dies():
            self.deaths += 1
            raise asyncio.CancelledError

    async def open_table(self, match):
        await self._live_on()
        self.opened[match.request_id] += 1
        await self._live_on()
        return OpenedTable(f"t-{match.request_id[:16]}", "c0ffee", "e:1")


@pytest.fixture
async def engine():
    return Engine()


@pytest.fixture
async def a_matcher(valkey, engine):
    """Another matcher, as if in a process of its own."""
    stores = []

    async def make(limits=MANY, lease=LEASE):
        timings = replace(QUICK, lease=lease)
        metrics = fresh_metrics()
        store = await open_store(valkey, metrics)
        stores.append(store)
        tickets = RedisTickets(store.pipeline, timings, limits)
        openings = Openings(tickets, engine, metrics, timings, limits)
        lead = Lead(store.pipeline, timings)
        matcher = Matcher(tickets, openings, lead, metrics, timings)
        return matcher, openings, tickets

    yield make
    for store in stores:
        await store.close()


async def enqueue(tickets, count, wish, since=0):
    """As many players with this wish, a millisecond after each other."""
    now = wall_clock() + since
    made = [
        Ticket(ticket_id(who, wish.pool), "n", who, who, wish, now + n, now + 600_000)
        for n, who in enumerate(f"p-{n}" for n in range(count))
    ]
    await asyncio.gather(*map(tickets.create, made))
    return [ticket.id for ticket in made]


async def in_state(tickets, ids, state):
    found = await asyncio.gather(*map(tickets.get, ids))
    return [ticket for ticket in found if ticket.state is state]


async def everybody_is_seated_once(tickets, ids, seats):
    """Each ticket at one table, each table full, each player with one seat."""
    seated = await in_state(tickets, ids, State.ASSIGNED)
    assert len(seated) == len(ids)
    at = Counter(ticket.assignment.table for ticket in seated)
    assert set(at.values()) == {seats}
    taken = {(ticket.assignment.table, ticket.assignment.seat) for ticket in seated}
    assert len(taken) == len(ids)
    for ticket in seated[:50]:
        assert await tickets.seats_of(ticket.player) == [ticket.assignment]


async def test_t29_killed_anywhere_between_reserved_and_assigned_nothing_is_lost(
    a_matcher, engine
):
    """For four of five tables their matcher dies at some step, and another goes on when
    the lease has run out."""
    chance, tables = random.Random(29), scaled(300, 1000)
    matcher, openings, tickets = await a_matcher(lease=SHORT_LEASE)
    ids = await enqueue(tickets, 2 * tables, Wish("skirmish", "usual", 2))
    engine.dies = lambda: chance.random() < 0.55
    await matcher.go_through()
    await openings.finish()
    assert engine.deaths > 0.7 * tables

    engine.dies = lambda: False
    await asyncio.sleep(SHORT_LEASE / 1000)
    heir, openings, tickets = await a_matcher()
    for _ in range(2):
        await heir.go_through()
    await openings.finish()

    await everybody_is_seated_once(tickets, ids, seats=2)
    assert len(engine.opened) == tables
    assert max(engine.opened.values()) > 1


async def test_t40_until_the_lease_has_run_out_nobody_else_touches_a_reservation(
    a_matcher, engine
):
    dead, openings, tickets = await a_matcher()
    ids = await enqueue(tickets, 2, Wish("skirmish", "usual", 2))
    engine.dies = lambda: True
    await dead.go_through()
    await openings.finish()
    engine.dies = lambda: False

    heir, openings, tickets = await a_matcher()
    await heir.go_through()
    await openings.finish()

    assert len(await in_state(tickets, ids, State.RESERVED)) == 2
    assert not engine.opened


async def test_t32_matchers_at_once_never_put_a_ticket_in_two_matches(
    a_matcher, engine
):
    matchers = [await a_matcher(LIMITS) for _ in range(10)]
    tickets = matchers[0][2]
    tables = scaled(300, 33_000)
    ids = await enqueue(tickets, 3 * tables, Wish("skirmish", "usual", 3))

    async def work(matcher, openings):
        while not await matcher.go_through():
            await openings.room()
        await openings.finish()

    await asyncio.gather(*(work(m, o) for m, o, _ in matchers))

    await everybody_is_seated_once(tickets, ids, seats=3)
    assert set(engine.opened.values()) == {1}
    assert len(engine.opened) == tables


async def test_t31_the_next_pass_of_any_server_sees_a_ticket_that_was_made(
    a_matcher, engine
):
    _, _, here = await a_matcher()
    matcher, openings, there = await a_matcher()
    wish = Wish("skirmish", "usual", 2)
    [early] = await enqueue(here, 1, wish)
    assert await matcher.go_through()
    assert not engine.opened

    late = Ticket(ticket_id("late", ""), "n", "late", "", wish, wall_clock(), 10**14)
    await here.create(late)
    await matcher.go_through()
    await openings.finish()

    await everybody_is_seated_once(there, [early, late.id], seats=2)


async def test_a_ticket_known_from_an_earlier_look_is_read_anew_if_it_has_changed(
    a_matcher, engine
):
    """Reserved and released by another, it stands in the queue with a new version."""
    matcher, openings, tickets = await a_matcher()
    wish = Wish("skirmish", "usual", 3)
    ids = await enqueue(tickets, 2, wish)
    await matcher.go_through()
    [first] = await in_state(tickets, ids[:1], State.QUEUED)
    held = first.reserved(Lease("l", first.fresh_until_ms, (first.id,)))
    assert await tickets.change([(first, held)])
    assert await tickets.change([(held, held.released())])

    third = Ticket(ticket_id("x", ""), "n", "x", "", wish, wall_clock(), 10**14)
    await tickets.create(third)
    for _ in range(2):
        await matcher.go_through()
    await openings.finish()

    await everybody_is_seated_once(tickets, [*ids[:2], third.id], seats=3)


async def test_when_there_is_room_for_few_tables_the_oldest_are_opened(
    a_matcher, engine
):
    matcher, openings, tickets = await a_matcher(replace(LIMITS, openings=3))
    wishes = [Wish("skirmish", "usual", 2, room=f"R{n}") for n in (5, 1, 4, 2, 3)]
    for number, wish in enumerate(wishes):
        await enqueue(tickets, 2, wish, since=10 * number)

    assert not await matcher.go_through()
    await openings.finish()
    left = await tickets.pools()
    assert sorted(left) == sorted(wish.pool for wish in wishes[3:])

    assert await matcher.go_through()
    await openings.finish()
    assert await tickets.pools() == {}


async def test_t40_a_matcher_that_slept_through_its_lease_assigns_nothing(
    a_matcher, engine
):
    """Its table is opened and left; the tickets are another's by now."""
    sleeper, openings, tickets = await a_matcher(lease=SHORT_LEASE)
    ids = await enqueue(tickets, 2, Wish("skirmish", "usual", 2))
    asleep, awake = asyncio.Event(), asyncio.Event()
    open_table = engine.open_table

    async def oversleep(match):
        asleep.set()
        await awake.wait()
        return OpenedTable("t-late", "c0ffee", "e:1")

    engine.open_table = oversleep
    await sleeper.go_through()
    await asleep.wait()
    engine.open_table = open_table
    await asyncio.sleep(SHORT_LEASE / 1000)

    heir, others, _ = await a_matcher()
    await heir.go_through()
    await others.finish()
    awake.set()
    await openings.finish()

    await everybody_is_seated_once(tickets, ids, seats=2)
    assert "t-late" not in {
        ticket.assignment.table
        for ticket in await in_state(tickets, ids, State.ASSIGNED)
    }
