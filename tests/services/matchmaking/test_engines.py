"""Engines that stall, fail, refuse and come back: one table for each match, and no
ticket lost."""

import asyncio
from dataclasses import replace

import pytest

from services.chassis.errors import AnpaiError
from services.matchmaking.games import Game, Games
from services.matchmaking.match import Match
from services.matchmaking.seating import ranked
from services.matchmaking.ticket import Ticket, Wish
from tests.services.matchmaking.engine import out_of_order, variant
from tests.services.matchmaking.players import (
    House,
    comes_true,
    refused,
    state_of,
    wish,
)


def at_one_table(tables, *seats):
    """All sit at one table, and no second was opened for anybody."""
    assert len({seat.table_id for seat in seats}) == 1
    assert len(tables.by_request) == 1


async def test_t18_an_engine_that_stalls_is_passed_over_for_the_same_table(
    house, engines, tables
):
    """The one asked first opens the table too, when it wakes up."""
    for engine in engines:
        engine.faults.append(0.6)
    anna, ben = await house.players(2)

    seats = await asyncio.gather(anna.play(), ben.play())
    await comes_true(lambda: sum(tables.asked.values()) > 1)

    at_one_table(tables, *seats)


async def test_t18_engines_that_stall_longer_than_the_lease_still_open_one_table(
    house, engines, tables
):
    """The tickets are reserved again and again; the request keeps its name."""
    for engine in engines:
        engine.faults += [3.0] * 20
    anna, ben = await house.players(2)
    waiting = asyncio.gather(anna.play(), ben.play())
    await asyncio.sleep(2.5)
    for engine in engines:
        engine.faults.clear()

    at_one_table(tables, *await waiting)
    await comes_true(lambda: sum(tables.asked.values()) > 1)
    assert len(tables.by_request) == 1


async def test_an_engine_that_is_out_of_order_is_passed_over(house, engines, tables):
    engines[0].is_down = True
    anna, ben = await house.players(2)

    seats = [
        *await asyncio.gather(anna.play(), ben.play()),
        *await asyncio.gather(anna.play(), ben.play()),
    ]

    assert {seat.engine_address for seat in seats} == {engines[1].address}


async def test_while_no_engine_answers_tickets_wait_with_their_age(house, engines):
    anna, ben = await house.players(2)
    for engine in engines:
        engine.is_down = True
    mine = await anna.ticket()
    bens = await ben.ticket()
    await asyncio.sleep(1.5)
    assert state_of(await anna.look(mine.id)) in ("QUEUED", "RESERVED")

    for engine in engines:
        engine.is_down = False

    first, second = await asyncio.gather(anna.seat(mine.id), ben.seat(bens.id))
    assert first.table_id == second.table_id


@pytest.mark.parametrize(
    "fault", [AnpaiError("INVALID_FIELD", "No such variant."), KeyError("a bug")]
)
async def test_a_table_that_is_refused_is_asked_for_again_later(
    house, engines, tables, fault
):
    for engine in engines:
        engine.faults.append(fault)
    anna, ben = await house.players(2)

    seats = await asyncio.gather(anna.play(), ben.play())

    at_one_table(tables, *seats)


class TestLongLease:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, lease=60_000)

    async def test_a_failed_opening_does_not_wait_for_the_lease(self, house, engines):
        for engine in engines:
            engine.faults.append(AnpaiError("INVALID_FIELD", "No such variant."))
        anna = await house.sign_in()

        async with asyncio.timeout(20):
            assert await anna.play(wish(bots=1))


async def test_one_pool_in_trouble_does_not_hold_up_another(house, engines):
    anna, ben = await house.players(2)
    for engine in engines:
        engine.stalled_game = "skirmish"
    mine = await anna.ticket(wish("skirmish", bots=1))
    await asyncio.sleep(0.1)

    await ben.play(wish("gwent", bots=1))

    assert state_of(await anna.look(mine.id)) != "ASSIGNED"


async def test_no_engine_is_asked_in_a_tight_loop(house, engines):
    """grpc #38499: retries against a dead server must not spin."""
    for engine in engines:
        engine.faults += [out_of_order() for _ in range(1000)]
    anna = await house.sign_in()
    await anna.ticket(wish(bots=1))

    def calls():
        return sum(1000 - len(engine.faults) for engine in engines)

    await comes_true(lambda: calls() >= 2)
    before = calls()
    await asyncio.sleep(1.5)
    assert calls() - before <= 28


# ---- what the engines have -----------------------------------------------------------


async def test_matchmaking_starts_before_the_engines_do(begin, engines, keys_folder):
    for engine in engines:
        engine.is_down = True
    house = House((await begin()).address, keys_folder)
    anna = await house.sign_in()
    with refused("PART_UNAVAILABLE") as error:
        await anna.ticket()
    assert error.value.metadata == {"part": "engine"}
    assert error.value.retry_after is not None

    for engine in engines:
        engine.is_down = False

    assert state_of(await anna.ticket()) == "QUEUED"
    await house.close()


async def test_games_that_are_known_outlast_the_engines(house, engines):
    anna = await house.sign_in()
    await anna.ticket(wish(seats=3))
    for engine in engines:
        engine.is_down = True

    assert state_of(await anna.ticket(wish("gwent"))) == "QUEUED"


async def test_a_game_that_is_new_is_found(house, engines, monkeypatch):
    monkeypatch.setattr("services.matchmaking.games.SECONDS_BETWEEN_ASKS", 0)
    anna = await house.sign_in()
    with refused("GAME_NOT_FOUND"):
        await anna.ticket(wish("galactica", seats=5))

    for engine in engines:
        engine.games["galactica"] = [variant("usual", 3, 4, 5)]

    assert state_of(await anna.ticket(wish("galactica", seats=5))) == "QUEUED"


async def test_a_game_that_is_known_does_not_wait_for_one_that_is_not():
    """Whoever asks for no game of ours, and an engine that hangs, hold nobody up."""
    asked, answers = asyncio.Event(), asyncio.Event()
    answers.set()

    async def ask():
        asked.set()
        await answers.wait()
        return (Game("gwent", ()),)

    games = Games(ask)
    await games.find("gwent")
    games._asked_at = float("-inf")
    asked.clear()
    answers.clear()
    stranger = asyncio.create_task(games.find("chess"))
    await asked.wait()

    async with asyncio.timeout(10):
        assert (await games.find("gwent")).name == "gwent"
    stranger.cancel()


# ---- which engine is asked first -----------------------------------------------------


class Worker:
    def __init__(self, address):
        self.address = address


def test_tables_spread_over_the_engines_and_few_move_when_one_goes():
    workers = [Worker(f"engine-{number}:8410") for number in range(4)]
    names = [
        Match((Ticket(f"k-{n}", "", "a", "A", Wish("s", "", 1), n, 0),)).request_id
        for n in range(400)
    ]

    first = [ranked(workers, name)[0] for name in names]
    without = [ranked(workers[:3], name)[0] for name in names]

    assert all(60 < first.count(worker) < 140 for worker in workers)
    moved = [a for a, b in zip(first, without, strict=True) if a is not b]
    assert set(moved) == {workers[3]}
