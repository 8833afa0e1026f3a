"""Start the parts in order, keep each alive, stop them in the opposite order."""

import asyncio
import os
from collections.abc import Iterable
from datetime import UTC, datetime

from clients.terminal.stack.child import Child, Part
from clients.terminal.stack.external import check_external, external_url
from clients.terminal.stack.folder import (
    Folder,
    Say,
    StackTrouble,
    set_long_logs_aside,
    take_folder,
    write_stack,
)
from clients.terminal.stack.guard import Guard
from clients.terminal.stack.parts import (
    bots_part,
    choose_ports,
    engine_parts,
    matchmaking_part,
    store_part,
    vault_part,
)
from clients.terminal.stack.secrets import make_secrets

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
STEADY_SECONDS = 30.0


class Stack:
    """All parts of one directory. `say` hears of each thing that happens.

    `start` raises StackError and leaves nothing running; `stop` may be called at any
    time after it.
    """

    def __init__(self, folder: Folder, port: int, workers: int, say: Say):
        self.folder = folder
        self._port = port
        self._workers = workers
        self._say = say
        self._layers: list[list[Child]] = []
        self._keepers: list[asyncio.Task[None]] = []
        self._locks = take_folder(folder, say)
        self._guard = Guard()

    async def start(self) -> None:
        try:
            await self._start_all()
        except BaseException:
            await self.stop()
            raise

    async def _start_all(self) -> None:
        set_long_logs_aside(self.folder)
        make_secrets(self.folder)
        ports = choose_ports(self.folder, self._port, self._workers)
        if external_url():
            self._say("up.other_store", store=check_external())
        else:
            await self._start_layer([store_part(self.folder)])
        await self._start_layer([vault_part(self.folder, ports)])
        await self._start_layer(engine_parts(self.folder, ports))
        await self._start_layer([matchmaking_part(self.folder, ports)])
        await self._start_layer([bots_part(self.folder, ports)])
        self._keepers = [
            asyncio.create_task(self._keep(child)) for child in self._children()
        ]
        write_stack(self.folder, self._told())

    async def _start_layer(self, parts: Iterable[Part]) -> None:
        """Parts that do not wait for each other."""
        layer = [Child(part, self._locks[1].file, self._guard) for part in parts]
        self._layers.append(layer)
        await asyncio.gather(*(self._start_one(child) for child in layer))

    async def _start_one(self, child: Child) -> None:
        await child.start()
        self._say("up.part_ready", part=child.part.name)

    def _children(self) -> list[Child]:
        return [child for layer in self._layers for child in layer]

    def _told(self) -> dict[str, object]:
        """For clients: public addresses, nothing that is secret."""
        by_name = {child.part.name: child for child in self._children()}
        engines = [child for name, child in by_name.items() if "engine" in name]
        return {
            "pid": os.getpid(),
            "matchmaking": by_name["matchmaking"].address,
            "engines": [engine.address for engine in engines],
            "audit": by_name["vault"].address,
            "parts": {
                name: {"pid": child.pid, "metrics": child.metrics_address}
                for name, child in by_name.items()
            },
            "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    # -- while it runs ----------------------------------------------------------------

    async def _keep(self, child: Child) -> None:
        """Start a part again whenever it ends, less and less eagerly."""
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE
        while True:
            began = loop.time()
            how = await child.ended()
            pause = FIRST_PAUSE if loop.time() - began > STEADY_SECONDS else pause
            self._say("up.part_ended", part=child.part.name, how=how)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            await self._start_again(child)

    async def _start_again(self, child: Child) -> None:
        try:
            await self._start_one(child)
            write_stack(self.folder, self._told())
        except StackTrouble as trouble:
            self._say(trouble.key, **trouble.values)
        except OSError as error:
            self._say("up.part_failed", problem=error)

    # -- the end ----------------------------------------------------------------------

    async def stop(self) -> None:
        """Those who call end before those who are called. State is kept."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self.folder.stack_file.unlink(missing_ok=True)
        for layer in reversed(self._layers):
            await asyncio.gather(*(child.stop() for child in layer))
        self._guard.close()
        for lock in self._locks:
            lock.release()

    def kill(self) -> None:
        """Do not wait for anybody."""
        for child in self._children():
            child.kill()
