"""Games that are over: tickets, lists of seats and ratings follow, once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import grpc
import pytest

from services.chassis.client import Peer
from services.chassis.stores import StoreUnavailable, open_store
from services.chassis.telemetry import fresh_metrics
from services.matchmaking import keys
from services.matchmaking.news import AT_ONCE, EngineNews, NewsReader, Piece
from services.matchmaking.rating import TableOver
from services.matchmaking.timings import TIMINGS
from tests.services.matchmaking.players import (
    House,
    comes_true,
    refused,
    state_of,
    wish,
)
from tests.services.matchmaking.test_running import value

WITHIN = 30


async def until(holds) -> None:
    """Wait until an async question is answered with yes."""
    async with asyncio.timeout(WITHIN):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.02)


async def a_match(house):
    """Two strangers at one table: (winner to be, loser to be, table id)."""
    anna, ben = await house.players(2)
    seats = await asyncio.gather(anna.play(), ben.play())
    first, second = (anna, ben) if seats[0].seat == 0 else (ben, anna)
    return first, second, seats[0].table_id


async def has_played(player, games=1):
    return (await player.rating()).games == games


# ---- tickets and seats ---------------------------------------------------------------


async def test_a_table_that_is_over_closes_its_tickets_and_leaves_my_seats(
    house, tables
):
    anna, ben = await house.players(2)
    tickets = [(await each.ticket()).id for each in (anna, ben)]
    table = (await anna.seat(tickets[0])).table_id
    assert [seat.table_id for seat in await anna.seats()] == [table]

    tables.end(table, 1, 2)
    await until(lambda: is_free(anna))

    for player, ticket in zip((anna, ben), tickets, strict=True):
        over = await player.look(ticket)
        assert (state_of(over), over.closed_because) == ("CLOSED", "over")
        assert await player.seats() == []


async def is_free(player) -> bool:
    return not await player.seats()


@pytest.mark.parametrize("reason", ["abandoned", "stopped"])
async def test_a_table_nobody_won_leaves_my_seats_and_moves_no_rating(
    house, tables, reason
):
    anna, _, table = await a_match(house)

    tables.end(table, 0, 0, reason=reason)
    await until(lambda: is_free(anna))

    assert (await anna.rating()).games == 0


async def test_only_the_table_that_is_over_leaves_my_seats(house, tables):
    anna = await house.sign_in()
    over, on = [await anna.play(wish(bots=1)) for _ in range(2)]

    tables.end(over.table_id, 1, 2)
    await until(lambda: sits_at_one(anna))

    assert [seat.table_id for seat in await anna.seats()] == [on.table_id]


async def sits_at_one(player) -> bool:
    return len(await player.seats()) == 1


# ---- what is rated -------------------------------------------------------------------


async def test_strangers_who_met_in_the_queue_are_rated(house, tables):
    winner, loser, table = await a_match(house)
    assert [seat.rated for seat in await winner.seats()] == [True]

    tables.end(table, 1, 2)
    await until(lambda: has_played(loser))

    won, lost = await winner.rating(), await loser.rating()
    assert won.points > 1000 > lost.points
    assert (won.rank, lost.rank) == (1, 2)
    assert (won.last_table_id, won.last_change) == (table, won.points - 1000)
    assert (won.wins, lost.wins) == (1, 0)
    assert await winner.rating(player=loser.id) == lost


@pytest.mark.parametrize("how", ["with a bot", "in a room", "with a program"])
async def test_other_tables_move_no_rating(house, tables, how):
    anna = await house.sign_in()
    if how == "with a bot":
        seat = await anna.play(wish(bots=1))
    else:
        ben = await house.sign_in("Ben", bot=how == "with a program")
        code = (await anna.room(wish())).code if how == "in a room" else ""
        wished = wish(room_code=code)
        seat, _ = await asyncio.gather(anna.play(wished), ben.play(wished))

    assert not tables.wanted(seat.table_id).rated
    assert not seat.rated
    tables.end(seat.table_id, 1, 2)
    await until(lambda: is_free(anna))
    assert (await anna.rating()).games == 0


async def test_t18_a_match_whose_opening_stalls_is_one_table_and_one_result(
    house, tables, engines
):
    """The first engine is asked, stalls beyond all patience, and opens the table after
    all; the second was asked meanwhile: one table, rated once."""
    for engine in engines:
        engine.faults = [0.5]

    winner, loser, table = await a_match(house)

    await comes_true(lambda: sum(tables.asked.values()) > 1)
    assert len(tables.by_request) == 1
    for _ in range(2):
        tables.end(table, 1, 2)
    await until(lambda: has_played(loser))
    await asyncio.sleep(0.3)
    assert await has_played(winner)


# ---- whoever reads the news ----------------------------------------------------------


@pytest.fixture
async def other(begin, keys_folder):
    """Another server of the same matchmaking."""
    house = House((await begin()).address, keys_folder)
    yield house
    await house.close()


async def test_two_servers_read_the_news_and_each_table_counts_once(
    house, other, tables, running
):
    matches = [await a_match(each) for each in (house, other) * 3]
    for _, _, table in matches * 2:
        tables.end(table, 1, 2)
    for winner, loser, _ in matches:
        await until(lambda who=winner: has_played(who))
        await until(lambda who=loser: has_played(who))

    await asyncio.sleep(0.3)

    for winner, loser, _ in matches:
        assert await has_played(winner)
        assert await has_played(loser)


async def test_another_server_goes_on_where_one_stops(house, other, running, tables):
    winner, _, table = await a_match(other)
    await running.stop()

    tables.end(table, 1, 2)

    await until(lambda: has_played(winner))


async def test_an_engine_that_is_down_is_passed_over(house, engines, tables):
    engines[0].is_down = True
    winner, _, table = await a_match(house)

    tables.end(table, 1, 2)

    await until(lambda: has_played(winner))


async def test_engines_that_do_not_tell_news_are_passed_over():
    """As in the middle of an upgrade: one does not know the call, one is not there."""
    old = grpc.aio.server()
    address = f"127.0.0.1:{old.add_insecure_port('127.0.0.1:0')}"
    await old.start()
    peers = [Peer(address), Peer("127.0.0.1:1")]
    with refused("PART_UNAVAILABLE"):
        async for _ in EngineNews(peers).news(""):
            pass
    for peer in peers:
        await peer.close()
    await old.stop(0)


async def test_nobody_has_been_heard_who_hangs_and_does_not_even_greet():
    async def hang(request, context):
        await asyncio.sleep(60)
        yield b""

    watch = {"WatchNews": grpc.unary_stream_rpc_method_handler(hang)}
    service = "anpai.engine.internal.v1.EngineInternalService"
    handlers = grpc.method_handlers_generic_handler(service, watch)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handlers,))
    peer = Peer(f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
    await server.start()
    with refused("PART_UNAVAILABLE"):
        async for _ in EngineNews([peer], replace(TIMINGS, news_call=300)).news(""):
            pass
    await peer.close()
    await server.stop(0)


async def test_results_and_the_age_of_the_news_are_measured(house, running, tables):
    winner, _, table = await a_match(house)
    for _ in range(2):
        tables.end(table, 1, 2)
    await until(lambda: has_played(winner))

    async def counted():
        told = {"game": "skirmish", "outcome": "repeated"}
        return value(running, "results_total", **told) == 1

    await until(counted)
    assert value(running, "results_total", game="skirmish", outcome="rated") == 1
    assert 0 <= value(running, "news_lag_seconds") < WITHIN


# ---- the reader alone ----------------------------------------------------------------


def over(number: int) -> TableOver:
    return TableOver(f"t-{number}", "skirmish", "usual", False, "played", (), 0)


class Papers:
    """News that comes in calls; what is asked for is noted."""

    def __init__(self, count: int):
        self.asked: list[str] = []
        self._pieces = [Piece(f"{n}-0", over(n)) for n in range(1, count + 1)]
        self._pieces.insert(2, Piece("2-5", None))

    async def news(self, after: str) -> AsyncIterator[Piece]:
        self.asked.append(after)
        for piece in self._pieces:
            if not after or place_of(piece.id) > place_of(after):
                yield piece
        await asyncio.sleep(0.05)


def place_of(id: str) -> tuple[int, ...]:
    return tuple(map(int, id.split("-")))


async def nobody(empty):
    raise AssertionError("no seat is empty")


@asynccontextmanager
async def reading(valkey, papers, take):
    metrics = fresh_metrics()
    store = await open_store(valkey, metrics)
    reader = NewsReader(papers, store.pipeline, take, nobody, metrics)
    task = asyncio.create_task(reader.run())
    try:
        yield reader, store
    finally:
        task.cancel()
        await asyncio.wait([task])
        await reader.let_go()
        await store.close()


async def test_all_news_is_taken_and_the_place_is_noted(valkey):
    taken, papers = [], Papers(AT_ONCE * 2 + 3)

    async def take(table: TableOver) -> None:
        taken.append(table.table)

    async with reading(valkey, papers, take) as (_, store):
        await until(lambda: has_asked(papers, 2))
        assert sorted(taken) == sorted(f"t-{n}" for n in range(1, AT_ONCE * 2 + 4))
        assert papers.asked[:2] == ["", f"{AT_ONCE * 2 + 3}-0"]
        assert await store.redis.get(keys.NEWS) == papers.asked[1].encode()
        assert await store.redis.pttl(keys.NEWS) > 0


async def has_asked(papers: Papers, times: int) -> bool:
    return len(papers.asked) >= times


async def test_a_fault_of_ours_at_one_table_does_not_stop_the_rest(valkey):
    taken, papers = [], Papers(3)

    async def take(table: TableOver) -> None:
        if table.table == "t-2":
            raise ZeroDivisionError
        taken.append(table.table)

    async with reading(valkey, papers, take) as (reader, _):
        await until(lambda: has_asked(papers, 2))
        failed = {"game": "skirmish", "outcome": "failed"}
        sample = reader._metrics.registry.get_sample_value
        assert sample("anpai_results_total", failed) == 1

    assert sorted(taken) == ["t-1", "t-3"]


async def test_what_the_store_did_not_confirm_is_read_again(valkey):
    papers = Papers(3)

    async def take(table: TableOver) -> None:
        raise StoreUnavailable

    metrics = fresh_metrics()
    store = await open_store(valkey, metrics)
    reader = NewsReader(papers, store.pipeline, take, nobody, metrics)
    with refused("PART_UNAVAILABLE"):
        await reader.run()

    assert await store.redis.get(keys.NEWS) is None
    await store.close()


async def test_one_reads_at_a_time_and_another_when_it_lets_go(valkey):
    first, second = Papers(3), Papers(3)
    async with AsyncExitStack() as later:
        async with reading(valkey, first, nothing):
            await until(lambda: has_asked(first, 2))
            await later.enter_async_context(reading(valkey, second, nothing))
            await asyncio.sleep(0.3)
            assert second.asked == []
        await until(lambda: has_asked(second, 1))


async def test_whoever_begins_goes_back_a_little(valkey, store):
    await store.redis.set(keys.NEWS, f"{TIMINGS.news_again + 7}-3")
    papers = Papers(3)

    async with reading(valkey, papers, nothing):
        await until(lambda: has_asked(papers, 2))

    assert papers.asked[:2] == ["7-0", "7-0"]


async def nothing(table: TableOver) -> None:
    pass
