"""Streams as this SDK reads and writes them; each is cancelled when we leave it."""

import asyncio
from types import TracebackType
from typing import Any, Self

import grpc

from anpai.faults import HouseClosed, fault_of


class Listening:
    """Around one streaming call: `async with` it, and read."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def read(self) -> Any:
        """The next message; None at the end. Raises AnpaiCallError, HouseClosed."""
        try:
            message = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise fault_of(error) from None
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            raise HouseClosed from None
        return None if message is grpc.aio.EOF else message

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._call.cancel()


def is_cancelled() -> bool:
    """Whether it is the task that is, and not only the call it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Duplex(Listening):
    """A call with messages both ways: sending never waits, one task does the writing.

    Why a task: a coroutine cancelled while it writes takes the whole call with it.
    """

    def __init__(self, call: Any, first: Any) -> None:
        super().__init__(call)
        self._outbox: asyncio.Queue[Any] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self.send(first)

    def send(self, request: Any) -> None:
        """Send a message after those before it."""
        self._outbox.put_nowait(request)

    async def _write(self) -> None:
        try:
            while True:
                await self._call.write(await self._outbox.get())
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return  # whoever reads meets the same end, and learns why

    async def __aenter__(self) -> Self:
        self._writer = asyncio.create_task(self._write())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writer is not None:
            self._writer.cancel()
        await super().__aexit__(kind, error, trace)
