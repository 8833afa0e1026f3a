"""Keys and passwords of a stack, made at its first start, each file mode 0600."""

import base64
import json
import secrets
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from clients.terminal.stack.folder import Folder, StackTrouble, write_private

SERVICES = ("matchmaking", "engine", "vault", "bots", "operator")
STORE_USERS = ("matchmaking", "engine", "vault", "stack")


def make_secrets(folder: Folder) -> None:
    """Make what is missing; what exists is kept."""
    for service in SERVICES:
        if not (folder.keys / f"{service}.pub").exists():
            make_pair(folder.keys, service)
    if not master_key_file(folder).exists():
        key = base64.b64encode(secrets.token_bytes(32))
        write_private(master_key_file(folder), key + b"\n")
    if not passwords_file(folder).exists():
        words = {user: secrets.token_urlsafe(24) for user in STORE_USERS}
        write_private(passwords_file(folder), json.dumps(words).encode())


def master_key_file(folder: Folder) -> Path:
    return folder.keys / "master.key"


def passwords_file(folder: Folder) -> Path:
    return folder.keys / "store.json"


def passwords(folder: Folder) -> dict[str, str]:
    """The store's password by user."""
    try:
        words = json.loads(passwords_file(folder).read_text())
        return {user: str(words[user]) for user in STORE_USERS}
    except (ValueError, KeyError, TypeError):
        path = passwords_file(folder)
        raise StackTrouble("stack.damaged", path=path) from None


def make_pair(folder: Path, service: str) -> None:
    """The public half last: a pair without it was broken off, and is made again."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_private(folder / f"{service}.key", private)
    write_private(folder / f"{service}.pub", public)
