"""Open and close Redis (6.2 or newer, or Valkey), and commit in groups.

Every write is a version-checked script. redis-py would repeat a write whose reply is
lost, up to ten times: here nothing is ever repeated, the caller is told "unknown"
(`StoreUnavailable`) and asks again by its request id.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    ConnectionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics, timed
from services.chassis.traces import traces

log = structlog.get_logger()

Argument = str | bytes | int

WAIT_MS = 1000


class StoreUnavailable(AnpaiError):
    """The store did not confirm: the write may or may not have happened."""

    def __init__(self) -> None:
        super().__init__(
            "PART_UNAVAILABLE",
            "The store does not answer; try again.",
            retry_after=0.5,
            part="store",
        )


class StoreUnreachable(Exception):
    """No store at the start: a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script; all its keys share one hash tag."""

    name: str
    source: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha1(self.source.encode()).hexdigest()
        object.__setattr__(self, "sha", digest)


@dataclass(slots=True)
class _Call:
    script: Script
    keys: Sequence[str | bytes]
    args: Sequence[Argument]
    reply: "asyncio.Future[Any]"


class Pipeline:
    """Calls made in one turn of the loop travel together, each with its own result.

    One batch is under way at a time; what comes meanwhile makes the next. With
    replicas a batch ends with WAIT: none of it succeeds before enough have confirmed.
    """

    def __init__(self, redis: "Redis", metrics: Metrics, replicas: int = 0):
        self._redis = redis
        self._metrics = metrics
        self._replicas = replicas
        self._waiting: list[_Call] = []
        self._loaded: set[str] = set()
        self._sender: asyncio.Task[None] | None = None

    def call(
        self,
        script: Script,
        keys: Sequence[str | bytes] = (),
        args: Sequence[Argument] = (),
    ) -> "asyncio.Future[Any]":
        """The script's reply, its ResponseError, or StoreUnavailable.

        Cancelling the wait does not take the call back.
        """
        reply = asyncio.get_running_loop().create_future()
        self._waiting.append(_Call(script, keys, args, reply))
        traces().follow_write(script.name, reply)
        if self._sender is None:
            self._sender = asyncio.create_task(self._send_all())
        return reply

    async def close(self) -> None:
        """What was called is still sent."""
        while self._sender is not None:
            await asyncio.wait([self._sender])

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._send(batch)
        finally:
            self._sender = None

    async def _send(self, batch: list[_Call]) -> None:
        self._metrics.store_batch.observe(len(batch))
        try:
            with timed(self._metrics.store_seconds):
                replies = await self._exchange(batch)
        except (ConnectionError, TimeoutError, OSError) as error:
            self._metrics.store_lost.inc()
            log.warning("store lost", error=type(error).__name__, calls=len(batch))
            await self._purge()
            replies = [StoreUnavailable() for _ in batch]
        except BaseException:
            for call in batch:
                settle(call.reply, StoreUnavailable())
            raise
        for call, reply in zip(batch, replies, strict=True):
            self._deliver(call, reply)

    async def _exchange(self, batch: list[_Call]) -> list[Any]:
        async with self._redis.pipeline(transaction=False) as pipe:
            for call in batch:
                self._write(pipe, call)
            if self._replicas:
                pipe.execute_command("WAIT", self._replicas, WAIT_MS)
            replies = await pipe.execute(raise_on_error=False)
        if self._replicas and not reached(replies.pop(), self._replicas):
            return [unless_refused(reply) for reply in replies]
        if any(is_demoted(reply) for reply in replies):
            await self._purge()
        return [StoreUnavailable() if is_demoted(reply) else reply for reply in replies]

    def _write(self, pipe: Any, call: _Call) -> None:
        """The source the first time (which loads it), its hash from then on."""
        known = call.script.sha in self._loaded
        command, body = ("EVALSHA", call.script.sha) if known else ("EVAL", None)
        self._loaded.add(call.script.sha)
        pipe.execute_command(
            command, body or call.script.source, len(call.keys), *call.keys, *call.args
        )

    def _deliver(self, call: _Call, reply: Any) -> None:
        """A store that has forgotten the script has not run it: it goes again."""
        if isinstance(reply, NoScriptError):
            self._loaded.discard(call.script.sha)
            self._waiting.append(call)
        else:
            settle(call.reply, reply)

    async def _purge(self) -> None:
        """After a failover every connection may lead to the old primary."""
        await self._redis.connection_pool.disconnect(inuse_connections=True)


def settle(future: "asyncio.Future[Any]", reply: Any) -> None:
    if future.done():
        return
    if isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)


def reached(confirmed: Any, replicas: int) -> bool:
    return isinstance(confirmed, int) and confirmed >= replicas


def unless_refused(reply: Any) -> Any:
    """Unconfirmed: what a script wrote may be lost; what was refused stays refused."""
    return reply if isinstance(reply, ResponseError) else StoreUnavailable()


def is_demoted(reply: Any) -> bool:
    """redis-py has a class for it; Redis 6.2 wraps it when it comes from a script."""
    return isinstance(reply, ReadOnlyError) or (
        isinstance(reply, ResponseError) and "READONLY" in str(reply)
    )


@dataclass(frozen=True, slots=True)
class Store:
    """`redis` for reads, `pipeline` for writes, `waiting` for reads that block."""

    redis: "Redis"
    pipeline: Pipeline
    waiting: "Redis"

    async def close(self) -> None:
        await self.pipeline.close()
        await self.redis.aclose()
        await self.waiting.aclose()


async def open_store(
    url: str, metrics: Metrics, *, replicas: int = 0, patience: float = 10.0
) -> Store:
    """Connect, or raise StoreUnreachable after `patience` seconds."""
    writes, reads, waiting = client(url, 4), client(url, 64), client(url, 64, None)
    await answer_of(writes, url, patience)
    await warn_of_loss(writes)
    return Store(reads, Pipeline(writes, metrics, replicas), waiting)


def client(url: str, connections: int, reply_within: float | None = 5.0) -> "Redis":
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=5,
        socket_timeout=reply_within,
        socket_connect_timeout=2,
        health_check_interval=20,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    return Redis.from_pool(pool)


async def answer_of(redis: "Redis", url: str, patience: float) -> None:
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        try:
            await redis.ping()
            return
        except (RedisError, OSError) as error:
            if asyncio.get_running_loop().time() >= deadline:
                raise StoreUnreachable(
                    f"No store answers at {without_password(url)} ({error}). "
                    "ANPAI_REDIS_URL says where it is."
                ) from None
        await asyncio.sleep(0.2)


def without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="").geturl()


async def warn_of_loss(redis: "Redis") -> None:
    """Say what this store may lose; one that does not let us ask is taken as set up."""
    try:
        kept = dict(await redis.config_get("append*"))
    except ResponseError:
        return
    if word(kept, "appendonly") == "no":
        log.warning("the store keeps nothing on disk: a crash loses every table")
    elif word(kept, "appendfsync") != "always":
        log.warning(
            "the store may lose acknowledged answers: appendfsync is not always"
        )


def word(settings: dict[Any, Any], name: str) -> str:
    """redis-py gives text or bytes, as it likes."""
    value = settings.get(name, settings.get(name.encode()))
    return value.decode() if isinstance(value, bytes) else str(value)
