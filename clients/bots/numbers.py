"""What operators read of a bot host: on a port of its own, where it is told one."""

import ssl
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from prometheus_client import (
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from anpai.tls import Renewed
from clients.bots.playing import Tally

THOUGHTS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Plays(Protocol):
    """A host, as far as its numbers go. `lives`: its loop turns."""

    tally: Tally
    thoughts: Histogram

    @property
    def lives(self) -> bool: ...

    @property
    def playing(self) -> int: ...

    @property
    def fallbacks(self) -> int: ...


class Numbers(Collector):
    """Read off the host when somebody asks. Labels are reasons: never ids."""

    def __init__(self, host: Plays) -> None:
        self._host = host

    def collect(self) -> Iterator[Metric]:
        tally = self._host.tally
        yield gauge("seats_playing", "Seats being played.", self._host.playing)
        yield counter("answers", "Answers that were taken.", tally.answers)
        yield counter("fallbacks", "Plain answers instead.", self._host.fallbacks)
        yield by_reason("troubles", "Refusals, and seats left.", tally.errors)
        yield from self._host.thoughts.collect()


def thoughts() -> Histogram:
    """How long was thought about each answer."""
    meaning, name = "From a question to its choice.", "anpai_bot_think_seconds"
    return Histogram(name, meaning, registry=None, buckets=THOUGHTS)


def gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"anpai_bot_{name}", meaning, value)


def counter(name: str, meaning: str, value: float) -> Metric:
    return CounterMetricFamily(f"anpai_bot_{name}", meaning, value)


def by_reason(name: str, meaning: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"anpai_bot_{name}", meaning, labels=["reason"])
    for reason, count in {"ANSWER_ILLEGAL": 0, **counts}.items():
        family.add_metric([reason], count)
    return family


def telling_whether_it_lives(host: Plays, app: App) -> App:
    """`/healthz`, as every process has it: 503 where only a restart helps."""

    def told(environ: dict[str, Any], begin: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] not in ("/healthz", "/readyz"):
            return app(environ, begin)
        status = "200 OK" if host.lives else "503 Service Unavailable"
        begin(status, [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{status[4:].lower()}\n".encode()]

    return told


def show_renewed(server: Any, cert: Path, key: Path) -> None:
    """At each handshake what the files have by then."""
    renewed = Renewed(partial(context_of, cert, key), cert, key)

    def begun(line: Any, _name: str | None, _context: ssl.SSLContext) -> None:
        line.context = renewed()

    server.socket.context.sni_callback = begun


def context_of(cert: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def tell_numbers(
    host: Plays, listen: str, certificate: tuple[Path, Path] | None = None
) -> str:
    """Begin to answer on `host:port`, in TLS if there is a certificate; the address it
    became. OSError if it is taken."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(Numbers(host))
    name, _, port = listen.rpartition(":")
    cert, key = map(str, certificate) if certificate else (None, None)
    where = name.strip("[]")
    server, _ = start_http_server(int(port), where, registry, cert, key)
    pages = server.get_app()
    assert pages is not None
    server.set_app(telling_whether_it_lives(host, pages))
    if certificate:
        show_renewed(server, *certificate)
    return f"{name}:{server.server_port}"
