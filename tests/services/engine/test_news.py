"""What becomes of tables is told: whole, in order, and whoever dies meanwhile."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import grpc
import pytest

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from services.chassis.client import finishing
from services.chassis.errors import AnpaiError
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Credential
from services.engine.kernel.entry import Entry
from services.engine.news import STREAM, Readers, StoredNews, TableOver
from services.engine.opening import rated_in
from tests.sdk.waiting import until
from tests.services.engine.conftest import SHORT_LEASE_MS
from tests.services.engine.playing import reason_of
from tests.services.engine.processes import WorkerProcess
from tests.services.engine.protocol.network import NewsPort
from tests.services.engine.protocol.world import WorkerTwin, World

WITHIN = 30
WATCH = "/anpai.engine.internal.v1.EngineInternalService/WatchNews"


def a_piece(table: str) -> TableOver:
    return TableOver(table, "skirmish", "usual", True, "played", (), 1_000)


@pytest.fixture
async def store(valkey):
    store = await open_store(valkey, fresh_metrics())
    yield store
    await store.close()


@pytest.fixture(params=["store", "twin"])
def board(request, store):
    """Both must keep the same promises."""
    if request.param == "store":
        return StoredNews(store)
    world = World()
    world.network.calm = True
    world.check.put_up = lambda news: None
    return NewsPort(WorkerTwin(world, "w"), world.store)


async def tables_after(board, id: str) -> list[str]:
    return [piece.news.table for piece in await board.after(id)]


async def test_news_is_read_in_the_order_it_came(board):
    for table in ("t-1", "t-2", "t-3"):
        await board.put_up(a_piece(table))

    first, *_ = await board.after("")

    assert first.news == a_piece("t-1")
    assert await tables_after(board, "") == ["t-1", "t-2", "t-3"]
    assert await tables_after(board, first.id) == ["t-2", "t-3"]


async def test_news_put_up_again_is_told_once(board):
    for _ in range(3):
        await board.put_up(a_piece("t-1"))

    assert await tables_after(board, "") == ["t-1"]


async def test_no_news_stays_for_ever(store):
    await StoredNews(store).put_up(a_piece("t-1"))

    keys = [key async for key in store.redis.scan_iter("engine:*")]

    assert len(keys) == 2
    assert STREAM.encode() in keys
    assert all([await store.redis.pttl(key) > 0 for key in keys])


async def test_whoever_follows_hears_what_comes_and_is_let_go(store):
    board = StoredNews(store)
    readers, heard = Readers(board), asyncio.Queue()

    async def read() -> None:
        async for piece in readers.follow(""):
            heard.put_nowait(piece.news.table)

    reading = asyncio.create_task(read())
    async with asyncio.timeout(WITHIN):
        for table in ("t-1", "t-2"):
            await board.put_up(a_piece(table))
            assert await heard.get() == table
        readers.drain()
        await reading
    with pytest.raises(AnpaiError) as refused:
        await anext(readers.follow(""))
    assert refused.value.reason == "PART_UNAVAILABLE"


# ---- over the wire -------------------------------------------------------------------


@pytest.fixture
async def news(engine, matchmaking):
    """Reads the news as matchmaking does, of any worker, until a number has come."""
    metadata = Credential(matchmaking, "engine").metadata()

    @asynccontextmanager
    async def following(after: str = "", address: str = engine.address):
        async with grpc.aio.insecure_channel(address) as channel:
            stub = internal_rpc.EngineInternalServiceStub(channel)
            request = internal.WatchNewsRequest(after=after)
            async with finishing(stub.WatchNews(request, metadata=metadata)) as call:
                yield call

    async def pieces(number: int, after: str = "", address: str = engine.address):
        async with asyncio.timeout(WITHIN), following(after, address) as call:
            return [await call.read() for _ in range(number)]

    return SimpleNamespace(following=following, pieces=pieces)


async def seated(opened, player, *names, **how):
    table = await opened(*names, **how)
    for name in names:
        await player(name).takes_seat(table)
    return table


async def test_a_table_that_is_over_is_told_whole(opened, player, news):
    table = await seated(opened, player, "anna", "ben", rated=True)
    await player("anna").concedes(table)

    [piece] = await news.pieces(1)

    over = piece.over
    assert (over.table_id, over.game, over.variant) == (table, "skirmish", "standard")
    assert (over.rated, over.reason) == (True, "conceded")
    assert [one.player_id for one in over.seats] == ["anna", "ben"]
    assert [one.name for one in over.seats] == ["Anna", "Ben"]
    assert [one.rank for one in over.seats] == [2, 1]
    assert [one.conceded for one in over.seats] == [True, False]
    assert [one.team for one in over.seats] == [0, 1]
    assert over.ended_ms > 0


async def test_partners_are_told_as_one_team(opened, player, news):
    names = ("anna", "ben", "cem", "dora")
    table = await seated(opened, player, *names, game="gwent", variant="team")
    for name in ("ben", "dora"):
        await player(name).concedes(table)

    [piece] = await news.pieces(1)

    assert [one.team for one in piece.over.seats] == [0, 1, 0, 1]
    assert piece.over.seats[0].rank == 1


async def test_any_worker_tells_what_any_has_seen(opened, player, worker, news):
    other = await worker()
    first = await seated(opened, player, "anna", "ben")
    await player("anna").concedes(first)
    [one] = await news.pieces(1, address=other.address)
    second = await seated(opened, player, "anna", "ben")
    await player("anna").concedes(second)

    [two] = await news.pieces(1, after=one.id, address=other.address)

    assert [one.over.table_id, two.over.table_id] == [first, second]


async def test_a_worker_that_stops_lets_its_readers_go(news, worker):
    other = await worker()
    async with news.following(address=other.address) as call:
        reading = asyncio.create_task(call.read())
        await until(lambda: other.metrics.open_streams.labels(WATCH)._value.get() == 1)
        await other.stop()
        assert await reading is grpc.aio.EOF


@pytest.mark.parametrize("id", ["yesterday", "1", "1-", f"{2**63}-0", "9" * 40 + "-1"])
async def test_what_is_no_id_is_refused(news, id):
    with pytest.raises(AnpaiError) as refused:
        await news.pieces(1, after=id)

    assert refused.value.reason == "INVALID_FIELD"
    assert refused.value.metadata["field"] == "after"


async def test_what_is_rated_stands_in_the_journal_and_else_nothing_is_said(
    opened, store
):
    rated, plain = await opened("anna", "ben", rated=True), await opened("anna", "ben")

    first = [await opening_of(store, table) for table in (rated, plain)]

    assert [rated_in(entry) for entry in first] == [True, False]
    assert "rated" not in first[1].details


async def opening_of(store, table: str) -> Entry:
    [(_, fields)] = await store.redis.xrange(f"engine:{{{table}}}:journal", count=1)
    return Entry.read(fields[b"e"])


async def test_a_worker_that_dies_after_the_outcome_leaves_no_table_untold(
    opened, player, engine, vault, valkey, keys_folder, news
):
    doomed = WorkerProcess(valkey, vault.address, keys_folder, SHORT_LEASE_MS)
    try:
        address = await doomed.address()
        tables = [await opened("anna", "ben") for _ in range(12)]
        for table in tables:
            for name in ("anna", "ben"):
                await player(name, address).takes_seat(table)
        anna = player("anna", address)
        ending = [asyncio.create_task(anna.concedes(table)) for table in tables]
        await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
        doomed.kill()
        await asyncio.wait(ending)
    finally:
        doomed.clean_up()

    for table in tables:  # at the worker that is left: those that had not ended end now
        await until_taken(player("anna"), table)
    told = [piece.over.table_id for piece in await news.pieces(len(tables))]

    assert sorted(told) == sorted(tables)


async def until_taken(player, table: str) -> None:
    async with asyncio.timeout(WITHIN):
        while True:
            try:
                await player.concedes(table)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                    return
                await asyncio.sleep(0.1)


async def test_a_table_that_is_stopped_is_told_by_whoever_meets_it(
    opened, player, news, store, monkeypatch
):
    monkeypatch.setattr("services.engine.hosted.IDLE_SECONDS", 0.0)
    monkeypatch.setattr("services.engine.tables.SWEEP_SECONDS", 0.05)
    table = await seated(opened, player, "anna", "ben")
    lost = [key async for key in store.redis.scan_iter("vault:{*")]
    await store.redis.delete(*lost)

    async with asyncio.timeout(WITHIN):
        while True:
            if await reason_of_looking(player("anna"), table) == "LEDGER_LOST":
                break
            await asyncio.sleep(0.05)

    [piece] = await news.pieces(1)
    assert (piece.over.table_id, piece.over.reason) == (table, "stopped")
    assert not piece.over.rated


async def reason_of_looking(player, table: str) -> str:
    try:
        await player.looks(table)
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return ""
