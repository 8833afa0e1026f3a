"""A stack for one command only: `anpai up` as a child, stopped afterwards."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from clients.terminal.stack.child import end_with
from clients.terminal.stack.folder import (
    Folder,
    StackError,
    StackTrouble,
    make_directory,
    read_stack,
)
from clients.terminal.stack.parts import free_port

START_SECONDS = 120.0
STOP_SECONDS = 60.0
ENDED_BY = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def own_stack(
    directory: Path, workers: int = 2, told: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The address for players. StackError with its last word if it does not start.

    `told` goes to all its parts, over what they inherit.
    """
    parent = os.getpid()
    port = str(free_port())
    arguments = ("--dir", str(directory), "--workers", str(workers), "--port", port)
    make_directory(directory)
    log = directory / "up.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "clients.terminal", "up", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | (told or {}),
            start_new_session=True,
            preexec_fn=lambda: end_with(parent),
        )
    try:
        with ending_in_order():
            yield address_of(process, Folder(directory), log)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Whoever is told to end meanwhile cleans up first, as after a Ctrl-C.

    It is made one: a loop that runs then cancels what it runs and comes back. An
    exception of our own would come in the midst of whatever a library is doing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told: list[int] = []

    def interrupt(number: int, _: object) -> None:
        told.append(number)
        if len(told) == 1:
            signal.raise_signal(signal.SIGINT)

    before = {number: signal.signal(number, interrupt) for number in ENDED_BY}
    # A shell starts what it sends to the background deaf to Ctrl-C.
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        if told:
            raise SystemExit(128 + told[0]) from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def address_of(process: "subprocess.Popen[bytes]", folder: Folder, log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        told = read_stack(folder)
        if told is not None:
            return str(told["matchmaking"])
        time.sleep(0.05)
    words = log.read_text(errors="replace").strip().splitlines()
    if words:
        raise StackError(words[-1])
    raise StackTrouble("stack.silent")
