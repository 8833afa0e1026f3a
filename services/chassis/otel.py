"""Traces in OpenTelemetry: loaded only where they are collected.

What OpenTelemetry's own variables say (OTEL_TRACES_SAMPLER and so on) holds. What it
does unasked is turned off: it would write an error's text into the span.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from services.chassis.errors import is_refusal
from services.chassis.traces import PARENT

SEND_WITHIN_SECONDS = 3

W3C = TraceContextTextMapPropagator()


class OtelTraces:
    """Every span goes to one processor."""

    def __init__(self, service: str, processor: SpanProcessor) -> None:
        resource = Resource.create({"service.name": f"anpai-{service}"})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("anpai")

    @contextmanager
    def span(
        self, name: str, table: str = "", number: int = 0, above: str | None = None
    ) -> Iterator[None]:
        known = told(table, number)
        span = self._tracer.start_span(name, beneath(above), attributes=known)
        try:
            with trace.use_span(
                span, record_exception=False, set_status_on_exception=False
            ):
                yield
        except BaseException as error:
            note_failed(span, error)
            raise
        finally:
            span.end()

    def follow_write(self, script: str, reply: "asyncio.Future[Any]") -> None:
        if not trace.get_current_span().is_recording():
            return
        span = self._tracer.start_span(f"store {script}")

        def end(done: "asyncio.Future[Any]") -> None:
            if done.cancelled() or (error := done.exception()) is None:
                span.end()
                return
            note_failed(span, error)
            span.end()

        reply.add_done_callback(end)

    def here(self) -> str:
        carrier: dict[str, str] = {}
        W3C.inject(carrier)
        return carrier.get(PARENT, "")

    def stop(self) -> None:
        self._provider.shutdown()


def sent_to(endpoint: str, service: str) -> OtelTraces:
    """To a collector that speaks OTLP over gRPC, in batches, by a thread of its own."""
    exporter = OTLPSpanExporter(
        endpoint=endpoint,
        insecure=not endpoint.startswith("https:"),
        timeout=SEND_WITHIN_SECONDS,
    )
    return OtelTraces(service, BatchSpanProcessor(exporter))


def beneath(above: str | None) -> Context | None:
    """None: beneath the present span. Of what comes from outside only the ids count."""
    return None if above is None else W3C.extract({PARENT: above}, Context())


def told(table: str, number: int) -> dict[str, str | int]:
    known: dict[str, str | int] = {"anpai.table": table, "anpai.number": number}
    return {name: value for name, value in known.items() if value}


def note_failed(span: Span, error: BaseException) -> None:
    """By the reason of a refusal, or by its type."""
    known = getattr(error, "reason", "") if is_refusal(error) else type(error).__name__
    span.set_attribute("anpai.ended", known)
    if isinstance(error, Exception):
        span.set_status(Status(StatusCode.ERROR))
