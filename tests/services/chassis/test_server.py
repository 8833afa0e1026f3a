import asyncio
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.chassis.server import Bound, start
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME, EchoStub, bind_echo

PROCESS = """
from services.chassis.config import ServiceConfig
from services.chassis.server import Bound, run

async def bind(server, resources):
    async def drain():
        print("handed over", flush=True)
    return Bound((), drain=drain)

run("engine", ServiceConfig, bind)
"""


async def health_of(channel, name=""):
    stub = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)


@pytest.mark.parametrize("name", ["", NAME])
async def test_health_is_told_for_the_whole_and_for_each_service(stub, name):
    assert await health_of(stub.channel, name) == "SERVING"


async def services_told(address):
    """The names that reflection gives."""
    async with grpc.aio.insecure_channel(address) as channel:
        reflect = reflection_pb2_grpc.ServerReflectionStub(channel)
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = await reflect.ServerReflectionInfo(iter([ask])).read()
        return {each.name for each in answer.list_services_response.service}


async def test_nothing_tells_what_there_is_to_call(running):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await services_told(running.address)

    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_unless_reflection_is_asked_for(config, echo):
    told = replace(config, reflection=True)
    service = await start("engine", told, bind_echo(echo))

    assert NAME in await services_told(service.address)
    await service.stop()


async def test_while_draining_it_is_not_serving_and_calls_still_end(config, echo):
    draining, go = asyncio.Event(), asyncio.Event()

    async def drain():
        draining.set()
        await go.wait()

    running = await start("engine", config, bind_echo(echo, Bound((NAME,), drain)))
    stub = EchoStub(running.address)
    assert await stub("Echo", "before") == "before"

    stopping = asyncio.create_task(running.stop())
    await draining.wait()
    assert await health_of(stub.channel, NAME) == "NOT_SERVING"
    assert await stub("Echo", "meanwhile") == "meanwhile"

    go.set()
    await stopping
    with pytest.raises(grpc.aio.AioRpcError):
        await stub("Echo", "after", timeout=2)
    await stub.channel.close()


async def test_a_drain_that_fails_does_not_keep_the_server(config, echo):
    closed = asyncio.Event()

    async def drain():
        raise RuntimeError

    async def close():
        closed.set()

    bound = Bound((NAME,), drain, close)
    running = await start("engine", config, bind_echo(echo, bound))
    await running.stop()

    assert closed.is_set()


@pytest.fixture
def environ(valkey, keys_folder, tmp_path):
    return os.environ | {
        "ANPAI_LISTEN": "127.0.0.1:0",
        "ANPAI_METRICS_LISTEN": "127.0.0.1:0",
        "ANPAI_REDIS_URL": valkey,
        "ANPAI_KEYS": str(keys_folder),
        "ANPAI_ADDRESS_FILE": str(tmp_path / "address"),
    }


def process(environ):
    return subprocess.Popen(
        [sys.executable, "-c", PROCESS],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_in_order_with_0(environ, tmp_path, number):
    with process(environ) as running:
        ready = json.loads(running.stderr.readline())
        running.send_signal(number)
        out, _ = running.communicate(timeout=20)

    assert ready["event"] == "ready"
    assert json.loads((tmp_path / "address").read_text()) == {
        "grpc": ready["grpc"],
        "metrics": ready["metrics"],
    }
    assert (running.returncode, out) == (0, "handed over\n")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("ANPAI_LISTEN", "nowhere"), ("ANPAI_KEYS", "/"), ("ANPAI_LISTEN", "192.0.2.1:1")],
)
def test_a_bad_setting_ends_it_with_2_and_one_sentence(environ, variable, value):
    with process(environ | {variable: value}) as running:
        _, told = running.communicate(timeout=20)

    assert running.returncode == 2
    assert told.splitlines()[-1].startswith(f"anpai engine: {variable}")
    assert "Traceback" not in told
