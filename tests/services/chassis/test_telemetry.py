import asyncio
import http.client
import json
import logging
import time

import pytest
import structlog

from services.chassis.telemetry import OperatorPort, fresh_metrics


@pytest.fixture
def ready():
    return {"now": False}


@pytest.fixture
def port(ready):
    port = OperatorPort("127.0.0.1:0", fresh_metrics(), lambda: ready["now"])
    port.start()
    yield port
    port.stop()


def read(port, path):
    connection = http.client.HTTPConnection(port.address, timeout=5)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_metrics_are_read_on_a_port_of_their_own(port):
    status, page = read(port, "/metrics")

    assert status == 200
    assert "anpai_takeovers_total 0.0" in page


def test_living_and_ready_are_two_things(port, ready):
    assert read(port, "/healthz")[0] == 200
    assert read(port, "/readyz")[0] == 503

    ready["now"] = True

    assert read(port, "/readyz")[0] == 200


def test_no_secret_is_logged(logged):
    structlog.get_logger().info("signed in", player_token="t0ps3cret", raw=b"t0ps3cret")

    line = json.loads(logged()[0])
    assert (line["player_token"], line["raw"]) == ("hidden", "hidden")
    assert line["event"] == "signed in"


def test_what_a_library_logs_quotes_no_error(logged):
    try:
        raise KeyError("gwent/secret-card")
    except KeyError:
        logging.getLogger("asyncio").exception("Task failed\nfuture: secret-card")

    (line,) = logged()
    assert json.loads(line)["event"] == "Task failed"
    assert json.loads(line)["passage"][-1] == "KeyError"
    assert "secret-card" not in line


async def test_a_loop_that_was_held_up_is_seen(running):
    await asyncio.sleep(0.05)
    value = running.metrics.registry.get_sample_value
    slow = {"le": "0.2"}

    time.sleep(0.6)  # noqa: ASYNC251
    await asyncio.sleep(0.3)

    late = value("anpai_loop_lag_seconds_count")
    assert late > value("anpai_loop_lag_seconds_bucket", slow)
