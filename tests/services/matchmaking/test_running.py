"""The server as a whole: loops that are begun again, stores that go, streams that end,
and the process that stops in order."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import grpc
import pytest

from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.chassis.telemetry import fresh_metrics
from services.matchmaking.supervise import Supervisor
from services.matchmaking.wakeups import Bell, Wakeups
from tests.services.matchmaking.conftest import SLOWLY
from tests.services.matchmaking.players import (
    House,
    comes_true,
    refused,
    state_of,
    wish,
)


def value(running, name, **labels):
    return running.metrics.registry.get_sample_value(f"anpai_{name}", labels)


def passed(running):
    return value(running, "pairing_last_pass_seconds")


# ---- what operators see --------------------------------------------------------------


async def test_t34_depth_and_age_of_the_queue_are_measured_by_game(house, running):
    players = await house.players(3)
    for player in players:
        await player.ticket(wish(seats=4))

    def oldest():
        return value(running, "oldest_ticket_seconds", game="skirmish")

    def queued():
        names = ("queued_tickets", "queued_players")
        return [value(running, name, game="skirmish") for name in names]

    await comes_true(lambda: queued() == [3, 3] and oldest() > 0.1)
    assert oldest() < 60

    last = await house.sign_in()
    await last.play(wish(seats=4))

    await comes_true(lambda: queued() == [0, 0] and oldest() == 0)
    assert value(running, "assignments_total", game="skirmish") == 4
    assert value(running, "openings_total", outcome="opened") == 1
    assert value(running, "ticket_wait_seconds_count", game="skirmish") == 4


async def test_t40_the_loop_shows_that_it_lives(running):
    for _ in range(3):
        last = passed(running)
        await comes_true(lambda last=last: passed(running) > last)


async def test_t40_a_loop_that_fails_or_ends_is_begun_again():
    metrics, runs = fresh_metrics(), []

    async def loop():
        runs.append(len(runs))
        if len(runs) == 1:
            raise KeyError("a bug")
        if len(runs) > 2:
            await asyncio.sleep(60)

    loops = Supervisor(metrics)
    loops.start("pairing", loop)
    await comes_true(lambda: len(runs) == 3)
    await loops.stop()

    assert len(runs) == 3
    name = "anpai_loop_restarts_total"
    assert metrics.registry.get_sample_value(name, {"loop": "pairing"}) == 2


async def test_a_loop_that_is_rung_as_it_is_stopped_is_stopped():
    bell = Bell()
    waiting = asyncio.create_task(bell.wait(at_most_ms=60_000))
    await asyncio.sleep(0)

    bell.ring()
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_loop_that_does_not_hear_is_told_again_to_stop():
    async def deaf():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)

    loops = Supervisor(fresh_metrics())
    loops.start("deaf", deaf)
    await asyncio.sleep(0)

    async with asyncio.timeout(20):
        await loops.stop()


async def test_without_any_wake_up_all_comes_to_pass_a_little_later(house, monkeypatch):
    monkeypatch.setattr(Wakeups, "ring", lambda self, subject: None)
    host = house.bot_host()
    await host.offer("skirmish")
    anna, ben = await house.players(2)
    mine = await anna.ticket(wish(seats=3, bots=1))
    watching = asyncio.create_task(anna.seat(mine.id))
    await asyncio.sleep(0.2)

    theirs = await ben.play(wish(seats=3, bots=1))

    assert (await watching).table_id == theirs.table_id
    assert (await host.next()).assignment.table_id == theirs.table_id


# ---- a store that goes ---------------------------------------------------------------


class TestStoreThatGoes:
    @pytest.fixture
    def valkey(self, own_store):
        return own_store.url

    async def test_tickets_and_watches_outlast_the_store(self, house, own_store):
        anna, ben = await house.players(2)
        mine = await anna.ticket()

        own_store.kill()
        with refused("PART_UNAVAILABLE") as error:
            await ben.ticket()
        assert error.value.retry_after is not None
        own_store.start()

        bens = await seat_in_the_end(ben)
        assert (await anna.seat(mine.id)).table_id == bens.table_id


async def seat_in_the_end(player):
    """As a client does: again, with the same request id."""
    async with asyncio.timeout(30):
        while True:
            try:
                ticket = await player.ticket(request_id="the-same-request")
                return await player.seat(ticket.id)
            except Exception:
                await asyncio.sleep(0.2)


# ---- streams -------------------------------------------------------------------------


async def test_streams_that_are_left_leave_nothing_behind(house, running):
    anna = await house.sign_in()
    mine = await anna.ticket(wish(seats=4))
    for _ in range(100):
        async for _ in anna.watch(mine.id):
            break

    await comes_true(lambda: streams(running, "WatchTicket") == 0)


def streams(running, method):
    """Now open."""
    method = f"/anpai.matchmaking.v1.MatchmakingService/{method}"
    return value(running, "open_streams", method=method)


class TestStopping:
    @pytest.fixture
    def timings(self, slow):
        return slow

    @pytest.fixture(autouse=True)
    def _patient(self, monkeypatch):
        """A stream is not waited for so long: who is told nothing is noticed here."""
        monkeypatch.setattr("services.chassis.server.GRACE_SECONDS", 60)

    async def test_watches_are_told_to_ask_elsewhere(self, house, running):
        anna = await house.sign_in()
        mine = await anna.ticket(wish(seats=4))
        watching = asyncio.create_task(anna.settled(mine.id))
        await comes_true(lambda: streams(running, "WatchTicket") == 1)

        async with asyncio.timeout(20):
            await running.stop()

        with refused("PART_UNAVAILABLE") as error:
            await watching
        assert error.value.metadata == {"part": "matchmaking"}

    async def test_hosts_are_told_too(self, house, running):
        host = house.bot_host()
        await host.offer("skirmish")
        await comes_true(lambda: streams(running, "HostBots") == 1)

        async with asyncio.timeout(20):
            await running.stop()

        with refused("PART_UNAVAILABLE"):
            await host.ended

    async def test_what_is_reserved_is_assigned_first(
        self, house, running, engines, begin, keys_folder
    ):
        for engine in engines:
            engine.faults.append(SLOWLY)
        anna, ben = await house.players(2)
        mine, _ = await anna.ticket(), await ben.ticket()
        opening = [asyncio.create_task(each.opening.wait()) for each in engines]
        await asyncio.wait(opening, return_when=asyncio.FIRST_COMPLETED)
        assert state_of(await anna.look(mine.id)) == "RESERVED"

        await running.stop()

        heir = House((await begin()).address, keys_folder)
        told = (("authorization", f"Bearer {anna.token}"),)
        request = pb.GetTicketRequest(ticket_id=mine.id)
        found = await heir.stub.GetTicket(request, metadata=told)
        assert state_of(found.ticket) == "ASSIGNED"
        await heir.close()


# ---- the process ---------------------------------------------------------------------


def test_the_process_is_driven_by_its_environment_and_stops_in_order(
    valkey, keys_folder, tmp_path
):
    environ = os.environ | {
        "ANPAI_LISTEN": "127.0.0.1:0",
        "ANPAI_METRICS_LISTEN": "127.0.0.1:0",
        "ANPAI_REDIS_URL": valkey,
        "ANPAI_KEYS": str(keys_folder),
        "ANPAI_ENGINES": "127.0.0.1:1",
        "ANPAI_ADDRESS_FILE": str(tmp_path / "address"),
    }
    command = [sys.executable, "-m", "services.matchmaking"]
    with subprocess.Popen(
        command, env=environ, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        ready = next(
            line for line in map(json.loads, lines) if line["event"] == "ready"
        )
        with grpc.insecure_channel(ready["grpc"]) as channel:
            sign_in = channel.unary_unary(
                "/anpai.matchmaking.v1.MatchmakingService/SignIn",
                request_serializer=pb.SignInRequest.SerializeToString,
                response_deserializer=pb.SignInResponse.FromString,
            )
            assert sign_in(pb.SignInRequest(name="Anna"), timeout=30).token
        process.send_signal(signal.SIGTERM)
        process.stderr.read()

    assert process.returncode == 0
