"""A cluster: which primary has which slot, as its nodes tell it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakSet

import structlog
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import ConnectionError, MovedError, RedisError, ResponseError

from services.chassis.store_urls import Host, StoreUrl
from services.chassis.stores.line import Line
from services.chassis.stores.primaries import (
    ASK_SECONDS,
    AT_ONCE,
    GROUP_REPLY_SECONDS,
    at,
    client,
    connection,
    dialling,
    hang_up,
    secured,
)
from services.chassis.telemetry import Metrics

log = structlog.get_logger()

PAUSE = 0.1

Owners = Mapping[range, Host]


class Cluster:
    """The nodes of the URL are asked first, at each time anew: those that were found
    may long be gone."""

    def __init__(self, url: StoreUrl, metrics: Metrics) -> None:
        self._options = url.options
        self._seeds = url.hosts
        self._metrics = metrics
        self._slots: list[str] = [str(url.hosts[0])] * REDIS_CLUSTER_HASH_SLOTS
        self._primaries: frozenset[Host] = frozenset()
        self._learning: asyncio.Task[None] | None = None
        self._listeners: WeakSet[Redis] = WeakSet()
        self.redis: Any = RedisCluster(
            startup_nodes=[ClusterNode(*host) for host in url.hosts],
            dynamic_startup_nodes=False,
            require_full_coverage=False,
            max_connections=AT_ONCE,
            **secured(dialling(url.options, GROUP_REPLY_SECONDS)),
        )

    def of(self, keys: Sequence[str | bytes]) -> str:
        return self._slots[slot_of(keys[0]) if keys else 0]

    def names(self) -> list[str]:
        return [str(host) for host in self._primaries]

    def line_to(self, primary: str) -> Line:
        name, _, port = primary.rpartition(":")
        node = {**self._options, **at(Host(name, int(port)))}

        async def dialled() -> AbstractConnection:
            return connection(node)

        return Line(dialled, GROUP_REPLY_SECONDS)

    def moved(self, error: MovedError) -> None:
        """One slot moves by itself, or with all of its node's: that is asked for."""
        self._slots[error.slot_id] = f"{error.host}:{error.port}"
        self._begin_to_learn()

    async def find(self) -> None:
        self._note(await self.ask_around())

    async def learn(self) -> None:
        """A storm of refusals asks once; those that come meanwhile hear of it too."""
        await asyncio.wait([self._begin_to_learn()])

    def _begin_to_learn(self) -> "asyncio.Task[None]":
        if self._learning is None:
            self._learning = asyncio.create_task(self._learn())
        return self._learning

    async def _learn(self) -> None:
        try:
            if self._note(await self.ask_around()):
                await hang_up(self._listeners)
        except ConnectionError as error:
            log.warning("no node of the store answers", error=str(error))
        finally:
            await asyncio.sleep(PAUSE)
            self._learning = None

    def _note(self, owners: Owners) -> bool:
        """Whether a node leads that did not before."""
        for slots, host in owners.items():
            self._slots[slots.start : slots.stop] = [str(host)] * len(slots)
        known, self._primaries = self._primaries, frozenset(owners.values())
        new = self._primaries - known
        if known and new:
            self._metrics.store_failovers.inc()
            log.warning("store failed over", primaries=sorted(map(str, new)))
        return bool(known and new)

    async def ask_around(self) -> Owners:
        """The first answer counts; ConnectionError if there is none."""
        hosts = dict.fromkeys((*self._seeds, *self._primaries))
        asking = [asyncio.create_task(self._ask(host)) for host in hosts]
        try:
            return await first_of(asking)
        finally:
            for task in asking:
                task.cancel()

    async def _ask(self, host: Host) -> Owners:
        async def dialled() -> AbstractConnection:
            return connection({**self._options, **at(host)})

        line = Line(dialled, ASK_SECONDS)
        try:
            [told] = await line.exchange([("CLUSTER", "SLOTS")])
        finally:
            await line.cut()
        if isinstance(told, ResponseError):
            raise told
        return owners_in(told, host)

    async def listener(self, channel: str) -> "Redis":
        """What is published anywhere is heard everywhere: any living node will do."""
        await self.learn()
        name, _, port = self.of([channel]).rpartition(":")
        node = {**self._options, **at(Host(name, int(port)))}
        heard = client(node, None)
        self._listeners.add(heard)
        return heard

    async def close(self) -> None:
        await self.redis.aclose()


def slot_of(key: str | bytes) -> int:
    return key_slot(key.encode() if isinstance(key, str) else key)


async def first_of(asking: "Iterable[asyncio.Task[Owners]]") -> Owners:
    errors = []
    for answer in asyncio.as_completed(asking):
        try:
            return await answer
        except (RedisError, OSError) as error:
            errors.append(error)
    raise ConnectionError(str(errors[-1]))


def owners_in(told: Any, asked: Host) -> Owners:
    """From CLUSTER SLOTS. A node that does not know its own name leaves it empty."""
    owners = {}
    for first, last, (name, port, *_), *_ in told:
        host = Host(name.decode() if name else asked.name, int(port))
        owners[range(first, last + 1)] = host
    if not owners:
        raise ConnectionError("the cluster has no slots yet")
    return owners
