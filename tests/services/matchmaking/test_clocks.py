"""A clock that is put back by an hour: nobody waits an hour for it."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Caller, Kind
from services.matchmaking import keys
from services.matchmaking.desk import Desk
from services.matchmaking.lead import Lead
from services.matchmaking.matcher import Matcher
from services.matchmaking.openings import Openings
from services.matchmaking.parties import Parties
from services.matchmaking.party_desk import PartyDesk
from services.matchmaking.ready import ReadyChecks
from services.matchmaking.rests import Rests
from services.matchmaking.ticket import Ticket, Wish
from services.matchmaking.tickets import RedisTickets
from services.matchmaking.timings import HOUR, MINUTE, SECOND, TIMINGS
from services.matchmaking.wakeups import Wakeups
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.test_results import until

ANNA = Caller(Kind.GUEST, "p-anna", "Anna")
WISH = Wish("skirmish", "usual", 2)


class Clock:
    now = 100 * HOUR

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


async def test_whoever_led_by_a_clock_of_before_asks_whether_he_still_leads(
    store, clock
):
    first, second = (Lead(store.pipeline, now=clock) for _ in range(2))
    assert await first.is_ours()
    await store.redis.delete("matchmaking:{queue}:lead")  # it has run out
    assert await second.is_ours()

    clock.now -= HOUR

    assert not await first.is_ours()


@pytest.fixture
def metrics():
    return fresh_metrics()


@pytest.fixture
def matching(store, clock, metrics):
    tickets = RedisTickets(store.pipeline, now=clock)
    openings = Openings(tickets, None, metrics, now=clock)
    lead = Lead(store.pipeline, now=clock)
    return Matcher(tickets, openings, lead, metrics, now=clock), tickets


async def test_what_is_due_is_settled_and_what_waits_is_measured(
    matching, clock, metrics
):
    matcher, tickets = matching
    await matcher.go_through()
    clock.now -= HOUR
    for who in ("anna", "ben"):
        apart = Wish("skirmish", "usual", 2, room=who)
        cares = clock.now + MINUTE
        await tickets.create(Ticket(f"k-{who}", "n", who, who, apart, clock.now, cares))

    clock.now += 10 * SECOND
    await matcher.go_through()
    queued = metrics.registry.get_sample_value
    assert queued("anpai_queued_tickets", {"game": "skirmish"}) == 2

    clock.now += MINUTE
    await matcher.go_through()
    assert await tickets.pools() == {}


async def test_a_ticket_that_is_looked_at_lives_on(matching, store, clock, metrics):
    _, tickets = matching
    checks = ReadyChecks(tickets, Openings(tickets, None, metrics))
    desk = Desk(tickets, None, None, None, None, checks, None, now=clock)
    mine = Ticket("k-anna", "n", ANNA.id, "", WISH, clock.now, clock.now + MINUTE)
    await tickets.create(mine)

    clock.now -= HOUR
    await store.redis.pexpire(keys.ticket(mine.id), 5000)
    await desk.get_ticket(ANNA, mine.id)

    assert await store.redis.pttl(keys.ticket(mine.id)) > MINUTE


async def test_a_party_that_is_watched_lives_on(store, clock):
    timings = replace(TIMINGS, reread=10, touch=1000)
    parties = Parties(store.pipeline, timings)
    desk = PartyDesk(parties, None, Wakeups(store), timings, clock)
    party = await desk.create(ANNA, "a-request")
    watching = desk.watch(ANNA, party.code)
    await anext(watching)
    waiting = asyncio.create_task(anext(watching))

    clock.now -= HOUR
    await store.redis.pexpire(keys.party(party.code), 5000)

    async def is_cared_for():
        return await store.redis.pttl(keys.party(party.code)) > MINUTE

    await until(is_cared_for)
    waiting.cancel()
    await asyncio.wait([waiting])


def test_nobody_rests_for_longer_than_the_longest_rest(clock):
    rests = Rests(TIMINGS, clock)
    rests.rest("a family")
    assert rests.is_resting("a family")

    clock.now -= HOUR

    assert not rests.is_resting("a family")
