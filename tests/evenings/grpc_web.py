"""grpc-web as a browser speaks it: HTTP/1.1, one POST, frames in the body."""

import asyncio
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import NamedTuple

TRAILERS = 0x80
PAGE = "https://play.example"


class Frame(NamedTuple):
    """One message, or at the end the trailers."""

    kind: int
    content: bytes

    @property
    def trailers(self) -> dict[str, str]:
        lines = self.content.decode().split("\r\n")
        pairs = (line.partition(":")[::2] for line in lines if line)
        return {name.strip(): value.strip() for name, value in pairs}


@dataclass
class Reply:
    """A response under way: its head, and then frame after frame."""

    status: int
    headers: dict[str, str]
    reader: asyncio.StreamReader
    rest: bytes = b""

    async def frame(self) -> Frame:
        """The next one."""
        kind, length = struct.unpack(">BI", await self._take(5))
        return Frame(kind, await self._take(length))

    async def _take(self, number: int) -> bytes:
        while len(self.rest) < number:
            self.rest += await self._chunk()
        taken, self.rest = self.rest[:number], self.rest[number:]
        return taken

    async def _chunk(self) -> bytes:
        size = int(await self.reader.readline(), 16)
        chunk = await self.reader.readexactly(size)
        await self.reader.readexactly(2)
        return chunk


@asynccontextmanager
async def asking(
    address: str,
    tls: SSLContext,
    request: str,
    headers: Mapping[str, str],
    body: bytes = b"",
) -> AsyncIterator[Reply]:
    """One request on a connection of its own, hung up when we are done with it."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=tls)
    told = {"host": address, "content-length": str(len(body)), **headers}
    lines = [f"{request} HTTP/1.1", *(f"{name}: {text}" for name, text in told.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    try:
        yield await begun(reader)
    finally:
        writer.close()


async def begun(reader: asyncio.StreamReader) -> Reply:
    status = int((await reader.readline()).split()[1])
    headers = {}
    while line := (await reader.readline()).strip():
        name, _, text = line.decode().partition(":")
        headers[name.lower()] = text.strip()
    return Reply(status, headers, reader)


def posting(
    address: str, tls: SSLContext, method: str, message: bytes, token: str = ""
):
    """A call of `method`, from a page of somewhere else."""
    headers = {
        "content-type": "application/grpc-web+proto",
        "accept": "application/grpc-web+proto",
        "x-grpc-web": "1",
        "origin": PAGE,
        **({"authorization": f"Bearer {token}"} if token else {}),
    }
    body = struct.pack(">BI", 0, len(message)) + message
    return asking(address, tls, f"POST {method}", headers, body)
