"""What operators read: numbers, whether it lives, whether to send it players."""

import asyncio
import gc
import http.client
import threading
import time
from dataclasses import replace

import grpc
import pytest
import redis.asyncio

from services.chassis import operators, revoked
from services.chassis.client import meaning_of
from services.chassis.revoked import Revocations
from services.chassis.server import Bound, start
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Kind, player_token
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME, Echo, EchoStub, bind_echo


def read(service, path):
    connection = http.client.HTTPConnection(service.metrics_address, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


async def asked(service, path):
    return (await asyncio.to_thread(read, service, path))[0]


async def until_answered(service, path, status):
    async with asyncio.timeout(30):
        while await asked(service, path) != status:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_metrics_are_read_on_a_port_of_their_own(running):
    status, page = await asyncio.to_thread(read, running, "/metrics")

    assert status == 200
    assert "anpai_takeovers_total 0.0" in page
    assert "process_resident_memory_bytes" in page
    assert "python_gc_collections_total" in page


async def test_what_is_not_there_is_not_found(running):
    assert await asked(running, "/secrets") == 404


async def test_a_service_that_serves_lives_and_is_ready(running):
    assert await asked(running, "/healthz") == 200
    assert await asked(running, "/readyz") == 200


async def test_one_that_withdraws_lives_and_is_not_ready(config):
    """It goes on answering those it has; nobody else is sent to it."""
    draining, go = asyncio.Event(), asyncio.Event()

    async def drain():
        draining.set()
        await go.wait()

    told, bound = replace(config, drain_ms=500), Bound((NAME,), drain)
    service = await start("engine", told, bind_echo(Echo(), bound))
    began = time.monotonic()
    stopping = asyncio.create_task(service.stop())
    await draining.wait()
    assert time.monotonic() - began >= 0.5

    assert await asked(service, "/healthz") == 200
    assert await asked(service, "/readyz") == 503
    assert await asked(service, "/readyz?exclude=store") == 503
    go.set()
    await stopping


async def test_without_its_store_it_lives_and_is_not_ready(
    config, own_store, monkeypatch
):
    """To start it again would not bring the store back; it can still say so itself."""
    monkeypatch.setattr(operators, "STORE_PAUSE", 0.05)
    there = replace(config, redis_url=own_store.url)
    service = await start("engine", there, bind_echo(Echo()))
    for change, ready in ((own_store.kill, 503), (own_store.start, 200)):
        await asyncio.to_thread(change)
        await until_answered(service, "/readyz", ready)
        assert await asked(service, "/healthz") == 200
        assert await asked(service, "/readyz?exclude=store") == 200
    await service.stop()


async def test_a_store_that_lets_nobody_in_is_none_until_it_does(
    config, own_store, keys, monkeypatch
):
    """Somebody has mended its users, and mends them again. Bans are heard of after."""
    monkeypatch.setattr(operators, "STORE_PAUSE", 0.05)
    monkeypatch.setattr(revoked, "LOOK_SECONDS", 0.01)
    service = await start(
        "engine", replace(config, redis_url=own_store.url), bind_echo(Echo())
    )
    async with redis.asyncio.from_url(own_store.url) as store:
        for may, ready in (("-@scripting", 503), ("+@scripting", 200)):
            await store.execute_command("ACL", "SETUSER", "default", may)
            await until_answered(service, "/readyz", ready)

    another = await open_store(own_store.url, fresh_metrics())
    await Revocations(another, "engine").revoke_player("anna", 60)
    await another.close()
    anna = player_token(keys["matchmaking"], "anna", "Anna", Kind.GUEST, 60)
    stub = EchoStub(service.address)
    async with asyncio.timeout(10):
        while not await is_refused(stub, anna):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await stub.channel.close()
    await service.stop()


async def is_refused(stub, token):
    try:
        await stub("WhoAmI", metadata=(("authorization", f"Bearer {token}"),))
    except grpc.aio.AioRpcError as error:
        return meaning_of(error).reason == "TOKEN_REVOKED"
    return False


async def test_one_whose_loop_stands_does_not_live(running, monkeypatch):
    monkeypatch.setattr(operators, "LOOP_STANDS_AFTER", 0.4)
    told = []
    asking = threading.Timer(0.8, lambda: told.append(read(running, "/healthz")))
    asking.start()

    time.sleep(1.0)  # noqa: ASYNC251
    asking.join()

    assert told == [(503, "stands\n")]
    await until_answered(running, "/healthz", 200)


async def test_a_loop_that_was_held_up_is_seen(running):
    await asyncio.sleep(0.05)
    value = running.metrics.registry.get_sample_value
    slow = {"le": "0.2"}

    time.sleep(0.6)  # noqa: ASYNC251
    await asyncio.sleep(0.3)

    late = value("anpai_loop_lag_seconds_count")
    assert late > value("anpai_loop_lag_seconds_bucket", slow)


@pytest.fixture
def swept():
    """Metrics of whoever watches the collector for the length of a test."""
    metrics = fresh_metrics()
    operators.watch_collector(metrics)
    yield metrics
    gc.callbacks.pop()


def test_each_sweep_of_memory_is_timed(swept):
    value = swept.registry.get_sample_value
    before = value("anpai_gc_pause_seconds_count")

    gc.collect()

    assert value("anpai_gc_pause_seconds_count") > before
    assert value("anpai_gc_pause_seconds_sum") > 0
