"""Log lines and metrics, their names in one list; `docs/operations.md` explains them.

No secret and no face is ever logged or measured. So an error of ours is logged as its
type and the places it passed: its text may quote a card.
"""

import asyncio
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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
)
from redis.exceptions import RedisError

log = structlog.get_logger()

# ---- metrics -------------------------------------------------------------------------

FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
WAITS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0)
GAPS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 9.0, 12.0, 25.0)
BATCHES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


DENIALS = (
    *("TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "TOKEN_REVOKED"),
    "NOT_ALLOWED",
)
LIMITS = ("calls", "heavy_calls", "bad_tokens", "streams")
STOPS = ("LEDGER_LOST", "JOURNAL_LOST", "REPLAY_DIVERGED", "OVER_BUDGET")


class Metrics:
    """Every metric there is. Labels are methods, codes and games: never ids.

    Counters that an alert waits for begin at 0: of a series that begins at 1 nobody
    can tell that it has grown.
    """

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
        self.denied = counter("denied_calls", "Callers turned away.", "reason")
        self.limited = counter("limited_calls", "Callers who want too much.", "limit")
        self.certificate_ends = gauge(
            "certificate_ends_seconds", "When what is shown ends (Unix); 0 without TLS."
        )
        self.incidents = counter("incidents", "Faults of ours, each a line in the log.")
        self.loop_lag = histogram("loop_lag_seconds", "How late the loop wakes.")
        self.gc_pauses = histogram("gc_pause_seconds", "Memory being swept.")

        self.store_seconds = histogram("store_seconds", "A round trip to the store.")
        self.store_batch = histogram(
            "store_batch", "Writes that travelled together.", buckets=BATCHES
        )
        self.store_lost = counter("store_lost", "Round trips that broke off.")
        self.store_unconfirmed = counter(
            "store_unconfirmed", "Round trips that too few replicas confirmed."
        )
        self.store_failovers = counter("store_failovers", "Another node leads now.")
        self.vault_seconds = histogram("vault_seconds", "A round trip to the vault.")
        self.vault_lost = counter("vault_lost", "Times the vault's stream broke off.")

        self.live_tables = gauge("live_tables", "Tables in memory.", "game", "state")
        self.tables_opened = counter("tables_opened", "Tables opened.", "game")
        self.tables_ended = counter("tables_ended", "Tables ended, how.", "game", "how")
        self.tables_stopped = counter("tables_stopped", "Tables flagged.", "reason")
        self.stuck_tables = gauge("stuck_tables", "Tables that do not move.")
        self.overdue = gauge("overdue_seconds", "The longest a table is late.")
        self.put_off = counter("tables_put_off", "Due but not served.", "reason")
        self.watchers = gauge("watchers", "Seats and spectators now watching.")
        self.answers = counter("answers", "Answers by outcome.", "game", "outcome")
        self.answer_seconds = histogram(
            "answer_seconds", "From an answer's coming to its being committed.", "game"
        )
        self.defaults = counter("defaults", "Time ran out on a seat.", "game", "who")
        self.absences = counter("absences", "Seats that were left.", "game", "how")
        self.doubts = counter("doubts", "Attempts that nobody could tell the end of.")
        self.resyncs = counter("resyncs", "Slow watchers sent a snapshot instead.")
        self.undone = counter("undone", "Streams whose past was another.", "game")
        self.unread_events = gauge("unread_events", "The slowest watcher's backlog.")
        self.takeovers = counter("takeovers", "Tables taken over from another worker.")
        self.leases_lost = counter("leases_lost", "Tables this worker could not keep.")
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
        self.rating_gap = histogram(
            "rating_gap", "Between those at one table.", "game", buckets=GAPS
        )
        self.ready_checks = counter("ready_checks", "Tickets asked.", "outcome")
        self.assignments = counter("assignments", "Players given a seat.", "game")
        self.tickets_expired = counter("tickets_expired", "Nobody looked any more.")
        self.leases_lapsed = counter("leases_lapsed", "Reservations that ran out.")
        self.openings = counter("openings", "Tables asked for, by outcome.", "outcome")
        self.bot_hosts = gauge("bot_hosts", "Hosts of bots connected.")
        self.bot_seats = counter("bot_seats", "Seats given to bots.", "game")
        self.calls_waiting = gauge(
            "bot_calls_waiting", "Bots' seats no host has confirmed.", "game"
        )
        self.oldest_call = gauge(
            "oldest_bot_call_seconds", "How long no host has taken a seat.", "game"
        )
        self.calls_lapsed = counter("bot_calls_lapsed", "Seats a host let lapse.")
        self.last_pass = gauge(
            "pairing_last_pass_seconds", "When the queue was last gone through (Unix)."
        )
        self.results = counter(
            "results", "Games heard to be over, what became of them.", "game", "outcome"
        )
        self.news_lag = gauge("news_lag_seconds", "How old news is when it is done.")
        self.news_last_read = gauge(
            "news_last_read_seconds", "When the engines' news was last read (Unix)."
        )
        self.restarts = counter("loop_restarts", "Loops that failed.", "loop")

        begin_at_0(self.denied, zip(DENIALS))
        begin_at_0(self.limited, zip(LIMITS))
        begin_at_0(self.tables_stopped, zip(STOPS))
        begin_at_0(self.ready_checks, [("kept",), ("missed",)])


def begin_at_0(counter: Counter, labels: Iterable[Sequence[str]]) -> None:
    for values in labels:
        counter.labels(*values)


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


# ---- logs ----------------------------------------------------------------------------

SECRET = re.compile(
    r"token|password|secret|authorization|nonce|seed|face|deck|(_|\b)key$"
)

# Their texts speak of connections and commands, never of cards.
SPEAKABLE = (OSError, RedisError)

Event = MutableMapping[str, Any]

# On whose behalf something is done, and where: every log line has what is known of it.
REQUEST: ContextVar[str] = ContextVar("request", default="")
TABLE: ContextVar[str] = ContextVar("table", default="")


def set_up_logs(style: str, level: str, service: str = "") -> None:
    """One line an event on stderr, as JSON or for a person's eyes."""
    last: Any = structlog.processors.JSONRenderer()
    if style == "console":
        last = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            adding_ids(service),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[LibraryLogs()], level=logging.WARNING, force=True)


def adding_ids(service: str) -> Callable[[Any, str, Event], Event]:
    """Every line has the service, the request and the table, where there is one."""

    def add(_logger: Any, _name: str, event: Event) -> Event:
        known = {"service": service, "request": REQUEST.get(), "table": TABLE.get()}
        return {**{name: id for name, id in known.items() if id}, **event}

    return add


def hide_secrets(_logger: Any, _name: str, event: Event) -> Event:
    for name, value in event.items():
        if SECRET.search(name) or isinstance(value, bytes):
            event[name] = "hidden"
    return event


def passage_of(error: BaseException) -> list[str]:
    """Where the error passed, then its type; its text only where that is speakable.

    What it was raised from `None` over is not told: that may be the secret of it."""
    told = f": {error}" if isinstance(error, SPEAKABLE) else ""
    lines = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    before = None if error.__suppress_context__ else error.__context__
    cause = error.__cause__ or before
    earlier = [*passage_of(cause), "then"] if cause is not None else []
    return [*earlier, *lines, f"{type(error).__qualname__}{told}"]


class LibraryLogs(logging.Handler):
    """What libraries log, in our form: first line only, errors without their texts."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        more = {"passage": passage_of(error)} if error else {}
        line = str(record.msg if error else record.getMessage()).partition("\n")[0]
        log.log(record.levelno, line, library=record.name, **more)


def noted_incident(metrics: Metrics, error: BaseException, **where: str) -> str:
    """Log and count a fault of ours; the id under which its caller is told of it."""
    incident = REQUEST.get()
    metrics.incidents.inc()
    log.error("incident", incident=incident, **where, passage=passage_of(error))
    return incident


def log_stray(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The loop's handler for errors nobody awaited."""
    error = context.get("exception")
    passage = passage_of(error) if error else []
    log.error("stray error", what=context["message"], passage=passage)
