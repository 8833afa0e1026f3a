"""Between a client and its server: links that are slow, narrow, held, cut or deaf."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

PIECE = 65536
UNBOUNDED = float("inf")

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Faults:
    """What befalls the links; every one may be changed at any time.

    `delay` in seconds, each way, and `pace` in bytes a second. `cut` and `deaf` are
    chances: that a link is cut before a request goes on, or when its reply comes.
    """

    delay: float = 0.0
    pace: float = UNBOUNDED
    cut: float = 0.0
    deaf: float = 0.0


class Proxy:
    """Listens at `address`; `target` is `host:port` or the path of a unix socket."""

    def __init__(self, target: str, seed: int = 0) -> None:
        self.faults = Faults()
        self.is_away = False
        self.cuts = 0
        self._target = target.removeprefix("unix://")
        self._chance = random.Random(seed)
        self._links: set[Link] = set()
        self._flows = asyncio.Event()
        self._flows.set()

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.is_away = True
        self.cut_all()
        await asyncio.gather(*(link.ended() for link in self._links))

    def cut_all(self) -> None:
        """Every link there is, now; while `is_away` none is made."""
        self.cuts += len(self._links)
        for link in self._links:
            link.cut()

    def hold(self) -> None:
        """Nothing goes on, and nobody is told."""
        self._flows.clear()

    def let_go(self) -> None:
        """What was held goes on."""
        self._flows.set()

    async def _connect(
        self, asked: asyncio.StreamReader, answers: asyncio.StreamWriter
    ) -> None:
        try:
            replies, requests = await self._dial()
        except OSError:
            answers.close()
            return
        link = Link(self, (asked, requests), (replies, answers))
        self._links.add(link)
        try:
            await link.ended()
        finally:
            self._links.discard(link)

    async def _dial(self) -> Ends:
        if self.is_away:
            raise ConnectionRefusedError
        if self._target.startswith("/"):
            return await asyncio.open_unix_connection(self._target)
        host, _, port = self._target.rpartition(":")
        return await asyncio.open_connection(host, int(port))

    async def flowing(self) -> None:
        await self._flows.wait()

    def breaks_before_asking(self) -> bool:
        return self._breaks(self.faults.cut)

    def breaks_before_answering(self) -> bool:
        return self._breaks(self.faults.deaf)

    def _breaks(self, chance: float) -> bool:
        broken = self._chance.random() < chance
        self.cuts += broken
        return broken


class Link:
    """One connection through the proxy: what is asked, and what is answered."""

    def __init__(self, proxy: Proxy, asking: Ends, answering: Ends) -> None:
        self._proxy = proxy
        self._writers = asking[1], answering[1]
        self._tasks = [
            asyncio.create_task(self._carry(*asking, proxy.breaks_before_asking)),
            asyncio.create_task(self._carry(*answering, proxy.breaks_before_answering)),
        ]

    def cut(self) -> None:
        """Abruptly: what is on its way is lost."""
        for writer in self._writers:
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()

    async def ended(self) -> None:
        """Once one side has hung up, or the link was cut."""
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)
            for writer in self._writers:
                writer.close()

    async def _carry(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        breaks: Callable[[], bool],
    ) -> None:
        """A piece that is late does not make the next one later still."""
        on_its_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(16)
        reading = asyncio.create_task(self._read(source, on_its_way))
        try:
            while data := await self._arrived(on_its_way):
                if breaks():
                    self.cut()
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            reading.cancel()

    async def _read(
        self,
        source: asyncio.StreamReader,
        on_its_way: "asyncio.Queue[tuple[float, bytes]]",
    ) -> None:
        data = b"first"
        while data:
            try:
                data = await source.read(PIECE)
            except OSError:
                data = b""
            await on_its_way.put((now() + self._proxy.faults.delay, data))

    async def _arrived(self, on_its_way: "asyncio.Queue[tuple[float, bytes]]") -> bytes:
        due, data = await on_its_way.get()
        late = len(data) / self._proxy.faults.pace
        await asyncio.sleep(max(0.0, due - now()) + late)
        await self._proxy.flowing()
        return data


def now() -> float:
    return asyncio.get_running_loop().time()
