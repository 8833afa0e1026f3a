"""Through Envoy, as it is deployed: what is public is played, the rest is not there."""

import asyncio
import json
import ssl
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.x509.oid import NameOID
from prometheus_client.parser import text_string_to_metric_families

import anpai
from anpai.engine.v1 import engine_service_pb2 as pb
from tests.contract.contract import methods
from tests.evenings.begun import Begun
from tests.evenings.edge import Edge, behind, running
from tests.evenings.grpc_web import PAGE, TRAILERS, Reply, asking, posting
from tests.evenings.players import Played, Seating, assert_nothing_is_lost, games_of
from tests.evenings.processes import Process, read
from tests.evenings.tapping import tapped
from tests.evenings.town import GAME, BotSeat, Town, a_town
from tests.services.callers import everybody
from tests.services.raw import end_of, path_of
from tests.stores import a_store, kinds

HIDDEN = ("anpai.vault.", "anpai.engine.internal.", "anpai.operator.")
TABLES = ((2, "skirmish"), (3, "skirmish"), (4, "skirmish"), (2, "gwent", "duel"))
PAUSE = 0.04
SIT, WATCH, VIEW, LIST = (
    f"/anpai.engine.v1.EngineService/{name}"
    for name in ("Sit", "Watch", "GetView", "ListGames")
)


# One town for all, for it takes its time to start: the calm tests come first.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(
    keys_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Town]:
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as short,
        a_store(kinds()["valkey"], Path(short)) as store,
    ):
        folder = tmp_path_factory.mktemp("edge")
        async with a_town(store, keys_folder, folder, edged=True) as town:
            yield town


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def edge(town: Town) -> AsyncIterator[Edge]:
    """In front of the town, at the address that its players are told."""
    edge = Edge(town.edge, town.folder)
    async with running(edge, patient(edge.config(behind(town)))):
        yield edge


def patient(config: dict[str, Any]) -> dict[str, Any]:
    """On a busy machine a worker that is well may be silent for a second."""
    for cluster in config["static_resources"]["clusters"]:
        for check in cluster.get("health_checks", ()):
            check["timeout"] = "20s"
    return config


def is_hidden(method) -> bool:
    service: str = method.containing_service.full_name
    return service.startswith(HIDDEN) or method.name == "HostBots"


def through_the_edge(bot: BotSeat) -> BotSeat:
    """Nobody outside knows a worker's own address."""
    bot.seat.engine_address = ""
    return bot


async def seated(town: Town, seating: Seating) -> "list[asyncio.Task[Played]]":
    """Bots at a table of each kind, and somebody who watches the first."""
    bots = [bot for table in TABLES for bot in await town.open_table(*table)]
    playing = [seating.play(through_the_edge(bot)) for bot in bots]
    return [asyncio.create_task(one) for one in (*playing, seating.watch(bots[0].seat))]


# ---- games ---------------------------------------------------------------------------


async def test_all_calls_of_a_table_reach_one_worker(town: Town, edge: Edge):
    """Were they spread, workers would pass half of them on to each other."""
    seating = Seating(edge.address, edge.folder, tls=edge.trust)
    before = await passed_on(town), await sat(town)

    played = await asyncio.gather(*await seated(town, seating))

    assert not any(one.resumed for one in played)
    assert await passed_on(town) == before[0]
    assert await sat(town) - before[1] == sum(table[0] for table in TABLES)


async def passed_on(town: Town) -> float:
    return sum([await total(engine, "forwarded") for engine in town.engines])


async def sat(town: Town) -> float:
    return sum([await total(engine, "calls", method=SIT) for engine in town.engines])


async def total(process, name: str, **labels: str) -> float:
    """A counter of a process, over all labels but these."""
    families = text_string_to_metric_families(await process.metrics())
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == f"anpai_{name}_total"
        and labels.items() <= sample.labels.items()
    )


async def test_a_seat_found_through_it_is_played_through_it(town: Town, edge: Edge):
    async def seat(name: str) -> anpai.Assignment:
        async with anpai.connect(edge.address, tls=edge.trust) as house:
            await house.sign_in(name)
            return await (await house.enter(GAME, seats=2)).seat()

    seats = await asyncio.gather(seat("Anna"), seat("Ben"))

    assert {one.engine_address for one in seats} == {edge.address}
    assert len({one.table_id for one in seats}) == 1


async def test_a_bot_that_lives_behind_it_plays_with_who_comes_through_it(
    town: Town, edge: Edge, keys_folder: Path
):
    bots = Process(
        "bots-behind",
        "clients.bots.host",
        edge.folder,
        ANPAI_SERVER=town.matchmaking.address,
        ANPAI_ENGINES=edge.inside,
        ANPAI_KEYS=keys_folder,
    )
    try:
        await bots.start()
        played = await against_a_bot(edge)
    finally:
        bots.kill()

    assert_nothing_is_lost(await games_of(edge.address, [played], edge.trust))


async def against_a_bot(edge: Edge) -> Played:
    """A game of somebody whom nothing waits for."""
    seating = Seating(edge.address, edge.folder, tls=edge.trust)
    async with seating.connect() as house:
        tap = tapped(house)
        await house.sign_in("Anna", bot=True)
        ticket = await house.enter(GAME, seats=2, bots=1)
        return await seating.plays(house, await ticket.seat(), tap, 0.0)


# ---- browsers ------------------------------------------------------------------------


async def test_a_browser_is_answered_in_grpc_web(edge: Edge):
    request = pb.ListGamesRequest(locale="en").SerializeToString()
    async with posting(edge.address, edge.https, LIST, request) as reply:
        games = pb.ListGamesResponse.FromString((await reply.frame()).content)
        end = await reply.frame()

    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, PAGE)
    assert [one.name for one in games.games] == ["gwent", "skirmish"]
    assert (end.kind, end.trailers["grpc-status"]) == (TRAILERS, "0")


async def test_a_browser_hears_why_it_is_refused(edge: Edge):
    request = pb.GetViewRequest(table_id="t-none").SerializeToString()
    async with posting(edge.address, edge.https, VIEW, request) as reply:
        told = reply.headers

    assert told["grpc-status"] == str(grpc.StatusCode.UNAUTHENTICATED.value[0])
    assert told["grpc-status-details-bin"]


async def test_a_browser_watches_a_table_as_it_goes_on(town: Town, edge: Edge):
    seating = Seating(edge.address, edge.folder, tls=edge.trust)
    bots = [through_the_edge(bot) for bot in await town.open_table(2)]
    request = pb.WatchRequest(table_id=bots[0].seat.table_id).SerializeToString()
    token = town.token("bot-onlooker")
    async with posting(edge.address, edge.https, WATCH, request, token) as reply:
        first = await watched(reply)
        playing = asyncio.gather(*map(seating.play, bots))
        assert first.WhichOneof("update") == "view"
        while not over(await watched(reply)):
            pass
        assert (await reply.frame()).trailers["grpc-status"] == "0"
    await playing


async def watched(reply: Reply) -> pb.TableUpdate:
    frame = await reply.frame()
    return pb.WatchResponse.FromString(frame.content).update


def over(update: pb.TableUpdate) -> bool:
    return any(event.HasField("ended") for event in update.events.events)


async def test_a_page_of_any_origin_may_ask_what_it_may_send(edge: Edge):
    asked = {
        "origin": PAGE,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-grpc-web,content-type",
    }
    async with asking(edge.address, edge.https, f"OPTIONS {LIST}", asked) as reply:
        assert reply.status == 200
        assert reply.headers["access-control-allow-origin"] == PAGE
        allowed = reply.headers["access-control-allow-headers"].split(", ")
        assert {"authorization", "x-grpc-web", "x-anpai-table"} <= set(allowed)
        assert "access-control-allow-credentials" not in reply.headers


# ---- what is not there ---------------------------------------------------------------


async def test_only_what_is_public_is_there(edge: Edge, keys_folder: Path):
    engine = everybody(keys_folder, "vault")["the engine service"]
    async with grpc.aio.secure_channel(edge.address, edge.trust) as channel:
        for method in methods():
            end = await end_of(channel, method, b"", engine.metadata)

            not_there = end.code is grpc.StatusCode.UNIMPLEMENTED
            assert not_there == is_hidden(method), (path_of(method), end)


async def test_nobody_comes_in_without_tls(edge: Edge):
    async with anpai.connect(edge.address, patience=0.2) as house:
        with pytest.raises(anpai.Unavailable):
            await house.games()


# ---- operators -----------------------------------------------------------------------


async def test_a_renewed_certificate_is_taken_without_a_restart(edge: Edge):
    assert await certificate_of(edge) == "edge"

    edge.renew("edge-renewed")

    assert await the_next(edge, "edge") == "edge-renewed"


async def the_next(edge: Edge, known: str) -> str:
    """The name that comes after this one."""
    async with asyncio.timeout(20):
        while True:
            if (name := await certificate_of(edge)) != known:
                return name
            await asyncio.sleep(0.05)


async def certificate_of(edge: Edge) -> str:
    """The name on the certificate that a client is shown."""
    host, _, port = edge.address.rpartition(":")
    address = host, int(port)
    pem = await asyncio.to_thread(ssl.get_server_certificate, address, timeout=10)
    certificate = x509.load_pem_x509_certificate(pem.encode())
    (name,) = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(name.value)


async def test_its_log_tells_of_each_call_and_of_no_token(edge: Edge):
    async with anpai.connect(edge.address, tls=edge.trust) as house:
        token = await house.sign_in("Anna")
        with pytest.raises(anpai.NotFound):
            await house.view("t-none")

    line = await logged(edge, "t-none")

    assert line["table"] == "t-none"
    assert line["method"] == "/anpai.engine.v1.EngineService/GetView"
    assert line["code"] == "NotFound"
    assert token not in edge.log.read_text()


async def logged(edge: Edge, word: str) -> dict[str, object]:
    """The first line with this word, once it is written."""
    async with asyncio.timeout(30):
        while True:
            for line in edge.log.read_text().splitlines():
                if line.startswith("{") and word in line:
                    told: dict[str, object] = json.loads(line)
                    return told
            await asyncio.sleep(0.1)


async def test_operators_are_told_as_by_every_service(edge: Edge):
    def told(path: str) -> str:
        return read(f"http://{edge.operators}/{path}")

    assert "envoy_http_downstream_rq_total" in await asyncio.to_thread(told, "metrics")
    assert "LIVE" in await asyncio.to_thread(told, "readyz")
    assert await asyncio.to_thread(told, "healthz") == ""


# ---- and in a storm ------------------------------------------------------------------


async def test_t21_games_are_played_through_it_while_workers_are_replaced(
    town: Town, edge: Edge
):
    seating = Begun(edge.address, edge.folder, PAUSE, edge.trust)
    playing = await seated(town, seating)
    await seating.have_accepted(15)
    for engine in town.engines:
        assert await engine.stop() == 0
        await engine.start()

    played = await asyncio.gather(*playing)

    assert any(one.resumed for one in played)
    games = await games_of(edge.address, played, edge.trust)
    assert len(games) == len(TABLES)
    assert_nothing_is_lost(games)
