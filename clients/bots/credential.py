"""What a service of ours shows another: a short-lived token, signed here."""

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
        self, keys: Path, name: str = "bots", audience: str = "matchmaking"
    ) -> None:
        """Of a bot host for matchmaking, unless others are named.

        `keys` is the folder with the key of `name`. Raises ValueError or OSError.
        """
        key = load_pem_private_key((keys / f"{name}.key").read_bytes(), password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError(f"{name}.key is not an Ed25519 key")
        self._who = {"sub": name, "iss": name, "aud": audience}
        self._key = key
        self._token = ""
        self._renew_at = 0.0

    def __call__(self) -> str:
        now = time.time()
        if now >= self._renew_at:
            times = {"iat": int(now), "exp": int(now + SECONDS)}
            self._token = jwt.encode(self._who | times, self._key, algorithm="EdDSA")
            self._renew_at = now + SECONDS - RENEW_BEFORE
        return self._token
