"""A call that reaches a worker without the table is passed on to the one that has it.

One hop, with the caller's own token: the owner decides as if it had been called itself.
A call marked as passed on is never passed on again. Where the owner is out of reach its
lease soon runs out: the call tries again, and this worker takes the table over.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from time import monotonic
from typing import Any, Protocol, TypeVar

import grpc

from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.operator.v1 import table_service_pb2_grpc as operator_rpc
from services.chassis.client import (
    Peer,
    is_broken_off,
    is_called_off,
    meaning_of,
    time_left,
)
from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics
from services.chassis.tls import Tls
from services.chassis.traces import PARENT, traces
from services.engine.refusals import OwnedElsewhere

PASSED_ON = "x-anpai-passed-on"
CARRIED = ("authorization", "x-request-id")
PAUSE_SECONDS = 0.2
CALL_SECONDS = 15.0

Context = grpc.aio.ServicerContext[Any, Any]


class OutOfReach(AnpaiError):
    """TABLE_MOVING: the worker that has the table did not serve the call."""

    def __init__(self, owner: OwnedElsewhere) -> None:
        super().__init__(
            "TABLE_MOVING",
            "The table is moving; resume from the last revision seen.",
            retry_after=0.2,
            table=owner.metadata["table"],
        )


SERVICES = (
    rpc.EngineServiceStub,
    internal_rpc.EngineInternalServiceStub,
    operator_rpc.TableServiceStub,
)


class Worker:
    """Another engine worker."""

    def __init__(self, address: str, tls: Tls | None) -> None:
        self.peer = Peer(address, tls=tls)

    def method(self, name: str) -> Any:
        """Of whichever of its services has one of this name."""
        stubs = map(self.peer.stub, SERVICES)
        return next(getattr(stub, name) for stub in stubs if hasattr(stub, name))


class Forwarding:
    """Where calls go whose table is elsewhere."""

    def __init__(
        self, metrics: Metrics, patience: float, tls: Tls | None = None
    ) -> None:
        """`patience` is for how many seconds a table on the move is waited for."""
        self._metrics = metrics
        self._tls = tls
        self._patience = patience
        self._workers: dict[str, Worker] = {}
        self._followed: set[Any] = set()

    async def reply(
        self,
        method: str,
        serve: Callable[[], Awaitable[Any]],
        request: Any,
        context: Context,
    ) -> Any:
        """One reply, from here or from the owner; a table on the move is waited for."""
        until = monotonic() + self._patience
        while True:
            try:
                return await serve()
            except OwnedElsewhere as other:
                if was_passed_on(context):
                    raise
                owner = other.with_traceback(None)  # it would hold this very frame
            try:
                return await self._ask(owner, method, request, context)
            except OutOfReach:
                if monotonic() >= until:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def stream(
        self,
        method: str,
        serve: Callable[[Any], AsyncGenerator[Any, None]],
        request: Any,
        context: Context,
    ) -> AsyncGenerator[Any, None]:
        """Many responses, from here or from the owner; `request` may be a stream."""
        opened = Opened(request) if hasattr(request, "__aiter__") else None
        has_begun = False
        try:
            async with aclosing(serve(opened or request)) as responses:
                async for response in responses:
                    has_begun = True
                    yield response
            return
        except OwnedElsewhere as other:
            if has_begun or was_passed_on(context):
                raise
            owner = other.with_traceback(None)
        again = opened.again() if opened else request
        async with aclosing(self._follow(owner, method, again, context)) as theirs:
            async for response in theirs:
                yield response

    def drain(self) -> None:
        """End the streams passed on: this worker does not stay between."""
        for call in self._followed:
            call.cancel()

    async def close(self) -> None:
        for worker in self._workers.values():
            await worker.peer.close()

    async def _ask(
        self, owner: OwnedElsewhere, method: str, request: Any, context: Context
    ) -> Any:
        within = time_left(context, CALL_SECONDS)
        call = self._call(owner.address, method, request, context, within)
        try:
            return await call
        except asyncio.CancelledError:
            if is_called_off():
                raise
            raise OutOfReach(owner) from None
        except grpc.aio.AioRpcError as error:
            raise await self._meaning(error, owner) from None
        finally:
            call.cancel()

    async def _follow(
        self, owner: OwnedElsewhere, method: str, requests: Any, context: Context
    ) -> AsyncGenerator[Any, None]:
        within = context.time_remaining()
        call = self._call(owner.address, method, requests, context, within)
        self._followed.add(call)
        try:
            async for response in call:
                yield response
        except asyncio.CancelledError:
            if is_called_off():
                raise
            raise OutOfReach(
                owner
            ) from None  # our call was, with its channel or by a drain
        except grpc.aio.AioRpcError as error:
            raise await self._meaning(error, owner) from None
        finally:
            self._followed.discard(call)
            call.cancel()

    def _call(
        self,
        address: str,
        method: str,
        request: Any,
        context: Context,
        within: float | None,
    ) -> Any:
        self._metrics.forwarded.labels(method).inc()
        worker = self._workers.get(address)
        if worker is None:
            worker = self._workers[address] = Worker(address, self._tls)
        call = worker.method(method)
        return call(request, metadata=carried(context), timeout=within)

    async def _meaning(
        self, error: grpc.aio.AioRpcError, owner: OwnedElsewhere
    ) -> Exception:
        """The owner's own refusal; OutOfReach where it is gone, or owner no more."""
        if is_broken_off(error):
            worker = self._workers.pop(owner.address, None)
            if worker is not None:  # a fresh channel does not back off
                await worker.peer.close()
            return OutOfReach(owner)
        meaning = meaning_of(error)
        moved = getattr(meaning, "reason", None) == "TABLE_MOVING"
        return OutOfReach(owner) if moved else meaning


class Opened:
    """A stream of requests whose first one can be read again."""

    def __init__(self, requests: AsyncIterator[Any]) -> None:
        self._requests = aiter(requests)
        self._first: Any = None

    def __aiter__(self) -> "Opened":
        return self

    async def __anext__(self) -> Any:
        request = await anext(self._requests)
        self._first = self._first or request
        return request

    async def again(self) -> AsyncIterator[Any]:
        yield self._first
        async for request in self._requests:
            yield request


def was_passed_on(context: Context) -> bool:
    return any(key == PASSED_ON for key, _ in context.invocation_metadata() or ())


def carried(context: Context) -> tuple[tuple[str, Any], ...]:
    """The caller's own metadata, and the mark that stops a second hop."""
    given = context.invocation_metadata() or ()
    along = tuple((key, value) for key, value in given if key in CARRIED)
    span = traces().here()
    return (*along, (PASSED_ON, "1"), *([(PARENT, span)] if span else []))


# ---- for the servicer ----------------------------------------------------------------


class Forwards(Protocol):
    """A servicer that can pass calls on."""

    @property
    def forwarding(self) -> Forwarding: ...


S = TypeVar("S", bound=Forwards)
Request = TypeVar("Request")
Response = TypeVar("Response")

Replies = Callable[[S, Request, Context], Awaitable[Response]]
Streams = Callable[[S, Request, Context], AsyncGenerator[Response, None]]


def wherever_the_table_is(
    method: Replies[S, Request, Response],
) -> Replies[S, Request, Response]:
    """An RPC with one reply, given here or where its table is."""
    name = method.__name__

    async def call(self: S, request: Request, context: Context) -> Response:
        def serve() -> Awaitable[Response]:
            return method(self, request, context)

        reply: Response = await self.forwarding.reply(name, serve, request, context)
        return reply

    return call


def streamed_from_there(
    method: Streams[S, Request, Response],
) -> Streams[S, Request, Response]:
    """An RPC with many responses, which come from here or from where its table is."""
    name = method.__name__

    def call(
        self: S, request: Request, context: Context
    ) -> AsyncGenerator[Response, None]:
        def serve(request: Request) -> AsyncGenerator[Response, None]:
            return method(self, request, context)

        return self.forwarding.stream(name, serve, request, context)

    return call
