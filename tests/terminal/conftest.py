"""A stack of the tests' own, started by the command itself."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from clients.terminal.__main__ import app
from clients.terminal.stack.folder import Folder, read_stack
from tests.ports import free_port

START_SECONDS = 120.0
STOP_SECONDS = 60.0


@dataclass
class Up:
    """One `anpai up` in a directory."""

    folder: Path
    port: int
    arguments: tuple[str, ...] = ()
    environ: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[str] | None" = None

    def start(self) -> "Up":
        self.spawn()
        self.until_ready()
        return self

    def spawn(self) -> None:
        options = ("--dir", str(self.folder), "--port", str(self.port), "--lang", "en")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "clients.terminal", "up", *options, *self.arguments],
            env=os.environ | self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
        )

    def until_ready(self) -> None:
        assert self.process is not None
        wait_until(lambda: self.process.poll() is not None or self.told() is not None)
        assert self.process.poll() is None, self.process.communicate()[0]

    def told(self):
        return read_stack(Folder(self.folder))

    def stop(self, number=signal.SIGTERM) -> tuple[int, str]:
        """The exit code, and everything it said."""
        assert self.process is not None
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode, said

    def kill(self) -> None:
        """SIGKILL; its children die with it, and we wait until they have."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        wait_until(lambda: not self._serves())

    def _serves(self) -> bool:
        return any("-m services." in line for line in self.children().values())

    def children(self) -> dict[int, str]:
        """Processes of this stack that live, by pid, with their command lines."""
        return {pid: line for pid, line in processes() if str(self.folder) in line}


def processes() -> Iterator[tuple[int, str]]:
    """Every process, with its command line and its environment's addresses."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes() + (
                    entry / "environ"
                ).read_bytes()
            except OSError:
                continue
            yield int(entry.name), line.replace(b"\0", b" ").decode(errors="replace")


def wait_until(is_so, seconds=START_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


def status_once(stack: Up, holds) -> dict[str, Any]:
    """As scripts read it, once it is so: on a busy machine a part may be late."""
    told: list[dict[str, Any]] = []

    def is_so() -> bool:
        command = ["status", "--json", "--dir", str(stack.folder)]
        result = CliRunner().invoke(app, command)
        told.append(json.loads(result.stdout))
        assert result.exit_code == (0 if all_ready(told[-1]) else 1)
        return bool(holds(told[-1]))

    wait_until(is_so)
    return told[-1]


def all_ready(status) -> bool:
    return all(part["ready"] for part in status["parts"])


@pytest.fixture
def fresh_up(tmp_path) -> Iterator[Up]:
    """Not started yet; ended whatever the test does."""
    one = Up(tmp_path / "stack", free_port(), ("--workers", "1"))
    yield one
    if one.process is not None and one.process.poll() is None:
        one.stop(signal.SIGTERM)


@pytest.fixture(scope="session")
def stack(tmp_path_factory) -> Iterator[Up]:
    """One for all tests that only play."""
    one = Up(tmp_path_factory.mktemp("anpai") / "stack", free_port())
    one.start()
    yield one
    one.stop()
