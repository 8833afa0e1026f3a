"""A small service made for the tests, described as a proto would: who may call what."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, wrappers_pb2

from anpai.access.v1 import access_pb2
from services.chassis.errors import AnpaiError
from services.chassis.server import Bound, Resources
from services.chassis.tokens import caller

NAME = "anpai.tests.v1.EchoService"
Text = wrappers_pb2.StringValue

# Method -> who may call it; Forgotten says nothing.
METHODS = {
    "Echo": access_pb2.ACCESS_ANYONE,
    "WhoAmI": access_pb2.ACCESS_PLAYER,
    "Open": access_pb2.ACCESS_MATCHMAKING,
    "Forgotten": None,
    "Refuse": access_pb2.ACCESS_ANYONE,
    "Break": access_pb2.ACCESS_ANYONE,
    "CutOff": access_pb2.ACCESS_ANYONE,
    "Sleep": access_pb2.ACCESS_ANYONE,
    "Chat": access_pb2.ACCESS_ANYONE,
    "Count": access_pb2.ACCESS_ANYONE,
    "Follow": access_pb2.ACCESS_ANYONE,
    "Load": access_pb2.ACCESS_ANYONE,
}
HEAVY = {"Load"}


def describe() -> None:
    """Put the service into the pool, where generated code would put its own."""
    file = descriptor_pb2.FileDescriptorProto(
        name="anpai/tests/v1/echo.proto",
        package="anpai.tests.v1",
        syntax="proto3",
        dependency=["google/protobuf/wrappers.proto", "anpai/access/v1/access.proto"],
    )
    service = file.service.add(name="EchoService")
    for name, access in METHODS.items():
        text = ".google.protobuf.StringValue"
        method = service.method.add(name=name, input_type=text, output_type=text)
        if access is not None:
            method.options.Extensions[access_pb2.access] = access
        if name in HEAVY:
            method.options.Extensions[access_pb2.weight] = access_pb2.WEIGHT_HEAVY
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())


describe()


class Echo:
    """What the methods do; `ended` tells a test that a call was cancelled."""

    def __init__(self) -> None:
        self.asleep = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def echo(self, request: Text, context: Any) -> Text:
        return request

    async def who_am_i(self, request: Text, context: Any) -> Text:
        return Text(value=f"{caller().kind} {caller().id} {caller().name}")

    async def refuse(self, request: Text, context: Any) -> Text:
        raise AnpaiError(
            "NOT_ALLOWED", "A hero cannot be revived.", retry_after=1.5, seat="2"
        )

    async def break_(self, request: Text, context: Any) -> Text:
        raise KeyError("gwent/secret-card")

    async def cut_off(self, request: Text, context: Any) -> Text:
        """Calls another service through a channel that is closed meanwhile."""
        channel: Any = grpc.aio.insecure_channel("127.0.0.1:1")
        call = channel.unary_unary("/nobody/Answers")(b"", wait_for_ready=True)
        asyncio.get_running_loop().call_later(
            0.05, lambda: asyncio.ensure_future(channel.close())
        )
        return Text(value=str(await call))

    async def sleep(self, request: Text, context: Any) -> Text:
        self.asleep.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.ended.set_result("cancelled")
            raise
        return request

    async def chat(self, requests: AsyncIterator[Text], context: Any) -> Any:
        async for request in requests:
            yield Text(value=request.value.upper())

    async def follow(self, request: Text, context: Any) -> Any:
        yield request
        await self.sleep(request, context)

    async def count(self, request: Text, context: Any) -> None:
        for number in range(int(request.value)):
            await context.write(Text(value=str(number)))


def bind_echo(echo: Echo, bound: Bound | None = None) -> Any:
    async def bind(server: grpc.aio.Server, resources: Resources[Any]) -> Bound:
        register(server, echo)
        return bound or Bound((NAME,))

    return bind


def register(server: grpc.aio.Server, echo: Echo) -> None:
    unary: dict[str, Callable[[Text, Any], Awaitable[Text]]] = {
        "Echo": echo.echo,
        "WhoAmI": echo.who_am_i,
        "Open": echo.who_am_i,
        "Forgotten": echo.echo,
        "Refuse": echo.refuse,
        "Break": echo.break_,
        "CutOff": echo.cut_off,
        "Sleep": echo.sleep,
        "Unlisted": echo.echo,
        "Load": echo.echo,
    }
    coding: dict[str, Any] = {
        "request_deserializer": Text.FromString,
        "response_serializer": Text.SerializeToString,
    }
    handlers: dict[str, Any] = {
        name: grpc.unary_unary_rpc_method_handler(does, **coding)
        for name, does in unary.items()
    }
    handlers["Chat"] = grpc.stream_stream_rpc_method_handler(echo.chat, **coding)
    handlers["Count"] = grpc.unary_stream_rpc_method_handler(echo.count, **coding)
    handlers["Follow"] = grpc.unary_stream_rpc_method_handler(echo.follow, **coding)
    generic = grpc.method_handlers_generic_handler(NAME, handlers)
    server.add_generic_rpc_handlers((generic,))


class EchoStub:
    """Calls by name: `await stub("Echo", "hello")`; raw bytes go as they are."""

    def __init__(self, address: str):
        self.channel = grpc.aio.insecure_channel(address)

    async def __call__(self, method: str, text: str | bytes = "", **how: Any) -> str:
        call = self.channel.unary_unary(
            f"/{NAME}/{method}",
            request_serializer=encode,
            response_deserializer=Text.FromString,
        )
        return str((await call(text, **how)).value)

    def chat(self, **how: Any) -> Any:
        return self.channel.stream_stream(
            f"/{NAME}/Chat",
            request_serializer=encode,
            response_deserializer=Text.FromString,
        )(**how)

    def stream(self, method: str, text: str) -> Any:
        return self.channel.unary_stream(
            f"/{NAME}/{method}",
            request_serializer=encode,
            response_deserializer=Text.FromString,
        )(text)


def encode(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else Text(value=text).SerializeToString()
