"""The services as processes of their own: started, killed, stopped, started again."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import NamedTuple

from tests.ports import HOST, free_port

READY_SECONDS = 90.0
STOP_SECONDS = 30.0


class Way(NamedTuple):
    """Where a process listens, and where others call it: by a proxy perhaps."""

    listens: str
    address: str


def straight() -> Way:
    address = f"{HOST}:{free_port()}"
    return Way(address, address)


class Process:
    """`python -m <module>`, at one address for all its lives. `log` has every line."""

    def __init__(
        self,
        name: str,
        module: str,
        folder: Path,
        way: Way | None = None,
        **told: object,
    ) -> None:
        self.name = name
        self.listens, self.address = way or straight()
        self.metrics_address = f"{HOST}:{free_port()}"
        self.log = folder / f"{name}.log"
        self._module = module
        self._told_where = folder / f"{name}.json"
        self._env = {
            "ANPAI_LISTEN": self.listens,
            "ANPAI_METRICS_LISTEN": self.metrics_address,
            "ANPAI_ADDRESS_FILE": str(self._told_where),
            **{name: str(value) for name, value in told.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Returns once it serves."""
        self._told_where.unlink(missing_ok=True)
        self._process = self._spawn()
        async with asyncio.timeout(READY_SECONDS):
            while not self._is_ready():
                assert self._process.poll() is None, self.log.read_text()[-2000:]
                await asyncio.sleep(0.03)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", self._module],
                env={**os.environ, **self._env},
                stdout=log,
                stderr=log,
            )

    def _is_ready(self) -> bool:
        try:
            json.loads(self._told_where.read_text())
        except (OSError, ValueError):
            return False
        return True

    @property
    def pid(self) -> int:
        """Of its present life, or its last."""
        assert self._process is not None
        return self._process.pid

    @property
    def lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def hear(self, number: signal.Signals) -> None:
        """Send it a signal, such as SIGSTOP."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL: it has no time to say or save anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def stop(self, within: float = STOP_SECONDS) -> int:
        """SIGTERM; its exit code, or TimeoutExpired."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self._process.wait, within)

    async def metrics(self) -> str:
        """What Prometheus would read."""
        return await asyncio.to_thread(read, f"http://{self.metrics_address}/metrics")


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text
