"""Channels, deadlines and repetition: how every call of the SDK travels.

A call is repeated only where that is safe, with growing, jittered pauses, and through
another address where there is one. Each is cancelled when we are done with it: a call
that is merely dropped may live on at the server until its channel closes.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import grpc

from anpai.calls import is_cancelled
from anpai.faults import AnpaiCallError, HouseClosed, fault_of
from anpai.tls import Fresh

R = TypeVar("R")
Token = str | Callable[[], str] | None
Metadata = tuple[tuple[str, str], ...]
Method = Callable[[str], Any]

CALL_SECONDS = 10.0
PATIENCE = 30.0
A_DAY = 86_400.0  # gRPC does not bear to wait for ever
# gRPC itself looks a name up again only once it has lost a connection: whoever has come
# since would never be called.
NAME_SECONDS = 60.0
GRACE_SECONDS = 60.0  # for unary calls: gRPC ends no stream that has begun

# Which table a call is about, for an edge that sends all of a table's calls one way.
TABLE = "x-anpai-table"

# The other half of the keepalive pair is the server's: pinging more often than it
# allows gets a client thrown out. The reconnect pauses are short because a worker that
# restarts should be found again in seconds.
OPTIONS: list[tuple[str, Any]] = [
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
]
IN_TURN = ("grpc.lb_policy_name", "round_robin")


class Backoff:
    """Pauses that double from 50 ms to 5 s, each shortened by up to half at random."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self.reset()

    def reset(self) -> None:
        """It went well: begin anew."""
        self._pause = 0.05
        self._until: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether patience has run out, counted from the first trouble."""
        if self._until is None:
            self._until = monotonic() + self._patience
        return monotonic() >= self._until

    def allows(self, wait: float | None = None) -> bool:
        """Whether there is patience left, and as much as such a wait takes."""
        return not self.is_over and (wait or 0.0) <= self._patience

    async def pause(self, at_least: float | None = None) -> None:
        """Wait, a little longer than last time."""
        await asyncio.sleep(max(at_least or 0.0, self._pause * random.uniform(0.5, 1)))
        self._pause = min(self._pause * 2, 5.0)


class Route:
    """Addresses that serve the same; the one that answered last is asked first.

    `look` finds further ones when all known ones have failed.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        look: Callable[[], Awaitable[Sequence[str]]] | None = None,
    ) -> None:
        self._addresses = list(dict.fromkeys(addresses))
        self._look = look
        self._failed = 0

    @property
    def address(self) -> str:
        return self._addresses[0]

    def went_well(self) -> None:
        """The present address answers."""
        self._failed = 0

    async def turn(self) -> None:
        """The present address did not answer: the next one is asked."""
        self._addresses.append(self._addresses.pop(0))
        self._failed += 1
        if self._failed >= len(self._addresses) and self._look is not None:
            found = [one for one in await self._look() if one not in self._addresses]
            self._addresses = [*found, *self._addresses]
            self._failed = 0


class Lane(NamedTuple):
    """What has a channel of its own: an address, and for a name each method."""

    address: str
    method: str


class Channels:
    """One channel for each address; any number of players may share them.

    gRPC lets channels to one address share a connection, unless they are kept `apart`.
    Where credentials have been renewed all is dialled anew; calls that run go on where
    they are. All that a name (`dns:`) stands for are called in turn, and who they are
    is asked again and again.
    """

    def __init__(
        self, tls: grpc.ChannelCredentials | Fresh | None, apart: bool = False
    ) -> None:
        self._fresh = tls if callable(tls) else None
        self._tls = tls() if callable(tls) else tls
        self._closing: set[asyncio.Task[None]] = set()
        self._options = [*OPTIONS, ("grpc.use_local_subchannel_pool", int(apart))]
        self._channels: dict[Lane, grpc.aio.Channel] = {}
        self._dialled: dict[Lane, float] = {}
        self._stubs: dict[tuple[type[Any], Lane], Any] = {}
        self._streams: set[Any] = set()
        self._is_closed = False

    def stub(self, kind: type[Any], address: str, method: str = "") -> Any:
        """The stub of a service at an address, for the next call. HouseClosed.

        Of a name each method has a turn of its own: of two that are called by turns
        one would always come to the same half of all there are.
        """
        if self._is_closed:
            raise HouseClosed
        if self._fresh is not None and (now := self._fresh()) is not self._tls:
            self._tls = now
            self._hang_up([*self._channels])
        lane = Lane(address, method if is_name(address) else "")
        if is_name(address) and self._is_old(lane):
            self._hang_up([lane])
        key = kind, lane
        if key not in self._stubs:
            self._stubs[key] = kind(self._channel(lane))
        return self._stubs[key]

    def keep(self, stream: Any) -> Any:
        """A stream that is to end with the channels: gRPC does not see to that."""
        self._streams.add(stream)
        stream.add_done_callback(self._streams.discard)
        return stream

    async def close(self) -> None:
        """Close all; streams that are still open end."""
        self._is_closed = True
        for stream in [*self._streams]:
            stream.cancel()
        for closing in self._closing:
            closing.cancel()
        channels, self._channels, self._stubs = self._channels, {}, {}
        for channel in channels.values():
            await channel.close()

    def _is_old(self, lane: Lane) -> bool:
        is_open = lane in self._channels
        return is_open and monotonic() - self._dialled[lane] >= NAME_SECONDS

    def _hang_up(self, lanes: Sequence[Lane]) -> None:
        """Whoever calls there next dials anew."""
        for lane in lanes:
            channel = self._channels.pop(lane)
            closing = asyncio.create_task(channel.close(GRACE_SECONDS))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        kept = {key: stub for key, stub in self._stubs.items() if key[1] not in lanes}
        self._stubs = kept

    def _channel(self, lane: Lane) -> grpc.aio.Channel:
        if lane not in self._channels:
            self._channels[lane] = self._dial(lane.address)
            self._dialled[lane] = monotonic()
        return self._channels[lane]

    def _dial(self, address: str) -> grpc.aio.Channel:
        options = [
            *self._options,
            ("grpc.enable_http_proxy", int(not is_here(address))),
            *([IN_TURN] if is_name(address) else ()),
        ]
        if self._tls is not None:
            return grpc.aio.secure_channel(address, self._tls, options=options)
        return grpc.aio.insecure_channel(address, options=options)


def is_name(address: str) -> bool:
    """Whether it may stand for several, and for others later on."""
    return address.startswith("dns:")


def is_here(address: str) -> bool:
    """Whether it is on this machine, where no proxy can reach it for us."""
    host = address.rpartition(":")[0]
    return re.fullmatch(r"localhost|\[::1\]|127(\.\d+){3}", host) is not None


class Wire:
    """One player's calls: the channels they go through, and the token they carry."""

    def __init__(self, channels: Channels, token: Token, patience: float) -> None:
        self.channels = channels
        self.token = token
        self.patience = patience

    def metadata(self, table_id: str = "") -> Metadata:
        """Who calls, and about which table."""
        token = self.token() if callable(self.token) else self.token
        who = (("authorization", f"Bearer {token}"),) if token else ()
        return (*who, *about(table_id))

    async def ask(
        self,
        route: Route,
        method: Method,
        request: Any,
        reply: type[R],
        *,
        repeat: bool = True,
        wait: bool = False,
    ) -> R:
        """One unary call, as patient as the wire. Raises AnpaiCallError.

        `repeat`: it does the same however often it is done. `wait`: it rather waits
        for a connection, and its one reply, than fail without.
        """
        backoff = Backoff(self.patience)
        while True:
            try:
                answer = await self._once(method(route.address), request, wait)
            except AnpaiCallError as fault:
                may_repeat = repeat and fault.may_be_repeated
                if not (may_repeat and backoff.allows(fault.retry_after)):
                    raise
                await route.turn()
                await backoff.pause(fault.retry_after)
            else:
                route.went_well()
                assert isinstance(answer, reply)
                return answer

    async def _once(self, method: Any, request: Any, wait: bool) -> Any:
        call = method(
            request,
            timeout=min(self.patience, A_DAY) if wait else CALL_SECONDS,
            metadata=self.metadata(getattr(request, "table_id", "")),
            wait_for_ready=wait,
        )
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise fault_of(error) from None
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            raise HouseClosed from None
        finally:
            call.cancel()


def about(table_id: str) -> Metadata:
    """The table; nothing where these cannot be the letters of one."""
    fits = re.fullmatch(r"[\w-]+", table_id, re.ASCII)
    return ((TABLE, table_id),) if fits else ()
