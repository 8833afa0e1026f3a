"""Ends the children of an `up` that died without a word, where the kernel does not.

Linux signals a child whose parent has died (child.py). Elsewhere this process reads a
pipe that ends with `up`, and then ends every child it was told of.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable

IS_NEEDED = sys.platform != "linux"


class Guard:
    """The pipe's end in `up`."""

    def __init__(self, is_needed: bool = IS_NEEDED):
        self._process: subprocess.Popen[str] | None = None
        if is_needed:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                start_new_session=True,
                text=True,
            )

    def watch(self, pid: int) -> None:
        self._tell(f"{pid}")

    def forget(self, pid: int) -> None:
        self._tell(f"-{pid}")

    def close(self) -> None:
        """After the children have ended."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()


def stand_guard(lines: Iterable[str]) -> None:
    """Read pids (a minus takes one back) to the end; then end those that are left."""
    pids: set[int] = set()
    for line in lines:
        number = int(line)
        if number < 0:
            pids.discard(-number)
        else:
            pids.add(number)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    stand_guard(sys.stdin)
