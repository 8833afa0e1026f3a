import json
import logging

import pytest
import structlog
from redis.asyncio.sentinel import MasterNotFoundError
from redis.exceptions import ConnectionError as RedisConnectionError

from services.chassis.telemetry import (
    DENIALS,
    REQUEST,
    STOPS,
    TABLE,
    fresh_metrics,
    passage_of,
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


def test_an_error_that_was_kept_quiet_about_is_not_told_in_a_passage():
    """redis-py's own sentence has the store's password."""
    try:
        try:
            raise MasterNotFoundError("no master: Redis(password=hunter2)")
        except MasterNotFoundError:
            raise RedisConnectionError("no Sentinel knows who leads") from None
    except RedisConnectionError as error:
        told = passage_of(error)

    assert told[-1] == "ConnectionError: no Sentinel knows who leads"
    assert not [line for line in told if "hunter2" in line]


def test_of_an_error_on_the_way_through_another_both_are_told():
    try:
        try:
            raise KeyError("a bug")
        except KeyError:
            raise OSError("closed")  # noqa: B904
    except OSError as error:
        told = passage_of(error)

    assert told[1:3] == ["KeyError", "then"]
    assert told[-1] == "OSError: closed"


@pytest.mark.parametrize(
    ("counter", "reasons"), [("denied_calls", DENIALS), ("tables_stopped", STOPS)]
)
def test_a_counter_that_must_be_seen_to_grow_begins_at_0(counter, reasons):
    value = fresh_metrics().registry.get_sample_value

    for reason in reasons:
        assert value(f"anpai_{counter}_total", {"reason": reason}) == 0


def test_every_reason_to_stop_a_table_is_counted_from_0_on():
    assert set(STOPS) == STOPPED.keys()
