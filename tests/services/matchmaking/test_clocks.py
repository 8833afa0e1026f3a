"""A clock that is put back by an hour: nobody waits an hour for it."""

import pytest

from services.chassis.telemetry import fresh_metrics
from services.matchmaking.lead import Lead
from services.matchmaking.matcher import Matcher
from services.matchmaking.openings import Openings
from services.matchmaking.ticket import Ticket, Wish
from services.matchmaking.tickets import RedisTickets
from services.matchmaking.timings import HOUR, MINUTE, SECOND
from tests.one_store import store_process  # noqa: F401


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
        until = clock.now + MINUTE
        await tickets.create(Ticket(f"k-{who}", "n", who, who, apart, clock.now, until))

    clock.now += 10 * SECOND
    await matcher.go_through()
    queued = metrics.registry.get_sample_value
    assert queued("anpai_queued_tickets", {"game": "skirmish"}) == 2

    clock.now += MINUTE
    await matcher.go_through()
    assert await tickets.pools() == {}
