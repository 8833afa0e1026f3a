"""Every method passes the gate, which makes each call of it a `Passage`."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc

from services.chassis.access import access_of, is_heavy
from services.chassis.memory import SWEEPER
from services.chassis.passage import (
    LONGEST,
    MALFORMED,
    TOO_LONG,
    Context,
    Door,
    Method,
    Passage,
)
from services.chassis.tokens import CALLER

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


class Gate(grpc.aio.ServerInterceptor):
    """Wraps each method once, when it is first called."""

    def __init__(self, door: Door):
        self._door = door
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        SWEEPER.call_came()
        known = self._wrapped.get(details.method)
        if known is not None:
            return known
        handler = await continuation(details)
        if handler is None:
            return None
        wrapped = self._wrap(details.method, handler)
        self._wrapped[details.method] = wrapped
        return wrapped

    def _wrap(self, name: str, handler: Any) -> Handler:
        streams = handler.request_streaming or handler.response_streaming
        method = Method(name, access_of(name), streams, is_heavy(name), self._door)
        make, behaviour = SHAPES[handler.request_streaming, handler.response_streaming]
        wrap = streaming if handler.response_streaming else unary
        safe = strict if handler.request_streaming else tolerant
        read = handler.request_deserializer
        if not method.is_between_services:
            read = short(read)
        wrapped: Handler = make(
            wrap(method, getattr(handler, behaviour)),
            request_deserializer=safe(read),
            response_serializer=unless_bytes(handler.response_serializer),
        )
        return wrapped


SHAPES: dict[tuple[bool, bool], tuple[Callable[..., Any], str]] = {
    (False, False): (grpc.unary_unary_rpc_method_handler, "unary_unary"),
    (False, True): (grpc.unary_stream_rpc_method_handler, "unary_stream"),
    (True, False): (grpc.stream_unary_rpc_method_handler, "stream_unary"),
    (True, True): (grpc.stream_stream_rpc_method_handler, "stream_stream"),
}

Read = Callable[[bytes], Any]


class TooLong(Exception):
    """More bytes than a player may send."""


def short(read: Read) -> Read:
    """Looked at before anything is read, so that a long one costs next to nothing."""

    def parse(raw: bytes) -> Any:
        if len(raw) > LONGEST:
            raise TooLong
        return read(raw)

    return parse


def tolerant(read: Read) -> Read:
    """For a single request, which gRPC reads before we are called: the news waits."""

    def parse(raw: bytes) -> Any:
        try:
            return read(raw)
        except TooLong:
            return TOO_LONG
        except Exception:
            return MALFORMED

    return parse


def strict(read: Read) -> Read:
    """For a stream of requests: gRPC reads within our call, so the error just flies."""

    def parse(raw: bytes) -> Any:
        try:
            return read(raw)
        except TooLong:
            raise TOO_LONG.refusal() from None
        except Exception:
            raise MALFORMED.refusal() from None

    return parse


def unless_bytes(write: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """A servicer may have put its message together itself."""

    def written(message: Any) -> bytes:
        return message if isinstance(message, bytes) else write(message)

    return written


def unary(method: Method, behaviour: Callable[[Any, Context], Awaitable[Any]]) -> Any:
    async def call(request: Any, context: Context) -> Any:
        try:
            async with Passage(method, context, request):
                return await behaviour(request, context)
        except grpc.aio.AbortError as abort:
            raise without_places(abort) from None
        finally:
            del request, context

    return call


def streaming(method: Method, behaviour: Callable[[Any, Context], Any]) -> Any:
    """Servicers may yield their responses, or write them to the context themselves."""

    async def call(request: Any, context: Context) -> None:
        responses = None
        try:
            async with Passage(method, context, request):
                if hasattr(request, "__aiter__"):
                    request = method.limits.paced(request, CALLER.get())
                responses = behaviour(request, context)
                if hasattr(responses, "__aiter__"):
                    await send(responses, context)
                else:
                    await responses
        except grpc.aio.AbortError as abort:
            raise without_places(abort) from None
        finally:
            del request, context, responses

    return call


def without_places(abort: grpc.aio.AbortError) -> grpc.aio.AbortError:
    """gRPC keeps what it aborts a call with for as long as the call: an error that
    holds the frames it came through, and these the call, would only go by a sweep."""
    abort.__context__ = None
    return abort.with_traceback(None)


async def send(responses: AsyncGenerator[Any, None], context: Context) -> None:
    """Close the servicer's generator with the call, not when memory is swept."""
    async with aclosing(responses) as stream:
        async for response in stream:
            await context.write(response)
