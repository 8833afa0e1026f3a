"""A bot host's own credential for matchmaking: a short-lived token, signed here."""

import time
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

NAME = "bots"
AUDIENCE = "matchmaking"
SECONDS = 300
RENEW_BEFORE = 60


class Credential:
    """Call it for a token that is good for another minute at least."""

    def __init__(self, keys: Path) -> None:
        """`keys` is the folder with `bots.key`. Raises ValueError or OSError."""
        key = load_pem_private_key((keys / f"{NAME}.key").read_bytes(), password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError(f"{NAME}.key is not an Ed25519 key")
        self._key = key
        self._token = ""
        self._renew_at = 0.0

    def __call__(self) -> str:
        now = time.time()
        if now >= self._renew_at:
            claims = {"sub": NAME, "iss": NAME, "aud": AUDIENCE}
            times = {"iat": int(now), "exp": int(now + SECONDS)}
            self._token = jwt.encode(claims | times, self._key, algorithm="EdDSA")
            self._renew_at = now + SECONDS - RENEW_BEFORE
        return self._token
