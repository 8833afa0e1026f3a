"""What the tests' own proxy does to a link, it really does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.proxy import Proxy


@asynccontextmanager
async def an_echo() -> AsyncIterator[str]:
    async def echo(reader, writer):
        while data := await reader.read(1000):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    yield f"{host}:{port}"
    server.close()


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with an_echo() as target, Proxy(target) as proxy:
        yield proxy


async def dialled(proxy: Proxy):
    host, port = proxy.address.split(":")
    return await asyncio.open_connection(host, int(port))


async def said(proxy: Proxy, text: bytes) -> bytes:
    """What comes back; nothing where the link is cut."""
    reader, writer = await dialled(proxy)
    try:
        writer.write(text)
        heard: bytes = await reader.readexactly(len(text))
        return heard
    except (asyncio.IncompleteReadError, OSError):
        return b""
    finally:
        writer.close()


async def test_what_is_sent_comes_back(proxy):
    assert await said(proxy, b"x" * 300_000) == b"x" * 300_000


async def test_a_delay_holds_for_each_way(proxy):
    proxy.faults.delay = 0.05
    began = asyncio.get_running_loop().time()

    assert await said(proxy, b"hello") == b"hello"

    assert asyncio.get_running_loop().time() - began >= 0.1


async def test_a_narrow_link_takes_its_time(proxy):
    proxy.faults.pace = 50_000
    began = asyncio.get_running_loop().time()

    assert await said(proxy, b"x" * 5_000) == b"x" * 5_000

    assert asyncio.get_running_loop().time() - began >= 0.2


@pytest.mark.parametrize("fault", ["cut", "deaf"])
async def test_a_link_that_breaks_gives_nothing_back(proxy, fault):
    setattr(proxy.faults, fault, 1.0)

    assert await said(proxy, b"hello") == b""
    assert proxy.cuts == 1


async def test_all_links_are_cut_at_once_and_made_anew(proxy):
    reader, writer = await dialled(proxy)
    writer.write(b"hello")
    assert await reader.readexactly(5) == b"hello"

    proxy.cut_all()

    with pytest.raises((OSError, asyncio.IncompleteReadError)):
        await reader.readexactly(1)
    writer.close()
    assert await said(proxy, b"again") == b"again"


async def test_while_it_is_away_nobody_gets_through(proxy):
    proxy.is_away = True
    assert await said(proxy, b"hello") == b""

    proxy.is_away = False
    assert await said(proxy, b"hello") == b"hello"


async def test_what_is_held_is_late_and_not_lost(proxy):
    proxy.hold()
    saying = asyncio.create_task(said(proxy, b"hello"))
    await asyncio.sleep(0.1)
    assert not saying.done()

    proxy.let_go()

    assert await saying == b"hello"
