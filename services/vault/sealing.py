"""Sealing what is kept: AES-256-GCM, a data key per table, wrapped by a master key.

What is sealed is bound to its place (table, kind, position): a record that is moved to
another place does not open.
"""

import base64
import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.vault.chain import canonical_bytes

KEY_BYTES = 32
NONCE_BYTES = 12
ID_BYTES = 8


class Broken(Exception):
    """Sealed bytes that this key, at this place, does not open."""


class MasterKey(Protocol):
    """Wraps the tables' data keys. A KMS can do this without ever giving its key away.

    `unwrap` raises `Broken` for what this key has not wrapped for this table.
    """

    async def wrap(self, table_id: str, key: bytes) -> bytes: ...

    async def unwrap(self, table_id: str, wrapped: bytes) -> bytes: ...


class Seal:
    """Seals and opens with one key."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, plain: bytes, *place: str | int) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, canonical_bytes(place))

    def open(self, sealed: bytes, *place: str | int) -> bytes:
        nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, rest, canonical_bytes(place))
        except (InvalidTag, ValueError):
            raise Broken(f"what is kept at {place} does not open") from None


class HeldMasterKey:
    """A master key of 32 bytes in this process, from a file or the environment, and
    those before it: what they have wrapped opens still, and names its key by an id."""

    def __init__(self, key: bytes, *old: bytes) -> None:
        self._id = id_of(key)
        self._seals = {id_of(one): Seal(one) for one in (key, *old)}

    async def wrap(self, table_id: str, key: bytes) -> bytes:
        return self._id + self._seals[self._id].seal(key, table_id, "key")

    async def unwrap(self, table_id: str, wrapped: bytes) -> bytes:
        seal = self._seals.get(wrapped[:ID_BYTES])
        if seal is not None:
            return seal.open(wrapped[ID_BYTES:], table_id, "key")
        # Those of the release before name no key.
        for one in self._seals.values():
            with suppress(Broken):
                return one.open(wrapped, table_id, "key")
        raise Broken("none of these master keys has wrapped this")

    def is_present(self, wrapped: bytes) -> bool:
        """Whether it is wrapped by the key that wraps now."""
        return wrapped.startswith(self._id)


def id_of(key: bytes) -> bytes:
    """Tells keys apart, and nothing about them."""
    return hashlib.sha256(b"master key " + key).digest()[:ID_BYTES]


def make_master_key(path: Path) -> None:
    """Write a new master key in base64 for its owner alone; an old one is kept."""
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(opened, "wb") as file:
        file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n")


def new_data_key() -> bytes:
    """A key for one table."""
    return secrets.token_bytes(KEY_BYTES)
