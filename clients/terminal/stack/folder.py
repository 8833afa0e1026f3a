"""Where a stack keeps what it needs, and who runs it: one `anpai up` at a time.

Two locks of the kernel's, which end with their holders however these die. `up` holds
the first. The second goes to every child as well, so that a new stack can wait until
the last child of a killed one is gone: two stores on one file would ruin it.
"""

import contextlib
import fcntl
import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from clients.terminal.words import Words

DEFAULT = Path(".anpai")
SOCKET_PATH_LIMIT = 100
LAST_CHILD_SECONDS = 40.0
# Who asks whether a stack runs holds its lock for a moment.
LOOKER_SECONDS = 1.0
LONGEST_LOG = 10_000_000


class StackError(Exception):
    """A sentence for whoever typed the command."""


class StackTrouble(StackError):
    """The same as a key of the table of words, and what fills it."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(Words("en")(key, **values))
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True)
class Folder:
    """The names of everything in the directory of a stack, and where finished games
    are exported to, if they are."""

    root: Path
    exports: Path | None = None

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def store(self) -> Path:
        return self.root / "store"

    @property
    def addresses(self) -> Path:
        return self.root / "addresses"

    @property
    def bots_seats(self) -> Path:
        """What bots play, for those that are started again."""
        return self.root / "bots.seats"

    @property
    def stack_file(self) -> Path:
        return self.root / "stack.json"

    @property
    def socket(self) -> Path:
        """The store's socket. A socket's path must be short; a deep directory's own is
        too long, so that it gets one elsewhere, for this user alone."""
        path = (self.store / "store.sock").resolve()
        if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT:
            return path
        return Path(tempfile.gettempdir()) / f"anpai-{os.getuid()}-{name_of(path)}.sock"

    def make(self) -> None:
        for path in (self.root, self.keys, self.logs, self.store, self.addresses):
            make_directory(path)
        if self.exports is not None:
            make_directory(self.exports)


def make_directory(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StackError(f"{path}: {error.strerror}.") from None


def write_private(path: Path, content: bytes) -> None:
    """Mode 0600 from its first byte on, and whole or not there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(content)
    draft.replace(path)


def set_long_logs_aside(folder: Folder) -> None:
    """One old one is kept of each."""
    for log in folder.logs.glob("*.log"):
        if log.stat().st_size > LONGEST_LOG:
            log.replace(log.with_suffix(".log.old"))


def name_of(path: Path) -> str:
    """The same few letters for the same path."""
    return f"{path.parent.stat().st_dev:x}-{path.parent.stat().st_ino:x}"


class Lock:
    """A lock on a file, held until released or until its last holder has died."""

    def __init__(self, path: Path):
        self._path = path
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self, patience: float = 0.0) -> bool:
        """Whether it is ours, within `patience` seconds."""
        deadline = time.monotonic() + patience
        while not self._try():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.1)
        return True

    def _try(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    def release(self) -> None:
        os.close(self.file)


class Say(Protocol):
    """Hears what happens: a key of the table of words, and what fills it."""

    def __call__(self, key: str, **values: object) -> None: ...


def take_folder(folder: Folder, say: Say) -> tuple[Lock, Lock]:
    """Both locks of a directory, or StackError if a stack runs in it."""
    folder.make()
    ours = Lock(folder.root / "up.lock")
    if not ours.take(LOOKER_SECONDS):
        ours.release()
        raise already_running(folder)
    childrens = Lock(folder.root / "children.lock")
    if childrens.take():
        return ours, childrens
    say("up.earlier")
    if not childrens.take(LAST_CHILD_SECONDS):
        path = folder.root.resolve()
        raise StackTrouble("stack.does_not_end", folder=folder.root, path=path)
    return ours, childrens


def already_running(folder: Folder) -> StackTrouble:
    told = read_stack(folder)
    if told is None:
        return StackTrouble("stack.runs", folder=folder.root)
    server = told["matchmaking"]
    return StackTrouble("stack.runs_at", folder=folder.root, server=server)


def is_running(folder: Folder) -> bool:
    """Whether an `up` lives in this directory."""
    if not (folder.root / "up.lock").exists():
        return False
    lock = Lock(folder.root / "up.lock")
    try:
        return not lock.take()
    finally:
        lock.release()


def read_stack(folder: Folder) -> dict[str, Any] | None:
    """What the running stack tells its clients; None where none is ready."""
    try:
        told = json.loads(folder.stack_file.read_text())
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and is_running(folder) else None


def write_stack(folder: Folder, told: dict[str, Any]) -> None:
    """A reader finds all of it or none."""
    draft = folder.stack_file.with_suffix(".draft")
    draft.write_text(json.dumps(told, indent=2) + "\n")
    draft.replace(folder.stack_file)
