"""Open and close a store: Redis 6.2 or newer, or Valkey; one, watched, or a cluster."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from services.chassis.store_urls import Kind, StoreUrl
from services.chassis.stores.calls import Command, Script, StoreUnavailable
from services.chassis.stores.cluster import Cluster
from services.chassis.stores.pipeline import WAIT_MS, Pipeline
from services.chassis.stores.primaries import One, Primaries, Watched
from services.chassis.telemetry import Metrics

log = structlog.get_logger()

T = TypeVar("T")

PING = Script("ping", "return 1")


class StoreUnreachable(Exception):
    """No store at the start: a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Store:
    """`pipeline` for writes and for reads that must see them, `reading` for others,
    `redis` for single commands."""

    redis: Any
    pipeline: Pipeline
    reading: Pipeline
    primaries: Primaries

    @asynccontextmanager
    async def heard(self, channel: str) -> AsyncIterator[PubSub]:
        """What is published on a channel, until the connection is lost: it is a hint,
        and may be lost itself."""
        client = await self.primaries.listener(channel)
        async with client, client.pubsub() as heard:
            await heard.subscribe(channel)
            yield heard

    async def ping(self) -> None:
        """StoreUnavailable unless the store, or a part of it, runs scripts."""
        asked = self.reading.call_everywhere(PING)
        for reply in asked:
            reply.add_done_callback(heard_of)
        for answer in asyncio.as_completed(asked):
            with suppress(StoreUnavailable):
                await answer
                return
        raise StoreUnavailable

    async def close(self) -> None:
        await self.pipeline.close()
        await self.reading.close()
        await self.primaries.close()


def heard_of(reply: "asyncio.Future[Any]") -> None:
    """Nobody waits for the last ones; that they failed is no stray error."""
    if not reply.cancelled():
        reply.exception()


async def open_store(
    url: str, metrics: Metrics, *, replicas: int = 0, patience: float = 10.0
) -> Store:
    """Connect, or raise StoreUnreachable after `patience` seconds."""
    where = StoreUrl.parse(url)
    primaries = primaries_at(where, metrics)
    await answer_of(primaries, where, patience)
    await refuse_a_node(primaries, where)
    await warn_of_loss(primaries, where, replicas)
    pipeline = Pipeline(primaries, metrics, replicas)
    return Store(primaries.redis, pipeline, Pipeline(primaries, metrics), primaries)


async def patiently(ask: Callable[[], Awaitable[T]], patience: float = 10.0) -> T:
    """What the store says, asked again where it breaks off: only while one starts."""
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        try:
            return await ask()
        except StoreUnavailable:
            if asyncio.get_running_loop().time() >= deadline:
                raise StoreUnreachable(
                    "The store answers, and breaks off again and again."
                ) from None
        await asyncio.sleep(0.2)


def primaries_at(url: StoreUrl, metrics: Metrics) -> Primaries:
    if url.kind is Kind.ONE:
        return One(url)
    if url.kind is Kind.SENTINEL:
        return Watched(url, metrics)
    return Cluster(url, metrics)


async def answer_of(primaries: Primaries, where: StoreUrl, patience: float) -> None:
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        try:
            await primaries.find()
            await asked(primaries, ("EVAL", PING.source, 0))
            return
        except (RedisError, OSError) as error:
            if asyncio.get_running_loop().time() >= deadline:
                raise StoreUnreachable(
                    f"No store answers at {where.shown} ({error}). "
                    "ANPAI_REDIS_URL says where it is."
                ) from None
        await asyncio.sleep(0.2)


async def asked(primaries: Primaries, command: Command) -> Any:
    """One command, on a connection of its own; an error it gives is raised."""
    line = primaries.line_to(primaries.of(()))
    try:
        [reply] = await line.exchange([command])
    finally:
        await line.cut()
    if isinstance(reply, Exception):
        raise reply
    return reply


async def refuse_a_node(primaries: Primaries, where: StoreUrl) -> None:
    """Of a cluster's node alone most keys could not be had."""
    if where.kind is Kind.CLUSTER:
        return
    with suppress(RedisError, OSError):
        await asked(primaries, ("CLUSTER", "SLOTS"))
        raise StoreUnreachable(
            f"{where.shown} is a node of a cluster. "
            "ANPAI_REDIS_URL must begin with redis+cluster:// (or rediss+cluster://)."
        )


async def warn_of_loss(primaries: Primaries, where: StoreUrl, replicas: int) -> None:
    """Say what this store may lose; one that does not let us ask is taken as set up."""
    with suppress(RedisError, OSError):
        await warn_of_replicas(primaries, where, replicas)
        await warn_of_disk(primaries)


async def warn_of_replicas(
    primaries: Primaries, where: StoreUrl, replicas: int
) -> None:
    if where.kind is not Kind.ONE and not replicas:
        log.warning(
            "a failover of the store may lose acknowledged answers: "
            "ANPAI_REPLICAS is 0, so that nothing waits for a replica"
        )
    if replicas and await asked(primaries, ("WAIT", replicas, WAIT_MS)) < replicas:
        log.warning(
            "fewer replicas confirm than ANPAI_REPLICAS asks for: "
            "until they do, nothing is accepted"
        )


async def warn_of_disk(primaries: Primaries) -> None:
    told = await asked(primaries, ("CONFIG", "GET", "append*"))
    kept = dict(zip(told[::2], told[1::2], strict=True))
    if kept.get(b"appendonly") == b"no":
        log.warning("the store keeps nothing on disk: a crash loses every table")
    elif kept.get(b"appendfsync") != b"always":
        log.warning(
            "the store may lose acknowledged answers: appendfsync is not always"
        )
