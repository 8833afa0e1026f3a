"""A name server of the tests' own: one name, and the addresses it stands for by now."""

import asyncio
import ipaddress
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

A_RECORD = 1
ANSWERS = 0x8180
TTL = 1


class Names(asyncio.DatagramProtocol):
    """Answers whatever it is asked with its `addresses`."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self._transport = transport

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        self._transport.sendto(self._reply(data), address)

    def _reply(self, data: bytes) -> bytes:
        """The question again, and behind it a record for each address."""
        (number,) = struct.unpack_from(">H", data)
        end = data.index(b"\0", 12) + 5
        (kind,) = struct.unpack_from(">H", data, end - 4)
        found = self.addresses if kind == A_RECORD else []
        head = struct.pack(">HHHHHH", number, ANSWERS, 1, len(found), 0, 0)
        return head + data[12:end] + b"".join(map(record, found))


def record(address: str) -> bytes:
    """That the name which was asked for stands for this address."""
    packed = ipaddress.ip_address(address).packed
    return struct.pack(">HHHIH", 0xC00C, A_RECORD, 1, TTL, len(packed)) + packed


@asynccontextmanager
async def a_name_server() -> AsyncIterator[tuple[Names, int]]:
    """And its port."""
    loop = asyncio.get_running_loop()
    transport, names = await loop.create_datagram_endpoint(
        Names, local_addr=("127.0.0.1", 0)
    )
    try:
        yield names, transport.get_extra_info("sockname")[1]
    finally:
        transport.close()
