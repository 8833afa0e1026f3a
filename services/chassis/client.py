"""Calling another of our services: one channel for each, deadlines, and its refusals.

Both ends of the keepalive lie here side by side: a client that pings more often than
the server allows is thrown out.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

import grpc
from grpc_status import rpc_status

from services.chassis.errors import AnpaiError, refusal_in
from services.chassis.telemetry import REQUEST
from services.chassis.tls import Renewal, Tls, dial
from services.chassis.tokens import Credential
from services.chassis.traces import PARENT, traces

Reply = TypeVar("Reply")
Call = TypeVar("Call", bound=grpc.aio.Call)

LOOK_SECONDS = 1.0
# gRPC itself looks a name up again only once it has lost a connection: whoever has come
# since would never be called.
NAME_SECONDS = 30.0
GRACE_SECONDS = 60.0  # for unary calls: gRPC ends no stream that has begun
MESSAGE_BYTES = 4 * 1024 * 1024

LIMITS = [
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.max_send_message_length", MESSAGE_BYTES),
]

IN_TURN = ("grpc.lb_policy_name", "round_robin")

CLIENT_OPTIONS: list[tuple[str, Any]] = [
    *LIMITS,
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 0),
]

SERVER_OPTIONS: list[tuple[str, Any]] = [
    *LIMITS,
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
    # Two processes on one port would share its connections unnoticed.
    ("grpc.so_reuseport", 0),
    # Of more than 1,000 calls that come at once grpc drops some without a word, and
    # their callers wait for ever: all coming back after a restart is such a storm.
    ("grpc.server.max_pending_requests", 50_000),
    ("grpc.server.max_pending_requests_hard_limit", 100_000),
]


class Peer:
    """Another service at one address, called with our credential for it.

    It is dialled anew once our certificate, or whom we trust, is another. Calls that
    run then go on where they are. `in_turn`: if its address is a name (`dns:`), all
    that it stands for are called, and who they are is asked again and again.
    """

    def __init__(
        self,
        address: str,
        credential: Credential | None = None,
        tls: Tls | None = None,
        *,
        in_turn: bool = False,
    ):
        self.address = address
        self._credential = credential
        self._tls = tls
        self._renewal = Renewal(tls) if tls else None
        self._are_several = in_turn and address.startswith("dns:")
        self._options = [*CLIENT_OPTIONS, *([IN_TURN] if self._are_several else ())]
        self._looked = self._dialled = monotonic()
        self._channel = dial(address, tls, self._options)
        self._stubs: dict[type[Any], Any] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def stub(self, kind: type[Any]) -> Any:
        """For the next call: kept for longer it would show what is old by then."""
        if monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = monotonic()
            if self._is_old() or (self._renewal and self._renewal.is_due()):
                self._dial_anew()
        if kind not in self._stubs:
            self._stubs[kind] = kind(self._channel)
        return self._stubs[kind]

    def _is_old(self) -> bool:
        return self._are_several and self._looked - self._dialled >= NAME_SECONDS

    def _dial_anew(self) -> None:
        try:
            anew = dial(self.address, self._tls, self._options)
        except OSError:  # gone since; they are others when they come back
            return
        self._dialled = monotonic()
        closing = asyncio.create_task(self._channel.close(GRACE_SECONDS))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        self._channel = anew
        self._stubs.clear()

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Our credential, for a stream that serves many requests."""
        return self._credential.metadata() if self._credential else ()

    def along(self) -> tuple[tuple[str, str], ...]:
        """Our credential, and on whose behalf we call."""
        return (*self.metadata(), *on_behalf())

    async def ask(
        self,
        method: Callable[..., Any],
        request: Any,
        reply: type[Reply],
        within: float,
    ) -> Reply:
        """One unary call. Raises the peer's own refusal, or PART_UNAVAILABLE."""
        call = method(request, timeout=within, metadata=self.along())
        async with finishing(call):
            answer = await call
        if not isinstance(answer, reply):
            raise TypeError(f"{type(answer).__name__} is not a {reply.__name__}")
        return answer

    async def close(self) -> None:
        for closing in self._closing:
            closing.cancel()
        await self._channel.close()


def on_behalf() -> tuple[tuple[str, str], ...]:
    """The present request and span, for whoever is called because of them."""
    known = (("x-request-id", REQUEST.get()), (PARENT, traces().here()))
    return tuple((name, id) for name, id in known if id)


@asynccontextmanager
async def finishing(call: Call) -> AsyncIterator[Call]:
    """Around any call: cancelled when we are done with it, refusals raised as ours."""
    try:
        yield call
    except grpc.aio.AioRpcError as error:
        raise meaning_of(error) from None
    finally:
        call.cancel()


def is_called_off() -> bool:
    """Whether the present task is being cancelled. If not, a CancelledError in it means
    that a call it made was cut off, such as by the closing of a channel."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def out_of_reach() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE", "A part of this is out of reach.", retry_after=0.5
    )


def meaning_of(error: grpc.aio.AioRpcError) -> Exception:
    """What the peer meant; without words of ours it is gone, or it is a mistake."""
    status = rpc_status.from_call(as_call(error))
    told = refusal_in(status) if status is not None else None
    if told is not None and told.reason != "INTERNAL":
        return told
    is_late = error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    return out_of_reach() if is_late or is_broken_off(error) else error


# What a connection that breaks in the middle of a call can look like.
BROKEN_OFF = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
)


def is_broken_off(error: grpc.aio.AioRpcError) -> bool:
    """Whether nobody has spoken: what our services refuse, they refuse in words."""
    silent = rpc_status.from_call(as_call(error)) is None
    return silent and error.code() in BROKEN_OFF


def as_call(error: grpc.aio.AioRpcError) -> Any:
    """It answers like the call that it ended."""
    return error


def time_left(context: grpc.aio.ServicerContext[Any, Any], at_most: float) -> float:
    """The caller's deadline, passed on, and never longer than ours."""
    left = context.time_remaining()
    return at_most if left is None else max(0.0, min(left, at_most))
