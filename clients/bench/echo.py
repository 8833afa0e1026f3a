"""A bare unary echo over grpc.aio: what one call costs, whatever it is for.

All other costs are told as a multiple of this one, taken in the same run: so figures of
different machines, and of a machine that has other things to do, can be compared.
"""

import asyncio
from typing import Any

import grpc
import uvloop

from clients.bench.cost import read
from clients.bench.helper import helper, orders, say_result

BYTES = 200
CALLERS = 50
CALLS = 6_000
WARMING_UP = 500
SERVICE = "anpai.bench.Echo"


async def echo_cpu_ms(calls: int = CALLS) -> float:
    """Milliseconds of processor time that a call costs its server, a process of its
    own."""
    async with helper("clients.bench.echo") as server:
        port = await server.result()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            await call(channel, WARMING_UP)
            before = read(server.pid).cpu_seconds
            await call(channel, calls)
            return 1000 * (read(server.pid).cpu_seconds - before) / calls


async def call(channel: grpc.aio.Channel, calls: int) -> None:
    echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
    text = b"x" * BYTES

    async def caller() -> None:
        for _ in range(calls // CALLERS):
            await echo(text)

    await asyncio.gather(*(caller() for _ in range(CALLERS)))


# ---- the server's process ------------------------------------------------------------


async def echo(request: bytes, context: object) -> bytes:
    return request


async def serve() -> None:
    """Until there is nobody to serve."""
    server = grpc.aio.server()
    handlers: dict[str, Any] = {"Echo": grpc.unary_unary_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, handlers),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    say_result(port)
    async for _ in orders():
        pass


if __name__ == "__main__":
    uvloop.run(serve())
