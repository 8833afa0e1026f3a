"""Bots for seats nobody is at: called by the news, let in by the engine, and only then
pushed to a host."""

from dataclasses import replace

import pytest

from services.chassis.keys import load_keys
from services.chassis.tokens import Kind, Verifier
from services.matchmaking import keys as names
from tests.services.matchmaking.players import comes_true, wish

SOON = 0.8


@pytest.fixture
def timings(timings):
    """However busy the machine is, no host is too late."""
    return replace(timings, call_confirmed=60_000, news_call=200)


@pytest.fixture
async def host(house):
    host = house.bot_host()
    await host.offer("skirmish")
    return host


async def a_table(house):
    """Two people sit at it: its id, and the seat of the first."""
    anna, ben = await house.sign_in(), await house.sign_in("Ben")
    ticket = await anna.ticket(wish(seats=2))
    await ben.play(wish(seats=2))
    seat = await anna.seat(ticket.id)
    return seat.table_id, seat.seat


async def nothing_comes(host):
    with pytest.raises(TimeoutError):
        await host.next(SOON)


async def test_t60_a_bot_is_called_for_a_player_who_is_away(
    house, host, tables, keys_folder
):
    table, seat = await a_table(house)

    tables.empty(table, seat)
    call = await host.next()

    (let_in,) = tables.let_in
    bot = Verifier(load_keys(keys_folder, "engine")).caller_of(call.token)
    assert bot.kind is Kind.BOT
    assert bot.id.startswith("b-")
    assert (let_in.table_id, let_in.seat) == (table, seat)
    assert (let_in.player_id, let_in.name) == (bot.id, bot.name)
    assert (call.assignment.table_id, call.assignment.seat) == (table, seat)


async def test_a_bot_of_the_tables_own_comes_again_itself(
    house, host, tables, keys_folder
):
    table, seat = await a_table(house)

    tables.empty(table, seat, player="b-of-old")
    call = await host.next()

    verifier = Verifier(load_keys(keys_folder, "engine"))
    assert verifier.caller_of(call.token).id == "b-of-old"


async def test_where_a_stand_in_has_gone_the_same_one_comes_again(house, host, tables):
    table, seat = await a_table(house)
    tables.empty(table, seat, stand_in="b-2")
    await host.take(await host.next())

    tables.empty(table, seat, stand_in="b-2")
    await host.take(await host.next())

    assert [one.player_id for one in tables.let_in] == ["b-2", "b-2"]


async def test_the_same_news_twice_is_one_call(house, host, tables):
    table, seat = await a_table(house)
    for _ in range(3):
        tables.empty(table, seat)

    await host.take(await host.next())

    await nothing_comes(host)


async def test_nobody_is_sent_to_a_seat_whose_player_is_back(
    house, host, tables, store
):
    table, seat = await a_table(house)
    tables.occupied.add(seat)

    tables.empty(table, seat)
    await comes_true(lambda: len(tables.let_in) == 1)

    await nothing_comes(host)
    assert len(tables.let_in) == 1
    assert await store.redis.zcard(names.calls("skirmish")) == 0


class TestPatience:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, attempt=30_000)

    async def test_an_engine_that_hangs_holds_no_other_seat_up(
        self, house, host, tables, engines
    ):
        table, seat = await a_table(house)
        for engine in engines:
            engine.faults.append(15.0)
        tables.empty(table, seat)
        await comes_true(lambda: not all(engine.faults for engine in engines))
        for engine in engines:
            engine.faults.clear()

        other = (await (await house.sign_in("Cleo")).play(wish(bots=1))).table_id

        heard = ""
        while heard != other:
            call = await host.next(10)
            await host.take(call)
            heard = call.assignment.table_id


class TestTriedAgain:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, call_confirmed=600)

    async def test_while_no_engine_answers_the_call_waits(
        self, house, host, tables, engines
    ):
        table, seat = await a_table(house)
        for engine in engines:
            engine.faults = [OSError("out")] * 2
        tables.empty(table, seat)

        call = await host.next()

        assert call.assignment.table_id == table
