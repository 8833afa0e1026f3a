"""Several servers: one leads, and another goes on when it is gone."""

import asyncio
from dataclasses import replace

import pytest

from services.matchmaking.lead import Lead
from services.matchmaking.timings import TIMINGS
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import House, comes_true


@pytest.fixture
async def leads(store):
    """Three servers', by one clock."""
    clock = [1_000_000]
    leads = [Lead(store.pipeline, TIMINGS, lambda: clock[0]) for _ in range(3)]
    return leads, clock


async def test_one_leads_at_a_time_and_renews_it_in_time(leads, store):
    (first, second, third), clock = leads

    assert [await each.is_ours() for each in (first, second, third)] == [1, 0, 0]
    clock[0] += TIMINGS.lead // 2
    assert await first.is_ours()
    assert TIMINGS.lead // 2 < await store.redis.pttl("matchmaking:{queue}:lead")


async def test_the_lead_of_one_that_is_gone_is_taken_by_another(leads, store):
    (first, second, _), clock = leads
    await first.is_ours()
    await store.redis.delete("matchmaking:{queue}:lead")  # it has run out

    assert await second.is_ours()
    clock[0] += TIMINGS.lead
    assert not await first.is_ours()


async def test_whoever_lets_go_lets_go_of_his_own_lead_only(leads):
    (first, second, third), _ = leads
    await first.is_ours()

    await second.let_go()
    assert not await third.is_ours()
    await first.let_go()
    assert await second.is_ours()


def passes(running):
    value = running.metrics.registry.get_sample_value
    return value("anpai_openings_total", {"outcome": "opened"}) or 0


async def test_of_two_servers_one_opens_the_tables_and_the_other_when_it_stops(
    begin, keys_folder, tables
):
    servers = [await begin(), await begin()]
    houses = [House(each.address, keys_folder) for each in servers]
    players = [player for house in houses for player in await house.players(2)]

    await asyncio.gather(*(player.play() for player in players))
    opened = list(map(passes, servers))
    assert sorted(opened) == [0, 2]

    leader = opened.index(2)
    await servers[leader].stop()
    others = houses[1 - leader]
    await asyncio.gather(*(each.play() for each in await others.players(2)))

    assert passes(servers[1 - leader]) == 1
    for house in houses:
        await house.close()


async def test_the_depth_told_by_one_that_does_not_lead_any_more_is_none(
    begin, keys_folder, store
):
    server = await begin()
    house = House(server.address, keys_folder)
    anna = await house.sign_in()
    await anna.ticket()

    def queued():
        labels = {"game": "skirmish"}
        return server.metrics.registry.get_sample_value("anpai_queued_tickets", labels)

    await comes_true(lambda: queued() == 1)
    other = Lead(store.pipeline, replace(TIMINGS, lead=60_000))
    while not await other.is_ours():
        await store.redis.delete("matchmaking:{queue}:lead")
    await comes_true(lambda: queued() == 0)
    await house.close()
