"""Bot hosts: every seat a bot is to take is called until somebody takes it."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.keys import load_keys
from services.chassis.tokens import Kind, Verifier
from services.matchmaking.bots import Host, Pushed
from services.matchmaking.calls import Call, Calls
from services.matchmaking.ticket import Assignment
from services.matchmaking.timings import TIMINGS
from tests.services.matchmaking.players import House, comes_true, refused, wish
from tests.stores import keyspace

SOON = 0.6


@pytest.fixture
def timings(timings):
    """However busy the machine is, no host is too late."""
    return replace(timings, call_confirmed=60_000)


@pytest.fixture
async def other_house(begin, keys_folder):
    """Another server of the same matchmaking."""
    house = House((await begin()).address, keys_folder)
    yield house
    await house.close()


async def nothing_comes(host, within=SOON * 2):
    with pytest.raises(TimeoutError):
        await host.next(within)


async def test_a_call_comes_for_each_seat_with_a_token_for_it(
    house, tables, keys_folder
):
    host = house.bot_host()
    await host.offer("skirmish", "gwent")
    anna = await house.sign_in()

    seat = await anna.play(wish(seats=3, bots=2, bot_strategy="steady"))
    calls = [await host.next() for _ in range(2)]

    seats = tables.seats(seat.table_id)
    engine = Verifier(load_keys(keys_folder, "engine"))
    for call in calls:
        who = engine.caller_of(call.token)
        sitter = seats[call.assignment.seat]
        assert (who.kind, who.id, who.name) == (
            Kind.BOT,
            sitter.player_id,
            sitter.name,
        )
        assert (sitter.bot, call.strategy) == (True, "steady")
        assert call.assignment.table_id == seat.table_id
    assert len({call.call_id for call in calls}) == 2


async def test_a_call_that_is_taken_is_called_no_more(house):
    host = house.bot_host()
    await host.offer("skirmish")
    anna = await house.sign_in()
    await anna.play(wish(bots=1))

    await host.take(await host.next())

    await nothing_comes(host)


class TestNotConfirmed:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, call_confirmed=2000)

    async def test_a_call_goes_to_another_host(self, house):
        silent, willing = house.bot_host(), house.bot_host()
        await silent.offer("skirmish")
        anna = await house.sign_in()
        await anna.play(wish(bots=1))
        call = await silent.next()
        await willing.offer("skirmish")

        again = await willing.next()

        assert again.call_id == call.call_id
        await willing.take(again)
        await nothing_comes(silent, within=2.5)


async def test_a_call_of_a_host_that_leaves_goes_to_another_at_once(house):
    leaving, staying = house.bot_host(), house.bot_host()
    await leaving.offer("skirmish")
    anna = await house.sign_in()
    await anna.play(wish(bots=1))
    call = await leaving.next()
    await staying.offer("skirmish")

    await leaving.leave()

    assert (await staying.next()).call_id == call.call_id


async def test_a_call_waits_for_a_host(house):
    anna = await house.sign_in()
    await anna.play(wish(bots=1))

    host = house.bot_host()
    await host.offer("skirmish")

    assert await host.next()


async def test_a_host_is_called_for_its_games_only(house):
    host = house.bot_host()
    await host.offer("gwent")
    anna = await house.sign_in()
    await anna.play(wish("skirmish", bots=1))

    await nothing_comes(host)


async def test_a_host_is_given_no_more_at_once_than_it_can_take(house):
    host = house.bot_host()
    await host.offer("skirmish", capacity=2)
    anna = await house.sign_in()
    await anna.play(wish(seats=4, bots=3))
    first, _ = await host.next(), await host.next()
    await nothing_comes(host, within=SOON / 2)

    await host.take(first)

    assert (await host.next()).call_id != first.call_id


async def test_a_later_offer_replaces_the_earlier(house):
    host = house.bot_host()
    await host.offer("skirmish", capacity=0)
    anna = await house.sign_in()
    await anna.play(wish(bots=1))
    await nothing_comes(host)

    await host.offer("skirmish", capacity=1)

    assert await host.next()


async def test_hosts_share_the_calls(house, running):
    hosts = [house.bot_host() for _ in range(2)]
    for host in hosts:
        await host.offer("skirmish")
    connected = running.metrics.bot_hosts._value
    await comes_true(lambda: connected.get() == 2)
    await asyncio.sleep(0.1)  # what they offer follows
    anna = await house.sign_in()

    await anna.play(wish(seats=3, bots=2))

    calls = [await host.next() for host in hosts]
    assert len({call.call_id for call in calls}) == 2


async def test_a_host_at_one_server_hears_of_tickets_at_another(house, other_house):
    host = other_house.bot_host()
    await host.offer("skirmish")
    anna = await house.sign_in()

    await anna.play(wish(bots=1))

    assert await host.next()


async def test_two_servers_never_push_a_call_twice(house, other_house):
    hosts, taken = [house.bot_host(), other_house.bot_host()], []
    for host in hosts:
        await host.offer("skirmish")
    anna = await house.sign_in()
    for _ in range(5):
        await anna.play(wish(seats=4, bots=3))

    taking = [asyncio.create_task(takes_all(host, taken)) for host in hosts]
    await comes_true(lambda: len(taken) >= 15)
    await asyncio.sleep(SOON * 2)

    for task in taking:
        task.cancel()
    assert len(taken) == len(set(taken)) == 15


async def takes_all(host, taken):
    """Whatever comes."""
    while True:
        call = await host.next(within=60)
        await host.take(call)
        taken.append(call.call_id)


async def test_what_is_no_offer_ends_the_stream(house):
    host = house.bot_host()

    await host.offer()

    with refused("INVALID_FIELD") as error:
        await host.ended
    assert error.value.metadata["field"] == "games"


async def test_who_says_it_is_a_bot_is_shown_as_one_and_nobody_is_called_for_it(
    house, tables
):
    host = house.bot_host()
    await host.offer("skirmish")
    robot = await house.sign_in("Robot", bot=True)

    seat = await robot.play(wish(bots=1))

    seats = tables.seats(seat.table_id)
    assert [each.bot for each in seats] == [True, True]
    call = await host.next()
    await host.take(call)
    assert call.assignment.seat == 1 - seat.seat
    await nothing_comes(host)


async def test_waiting_calls_are_measured(house, running):
    anna = await house.sign_in()
    await anna.play(wish(seats=4, bots=3))

    def value(name):
        labels = {"game": "skirmish"}
        return running.metrics.registry.get_sample_value(name, labels)

    await comes_true(lambda: value("anpai_bot_calls_waiting") == 3)
    await comes_true(lambda: value("anpai_oldest_bot_call_seconds") > 0)


async def test_no_token_lies_in_the_store(house, valkey):
    host = house.bot_host()
    await host.offer("skirmish")
    anna = await house.sign_in()
    await anna.play(wish(bots=1))
    call = await host.next()

    kept = keyspace(valkey, "matchmaking")

    assert call.call_id in kept
    assert anna.token not in kept
    assert call.token not in kept


async def test_who_waits_longest_for_a_bot_has_one_first(house):
    anna = await house.sign_in()
    tables = [(await anna.play(wish(bots=1))).table_id for _ in range(5)]
    host = house.bot_host()

    await host.offer("skirmish", capacity=1)

    for table in tables:
        call = await host.next()
        assert call.assignment.table_id == table
        await host.take(call)


def a_call(name):
    seat = Assignment("t-1", 0, "e:1", "c0ffee", "gwent", "duel", 2)
    return Call(name, "b-1", "Abacus", seat, "")


async def test_calls_that_are_long_over_are_counted_no_more(store):
    """Where no host offers to play it nobody would ever find them."""
    clock = [1_000_000]
    calls = Calls(store.pipeline, now=lambda: clock[0])
    await calls.add(a_call("c-2"))
    clock[0] += 1
    await calls.add(a_call("c-1"))
    assert await calls.due("gwent", 10) == ["c-2", "c-1"]

    clock[0] += TIMINGS.call
    await calls.add(a_call("c-3"))

    assert (await calls.waiting("gwent")).number == 2
    assert await calls.due("gwent", 10) == ["c-1", "c-3"]


def test_a_host_that_reads_nothing_is_sent_no_more_than_it_has_room_for():
    host = Host(capacity=2)
    for number in range(2):
        host.calls[f"c-{number}"] = Pushed("gwent", until=5.0, has_lapsed=True)
        host.pushed.put_nowait(a_call(f"c-{number}"))
    assert host.free == 0

    host.pushed.get_nowait()

    assert host.free == 1


def test_a_call_that_has_lapsed_takes_no_room():
    host = Host(capacity=1, calls={"c-1": Pushed("gwent", until=5.0)})
    assert host.free == 0

    host.calls["c-1"].has_lapsed = True

    assert host.free == 1
