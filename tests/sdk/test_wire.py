"""How calls travel: when they are repeated, through which address, how patiently."""

import asyncio
import time

import grpc
import pytest

import anpai
from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.wire import OPTIONS, Backoff, Channels, Route, Wire, is_here
from services.chassis.client import SERVER_OPTIONS
from services.chassis.errors import AnpaiError, status_of
from tests.ports import HOST, free_port
from tests.sdk.engine_at_home import MatchmakingAtHome, serving


class Moody(MatchmakingAtHome):
    """Refuses a call some times before it does it."""

    def __init__(self) -> None:
        super().__init__([])
        self.refusals: list[AnpaiError] = []
        self.calls: list[str] = []
        self.tokens: list[str] = []

    async def SignIn(self, request, context):
        self.calls.append("SignIn")
        await self._refuse(context)
        return await super().SignIn(request, context)

    async def ListMySeats(self, request, context):
        self.calls.append("ListMySeats")
        told = dict(context.invocation_metadata())
        self.tokens.append(told.get("authorization", ""))
        await self._refuse(context)
        return pb.ListMySeatsResponse()

    async def HostBots(self, requests, context):
        self.calls.append("HostBots")
        await self._refuse(context)
        yield pb.HostBotsResponse()

    async def _refuse(self, context):
        if self.refusals:
            status = status_of(self.refusals.pop(0), "")
            details = ("grpc-status-details-bin", status.SerializeToString())
            context.set_trailing_metadata((details,))
            (code,) = [code for code in grpc.StatusCode if code.value[0] == status.code]
            await context.abort(code, status.message)


@pytest.fixture
def moody():
    return Moody()


@pytest.fixture
async def player(moody):
    async with serving(moody) as address, anpai.connect(address, patience=30) as player:
        yield player


GONE = AnpaiError("PART_UNAVAILABLE", "The store is away.")


async def test_what_may_be_repeated_is(moody, player):
    moody.refusals = [GONE, GONE]

    assert await player.my_seats() == []
    assert moody.calls == ["ListMySeats"] * 3


async def test_what_may_not_be_repeated_is_not(moody, player):
    moody.refusals = [GONE]

    with pytest.raises(anpai.Unavailable, match="store is away"):
        await player.sign_in("Anna")
    assert moody.calls == ["SignIn"]


async def test_the_time_that_the_server_names_is_waited(moody, player):
    moody.refusals = [AnpaiError("TOO_MANY", "Slowly.", retry_after=0.3)]

    started = time.perf_counter()
    await player.my_seats()

    assert time.perf_counter() - started >= 0.3


async def test_nobody_waits_longer_than_he_has_patience(moody, player):
    moody.refusals = [AnpaiError("TOO_MANY", "Tomorrow.", retry_after=86_400)]

    with pytest.raises(anpai.TooMany, match="Tomorrow") as refused:
        async with asyncio.timeout(10):
            await player.my_seats()
    assert refused.value.retry_after == 86_400
    assert moody.calls == ["ListMySeats"]


async def test_a_bot_host_waits_for_the_time_that_the_server_names(moody, player):
    """Three times: a stream refused while we write may end without saying why."""
    moody.refusals = [AnpaiError("TOO_MANY", "Slowly.", retry_after=0.3)] * 3

    started = time.perf_counter()
    async for _ in player.host(["skirmish"], capacity=1):
        break

    assert time.perf_counter() - started >= 0.3
    assert moody.calls == ["HostBots"] * 4


async def test_whoever_fails_to_sign_in_is_who_he_was(moody, player):
    await player.sign_in("Anna")
    moody.refusals = [GONE]
    with pytest.raises(anpai.Unavailable):
        await player.sign_in("Ben")

    await player.my_seats()

    assert moody.tokens == ["Bearer token of Anna"]


async def test_no_proxy_stands_between_two_programs_of_one_machine(moody, monkeypatch):
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with serving(moody) as address, anpai.connect(address) as player:
        assert await player.my_seats() == []


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("127.0.0.1:8400", True),
        ("localhost:8400", True),
        ("[::1]:8400", True),
        ("10.0.0.1:8400", False),
        ("127.example.org:443", False),
        ("dns:///engine:8400", False),
    ],
)
def test_a_name_that_looks_like_this_machine_is_not_it(address, here):
    assert is_here(address) is here


async def test_what_never_will_work_is_not_tried_twice(moody, player):
    moody.refusals = [AnpaiError("TOKEN_EXPIRED", "Sign in again.")]

    with pytest.raises(anpai.NotSignedIn):
        await player.my_seats()
    assert moody.calls == ["ListMySeats"]


async def test_signing_in_waits_for_a_server_as_long_as_it_has_patience(
    moody, monkeypatch
):
    monkeypatch.setattr("anpai.wire.CALL_SECONDS", 0.1)
    port = free_port()
    address = f"{HOST}:{port}"
    async with anpai.connect(address, patience=float("inf")) as player:
        signing_in = asyncio.create_task(player.sign_in("Anna"))
        await asyncio.sleep(0.2)
        async with serving(moody, port=port):
            assert await signing_in == "token of Anna"


def test_a_call_about_a_table_names_it_for_the_edge():
    wire = Wire(Channels(None), "secret", patience=1)

    assert wire.metadata("t-1f") == (
        ("authorization", "Bearer secret"),
        ("x-anpai-table", "t-1f"),
    )


@pytest.mark.parametrize("table_id", ["", "a b", "t\nx-role: boss", "桌"])
def test_what_cannot_be_a_table_is_left_for_the_server_to_refuse(table_id):
    assert Wire(Channels(None), None, patience=1).metadata(table_id) == ()


def test_we_never_ping_more_often_than_the_server_allows():
    ours, theirs = dict(OPTIONS), dict(SERVER_OPTIONS)
    least = theirs["grpc.http2.min_ping_interval_without_data_ms"]

    assert ours["grpc.keepalive_time_ms"] > least
    assert ours["grpc.keepalive_permit_without_calls"] == 0


async def test_a_route_tries_all_it_knows_before_it_asks_for_more():
    tried = []

    async def look():
        tried.append("look")
        return ["c", "a"]

    route = Route(["a", "b", "a"], look)
    for _ in range(5):
        tried.append(route.address)
        await route.turn()

    assert tried == ["a", "b", "look", "c", "a", "b", "look"]


def test_patience_counts_from_the_first_trouble(monkeypatch):
    clock = iter([100, 104, 106])
    monkeypatch.setattr("anpai.wire.monotonic", lambda: next(clock))
    backoff = Backoff(patience=5)

    assert not backoff.is_over
    assert backoff.is_over


async def test_pauses_grow_and_stay_bounded(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("anpai.wire.asyncio.sleep", sleep)
    backoff = Backoff()
    for _ in range(12):
        await backoff.pause()

    assert 0.025 <= slept[0] <= 0.05
    assert max(slept) <= 5.0
    assert min(slept[-3:]) >= 2.5
