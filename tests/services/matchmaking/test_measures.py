"""What operators are told of tickets, whoever finds out that their time is up."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.telemetry import fresh_metrics
from services.matchmaking.lead import Lead
from services.matchmaking.settled import counting
from services.matchmaking.ticket import Lease, Ticket, Wish
from services.matchmaking.tickets import RedisTickets
from services.matchmaking.timings import TIMINGS
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import comes_true, state_of, wish

CAREFUL = Wish("skirmish", "usual", 2, ready_check=True)


def told(metrics):
    """Of all that may become of a ticket by time: how often it did."""
    value = metrics.registry.get_sample_value
    missed = value("anpai_ready_checks_total", {"outcome": "missed"})
    names = ("leases_lapsed", "tickets_expired")
    return (missed, *(value(f"anpai_{name}_total") for name in names))


@pytest.fixture
def metrics():
    return fresh_metrics()


@pytest.fixture
async def tickets(store, metrics):
    """A store of tickets, by a clock that is turned, and two tickets in it."""
    clock = [1_000_000]
    tickets = RedisTickets(store.pipeline, now=lambda: clock[0], note=counting(metrics))
    two = [
        Ticket(f"k-{who}", "n", who, who, CAREFUL, clock[0], clock[0] + 60_000)
        for who in ("anna", "ben")
    ]
    for each in two:
        await tickets.create(each)
    return tickets, two, clock


LEASE = Lease("l-1", 1_020_000, ("k-anna", "k-ben"))


@pytest.mark.parametrize("by", ["whoever looks", "the matcher"])
async def test_a_reservation_that_runs_out_is_one_however_many_tickets_it_has(
    tickets, metrics, by
):
    store, two, clock = tickets
    assert await store.change([(each, each.reserved(LEASE)) for each in two])

    clock[0] += 20_000
    await (store.settle() if by == "the matcher" else store.get("k-ben"))
    await store.settle()

    assert told(metrics) == (0, 1, 0)


@pytest.mark.parametrize("by", ["whoever looks", "the matcher"])
async def test_who_does_not_come_has_missed_the_check_and_nothing_has_run_out(
    tickets, metrics, by
):
    store, (anna, ben), clock = tickets
    came = anna.asking(LEASE, clock[0]).confirmed("anna", 0)
    asked = ben.asking(LEASE, clock[0])
    assert await store.change([(anna, came), (ben, replace(asked, version=3))])

    clock[0] += 20_000
    await (store.settle() if by == "the matcher" else store.get("k-anna"))
    await store.settle()

    assert told(metrics) == (1, 0, 0)


@pytest.mark.parametrize("by", ["whoever looks", "the matcher"])
async def test_who_is_not_looked_after_has_expired(tickets, metrics, by):
    store, _, clock = tickets

    clock[0] += 60_000
    await (store.settle() if by == "the matcher" else store.get("k-anna"))
    await store.settle()

    assert told(metrics) == (0, 0, 2)


async def test_only_who_was_asked_has_kept_a_ready_check(house, running):
    anna, ben = await house.players(2)
    bens = await ben.ticket(wish())
    mine = await anna.asked((await anna.ticket(wish(ready_check=True))).id)

    await anna.confirm(mine.id, mine.ready_check.id)
    await ben.seat(bens.id)

    value = running.metrics.registry.get_sample_value
    kept = {"outcome": "kept"}
    await comes_true(lambda: value("anpai_ready_checks_total", kept) == 1)
    assert state_of(await anna.look(mine.id)) == "ASSIGNED"


async def test_whoever_stands_by_goes_through_no_queue_and_does_not_say_so(
    running, store
):
    def last_pass():
        read = running.metrics.registry.get_sample_value
        return read("anpai_pairing_last_pass_seconds")

    await comes_true(lambda: last_pass() > 0)
    other = Lead(store.pipeline, replace(TIMINGS, lead=60_000))
    while not await other.is_ours():
        await store.redis.delete("matchmaking:{queue}:lead")
    await asyncio.sleep(0.5)

    stood_by = last_pass()
    await asyncio.sleep(0.5)

    assert last_pass() == stood_by
