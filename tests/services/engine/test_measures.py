"""What a worker counts of its tables, and what its log lines say of them."""

import json
import logging

import grpc
import pytest
import redis.asyncio as redis
import structlog

from services.chassis.telemetry import set_up_logs
from tests.sdk.waiting import until
from tests.services.engine.playing import an_answer
from tests.services.engine.test_timers import MINUTE, Clock, started


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("services.engine.running.wall_ms", clock)
    monkeypatch.setattr("services.engine.tables.SWEEP_SECONDS", 0.05)
    monkeypatch.setattr("services.engine.timers.POLL_SECONDS", 0.02)
    return clock


@pytest.fixture
def count(engine):
    """What the worker has counted so far."""

    def value(name, **labels):
        return engine.metrics.registry.get_sample_value(f"anpai_{name}", labels) or 0

    return value


@pytest.fixture
def nobody_serves(monkeypatch):
    """Whatever runs out, nothing comes of it."""

    async def leave(self, table_id):
        pass

    monkeypatch.setattr("services.engine.timers.Timers._time_out", leave)


@pytest.fixture
def lines(capsys):
    """The log lines so far that say this."""
    handlers = logging.root.handlers[:]
    set_up_logs("json", "info", "engine")
    told = []

    def saying(event):
        told.extend(map(json.loads, capsys.readouterr().err.splitlines()))
        return [line for line in told if line["event"] == event]

    yield saying
    logging.root.handlers[:] = handlers
    structlog.reset_defaults()


def here(count):
    states = ("gathering", "playing", "over")
    return [count("live_tables", game="skirmish", state=state) for state in states]


async def test_a_table_is_counted_as_it_gathers_is_played_and_is_over(
    opened, player, count
):
    table = await opened("anna", "ben")
    assert count("tables_opened_total", game="skirmish") == 1
    await player("anna").takes_seat(table)
    assert here(count) == [1, 0, 0]

    await player("ben").takes_seat(table)
    assert here(count) == [0, 1, 0]

    await player("anna").concedes(table)
    assert here(count) == [0, 0, 1]
    assert count("tables_ended_total", game="skirmish", how="played") == 1


async def test_a_table_that_is_opened_again_by_its_request_is_counted_once(
    opened, count
):
    for _ in range(2):
        await opened("anna", "ben", request="request-1")

    assert count("tables_opened_total", game="skirmish") == 1


async def test_a_table_nobody_comes_to_is_counted_as_abandoned(
    opened, player, clock, count
):
    await player("anna").takes_seat(await opened("anna", "ben"))

    clock.ahead += 3 * MINUTE

    labels = {"game": "skirmish", "how": "abandoned"}
    await until(lambda: count("tables_ended_total", **labels) == 1)


async def test_time_that_runs_out_is_counted_for_whom(opened, player, clock, count):
    await started(opened, player, timed=True)

    clock.ahead += 10 * MINUTE

    person = {"game": "skirmish", "who": "person"}
    await until(lambda: count("defaults_total", **person) > 0)
    assert count("defaults_total", game="skirmish", who="bot") == 0


async def test_t17_a_table_that_does_not_move_is_stuck_and_told_of_once(
    opened, player, clock, count, nobody_serves, lines
):
    """Within half a minute of the moment it should have moved."""
    table = await started(opened, player, timed=True)
    views = [await player(name).looks(table) for name in ("anna", "ben")]
    due = min(v.question.deadline.ToMilliseconds() for v in views if v.question.name)
    clock.ahead += due - clock()
    await until(lambda: count("overdue_seconds") > 0)
    assert count("stuck_tables") == 0

    clock.ahead += MINUTE // 2
    await until(lambda: count("stuck_tables") == 1)
    clock.ahead += 10 * MINUTE
    await until(lambda: count("overdue_seconds") > 600)

    (line,) = lines("table stuck")
    assert (line["table"], line["game"]) == (table, "skirmish")


async def test_nothing_is_overdue_where_all_is_served(opened, player, clock, count):
    await started(opened, player, timed=True)
    clock.ahead += 10 * MINUTE

    await until(lambda: count("due_tables_total") > 0)
    await until(lambda: count("overdue_seconds") == count("stuck_tables") == 0)


async def test_a_table_whose_ledger_is_gone_is_counted_by_the_reason_and_logged(
    opened, player, count, lines, valkey, monkeypatch
):
    monkeypatch.setattr("services.engine.hosted.IDLE_SECONDS", 0.05)
    table = await started(opened, player)
    await until(lambda: here(count) == [0, 0, 0])
    async with redis.Redis.from_url(valkey) as store:
        await store.delete(*[key async for key in store.scan_iter("vault:{*")])

    with pytest.raises(grpc.aio.AioRpcError):
        await player("anna").looks(table)

    assert count("tables_stopped_total", reason="LEDGER_LOST") == 1
    (line,) = lines("table stopped")
    assert (line["service"], line["table"]) == ("engine", table)
    assert len(line["request"]) == 16


async def asked(table, *players):
    """One of them who has to answer, and what."""
    views = [(one, await one.looks(table)) for one in players]
    return next(
        (one, view.question) for one, view in views if view.HasField("question")
    )


async def test_answers_are_timed_and_counted_by_what_became_of_them(
    opened, player, count
):
    table = await started(opened, player)
    who, question = await asked(table, player("anna"), player("ben"))
    await who.answers(table, an_answer(question))
    with pytest.raises(grpc.aio.AioRpcError):
        await who.answers(table, an_answer(question))

    assert count("answers_total", game="skirmish", outcome="ACCEPTED") == 1
    assert count("answers_total", game="skirmish", outcome="QUESTION_STALE") == 1
    assert count("answer_seconds_count", game="skirmish") == 1
