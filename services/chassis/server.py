"""Bind a service, tell its health, and stop it without anyone losing a move.

`bind(server, resources)` is all a service offers, so any set of them fits one process:
`start` each, or `run` one as its own process.
"""

import asyncio
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.chassis.client import SERVER_OPTIONS
from services.chassis.config import ConfigError, ServiceConfig, load
from services.chassis.interceptors import Gate
from services.chassis.keys import Keys, kept_fresh, load_keys
from services.chassis.limits import Limits
from services.chassis.memory import SWEEPER
from services.chassis.operators import OperatorPort, Pulse, watch_collector
from services.chassis.passage import Door
from services.chassis.revoked import Revocations
from services.chassis.stores import Store, StoreUnreachable, open_store, patiently
from services.chassis.telemetry import (
    Metrics,
    fresh_metrics,
    log_stray,
    passage_of,
    set_up_logs,
)
from services.chassis.tls import HttpTls, Tls, for_servers, tls_of
from services.chassis.tokens import Verifier
from services.chassis.traces import set_up_traces, traces

log = structlog.get_logger()

C = TypeVar("C", bound=ServiceConfig)

DRAIN_SECONDS = 15.0
GRACE_SECONDS = 5.0
KILL_SECONDS = 30.0

EVERYWHERE = ("0.0.0.0", "[::]")

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def nothing() -> None:
    pass


class Withdrawal:
    """Takes a process out of service while it runs on, where a service asks for it."""

    def __init__(self) -> None:
        self.how: Callable[[], Awaitable[None]] = nothing

    async def now(self) -> None:
        """Not ready, all handed over; soon the port is closed. Repeating it is safe."""
        await self.how()


@dataclass(frozen=True, slots=True)
class Resources(Generic[C]):
    """What the chassis gives a service to work with."""

    config: C
    address: str
    keys: Keys
    store: Store
    metrics: Metrics
    revocations: Revocations
    tls: Tls | None = None
    withdrawal: Withdrawal = field(default_factory=Withdrawal)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a service gives back: its gRPC names, and its part in stopping.

    `drain` hands work over while streams are still open; `close` comes after the last
    call has ended.
    """

    names: tuple[str, ...]
    drain: Callable[[], Awaitable[None]] = nothing
    close: Callable[[], Awaitable[None]] = nothing


Bind = Callable[[grpc.aio.Server, Resources[C]], Awaitable[Bound]]


class Running:
    """A started service."""

    def __init__(
        self,
        name: str,
        server: grpc.aio.Server,
        resources: Resources[Any],
        bound: Bound,
        looking: Sequence[Coroutine[Any, Any, None]],
    ):
        """`looking` goes on for as long as it runs."""
        self.name = name
        self.address = resources.address
        self.metrics = resources.metrics
        self.is_serving = False
        self._server = server
        self._resources = resources
        self._bound = bound
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        self._pulse = Pulse(self.metrics, resources.store)
        self._looking = [asyncio.create_task(each) for each in looking]
        self._handing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        resources.withdrawal.how = self.withdraw
        self._port = self._operator_port()
        self.metrics_address = self._port.address

    @property
    def is_ready(self) -> bool:
        """Whether players should be sent here."""
        return self.is_serving and self._pulse.store_answers

    def _operator_port(self) -> OperatorPort:
        return operator_port(
            self._resources,
            self._pulse,
            lambda: self.is_ready,
            lambda: self.is_serving,
        )

    async def serve(self) -> None:
        self._port.start()
        await self._server.start()
        await self._tell(SERVING)

    async def stop(self) -> None:
        """Withdraw, hand over, end the streams, close: in this order."""
        await self._handed_over()
        await self._server.stop(GRACE_SECONDS)
        await self._bound.close()
        self._pulse.stop()
        for task in self._looking:
            task.cancel()
        await self._resources.store.close()
        self._port.stop()

    async def withdraw(self) -> None:
        """Hand over and serve nobody any more; the process goes on until `stop`."""
        await self._handed_over()
        if self._closing is None:
            self._closing = asyncio.create_task(self._server.stop(GRACE_SECONDS))

    async def _handed_over(self) -> None:
        """Once, whoever asks for it, and whatever becomes of him meanwhile."""
        if self._handing is None:
            self._handing = asyncio.create_task(self._hand_over())
        await asyncio.shield(self._handing)

    async def _hand_over(self) -> None:
        await self._tell(NOT_SERVING)
        await asyncio.sleep(self._resources.config.drain_ms / 1000)
        await self._drain()

    async def _drain(self) -> None:
        """A drain that fails is logged; what it left is what a crash would leave."""
        try:
            await asyncio.wait_for(self._bound.drain(), DRAIN_SECONDS)
        except Exception as error:
            log.error("drain failed", service=self.name, passage=passage_of(error))

    async def _tell(self, status: Any) -> None:
        self.is_serving = status == SERVING
        for name in ("", *self._bound.names):
            await self._health.set(name, status)


async def start(name: str, config: C, bind: Bind[C]) -> Running:
    """Open, bind and serve; ports that were 0 are known from the result."""
    keys, tls = load_keys(config.keys, name), tls_of(config)
    metrics = fresh_metrics()
    store = await open_store(config.redis_url, metrics, replicas=config.replicas)
    revocations = Revocations(store, name)
    await patiently(revocations.look)
    limits = Limits(config, metrics)
    verifier = Verifier(keys)
    door = Door(verifier, metrics, limits, revocations, config.edges)
    revocations.changed = door.turn_away
    server = grpc.aio.server(interceptors=[Gate(door)], options=SERVER_OPTIONS)
    address = listen(server, config.listen, tls)
    resources = Resources(config, address, keys, store, metrics, revocations, tls)
    bound = await bind(server, resources)
    looking = (
        kept_fresh(keys),
        revocations.keep_fresh(),
        verifier.forget_the_quiet(),
    )
    running = Running(name, server, resources, bound, looking)
    if config.reflection:
        names = (*bound.names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
    await running.serve()
    return running


def listen(server: grpc.aio.Server, wanted: str, tls: Tls | None) -> str:
    """Where we are reached; ConfigError in place of gRPC's own words."""
    try:
        if tls is None:
            port = server.add_insecure_port(wanted)
        else:
            port = server.add_secure_port(wanted, for_servers(tls))
    except RuntimeError:
        raise ConfigError(f"ANPAI_LISTEN: {wanted} cannot be bound; in use?") from None
    return f"{reached_at(wanted.rpartition(':')[0])}:{port}"


def reached_at(host: str) -> str:
    """Listening everywhere is no address to give to others: our own name is."""
    return socket.gethostname() if host in EVERYWHERE else host


def operator_port(
    resources: Resources[Any],
    pulse: Pulse,
    ready: Callable[[], bool],
    serves: Callable[[], bool],
) -> OperatorPort:
    wanted, metrics = resources.config.metrics_listen, resources.metrics
    if resources.tls is not None:
        metrics.certificate_ends.set_function(resources.tls.ends)
    tls = HttpTls(resources.tls) if resources.tls else None
    try:
        return OperatorPort(wanted, metrics, lambda: pulse.turns, ready, serves, tls)
    except OSError as error:
        raise ConfigError(
            f"ANPAI_METRICS_LISTEN: {wanted}: {error.strerror}."
        ) from None


# ---- a process of its own ------------------------------------------------------------


def run(name: str, kind: type[C], bind: Bind[C]) -> NoReturn:
    """`python -m services.<name>`: ends with 0 when drained, 2 for a bad setting."""
    try:
        config = load(kind)
        set_up_logs(config.log, config.log_level, name)
        set_up_traces(config.otlp_endpoint, name)
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            runner.run(serve(name, config, bind))
    except ConfigError as error:
        leave(2, f"anpai {name}: {error}")
    except StoreUnreachable as error:
        leave(1, f"anpai {name}: {error}")
    leave(0)


def leave(code: int, sentence: str = "") -> NoReturn:
    if sentence:
        print(sentence, file=sys.stderr)
    sys.exit(code)


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def serve(name: str, config: C, bind: Bind[C]) -> None:
    """Serve until SIGTERM or SIGINT, then stop in order, or be stopped."""
    asyncio.get_running_loop().set_exception_handler(log_stray)
    asked = asked_to_stop()
    running = await start(name, config, bind)
    SWEEPER.begin()
    watch_collector(running.metrics)
    addresses = {"grpc": running.address, "metrics": running.metrics_address}
    if config.address_file is not None:
        write_whole(config.address_file, json.dumps(addresses))
    log.info("ready", **addresses)
    await asked.wait()
    kill_later(KILL_SECONDS + config.drain_ms / 1000)
    log.info("draining")
    await running.stop()
    await asyncio.to_thread(traces().stop)
    log.info("stopped")


def asked_to_stop() -> asyncio.Event:
    asked = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    return asked


def kill_later(seconds: float) -> None:
    """A thread's timer: it fires although the loop hangs."""
    timer = threading.Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()


def write_whole(path: Path, text: str) -> None:
    """A reader finds all of it or none."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text)
    draft.replace(path)
