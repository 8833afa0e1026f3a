"""One child process: started, known to be ready, stopped; never left behind."""

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from clients.terminal.stack.folder import StackTrouble
from clients.terminal.stack.guard import Guard

READY_SECONDS = 60.0
STOP_SECONDS = 35.0

PR_SET_PDEATHSIG = 1
PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class Part:
    """What to run. `address_file` is written by the child once it serves; `is_ready`
    asks, where a child writes none."""

    name: str
    command: tuple[str, ...]
    log: Path
    env: dict[str, str] = field(default_factory=dict)
    address_file: Path | None = None
    is_ready: Callable[[], bool] | None = None


class Child:
    """A part that runs."""

    def __init__(self, part: Part, kept_open: int, guard: Guard):
        self.part = part
        self.address = ""
        self.metrics_address = ""
        self._kept_open = kept_open
        self._guard = guard
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def has_ended(self) -> bool:
        return self._process is None or self._process.returncode is not None

    async def start(self) -> None:
        """Spawn it and wait until it serves; StackError if it ends instead."""
        if self.part.address_file is not None:
            self.part.address_file.unlink(missing_ok=True)
        parent = os.getpid()
        with self.part.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self.part.command,
                env=os.environ | self.part.env,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(self._kept_open,),
                # A Ctrl-C is for `up` alone, which stops its children in order.
                start_new_session=True,
                preexec_fn=lambda: end_with(parent),
            )
        self._guard.watch(self._process.pid)
        await self._until_ready()

    async def _until_ready(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + READY_SECONDS
        told: dict[str, object] = {"part": self.part.name, "log": self.part.log}
        while not self._learn():
            if self.has_ended:
                words = self.last_words()
                raise StackTrouble("stack.not_started", words=words, **told)
            if loop.time() > deadline:
                seconds = round(READY_SECONDS)
                raise StackTrouble("stack.not_ready", seconds=seconds, **told)
            await asyncio.sleep(0.03)

    def _learn(self) -> bool:
        """Whether it serves, and where."""
        if self.part.is_ready is not None:
            return self.part.is_ready()
        if self.part.address_file is None:
            return True
        try:
            told = json.loads(self.part.address_file.read_text())
        except (FileNotFoundError, ValueError):
            return False
        self.address = told.get("grpc", "")
        self.metrics_address = told.get("metrics", "")
        return True

    async def ended(self) -> str:
        """Wait for its end; how it ended."""
        assert self._process is not None
        code = await self._process.wait()
        self._guard.forget(self._process.pid)
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exit code {code}"

    async def stop(self) -> None:
        """Ask, wait, insist."""
        if self._process is None:
            return
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and not self.has_ended:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    def last_words(self) -> str:
        """The last line of its log, where a bad setting is told."""
        lines = self.part.log.read_text(errors="replace").splitlines()
        words = next((line for line in reversed(lines) if line.strip()), "…")
        return words.strip()[:300]


def end_with(parent: int) -> None:
    """In the new child: end when the parent has, however it ends (Linux)."""
    if PRCTL is not None:
        PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)
