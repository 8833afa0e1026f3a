"""The port for operators: /metrics, /healthz and /readyz.

It has threads of its own, so a busy loop does not silence it. Living and ready are two
things. /healthz: the loop turns; where it does not, only a restart helps. /readyz: send
it players; it serves, is not being drained, and its store answers. Whoever would rather
have players told to wait than sent nowhere asks /readyz?exclude=store.
"""

import asyncio
import gc
import selectors
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, perf_counter
from typing import Any

from prometheus_client import generate_latest
from redis.exceptions import RedisError

from services.chassis.memory import look_through_at_times
from services.chassis.stores import Store, StoreUnavailable
from services.chassis.telemetry import Metrics
from services.chassis.tls import HttpTls

LOOP_PAUSE = 0.25
# No table is so large that it holds the loop up for so long.
LOOP_STANDS_AFTER = 30.0
WITHOUT_STORE = "/readyz?exclude=store"
STORE_PAUSE = 1.0
STORE_REPLIES_WITHIN = 2.0


class Pulse:
    """Does the loop turn, and does the store answer? `keep` finds out, for ever."""

    def __init__(self, metrics: Metrics, store: Store) -> None:
        self.store_answers = True
        self._metrics = metrics
        self._store = store
        self._turned = monotonic()
        self._is_stopped = False
        self._tasks = [
            asyncio.create_task(self._watch_loop()),
            asyncio.create_task(self._watch_store()),
            asyncio.create_task(look_through_at_times()),
        ]

    @property
    def turns(self) -> bool:
        """May be asked from another thread."""
        return monotonic() - self._turned < LOOP_STANDS_AFTER

    def stop(self) -> None:
        """A flag besides: on Python 3.11 redis-py may swallow the cancelling."""
        self._is_stopped = True
        for task in self._tasks:
            task.cancel()

    async def _watch_loop(self) -> None:
        """How much later than asked does the loop wake us?"""
        while True:
            started = perf_counter()
            await asyncio.sleep(LOOP_PAUSE)
            late = perf_counter() - started - LOOP_PAUSE
            self._metrics.loop_lag.observe(max(0.0, late))
            self._turned = monotonic()

    async def _watch_store(self) -> None:
        while not self._is_stopped:
            self.store_answers = await self._asked()
            await asyncio.sleep(STORE_PAUSE)

    async def _asked(self) -> bool:
        try:
            async with asyncio.timeout(STORE_REPLIES_WITHIN):
                await self._store.ping()
        except (StoreUnavailable, RedisError, OSError):
            return False
        return True


def watch_collector(metrics: Metrics) -> None:
    """How long does each sweep of memory hold this process up?"""
    began = 0.0

    def note(phase: str, _info: dict[str, int]) -> None:
        nonlocal began
        if phase == "start":
            began = perf_counter()
        else:
            metrics.gc_pauses.observe(perf_counter() - began)

    gc.callbacks.append(note)


class OperatorPort:
    """`lives`, `ready` and `serves` are asked from the port's own threads."""

    def __init__(
        self,
        listen: str,
        metrics: Metrics,
        lives: Callable[[], bool],
        ready: Callable[[], bool],
        serves: Callable[[], bool],
        tls: HttpTls | None = None,
    ):
        host, _, port = listen.rpartition(":")
        pages = {
            "/metrics": lambda: (200, generate_latest(metrics.registry)),
            "/healthz": lambda: (200, b"ok\n") if lives() else (503, b"stands\n"),
            "/readyz": lambda: (200, b"ready\n") if ready() else (503, b"not yet\n"),
            WITHOUT_STORE: (
                lambda: (200, b"serves\n") if serves() else (503, b"not yet\n")
            ),
        }
        self._http = _Server((host.strip("[]"), int(port)), _handler(pages), tls)
        self.address = f"{host}:{self._http.server_address[1]}"

    def start(self) -> None:
        self._http.start()

    def stop(self) -> None:
        self._http.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    timeout = 1.0  # for a caller who is gone before he is let in

    def __init__(self, address: tuple[str, int], handler: Any, tls: HttpTls | None):
        super().__init__(address, handler)
        self._tls = tls
        self._woken, self._wakes = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._wakes.close()
        if self._thread.is_alive():
            self._thread.join()
        self.server_close()
        self._woken.close()

    def _serve(self) -> None:
        """Until told to stop. (`serve_forever` wakes all the time to see whether.)"""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self, selectors.EVENT_READ)
            waiting.register(self._woken, selectors.EVENT_READ)
            while self._woken not in [key.fileobj for key, _ in waiting.select()]:
                self.handle_request()

    def get_request(self) -> Any:
        connection, peer = super().get_request()
        return (self._tls.wrap(connection) if self._tls else connection), peer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A scraper that hangs up is no event."""


Page = Callable[[], tuple[int, bytes]]


def _handler(pages: dict[str, Page]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            page = pages.get(self.path) or pages.get(self.path.partition("?")[0])
            code, body = page() if page else (404, b"not here\n")
            self.send_response(code)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
