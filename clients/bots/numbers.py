"""What operators read of a bot host: on a port of its own, where it is told one."""

import ssl
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from anpai.tls import Renewed
from clients.bots.playing import Tally


class Plays(Protocol):
    """A host, as far as its numbers go."""

    tally: Tally

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


def gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"anpai_bot_{name}", meaning, value)


def counter(name: str, meaning: str, value: float) -> Metric:
    return CounterMetricFamily(f"anpai_bot_{name}", meaning, value)


def by_reason(name: str, meaning: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"anpai_bot_{name}", meaning, labels=["reason"])
    for reason, count in {"ANSWER_ILLEGAL": 0, **counts}.items():
        family.add_metric([reason], count)
    return family


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
    if certificate:
        show_renewed(server, *certificate)
    return f"{name}:{server.server_port}"
