"""One call on its way, from the door to its end, in this order:

trace → request id → malformed → who calls, how often, may they → deadline → metrics →
errors.

Between our services the second and third change places, and whoever does not bring the
right credential hears NOT_ALLOWED, whatever else is wrong: that door tells nothing.
"""

import asyncio
import re
import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from time import perf_counter
from types import TracebackType
from typing import Any

import grpc
from grpc_status import rpc_status

from services.chassis.access import BETWEEN_SERVICES, MAY_CALL
from services.chassis.client import is_called_off, out_of_reach
from services.chassis.errors import AnpaiError, code_of, is_refusal, status_of
from services.chassis.limits import Limits, address_of
from services.chassis.revoked import Revocations
from services.chassis.telemetry import DENIALS, REQUEST, Metrics, noted_incident
from services.chassis.tokens import CALLER, NOBODY, Caller, Verifier
from services.chassis.traces import NOTHING, PARENT, traces

Context = grpc.aio.ServicerContext[Any, Any]

OK = grpc.StatusCode.OK
CODES = {code.value[0]: code for code in grpc.StatusCode}

# What a player has to say is far less; between services messages are as long as gRPC
# lets them be.
LONGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Unread:
    """Stands in for a message whose bytes are none, or too many."""

    reason: str
    sentence: str

    def refusal(self) -> AnpaiError:
        return AnpaiError(self.reason, self.sentence)


MALFORMED = Unread("MALFORMED_MESSAGE", "These bytes are not the message this takes.")
TOO_LONG = Unread("MESSAGE_TOO_LONG", f"A message may have {LONGEST} bytes.")


@dataclass(frozen=True, slots=True)
class Door:
    """What all methods of a process have in common. `streams` are those now open."""

    verifier: Verifier
    metrics: Metrics
    limits: Limits
    revocations: Revocations
    edges: int
    streams: "set[Passage]" = field(default_factory=set)

    def turn_away(self) -> None:
        """Whoever is on the list by now; others whose seat it may be come again."""
        for passage in [*self.streams]:
            passage.turn_away()


@dataclass(frozen=True, slots=True)
class Method:
    """One RPC, and what its calls have in common."""

    name: str
    access: int
    is_stream: bool
    is_heavy: bool
    door: Door

    @property
    def metrics(self) -> Metrics:
        return self.door.metrics

    @property
    def limits(self) -> Limits:
        return self.door.limits

    def admit(self, headers: dict[str, str], address: str) -> Caller:
        """Who calls, if they may and have not called too often."""
        may_call = MAY_CALL.get(self.access)
        if may_call is None:
            raise self._not_allowed("Nobody may call this.")
        who = self._who(headers.get("authorization"), address)
        if self.is_ours and not self.is_between_services:
            self.limits.charge(who, address, self.is_heavy)
            self.door.revocations.refuse(who)
        if may_call(who):
            return who
        if who is NOBODY and not self.is_between_services:
            raise AnpaiError("TOKEN_MISSING", "Sign in first: this call needs a token.")
        raise self._not_allowed("This call is not for you.")

    @property
    def is_ours(self) -> bool:
        """Not health checks: they come all the time and tell nothing."""
        return self.name.startswith("/anpai.")

    @property
    def is_between_services(self) -> bool:
        return self.access in BETWEEN_SERVICES

    def _not_allowed(self, message: str) -> AnpaiError:
        return AnpaiError("NOT_ALLOWED", message, method=self.name)

    def _who(self, authorization: str | None, address: str) -> Caller:
        """Whose token it is; between services a bad one is no better than none."""
        try:
            return self._bearer(authorization, address)
        except AnpaiError as error:
            if error.reason == "TOKEN_INVALID":
                self.limits.charge_bad_token(address)
            if self.is_between_services:
                return NOBODY
            raise

    def _bearer(self, authorization: str | None, address: str) -> Caller:
        if authorization is None:
            return NOBODY
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise AnpaiError("TOKEN_INVALID", "The token must come as: Bearer <token>.")
        if not self.door.verifier.knows(token):
            self.limits.refuse_spent(address)
        return self.door.verifier.caller_of(token)


class Passage:
    """One call on its way: `async with` admits it, times it and translates its end."""

    def __init__(self, method: Method, context: Context, request: Any = None):
        self._method = method
        self._context = context
        self._unread = request if isinstance(request, Unread) else None
        self._id = ""
        self._stream = ""
        self._who = NOBODY
        self._ended: AnpaiError | None = None
        self._span: AbstractContextManager[Any] = NOTHING

    async def __aenter__(self) -> None:
        self._started = perf_counter()
        self._task = asyncio.current_task()
        headers = headers_of(self._context)
        if self._method.is_ours:
            above = headers.get(PARENT, "")
            self._span = traces().span(self._method.name, above=above)
        self._span.__enter__()
        if self._method.is_stream:
            self._method.metrics.open_streams.labels(self._method.name).inc()
        try:
            self._admit(headers)
        except BaseException as error:
            await self.__aexit__(type(error), error, error.__traceback__)
            raise

    def _admit(self, headers: dict[str, str]) -> None:
        self._id = request_id(headers.get("x-request-id"))
        REQUEST.set(self._id)
        if self._unread and not self._method.is_between_services:
            raise self._unread.refusal()
        CALLER.set(self._caller(headers))
        if self._unread:
            raise self._unread.refusal()
        left = self._context.time_remaining()
        if left is not None and left <= 0:
            raise asyncio.CancelledError

    def _caller(self, headers: dict[str, str]) -> Caller:
        method = self._method
        address = address_of(self._context.peer(), headers, method.door.edges)
        try:
            who = method.admit(headers, address)
        except AnpaiError as error:
            if error.reason in DENIALS:
                method.metrics.denied.labels(error.reason).inc()
            raise
        if method.is_stream and method.is_ours:
            self._stream = method.limits.open_stream(who, address)
            self._who = who
            method.door.streams.add(self)
        return who

    def turn_away(self) -> None:
        """End this stream if its player is turned away. Who is turned away from one
        table alone comes again, and is refused there."""
        revocations = self._method.door.revocations
        if not self._who.is_player or self._ended is not None:
            return
        try:
            revocations.refuse(self._who)
        except AnpaiError as error:
            self._end(error)
        else:
            if revocations.is_newly_barred(self._who):
                self._end(out_of_reach())

    def _end(self, error: AnpaiError) -> None:
        self._ended = error
        if self._task is not None:
            self._task.cancel()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        places: TracebackType | None,
    ) -> None:
        if self._stream:
            self._method.limits.close_stream(self._stream)
        self._method.door.streams.discard(self)
        if isinstance(error, asyncio.CancelledError) and self._ended is not None:
            error = self._ended
        elif isinstance(error, asyncio.CancelledError) and not is_called_off():
            # gRPC would take it for the caller's own going, and never tell him.
            error = out_of_reach()
        self._measure(self._code(error))
        self._span.__exit__(kind, error, places)
        if not isinstance(error, Exception) or isinstance(error, grpc.aio.AbortError):
            return
        if not is_refusal(error):
            noted_incident(self._method.metrics, error, method=self._method.name)
        # gRPC keeps what it aborts with, which holds this frame and so the error: that
        # must not hold the frames it came through, and with them a table.
        error.__traceback__ = places = None
        status = rpc_status.to_status(status_of(error, self._id))
        await self._context.abort_with_status(status)

    def _code(self, error: BaseException | None) -> grpc.StatusCode:
        if error is None or isinstance(error, grpc.aio.AbortError):
            return as_code(self._context.code())
        if isinstance(error, Exception):
            return code_of(error) if is_refusal(error) else grpc.StatusCode.INTERNAL
        return grpc.StatusCode.CANCELLED

    def _measure(self, code: grpc.StatusCode) -> None:
        metrics, name = self._method.metrics, self._method.name
        metrics.calls.labels(name, code.name).inc()
        if self._method.is_stream:
            metrics.open_streams.labels(name).dec()
        else:
            metrics.call_seconds.labels(name).observe(perf_counter() - self._started)


def headers_of(context: Context) -> dict[str, str]:
    """What came more than once is put together, as HTTP has it."""
    headers: dict[str, str] = {}
    for key, value in context.invocation_metadata() or ():
        text = value if isinstance(value, str) else value.decode("latin-1")
        headers[key] = f"{headers[key]},{text}" if key in headers else text
    return headers


def request_id(given: str | None) -> str:
    """The caller's own, if it is one; so that its log and ours can be laid together."""
    if given and re.fullmatch(r"[\w.-]{1,64}", given, re.ASCII):
        return given
    return secrets.token_hex(8)


def as_code(code: Any) -> grpc.StatusCode:
    """grpc.aio answers with a code, a bare number, or nothing yet."""
    if isinstance(code, grpc.StatusCode):
        return code
    return CODES.get(code, OK)
