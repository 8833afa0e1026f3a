"""Loops that never die silently: one that fails is logged, counted and begun again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics, passage_of

log = structlog.get_logger()

# Store or engine do not answer: no fault in the loop.
HELD_UP = (AnpaiError, OSError, RedisConnectionError, RedisTimeoutError)

FIRST_REST = 0.1
LONGEST_REST = 2.0

Loop = Callable[[], Coroutine[Any, Any, None]]


class Supervisor:
    """Keeps loops going until it is stopped."""

    def __init__(self, metrics: Metrics):
        self._metrics = metrics
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, loop: Loop) -> None:
        self._metrics.restarts.labels(name)  # begins at 0
        self._tasks.append(asyncio.create_task(self._keep_going(name, loop), name=name))

    async def stop(self) -> None:
        """Ask again those that go on: a library may have swallowed the cancellation."""
        going = set(self._tasks)
        while going:
            for task in going:
                task.cancel()
            _, going = await asyncio.wait(going, timeout=1)
        self._tasks.clear()

    async def _keep_going(self, name: str, loop: Loop) -> None:
        rest = Rest()
        while True:
            try:
                await loop()
                log.error("loop ended", loop=name)
            except HELD_UP as error:
                reason = getattr(error, "reason", type(error).__name__)
                log.warning("loop held up", loop=name, reason=reason)
            except Exception as error:
                log.error("loop failed", loop=name, passage=passage_of(error))
            self._metrics.restarts.labels(name).inc()
            await asyncio.sleep(rest.next())


class Rest:
    """Longer after each failure, short again once all went well for a while."""

    def __init__(self) -> None:
        self._seconds = FIRST_REST
        self._since = asyncio.get_running_loop().time()

    def next(self) -> float:
        now = asyncio.get_running_loop().time()
        calm = now - self._since > 10 * LONGEST_REST
        rest = FIRST_REST if calm else self._seconds
        self._seconds = min(rest * 2, LONGEST_REST)
        self._since = now
        return rest
