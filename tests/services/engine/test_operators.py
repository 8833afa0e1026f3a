"""What operators see of tables, and what they can do about them."""

import asyncio
import time

import grpc
import pytest
import structlog

from anpai.engine.v1 import table_pb2
from anpai.operator.v1 import ban_service_pb2 as bans
from anpai.operator.v1 import ban_service_pb2_grpc as ban_rpc
from anpai.operator.v1 import table_service_pb2 as pb
from anpai.operator.v1 import table_service_pb2_grpc as rpc
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential
from services.engine.journal import StoredJournal, Worker
from services.engine.news import STOPPED, StoredNews, TableOver
from tests.evenings.canary import canaries_in
from tests.one_store import store_process  # noqa: F401
from tests.services.engine.playing import an_answer, reason_of


class Operator:
    """Somebody with the operators' key, at one worker's door."""

    def __init__(self, address, keys):
        self.channel = grpc.aio.insecure_channel(address)
        self.metadata = Credential(keys, "engine").metadata()
        self.tables = rpc.TableServiceStub(self.channel)
        self.bans = ban_rpc.BanServiceStub(self.channel)

    async def asks(self, method, **told):
        request = getattr(pb, f"{method}Request")(**told)
        call = getattr(self.tables, method)
        return await call(request, metadata=self.metadata, timeout=20)

    async def lists(self, **told):
        return list((await self.asks("ListTables", **told)).tables)

    async def bans_of(self, method, **told):
        request = getattr(bans, f"{method}Request")(**told)
        call = getattr(self.bans, method)
        return await call(request, metadata=self.metadata, timeout=20)

    async def is_refused(self, method, **told):
        asks = self.asks if hasattr(pb, f"{method}Request") else self.bans_of
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await asks(method, **told)
        return reason_of(refused.value)


@pytest.fixture
async def operator(engine, keys_folder):
    keys, open_ = load_keys(keys_folder, "operator"), []

    def at(address=engine.address):
        open_.append(Operator(address, keys))
        return open_[-1]

    yield at
    for one in open_:
        await one.channel.close()


@pytest.fixture
def seated(opened, player):
    async def a_table(*names, **told):
        table = await opened(*names, **told)
        for name in names:
            await player(name).takes_seat(table)
        return table

    return a_table


async def moved(player, table):
    """Whoever is asked answers."""
    for name in ("anna", "ben"):
        question = (await player(name).looks(table)).question
        if question.id:
            return await player(name).answers(table, an_answer(question))
    raise AssertionError("nobody is asked")


# ---- lists ---------------------------------------------------------------------------


async def test_tables_are_listed_with_their_games_and_how_far_they_are(
    operator, opened, seated, player
):
    gathering = await opened("anna", "ben", game="gwent", rated=True)
    playing = await seated("anna", "ben")
    await moved(player, playing)

    lines = {one.table_id: one for one in await operator().lists()}

    assert lines.keys() == {gathering, playing}
    assert (lines[gathering].game, lines[gathering].variant) == ("gwent", "duel")
    assert lines[gathering].state == pb.STATE_GATHERING
    assert lines[gathering].worker == ""
    assert lines[gathering].entries == 1
    assert lines[gathering].rated
    assert lines[playing].state == pb.STATE_PLAYING
    assert lines[playing].worker.startswith("engine-")
    assert lines[playing].entries >= 5
    assert lines[playing].seats == 2
    now = time.time() * 1000
    assert now - 60_000 < lines[playing].opened_ms <= lines[playing].moved_ms <= now


@pytest.mark.parametrize("told", [{}, {"game": "skirmish"}])
async def test_a_list_comes_page_by_page_and_misses_nobody(
    told, operator, opened, monkeypatch
):
    monkeypatch.setattr("services.engine.listing.AT_ONCE", 3)
    tables = {await opened("anna", "ben") for _ in range(7)}
    if told:
        for _ in range(4):
            await opened("anna", "ben", game="gwent")
    seen, after = [], ""
    while True:
        page = await operator().asks("ListTables", after=after, limit=2, **told)
        assert len(page.tables) <= 2
        seen += [one.table_id for one in page.tables]
        if not (after := page.next):
            break

    assert seen == sorted(tables)


async def test_a_list_may_be_of_one_game_or_of_one_state(operator, opened, seated):
    gwent = await opened("anna", "ben", game="gwent")
    playing = await seated("anna", "ben")
    waiting = await opened("anna", "ben")
    asks = operator()

    async def ids(**told):
        return {one.table_id for one in await asks.lists(**told)}

    assert await ids(game="gwent") == {gwent}
    assert await ids(state=pb.STATE_PLAYING) == {playing}
    assert await ids(game="skirmish", state=pb.STATE_GATHERING) == {waiting}
    assert await ids(game="chess") == set()


async def test_a_table_that_was_stopped_is_listed_with_its_reason(
    operator, opened, engine
):
    table = await opened("anna", "ben")
    store = engine._resources.store
    journal = StoredJournal(store, Worker("somebody", "nowhere:1"), 1000)
    taken = await journal.take_over(table, 0)
    assert await journal.flag(table, taken.epoch, "LEDGER_LOST")
    over = TableOver(table, "skirmish", "", False, STOPPED, (), ended_ms=0)
    await StoredNews(store).put_up(over)

    (line,) = await operator().lists(state=pb.STATE_STOPPED)

    assert (line.table_id, line.stopped) == (table, "LEDGER_LOST")
    assert await operator().is_refused("InspectTable", table_id=table) == "LEDGER_LOST"


async def test_the_journal_of_a_stopped_table_alone_can_be_read(
    operator, seated, engine, player, monkeypatch
):
    monkeypatch.setattr("services.engine.listing.ENTRIES", 2)
    table, carl = await seated("anna", "ben"), operator()
    await moved(player, table)
    asked = {"method": "ReadJournal", "table_id": table}
    assert await carl.is_refused(**asked) == "TABLE_NOT_FOUND"
    store = engine._resources.store
    state = f"engine:{{{table}}}:state"
    await store.redis.hset(state, "flag", "REPLAY_DIVERGED")

    entries = []
    while page := (await carl.asks(**asked, after=len(entries))).entries:
        assert len(page) <= 2
        entries += page

    journal = StoredJournal(store, Worker("somebody", "nowhere:1"), 1000)
    kept = await journal.read(table, 1, 100)
    assert entries == [entry.text() for entry in kept]
    assert canaries_in(str(entries)) == set()


# ---- one table -----------------------------------------------------------------------


@pytest.mark.parametrize("told", [{}, {"spectating": table_pb2.SPECTATING_NONE}])
async def test_a_table_is_seen_from_outside_whoever_may_look_on(
    told, operator, seated, player
):
    table = await seated("anna", "ben", **told)
    async with player("anna").sitting(table) as stream:
        await stream.update()
        seen = await operator().asks("InspectTable", table_id=table)

    assert seen.table.table_id == table
    assert not seen.view.HasField("viewer")
    assert not seen.view.HasField("question")
    assert [(one.player_id, one.here) for one in seen.seats] == [
        ("anna", True),
        ("ben", False),
    ]
    assert seen.watchers == 1
    if not told:
        assert seen.view == await player("carl").looks(table)


async def test_t42_a_table_is_inspected_and_ended_through_any_worker(
    operator, seated, player, worker
):
    table, other = await seated("anna", "ben"), await worker()
    before = await operator().asks("InspectTable", table_id=table)

    there = operator(other.address)
    assert (await there.asks("InspectTable", table_id=table)).view == before.view
    ended = await there.asks("EndTable", table_id=table, reason="a test")

    assert ended.reason == "abandoned"
    view = await player("anna").looks(table)
    assert view.outcome.reason == "abandoned"
    again = await operator().asks("EndTable", table_id=table, reason="a test")
    assert again.reason == "abandoned"


async def test_a_table_that_is_over_stays_as_it_ended(operator, seated, player):
    table = await seated("anna", "ben")
    await player("anna").concedes(table)
    before = await player("anna").looks(table)

    ended = await operator().asks("EndTable", table_id=table, reason="too late")

    assert ended.reason == before.outcome.reason != "abandoned"
    assert await player("anna").looks(table) == before


@pytest.mark.parametrize(
    ("method", "told", "reason"),
    [
        ("ListTables", {"limit": 501}, "INVALID_FIELD"),
        ("ListTables", {"state": 9}, "INVALID_FIELD"),
        ("ListTables", {"after": "../x"}, "INVALID_FIELD"),
        ("InspectTable", {"table_id": "t-none"}, "TABLE_NOT_FOUND"),
        ("InspectTable", {"table_id": ""}, "INVALID_FIELD"),
        ("EndTable", {"table_id": "t-none", "reason": "x"}, "TABLE_NOT_FOUND"),
        ("EndTable", {"table_id": "t-none"}, "INVALID_FIELD"),
        ("EndTable", {"table_id": "t-none", "reason": "a\nb"}, "INVALID_FIELD"),
        ("ReadJournal", {"table_id": "t-none"}, "TABLE_NOT_FOUND"),
        ("ReadJournal", {"table_id": "t-none", "after": 2**60}, "INVALID_FIELD"),
        ("Drain", {"worker": "engine-9"}, "INVALID_FIELD"),
        ("Drain", {}, "INVALID_FIELD"),
        ("BanPlayer", {"player_id": "", "reason": "x"}, "INVALID_FIELD"),
        ("BanPlayer", {"player_id": "p", "reason": "x"}, "INVALID_FIELD"),
        ("BanPlayer", {"player_id": "p", "until_ms": 2**50}, "INVALID_FIELD"),
        ("LiftBan", {"player_id": "a\x00"}, "INVALID_FIELD"),
    ],
)
async def test_what_cannot_be_done_is_refused_in_words(method, told, reason, operator):
    assert await operator().is_refused(method, **told) == reason


# ---- T-04: no privilege shows a hidden face ------------------------------------------


@pytest.mark.parametrize("game", ["skirmish", "gwent"])
@pytest.mark.parametrize("told", [{}, {"spectating": table_pb2.SPECTATING_NONE}])
async def test_t04_nothing_an_operator_does_shows_him_a_hidden_face(
    game, told, operator, seated, player
):
    table, carl = await seated("anna", "ben", game=game, **told), operator()
    shown, hidden = set(), set()
    for _ in range(8):
        seen = await carl.asks("InspectTable", table_id=table)
        secret = [await player(name).looks(table) for name in ("anna", "ben")]
        shown |= canaries_in(str(seen)) & canaries_in(str(seen.view.places))
        hidden |= set.union(*(canaries_in(str(one)) for one in secret))
        both_know = set.intersection(*(faces_of(one) for one in secret))
        assert faces_of(seen.view) <= both_know
        told_besides = [
            await carl.asks("ListTables"),
            await carl.bans_of("ListBans"),
            pb.InspectTableResponse(table=seen.table, seats=seen.seats),
        ]
        assert canaries_in(str(told_besides)) == set()
        await moved(player, table)
    ended = await carl.asks("EndTable", table_id=table, reason="a test")

    assert canaries_in(str(ended)) == set()
    assert hidden - shown, "there was something to hide"


def faces_of(view):
    """Which card has which face, as far as this view tells."""
    return {
        (card.handle, card.face)
        for place in view.places
        for card in place.cards
        if card.face
    }


# ---- draining ------------------------------------------------------------------------


async def test_a_drained_worker_hands_all_over_and_is_ready_no_more(
    operator, seated, player, worker, engine
):
    other = await worker()
    tables = [await seated("anna", "ben") for _ in range(3)]
    before = [await player("anna").looks(table) for table in tables]
    async with player("ben").sitting(tables[0]) as stream:
        await stream.update()
        asking = asyncio.create_task(operator().asks("Drain", worker="engine"))
        reason = await stream.reason_of_end()
        drained = await asking

    assert reason == "TABLE_MOVING"
    assert drained.tables == 3
    assert not engine.is_ready
    views = [await player("anna", other.address).looks(table) for table in tables]
    assert views == before
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await player("carl").looks(tables[0])
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_worker_is_drained_by_its_whole_name_too_and_may_be_asked_again(
    operator, player, engine
):
    info = await player("anna").asks("GetServerInfo")
    carl = operator()

    asked = (carl.asks("Drain", worker=one) for one in (info.worker, "engine"))
    drained = await asyncio.gather(*asked)

    assert [one.tables for one in drained] == [0, 0]
    assert not engine.is_ready
    await engine.stop()


# ---- bans ----------------------------------------------------------------------------


async def test_a_player_is_banned_by_one_worker_and_turned_away_by_all(
    operator, seated, player, worker
):
    other, table = await worker(), await seated("anna", "ben")
    until = int(time.time() * 1000) + 600_000
    async with player("anna").sitting(table) as stream:
        await stream.update()
        told = {"player_id": "anna", "until_ms": until, "reason": "insults"}
        await operator().bans_of("BanPlayer", **told)
        assert await stream.reason_of_end() == "TOKEN_REVOKED"
    anna = player("anna", other.address)
    async with asyncio.timeout(30):
        while await looks(anna, table) != "TOKEN_REVOKED":  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    (ban,) = (await operator(other.address).bans_of("ListBans")).bans
    assert (ban.player_id, ban.until_ms) == ("anna", until)
    assert await looks(player("ben"), table) == "OK"
    await operator(other.address).bans_of("LiftBan", player_id="anna")
    async with asyncio.timeout(30):
        while await looks(player("anna"), table) != "OK":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert not (await operator().bans_of("ListBans")).bans


async def looks(who, table):
    try:
        await who.looks(table)
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return "OK"


# ---- the log -------------------------------------------------------------------------


async def test_all_an_operator_does_is_a_line_in_the_log(
    engine, keys_folder, seated, operator
):
    table, carl = await seated("anna", "ben"), operator()
    until = int(time.time() * 1000) + 60_000
    with structlog.testing.capture_logs() as lines:
        await carl.asks("ListTables")
        await carl.asks("InspectTable", table_id=table)
        await carl.asks("EndTable", table_id=table, reason="a bet")
        told = {"player_id": "anna", "until_ms": until, "reason": "insults"}
        await carl.bans_of("BanPlayer", **told)
        await carl.bans_of("LiftBan", player_id="anna")

    told = [line for line in lines if line["event"] == "operator"]
    assert [line["did"] for line in told] == [
        *("ListTables", "InspectTable", "EndTable", "BanPlayer", "LiftBan")
    ]
    assert {line["who"] for line in told} == {"operator"}
    assert {line["log_level"] for line in told} == {"warning"}
    assert (told[2]["table"], told[2]["reason"]) == (table, "a bet")
    assert (told[3]["player"], told[3]["reason"]) == ("anna", "insults")
