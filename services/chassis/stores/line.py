"""One connection to a store: a batch goes out whole, its replies come back in order.

redis-py's own pipeline takes three to four times the processor time for the same.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import hiredis
from redis.exceptions import ConnectionError, ResponseError

from services.chassis.stores.calls import Command

Connection = Any
"""redis-py's, which has no types of its own for half of this."""

Dial = Callable[[], Awaitable[Connection]]

PACK: Callable[[Command], bytes] = hiredis.pack_command  # type: ignore[assignment]


class Line:
    """It is made when it is needed, and again after it was cut. One batch at a time."""

    def __init__(self, dial: Dial, reply_within: float) -> None:
        self._dial = dial
        self._reply_within = reply_within
        self._connection: Connection = None
        self._is_stale = False

    async def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """For each its reply or its ResponseError; any other error cuts the line, and
        nobody knows which commands were done."""
        try:
            async with asyncio.timeout(self._reply_within):
                connection = await self._connected()
                await connection.send_packed_command(packed(commands))
                return [await reply_on(connection) for _ in commands]
        except RuntimeError as error:  # uvloop's word for a wire that broke just now
            await self.cut()
            raise ConnectionError("the connection broke") from error
        except BaseException:
            await self.cut()
            raise

    def renew(self) -> None:
        """The next batch goes by a new connection; what is under way ends first."""
        self._is_stale = True

    async def cut(self) -> None:
        """Hang up; the next batch goes by a new connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)

    async def _connected(self) -> Connection:
        """A connection that the store has closed meanwhile is made anew."""
        if not self._is_stale and await is_fresh(self._connection):
            return self._connection
        await self.cut()
        self._is_stale = False
        self._connection = await self._dial()
        await self._connection.connect()
        return self._connection


async def is_fresh(connection: Connection) -> bool:
    if connection is None or not connection.is_connected:
        return False
    return not await connection.can_read()


def packed(commands: Sequence[Command]) -> bytes:
    return b"".join(map(PACK, commands))


async def reply_on(connection: Connection) -> Any:
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error
