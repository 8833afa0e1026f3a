"""Who takes writes: the one store, the primary that Sentinels name, or a cluster's.

Nothing is ever read from a replica: it may lack what a seat was shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol
from weakref import WeakSet

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, Connection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, MovedError, RedisError

from services.chassis.store_urls import Host, StoreUrl
from services.chassis.stores.line import Line
from services.chassis.telemetry import Metrics

log = structlog.get_logger()

# A store of its own may be slow; in a group another can take over from one that hangs.
REPLY_SECONDS = 5.0
GROUP_REPLY_SECONDS = 3.0
ASK_SECONDS = 1.0

AT_ONCE = 64


class Primaries(Protocol):
    """Who has a key now, and connections to them.

    `redis` is a client for single commands, as it comes; scripts go through a Pipeline.
    """

    redis: Any

    def of(self, keys: Sequence[str | bytes]) -> str:
        """The name of the primary that has these keys; there is always one."""

    def names(self) -> list[str]:
        """Of all primaries."""

    def line_to(self, primary: str) -> Line:
        """A line of one's own, not made yet."""

    def moved(self, error: MovedError) -> None:
        """A node says that another has a slot."""

    async def find(self) -> None:
        """At the start; the error says why nobody can be found."""

    async def learn(self) -> None:
        """Something is wrong: find out who leads, give stale connections up."""

    async def listener(self, channel: str) -> "Redis":
        """A client of one's own to hear a channel with."""

    async def close(self) -> None:
        """Hang up."""


def dialling(options: Mapping[str, Any], reply_within: float | None) -> dict[str, Any]:
    """What redis-py is told of a connection: above all that it repeats nothing."""
    return {
        **options,
        "socket_timeout": reply_within,
        "socket_connect_timeout": 2,
        "health_check_interval": 20,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
    }


def connection(options: Mapping[str, Any]) -> AbstractConnection:
    """Without a limit for each reply: its line has one for a whole batch."""
    told = dialling(options, None)
    made: AbstractConnection = told.pop("connection_class", Connection)(**told)
    return made


def client(options: Mapping[str, Any], reply_within: float | None) -> "Redis":
    told = dialling(options, reply_within)
    pool = BlockingConnectionPool(max_connections=AT_ONCE, timeout=5, **told)
    return Redis.from_pool(pool)


class One:
    """A single store, that is always the primary."""

    def __init__(self, url: StoreUrl) -> None:
        self._options = url.options
        self.redis: Any = client(url.options, REPLY_SECONDS)

    def of(self, keys: Sequence[str | bytes]) -> str:
        return ""

    def names(self) -> list[str]:
        return [""]

    def line_to(self, primary: str) -> Line:
        return Line(self._dialled, REPLY_SECONDS)

    async def _dialled(self) -> AbstractConnection:
        return connection(self._options)

    def moved(self, error: MovedError) -> None:
        log.error("the store is a node of a cluster: write redis+cluster://")

    async def find(self) -> None:
        """It is where the URL says."""

    async def learn(self) -> None:
        """There is no other."""

    async def listener(self, channel: str) -> "Redis":
        return client(self._options, None)

    async def close(self) -> None:
        await self.redis.aclose()


class Watched:
    """The primary of a group, which Sentinels name as often as a line is made."""

    def __init__(self, url: StoreUrl, metrics: Metrics) -> None:
        self._service = url.service
        self._metrics = metrics
        self._options, sentinels = apart(url.options)
        self._sentinel: Any = Sentinel(url.hosts)  # type: ignore[no-untyped-call]
        self._sentinel.sentinels = [
            client({**sentinels, **at(host)}, ASK_SECONDS) for host in url.hosts
        ]
        self.redis: Any = self._sentinel.master_for(
            self._service, **secured(dialling(self._options, GROUP_REPLY_SECONDS))
        )
        self._known: Host | None = None
        self._lines: WeakSet[Line] = WeakSet()
        self._listeners: WeakSet[Redis] = WeakSet()

    def of(self, keys: Sequence[str | bytes]) -> str:
        return ""

    def names(self) -> list[str]:
        return [""]

    def line_to(self, primary: str) -> Line:
        line = Line(self._dialled, GROUP_REPLY_SECONDS)
        self._lines.add(line)
        return line

    async def _dialled(self) -> AbstractConnection:
        return connection({**self._options, **at(await self._primary())})

    async def _primary(self) -> Host:
        try:
            found = Host(*await self._sentinel.discover_master(self._service))
        except MasterNotFoundError:
            # redis-py's own sentence has all that it was told, a password as well.
            unknown = f"no Sentinel knows who leads {self._service}"
            raise ConnectionError(unknown) from None
        if self._known not in (None, found):
            self._metrics.store_failovers.inc()
            log.warning("store failed over", primary=str(found))
            await hang_up(self._listeners)
        self._known = found
        return found

    def moved(self, error: MovedError) -> None:
        log.error("the store is a node of a cluster: write redis+cluster://")

    async def find(self) -> None:
        """One Sentinel that answers is enough; if none does, why is told."""
        troubles: list[Exception] = []
        for sentinel in self._sentinel.sentinels:
            try:
                await sentinel.ping()
                break
            except (RedisError, OSError) as trouble:
                troubles.append(trouble)
        else:
            raise troubles[-1]
        await self._primary()

    async def learn(self) -> None:
        """All that was connected may lead to the old primary."""
        for line in self._lines:
            line.renew()
        await hang_up([self.redis])

    async def listener(self, channel: str) -> "Redis":
        heard = client({**self._options, **at(await self._primary())}, None)
        self._listeners.add(heard)
        return heard

    async def close(self) -> None:
        await self.redis.aclose()
        await self._sentinel.aclose()


async def hang_up(clients: "Iterable[Redis]") -> None:
    """Whoever waits for something on their connections is told that they are gone."""
    for each in list(clients):
        with suppress(RedisError, OSError):
            await each.connection_pool.disconnect()


def at(host: Host) -> dict[str, Any]:
    return {"host": host.name, "port": host.port}


def apart(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the store is told, and what its Sentinels are: they have users of their own,
    no numbered databases, and the same TLS."""
    mine = ("username", "password", "db")
    own = {f"sentinel_{name}": name for name in mine}
    store = {name: value for name, value in options.items() if name not in own}
    shared = {name: value for name, value in store.items() if name not in mine}
    told = {own[name]: value for name, value in options.items() if name in own}
    return store, shared | told


def secured(options: dict[str, Any]) -> dict[str, Any]:
    """Clients that find their own nodes want a word where a class would do."""
    is_plain = options.pop("connection_class", Connection) is Connection
    return options if is_plain else {**options, "ssl": True}
