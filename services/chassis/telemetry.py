"""Log lines and metrics, their names in one list, and the port they are read on.

No secret and no face is ever logged or measured. So an error of ours is logged as its
type and the places it passed: its text may quote a card.
"""

import asyncio
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from typing import Any

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from redis.exceptions import RedisError

log = structlog.get_logger()

# ---- metrics -------------------------------------------------------------------------

FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
WAITS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0)
BATCHES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


class Metrics:
    """Every metric there is. Labels are methods, codes and games: never ids."""

    def __init__(self, registry: CollectorRegistry):
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"anpai_{name}", meaning, labels, registry=registry)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"anpai_{name}", meaning, labels, registry=registry)

        def histogram(
            name: str, meaning: str, *labels: str, buckets: tuple[float, ...] = FAST
        ) -> Histogram:
            return Histogram(
                f"anpai_{name}", meaning, labels, registry=registry, buckets=buckets
            )

        self.registry = registry

        self.calls = counter("calls", "Calls that ended.", "method", "code")
        self.call_seconds = histogram("call_seconds", "Time of a unary call.", "method")
        self.open_streams = gauge("open_streams", "Streams now open.", "method")
        self.loop_lag = histogram("loop_lag_seconds", "How late the loop wakes.")

        self.store_seconds = histogram("store_seconds", "A round trip to the store.")
        self.store_batch = histogram(
            "store_batch", "Writes that travelled together.", buckets=BATCHES
        )
        self.vault_seconds = histogram("vault_seconds", "A round trip to the vault.")

        self.live_tables = gauge("live_tables", "Tables in memory.", "game")
        self.watchers = gauge("watchers", "Seats and spectators now watching.")
        self.answers = counter("answers", "Answers by outcome.", "game", "outcome")
        self.resyncs = counter("resyncs", "Slow watchers sent a snapshot instead.")
        self.unread_events = gauge("unread_events", "The slowest watcher's backlog.")
        self.takeovers = counter("takeovers", "Tables taken over from another worker.")
        self.forwarded = counter("forwarded", "Calls passed on to the owner.", "method")
        self.due_tables = counter("due_tables", "Tables served as their time ran out.")

        self.queued_tickets = gauge("queued_tickets", "Tickets that wait.", "game")
        self.queued_players = gauge("queued_players", "Players that wait.", "game")
        self.oldest_ticket = gauge(
            "oldest_ticket_seconds", "Age of the ticket that waits longest.", "game"
        )
        self.ticket_wait = histogram(
            "ticket_wait_seconds", "From ticket to seat.", "game", buckets=WAITS
        )
        self.assignments = counter("assignments", "Players given a seat.", "game")
        self.tickets_expired = counter("tickets_expired", "Nobody looked any more.")
        self.leases_lapsed = counter("leases_lapsed", "Reservations that ran out.")
        self.openings = counter("openings", "Tables asked for, by outcome.", "outcome")
        self.calls_waiting = gauge(
            "bot_calls_waiting", "Bots' seats no host has confirmed.", "game"
        )
        self.last_pass = gauge(
            "pairing_last_pass_seconds", "When the queue was last gone through (Unix)."
        )
        self.restarts = counter("loop_restarts", "Loops that failed.", "loop")


def fresh_metrics() -> Metrics:
    """A registry of its own, so that several services fit one process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return Metrics(registry)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    started = perf_counter()
    try:
        yield
    finally:
        histogram.observe(perf_counter() - started)


async def watch_loop(metrics: Metrics, pause: float = 0.25) -> None:
    """For ever: how much later than asked does the loop wake us?"""
    while True:
        started = perf_counter()
        await asyncio.sleep(pause)
        metrics.loop_lag.observe(max(0.0, perf_counter() - started - pause))


# ---- the port for operators ----------------------------------------------------------


class OperatorPort:
    """/metrics, /healthz (the process answers), /readyz (send it players).

    It has threads of its own, so a busy or stuck loop does not silence it.
    """

    def __init__(self, listen: str, metrics: Metrics, is_ready: Callable[[], bool]):
        host, _, port = listen.rpartition(":")
        pages = {
            "/metrics": lambda: (200, generate_latest(metrics.registry)),
            "/healthz": lambda: (200, b"ok\n"),
            "/readyz": lambda: (200, b"ready\n") if is_ready() else (503, b"not yet\n"),
        }
        self._http = _Server((host.strip("[]"), int(port)), _handler(pages))
        self.address = f"{host}:{self._http.server_address[1]}"

    def start(self) -> None:
        threading.Thread(
            target=self._http.serve_forever, args=(0.05,), daemon=True
        ).start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A scraper that hangs up is no event."""


Page = Callable[[], tuple[int, bytes]]


def _handler(pages: dict[str, Page]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            page = pages.get(self.path.partition("?")[0], lambda: (404, b"not here\n"))
            code, body = page()
            self.send_response(code)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


# ---- logs ----------------------------------------------------------------------------

SECRET = re.compile(
    r"token|password|secret|authorization|nonce|seed|face|deck|(_|\b)key$"
)

# Their texts speak of connections and commands, never of cards.
SPEAKABLE = (OSError, RedisError)

Event = MutableMapping[str, Any]


def set_up_logs(style: str, level: str) -> None:
    """One line an event on stderr, as JSON or for a person's eyes."""
    last: Any = structlog.processors.JSONRenderer()
    if style == "console":
        last = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[LibraryLogs()], level=logging.WARNING, force=True)


def hide_secrets(_logger: Any, _name: str, event: Event) -> Event:
    for name, value in event.items():
        if SECRET.search(name) or isinstance(value, bytes):
            event[name] = "hidden"
    return event


def passage_of(error: BaseException) -> list[str]:
    """Where the error passed, then its type; its text only where that is speakable."""
    told = f": {error}" if isinstance(error, SPEAKABLE) else ""
    lines = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    cause = error.__cause__ or error.__context__
    earlier = [*passage_of(cause), "then"] if cause is not None else []
    return [*earlier, *lines, f"{type(error).__qualname__}{told}"]


class LibraryLogs(logging.Handler):
    """What libraries log, in our form: first line only, errors without their texts."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        more = {"passage": passage_of(error)} if error else {}
        line = str(record.msg if error else record.getMessage()).partition("\n")[0]
        log.log(record.levelno, line, library=record.name, **more)


def log_stray(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The loop's handler for errors nobody awaited."""
    error = context.get("exception")
    passage = passage_of(error) if error else []
    log.error("stray error", what=context["message"], passage=passage)
