"""Traces: what a span tells and what it never does; off, there is nothing of them."""

import asyncio
import signal
import subprocess
import sys

import grpc
import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from services.chassis.client import Peer
from services.chassis.config import ConfigError
from services.chassis.errors import AnpaiError
from services.chassis.otel import OtelTraces
from services.chassis.traces import collect, set_up_traces, traces
from tests.one_store import store_process  # noqa: F401
from tests.services.chassis.echo import NAME
from tests.services.chassis.test_server import PROCESS, environ, health_of

__all__ = ["environ"]

ABOVE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

LOADED = """
import sys
import services.matchmaking.__main__, services.engine.__main__, services.vault.__main__
tracing = "services.chassis.otel", "opentelemetry.sdk.trace", "opentelemetry.exporter"
print([name for name in sys.modules if name.startswith(tracing)])
"""


@pytest.fixture
def spans():
    """Call it for those that have ended, by name."""
    exporter = InMemorySpanExporter()
    before = collect(OtelTraces("engine", SimpleSpanProcessor(exporter)))
    yield lambda: {span.name: span for span in exporter.get_finished_spans()}
    collect(before)


async def called(stub, method, **how):
    try:
        await stub(method, **how)
    except grpc.aio.AioRpcError:
        return


# ---- on ------------------------------------------------------------------------------


async def test_a_call_is_a_span_beneath_its_callers(spans, stub):
    await stub("Echo", "hello", metadata=[("traceparent", ABOVE)])

    span = spans()[f"/{NAME}/Echo"]
    assert f"{span.context.trace_id:x}" == ABOVE[4:35]
    assert f"{span.parent.span_id:x}" == ABOVE[36:52]


@pytest.mark.parametrize("above", ["nonsense", "", "00-0-0-01"])
async def test_what_is_no_trace_begins_one(spans, stub, above):
    await stub("Echo", "hello", metadata=[("traceparent", above)])

    assert spans()[f"/{NAME}/Echo"].parent is None


async def test_the_service_that_is_called_is_told_request_and_span(spans, running):
    peer = Peer(running.address)
    with traces().span("seat"):
        told = dict(peer.along())
        assert told == {"traceparent": traces().here()}

    assert dict(peer.along()) == {}
    await peer.close()


async def test_a_fault_is_told_by_its_type_and_a_refusal_by_its_reason(spans, stub):
    for method in ("Break", "Refuse", "Open"):
        await called(stub, method)

    ended = {
        span.name.rpartition("/")[2]: span.attributes["anpai.ended"]
        for span in spans().values()
    }
    assert ended == {
        "Break": "KeyError",
        "Refuse": "NOT_ALLOWED",
        "Open": "NOT_ALLOWED",
    }


async def test_no_text_of_an_error_comes_into_a_span(spans, stub):
    """The fault quotes a card; so might a refusal."""
    for method in ("Break", "Refuse"):
        await called(stub, method)

    told = "".join(span.to_json() for span in spans().values())
    assert "Break" in told
    assert "secret-card" not in told
    assert "hero" not in told


async def test_health_checks_are_not_traced(spans, stub):
    await health_of(stub.channel)

    assert spans() == {}


def test_a_span_tells_table_and_number(spans):
    with traces().span("due", "t-1", 3):
        pass

    assert dict(spans()["due"].attributes) == {"anpai.table": "t-1", "anpai.number": 3}


def test_a_span_may_begin_a_trace_of_its_own_within_another(spans):
    with traces().span("stream"), traces().span("answer", above=""):
        pass

    assert spans()["answer"].parent is None
    assert spans()["answer"].context.trace_id != spans()["stream"].context.trace_id


async def test_a_write_to_the_store_is_a_span_where_something_is_traced(spans):
    unseen, seen, failed = (asyncio.Future() for _ in range(3))
    traces().follow_write("beat", unseen)
    with traces().span("table"):
        traces().follow_write("append", seen)
        traces().follow_write("claim", failed)
    unseen.set_result(1)
    seen.set_result(1)
    failed.set_exception(AnpaiError("PART_UNAVAILABLE", "The store is away."))
    with pytest.raises(AnpaiError):
        await failed
    await asyncio.sleep(0)

    assert spans().keys() == {"table", "store append", "store claim"}
    assert spans()["store append"].parent == spans()["table"].context
    assert spans()["store claim"].attributes["anpai.ended"] == "PART_UNAVAILABLE"


# ---- off -----------------------------------------------------------------------------


def test_where_nobody_collects_nothing_is_made():
    one, other = traces().span("a"), traces().span("b", "t-1", 3)

    assert one is other
    assert traces().here() == ""


def test_where_nobody_collects_nothing_is_loaded():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True
    )

    assert done.stdout.strip() == "[]", done.stderr


def test_without_the_extra_it_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "services.chassis.otel", None)

    with pytest.raises(ConfigError, match=r"pip install 'anpai-server\[traces\]'"):
        set_up_traces("http://127.0.0.1:4317", "engine")


def test_a_collector_that_is_away_keeps_nobody_from_stopping(environ):
    told = environ | {"ANPAI_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    with subprocess.Popen(
        [sys.executable, "-c", PROCESS], env=told, stderr=subprocess.PIPE, text=True
    ) as running:
        running.stderr.readline()
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=20)

    assert running.returncode == 0
