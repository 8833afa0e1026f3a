"""Whether we speak in TLS, whom we trust then, and what we show.

What comes from files is read anew soon after they are others: a program that runs for
weeks outlives its certificate.
"""

import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Generic, TypeVar

import grpc

T = TypeVar("T")

SECURE = "grpcs://"
PLAIN = "grpc://"
LOOK_SECONDS = 1.0

Stamp = tuple[tuple[int, int, int], ...]
Fresh = Callable[[], grpc.ChannelCredentials]

# True for the usual roots, a file of others, or credentials made elsewhere, once or
# whenever they are asked for.
Tls = grpc.ChannelCredentials | Fresh | bool | str | Path


class Renewed(Generic[T]):
    """What is made of files, as they are now. If nothing can be made of them, as while
    they are being exchanged, it stays what it was."""

    def __init__(self, make: Callable[[], T], *files: Path) -> None:
        """OSError, ValueError where nothing can be made of them in the first place."""
        self._make = make
        self._files = files
        self._seen = stamp_of(files)
        self._made = make()
        self._looked = monotonic()

    def __call__(self) -> T:
        if monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = monotonic()
            with suppress(OSError, ValueError):
                self._look()
        return self._made

    def _look(self) -> None:
        seen = stamp_of(self._files)
        if seen != self._seen:
            self._made = self._make()
            self._seen = seen


def stamp_of(files: tuple[Path, ...]) -> Stamp:
    found = [path.stat() for path in files]
    return tuple((one.st_mtime_ns, one.st_ino, one.st_size) for one in found)


def address_in(server: str) -> str:
    """`host:port` of what may begin with grpcs:// or grpc://."""
    return server.removeprefix(SECURE).removeprefix(PLAIN)


def credentials_for(server: str, tls: Tls) -> grpc.ChannelCredentials | Fresh | None:
    """What to dial with; None for no TLS. OSError where the file cannot be read."""
    if isinstance(tls, str | Path):
        return Renewed(partial(trusting, Path(tls)), Path(tls))
    if isinstance(tls, bool):
        wanted = tls or server.startswith(SECURE)
        return grpc.ssl_channel_credentials() if wanted else None
    return tls


def trusting(ca: Path) -> grpc.ChannelCredentials:
    """Whom this file has, and nobody else."""
    return grpc.ssl_channel_credentials(ca.read_bytes())


def showing(cert: Path, key: Path, ca: Path | None = None) -> Fresh:
    """With a certificate of our own, for servers that serve nobody without one; `ca` is
    whom we trust, else the usual roots. OSError where they cannot be read, or do not
    belong together."""
    files = (cert, key, ca) if ca else (cert, key)
    return Renewed(partial(shown, cert, key, ca), *files)


def shown(cert: Path, key: Path, ca: Path | None) -> grpc.ChannelCredentials:
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(cert, key)
    roots = ca.read_bytes() if ca else None
    return grpc.ssl_channel_credentials(roots, key.read_bytes(), cert.read_bytes())
