"""How much one caller may ask for: calls, heavy calls, open streams.

A bucket of tokens for each caller: a call takes one, time gives them back. Who has
signed in is counted by player; who has not, and whoever brings a bad token, by address.
Our own services are not counted. What is refused has changed nothing, and is told when
to come again; what comes up a stream too fast is read more slowly instead, so that no
answer is ever dropped.
"""

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Any
from urllib.parse import unquote

from services.chassis.config import ServiceConfig
from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics
from services.chassis.tokens import Caller

# A caller who has been quiet for so long may do so much at once.
BURST_SECONDS = 5.0
# A heavy call, such as a whole catalogue, takes as much as so many others.
HEAVY = 10
# An address may be a whole school, or the edge itself.
STREAMS_OF_AN_ADDRESS = 10
REMEMBERED = 100_000
PREFIX = 64


class Bucket:
    """Tokens of one caller; full at first."""

    __slots__ = ("_burst", "_filled", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = self._tokens = burst
        self._filled = now

    def take(self, now: float) -> float:
        """Take one; 0, or in how many seconds there will be one, and none is taken."""
        grown = (now - self._filled) * self._rate
        self._tokens = min(self._burst, self._tokens + grown)
        self._filled = now
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._rate

    def empty(self, now: float) -> bool:
        """Whether there is nothing to take just now."""
        return self._in_it(now) < 1

    def full(self, now: float) -> bool:
        """Whether it is as if it were new."""
        return self._in_it(now) >= self._burst

    def _in_it(self, now: float) -> float:
        return self._tokens + (now - self._filled) * self._rate


class Buckets:
    """By caller, of one rate; 0 is no limit. Who has been quiet for long is forgotten,
    and so is, of too many, whoever has been so for longest."""

    def __init__(self, rate: float, remembered: int = REMEMBERED) -> None:
        self.is_limited = rate > 0
        self._rate = rate
        self._remembered = remembered
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        bucket = self._of.get(key)
        if bucket is None:
            now = monotonic()
            self._forget_some(now)
            burst = max(1.0, self._rate * BURST_SECONDS)
            bucket = self._of[key] = Bucket(self._rate, burst, now)
        else:
            self._of.move_to_end(key)
        return bucket

    def _forget_some(self, now: float) -> None:
        """Of two for each that comes, so that they become few again."""
        for key, bucket in list(islice(self._of.items(), 2)):
            if bucket.full(now) or len(self._of) >= self._remembered:
                del self._of[key]

    def __len__(self) -> int:
        return len(self._of)

    def take(self, key: str) -> float:
        return self.of(key).take(monotonic()) if self.is_limited else 0.0

    def is_empty(self, key: str) -> bool:
        return self.is_limited and self.of(key).empty(monotonic())


@dataclass(frozen=True, slots=True)
class Allowance:
    """Of one kind of caller."""

    usual: Buckets
    heavy: Buckets
    streams: int


class Limits:
    """Every caller's allowance, and how many streams each has open."""

    def __init__(self, config: ServiceConfig, metrics: Metrics) -> None:
        self._players = allowance(config.player_rate, config.player_streams)
        streams = config.player_streams * STREAMS_OF_AN_ADDRESS
        self._addresses = allowance(config.address_rate, streams)
        self._metrics = metrics
        self._open: dict[str, int] = {}

    def charge(self, who: Caller, address: str, heavy: bool) -> None:
        """One call; TOO_MANY where the caller has no more to spend just now."""
        if who.is_service:
            return
        of, key = (self._players, who.id) if who.is_player else self._stranger(address)
        wait = (of.heavy if heavy else of.usual).take(key)
        if wait:
            raise self._refused("heavy_calls" if heavy else "calls", wait)

    def charge_bad_token(self, address: str) -> None:
        """A token that is none has cost us the looking at it."""
        self._addresses.heavy.take(address)

    def refuse_spent(self, address: str) -> None:
        """TOO_MANY where an address has spent all on tokens that are none."""
        if self._addresses.heavy.is_empty(address):
            raise self._refused("bad_tokens", 1.0)

    def open_stream(self, who: Caller, address: str) -> str:
        """Under which name it is to be closed; TOO_MANY."""
        if who.is_service:
            return ""
        of, key = (self._players, who.id) if who.is_player else self._stranger(address)
        number = self._open.get(key, 0)
        if of.streams and number >= of.streams:
            raise self._refused("streams", 1.0)
        self._open[key] = number + 1
        return key

    def close_stream(self, key: str) -> None:
        left = self._open.get(key, 0) - 1
        if left > 0:
            self._open[key] = left
        else:
            self._open.pop(key, None)

    def paced(self, requests: AsyncIterator[Any], who: Caller) -> AsyncIterator[Any]:
        """What a player sends up a stream, as fast as may be."""
        usual = self._players.usual
        if not (who.is_player and usual.is_limited):
            return requests
        return Paced(requests, usual.of(who.id))

    def _stranger(self, address: str) -> tuple[Allowance, str]:
        return self._addresses, address

    def _refused(self, limit: str, wait: float) -> AnpaiError:
        self._metrics.limited.labels(limit).inc()
        return AnpaiError(
            "TOO_MANY",
            f"Too many {limit.replace('_', ' ')}; try again in {max(wait, 0.1):.1f} s.",
            retry_after=max(wait, 0.001),
            limit=limit,
        )


def allowance(rate: int, streams: int) -> Allowance:
    return Allowance(Buckets(rate), Buckets(rate / HEAVY), streams)


class Paced:
    """Requests of a stream, each when there is a token for it."""

    def __init__(self, requests: AsyncIterator[Any], bucket: Bucket) -> None:
        self._next = aiter(requests).__anext__
        self._bucket = bucket

    def __aiter__(self) -> "Paced":
        return self

    async def __anext__(self) -> Any:
        request = await self._next()
        while wait := self._bucket.take(monotonic()):  # noqa: ASYNC110
            await asyncio.sleep(wait)
        return request


# ---- where a call comes from ---------------------------------------------------------


def address_of(peer: str, headers: Mapping[str, str], edges: int) -> str:
    """The caller's address; of a network of the sixth version, which is one caller's.

    `edges` of ours stand before us, each of which has added to `x-forwarded-for` whom
    it was called by: what stands further to the left anybody could have written.
    """
    hops = [hop.strip() for hop in headers.get("x-forwarded-for", "").split(",")]
    if edges and hops[-1] and len(hops) >= edges:
        return network(hops[-edges])
    kind, _, rest = unquote(peer).partition(":")
    return network(rest.rpartition(":")[0]) if kind in ("ipv4", "ipv6") else kind


def network(text: str) -> str:
    try:
        address = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, PREFIX), strict=False))
