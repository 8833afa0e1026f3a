"""A person at a terminal of 80 columns: types, and reads what is shown."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType
from typing import Self

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")
SECONDS = 60.0
PROMPT = "Number (? explains, h help): "

# In the child itself: gRPC does not bear Python code between fork and exec. A shell
# that runs the tests in the background leaves them deaf to Ctrl-C.
AT_A_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "clients.terminal", *sys.argv[1:]])
"""


class Terminal:
    """A command on a pseudo-terminal; `shown` is all it has printed so far."""

    def __init__(self, *arguments: str, environ: dict[str, str] | None = None):
        self.shown = ""
        self._read_until = 0
        self._ours, theirs = pty.openpty()
        size = struct.pack("HHHH", 50, 80, 0, 0)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_A_TERMINAL, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm-256color"} | (environ or {}),
            start_new_session=True,
        )
        os.close(theirs)

    def types(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def presses_ctrl_c(self) -> None:
        os.write(self._ours, b"\x03")

    def reads(self, text: str) -> str:
        """Wait until this is shown, after what was read before; what came till then."""
        deadline = time.monotonic() + SECONDS
        while text not in self.shown[self._read_until :]:
            assert time.monotonic() < deadline, f"no {text!r} in:\n{self.shown}"
            assert self._hear(), f"ended without {text!r}:\n{self.shown}"
        end = self.shown.index(text, self._read_until) + len(text)
        told = self.shown[self._read_until : end]
        self._read_until = end
        return told

    def reads_one_of(self, *texts: str) -> str:
        """The same for whichever of them comes first."""
        deadline = time.monotonic() + SECONDS
        while not any(text in self.shown[self._read_until :] for text in texts):
            assert time.monotonic() < deadline, f"none of {texts} in:\n{self.shown}"
            assert self._hear(), f"ended without {texts}:\n{self.shown}"
        found = [t for t in texts if t in self.shown[self._read_until :]]
        return self.reads(
            min(found, key=lambda t: self.shown.find(t, self._read_until))
        )

    def ends(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + SECONDS
        while self._hear():
            assert time.monotonic() < deadline, f"no end of:\n{self.shown}"
        return self.process.wait(SECONDS)

    def _hear(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 1.0)
        if not ready:
            return True
        try:
            heard = os.read(self._ours, 65536)
        except OSError:  # the other side has hung up
            heard = b""
        self.shown += CONTROLS.sub("", heard.decode(errors="replace"))
        return bool(heard)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self._ours)
