"""Calls of any method with any bytes, and how they end."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor import MethodDescriptor

from anpai.faults import fault_of
from services.__main__ import House

SECONDS = 30.0
A_MOMENT = 0.4  # enough where a stream is expected to stay open

Metadata = Sequence[tuple[str, str]]


class End(NamedTuple):
    """How a call ended: its status, our reason for it, and all that was said of it."""

    code: grpc.StatusCode
    reason: str = ""
    told: str = ""


OK = End(grpc.StatusCode.OK)


def path_of(method: MethodDescriptor) -> str:
    return f"/{method.containing_service.full_name}/{method.name}"


def server_of(house: House, method: MethodDescriptor) -> str:
    """The address of the process that serves a method."""
    package = method.containing_service.file.package
    if method.containing_service.name == "QueueService":
        return house.matchmaking.address
    if package.startswith(("anpai.engine", "anpai.operator")):
        return house.engines[0].address
    if package.startswith("anpai.matchmaking"):
        return house.matchmaking.address
    return house.vault.address


async def end_of(
    channel: grpc.aio.Channel,
    method: MethodDescriptor,
    raw: bytes,
    metadata: Metadata = (),
    patience: float = SECONDS,
) -> End:
    """Send these bytes as the one request, and see how it ends. A stream still open
    when patience runs out has let us in, so that it counts as OK."""
    return await end_of_many(channel, method, [raw], metadata, patience)


async def end_of_many(
    channel: grpc.aio.Channel,
    method: MethodDescriptor,
    raws: Sequence[bytes],
    metadata: Metadata = (),
    patience: float = SECONDS,
) -> End:
    """The same with as many messages as the method takes."""
    while True:
        end = await one_end_of(channel, method, raws, metadata, patience)
        if not is_grpc_s_own(end):
            return end


def is_grpc_s_own(end: End) -> bool:
    """Where a stream is refused while its first request is still being written, gRPC's
    client often takes that for a fault and forgets the status."""
    return end.code is grpc.StatusCode.INTERNAL and not end.reason


async def one_end_of(
    channel: grpc.aio.Channel,
    method: MethodDescriptor,
    raws: Sequence[bytes],
    metadata: Metadata,
    patience: float,
) -> End:
    streams = method.client_streaming or method.server_streaming
    within = patience if streams else SECONDS
    call = call_of(channel, method)(raws, metadata, within)
    try:
        if method.server_streaming:
            while await call.read() is not grpc.aio.EOF:
                pass
        else:
            await call
    except grpc.aio.AioRpcError as error:
        if streams and error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            return OK
        fault = fault_of(error)
        told = f"{error.details()} {error.trailing_metadata()}"
        return End(fault.code, fault.reason, told)
    finally:
        call.cancel()
    return OK


def call_of(channel: Any, method: MethodDescriptor) -> Any:
    path, one_by_one = path_of(method), method.client_streaming

    def dial(raws: Sequence[bytes], metadata: Metadata, within: float) -> Any:
        how: dict[str, Any] = {"metadata": metadata, "timeout": within}
        if one_by_one and method.server_streaming:
            return channel.stream_stream(path)(each(raws), **how)
        if one_by_one:
            return channel.stream_unary(path)(each(raws), **how)
        if method.server_streaming:
            return channel.unary_stream(path)(raws[0], **how)
        return channel.unary_unary(path)(raws[0], **how)

    return dial


async def each(raws: Sequence[bytes]) -> Any:
    for raw in raws:
        yield raw
