import json
import logging

import pytest
import structlog

from services.chassis.telemetry import (
    DENIALS,
    REQUEST,
    STOPS,
    TABLE,
    fresh_metrics,
    set_up_logs,
)
from services.engine.refusals import STOPPED


@pytest.fixture
def at_table():
    """Something is being done for a request, at a table."""
    marks = [(REQUEST, REQUEST.set("r-17")), (TABLE, TABLE.set("t-5"))]
    yield
    for variable, mark in marks:
        variable.reset(mark)


def test_a_line_has_service_request_and_table(logged, at_table):
    set_up_logs("json", "info", "engine")

    structlog.get_logger().info("entries put back", count=3)

    (line,) = map(json.loads, logged())
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "entries put back",
        "level": "info",
        "count": 3,
        "service": "engine",
        "request": "r-17",
        "table": "t-5",
    }


def test_what_belongs_to_no_request_and_no_table_says_so_by_silence(logged):
    structlog.get_logger().info("store lost")

    (line,) = map(json.loads, logged())
    assert line.keys() == {"event", "level", "timestamp"}


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


@pytest.mark.parametrize(
    ("counter", "reasons"), [("denied_calls", DENIALS), ("tables_stopped", STOPS)]
)
def test_a_counter_that_must_be_seen_to_grow_begins_at_0(counter, reasons):
    value = fresh_metrics().registry.get_sample_value

    for reason in reasons:
        assert value(f"anpai_{counter}_total", {"reason": reason}) == 0


def test_every_reason_to_stop_a_table_is_counted_from_0_on():
    assert set(STOPS) == STOPPED.keys()
