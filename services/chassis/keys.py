"""Ed25519 keys: one service's private one, everybody's public ones, and their renewal.

A service may have several public keys: `engine.pub` and, beside it, `engine.<id>.pub`.
A new key is told to everybody before it signs, the old one is known until all that it
has signed has expired; so nobody is turned away meanwhile.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import structlog
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from services.chassis.config import ConfigError

log = structlog.get_logger()

# Whoever signs. The operator is no process: a person who has the key.
OPERATOR = "operator"
SERVICES = ("matchmaking", "engine", "vault", "bots", OPERATOR)
LOOK_SECONDS = 1.0

Publics = dict[str, dict[str, Ed25519PublicKey]]
Stamp = tuple[tuple[str, int, int], ...]


@dataclass(slots=True)
class Keys:
    """As they are now: `refresh` takes up what has changed in the folder, and then
    `changes` counts one more. `publics` are by service and by the key's own id."""

    service: str
    private: Ed25519PrivateKey
    publics: Publics
    folder: Path | None = None
    stamp: Stamp = ()
    changes: int = 0
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = id_of(self.private.public_key())

    def refresh(self) -> bool:
        """Whether there is anything new; what cannot be read is left as it was."""
        if self.folder is None:
            return False
        try:
            stamp = stamp_of(self.folder)
            if stamp == self.stamp:
                return False
            private, publics = read_keys(self.folder, self.service)
        except (OSError, ConfigError) as error:
            log.warning("keys not taken", error=type(error).__name__)
            return False
        self.private, self.publics, self.stamp = private, publics, stamp
        self.id = id_of(private.public_key())
        self.changes += 1
        log.info("keys renewed", signs_with=self.id)
        return True


def id_of(key: Ed25519PublicKey) -> str:
    """The same few letters for the same key, wherever it lies."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def load_keys(folder: Path, service: str) -> Keys:
    """Read `<service>.key` and every `.pub`; ConfigError where they are not keys."""
    stamp = stamp_of(folder)
    private, publics = read_keys(folder, service)
    return Keys(service, private, publics, folder, stamp)


def read_keys(folder: Path, service: str) -> tuple[Ed25519PrivateKey, Publics]:
    private = private_in(folder / f"{service}.key")
    publics: Publics = {}
    for path in public_files(folder):
        public = public_in(path)
        publics.setdefault(owner_of(path), {})[id_of(public)] = public
    return private, publics


def private_in(path: Path) -> Ed25519PrivateKey:
    key = key_in(path, partial(serialization.load_pem_private_key, password=None))
    if not isinstance(key, Ed25519PrivateKey):
        raise no_key(path)
    return key


def public_in(path: Path) -> Ed25519PublicKey:
    key = key_in(path, serialization.load_pem_public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise no_key(path)
    return key


def key_in(path: Path, read: Callable[[bytes], object]) -> object:
    """ConfigError for one that is torn, or needs a password."""
    try:
        return read(read_pem(path))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise no_key(path) from None


def no_key(path: Path) -> ConfigError:
    return ConfigError(f"ANPAI_KEYS: {path.name} is not an Ed25519 key.")


def read_pem(path: Path) -> bytes:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"ANPAI_KEYS: {path.name}: {error.strerror}.") from None
    if b"-----BEGIN" not in text:
        raise ConfigError(f"ANPAI_KEYS: {path.name} is not a PEM file.")
    return text


def public_files(folder: Path, service: str = "*") -> list[Path]:
    found = [*folder.glob(f"{service}.pub"), *folder.glob(f"{service}.*.pub")]
    return sorted(set(found))


def owner_of(path: Path) -> str:
    """`engine` of `engine.pub` and of `engine.3f1c….pub`."""
    return path.name.partition(".")[0]


def stamp_of(folder: Path) -> Stamp:
    """Another one as soon as a file is another."""
    files = [path for path in folder.iterdir() if path.suffix in (".key", ".pub")]
    return tuple(
        (path.name, path.stat().st_mtime_ns, path.stat().st_ino)
        for path in sorted(files)
    )


async def kept_fresh(keys: Keys) -> None:
    """Look into the folder again and again, for ever."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        keys.refresh()


# ---- making them ---------------------------------------------------------------------


def make_keys(folder: Path, services: Iterable[str] = SERVICES) -> None:
    """Make the keys that are missing; what exists is kept."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for service in services:
        if (folder / f"{service}.key").exists():
            continue
        private = Ed25519PrivateKey.generate()
        write_new(folder / f"{service}.key", private_pem(private), mode=0o600)
        write_new(folder / f"{service}.pub", public_pem(private.public_key()), 0o644)


def make_key_folders(folder: Path, services: Iterable[str] = SERVICES) -> None:
    """A folder for each service, with its own private key and everybody's public ones:
    what one process or container is given. What exists is kept."""
    names = tuple(services)
    for name in names:
        make_keys(folder / name, [name])
    for name in names:
        public = (folder / name / f"{name}.pub").read_bytes()
        for other in names:
            copy = folder / other / f"{name}.pub"
            if not copy.exists():
                write_new(copy, public, 0o644)


# ---- renewing them -------------------------------------------------------------------


def rotate_key(folder: Path, service: str) -> str:
    """A new key for this service, told to everybody before it signs; its id.

    `folder` is one that `make_keys` or `make_key_folders` has made. Processes that run
    take it up by themselves.
    """
    private = Ed25519PrivateKey.generate()
    name = id_of(private.public_key())
    for one in folders_in(folder):
        path = one / f"{service}.{name}.pub"
        write_new(path, public_pem(private.public_key()), 0o644)
    time.sleep(5 * LOOK_SECONDS)
    replace_private(private_file(folder, service), private)
    return name


def forget_old_keys(folder: Path, service: str) -> int:
    """Take every public key but the one that signs away; how many that were. Only when
    all that they have signed has expired: a day after the last rotation."""
    present = id_of(private_in(private_file(folder, service)).public_key())
    old = [
        path
        for one in folders_in(folder)
        for path in public_files(one, service)
        if id_of(public_in(path)) != present
    ]
    for path in old:
        path.unlink()
    return len({path.name for path in old})


def folders_in(folder: Path) -> Iterator[Path]:
    """The folder itself, if it has keys, and those in it that have."""
    for one in (folder, *sorted(folder.iterdir())):
        if one.is_dir() and any(one.glob("*.pub")):
            yield one


def private_file(folder: Path, service: str) -> Path:
    for path in (folder / f"{service}.key", folder / service / f"{service}.key"):
        if path.exists():
            return path
    raise ConfigError(f"{folder} has no {service}.key.")


def replace_private(path: Path, key: Ed25519PrivateKey) -> None:
    """A reader finds the old one or the new one, whole."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    write_new(draft, private_pem(key), 0o600)
    draft.replace(path)


def private_pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def public_pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def write_new(path: Path, content: bytes, mode: int) -> None:
    """With its mode from the first byte on."""
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(opened, "wb") as file:
        file.write(content)
