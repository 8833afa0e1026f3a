"""What a service of ours shows another: a short-lived token, signed here.

The key is read anew for each, so that a new one is taken up without a restart.
"""

import hashlib
import time
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SECONDS = 300
RENEW_BEFORE = 60


class Credential:
    """Call it for a token that is good for another minute at least."""

    def __init__(
        self,
        keys: Path,
        name: str = "bots",
        audience: str = "matchmaking",
        person: str = "",
    ) -> None:
        """Of a bot host for matchmaking, unless others are named; `person` is who has
        the key, where it is a person.

        `keys` is the folder with the key of `name`. Raises ValueError or OSError.
        """
        self._path = keys / f"{name}.key"
        key_in(self._path)
        self._who = {"sub": name, "iss": name, "aud": audience}
        if person:
            self._who["name"] = person
        self._token = ""
        self._renew_at = 0.0

    def __call__(self) -> str:
        now = time.time()
        if now >= self._renew_at:
            key = key_in(self._path)
            claims = self._who | {"iat": int(now), "exp": int(now + SECONDS)}
            self._token = jwt.encode(claims, key, "EdDSA", {"kid": id_of(key)})
            self._renew_at = now + SECONDS - RENEW_BEFORE
        return self._token


def key_in(path: Path) -> Ed25519PrivateKey:
    key = load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path.name} is not an Ed25519 key")
    return key


def id_of(key: Ed25519PrivateKey) -> str:
    """The name the services know it by."""
    return hashlib.sha256(key.public_key().public_bytes_raw()).hexdigest()[:16]
