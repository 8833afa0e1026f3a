"""Traces: where the time of one request goes, through all services.

Off unless ANPAI_OTLP_ENDPOINT is set: what makes and sends them is not even loaded. A
span has a name of ours, the table, a number and how it ended: there is no way to tell
it more, so that no face, no token and no choice can come into one. An error is its
reason; its text is never told.
"""

import asyncio
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from services.chassis.config import ConfigError

PARENT = "traceparent"


class Traces(Protocol):
    """What the services speak to. Spans are named by their W3C `traceparent`."""

    def span(
        self, name: str, table: str = "", number: int = 0, above: str | None = None
    ) -> AbstractContextManager[Any]:
        """A span while this lasts, beneath the present one; or beneath another, or
        none (""), that is named."""

    def follow_write(self, script: str, reply: "asyncio.Future[Any]") -> None:
        """A span of the store's until the reply is there, beneath the present one."""

    def here(self) -> str:
        """The present span; "" where there is none."""

    def stop(self) -> None:
        """Hand over what was collected; blocks for a few seconds at most."""


NOTHING = nullcontext()


class NoTraces:
    """Nobody collects."""

    def span(
        self, name: str, table: str = "", number: int = 0, above: str | None = None
    ) -> AbstractContextManager[Any]:
        return NOTHING

    def follow_write(self, script: str, reply: "asyncio.Future[Any]") -> None:
        pass

    def here(self) -> str:
        return ""

    def stop(self) -> None:
        pass


_collected: Traces = NoTraces()


def traces() -> Traces:
    """Those of this process."""
    return _collected


def collect(kept: Traces) -> Traces:
    """From now on traces go there; where they went before."""
    global _collected
    before, _collected = _collected, kept
    return before


def set_up_traces(endpoint: str | None, service: str) -> None:
    """Send traces to a collector, if there is one; ConfigError without the extra."""
    if endpoint is None:
        return
    try:
        from services.chassis.otel import sent_to
    except ImportError:
        raise ConfigError(
            "ANPAI_OTLP_ENDPOINT is set, and OpenTelemetry is not installed: "
            "pip install 'anpai-server[traces]'."
        ) from None
    collect(sent_to(endpoint, service))
