"""Members: players whom somebody outside vouches for, by a JWT of theirs.

Whom we trust is one issuer, by the keys it publishes (a JWKS, in a file or at an https
address). Only signatures by keys are taken, each with the one algorithm its key is for:
no `none`, and nothing that a public key could be mistaken for the secret of.
"""

import asyncio
import hashlib
import json
import ssl
import urllib.request
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import jwt
import structlog
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from services.chassis.config import ConfigError, MatchmakingConfig
from services.chassis.errors import AnpaiError
from services.chassis.tokens import CLOCKS_DIFFER_BY

log = structlog.get_logger()

ALGORITHMS = ("RS256", "PS256", "ES256", "ES384", "EdDSA")
LEAST_RSA_BITS = 2048

FRESH_SECONDS = 300.0
# An id nobody knows makes us look again, but not more often than this.
AGAIN_SECONDS = 10.0
FETCH_SECONDS = 5.0
LONGEST_SET = 256 * 1024
LONGEST_TOKEN = 8 * 1024


class Member(NamedTuple):
    """The same player id for the same person, however often it signs in."""

    player: str
    name: str


class Trust(NamedTuple):
    """Whose word is taken, and that it was meant for us."""

    issuer: str
    audience: str


class KeySet:
    """The issuer's keys by id. What was fetched last holds while it cannot be asked."""

    def __init__(self, fetch: Callable[[], bytes]) -> None:
        self._fetch = fetch
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._fetching = asyncio.Lock()

    async def key(self, id: str) -> jwt.PyJWK:
        """KeyError where the issuer has none of this id."""
        if self._must_look(id):
            async with self._fetching:
                if self._must_look(id):
                    await self._look_again()
        if self._fetched is None:
            raise out_of_reach()
        return self._keys[id]

    def _must_look(self, id: str) -> bool:
        return is_older(self._fetched, FRESH_SECONDS) or id not in self._keys

    async def _look_again(self) -> None:
        if not is_older(self._tried, AGAIN_SECONDS):
            return
        self._tried = monotonic()
        try:
            text = await asyncio.to_thread(self._fetch)
            self._keys = keys_in(text)
            self._fetched = self._tried
        except (OSError, ValueError, jwt.PyJWTError) as error:
            log.warning("members cannot be proven", error=type(error).__name__)


class Members:
    """INVALID_FIELD where nobody outside is trusted."""

    def __init__(self, trust: Trust | None, keys: KeySet) -> None:
        self._trust = trust
        self._keys = keys

    async def member(self, token: str) -> Member:
        """Who this is; TOKEN_INVALID, TOKEN_EXPIRED, PART_UNAVAILABLE."""
        if self._trust is None:
            raise AnpaiError(
                "INVALID_FIELD",
                "Nobody outside is trusted here: sign in as a guest.",
                field="external_token",
                allowed="",
            )
        try:
            claims = await self._claims(self._trust, token)
            return member_of(self._trust.issuer, claims)
        except jwt.ExpiredSignatureError:
            raise AnpaiError(
                "TOKEN_EXPIRED", "That sign-in has expired; sign in there again."
            ) from None
        except (jwt.PyJWTError, KeyError, ValueError, TypeError):
            raise AnpaiError(
                "TOKEN_INVALID", "That sign-in is not one that is taken here."
            ) from None

    async def _claims(self, trust: Trust, token: str) -> dict[str, Any]:
        if len(token) > LONGEST_TOKEN:
            raise ValueError("longer than any")
        header = jwt.get_unverified_header(token)
        key = await self._keys.key(header["kid"])
        if header["alg"] != key.algorithm_name:
            raise ValueError("not what this key is for")
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm_name],
            audience=trust.audience,
            issuer=trust.issuer,
            leeway=CLOCKS_DIFFER_BY,
            options={"require": ["exp", "sub", "aud", "iss"]},
        )
        return claims


def is_older(moment: float | None, seconds: float) -> bool:
    return moment is None or monotonic() - moment > seconds


def member_of(issuer: str, claims: dict[str, Any]) -> Member:
    subject = str(claims["sub"])
    if not subject:
        raise ValueError("nobody in particular")
    digest = hashlib.sha256(json.dumps([issuer, subject]).encode()).hexdigest()
    name = claims.get("name") or claims.get("preferred_username") or ""
    return Member(f"m-{digest[:20]}", str(name))


def keys_in(text: bytes) -> dict[str, jwt.PyJWK]:
    """The keys that sign, by id; others are passed over. ValueError for no set."""
    found = json.loads(text)
    entries = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(entries, list):
        raise ValueError("no set of keys")
    known = {}
    for entry in entries:
        try:
            key = jwt.PyJWK(entry)
        except (jwt.PyJWTError, AttributeError, TypeError, ValueError):
            continue
        if key.key_id and key.public_key_use in (None, "sig") and is_sound(key):
            known[key.key_id] = key
    return known


def is_sound(key: jwt.PyJWK) -> bool:
    """A public key long enough, for an algorithm that signs with a private one."""
    if key.algorithm_name not in ALGORITHMS:
        return False
    is_rsa = isinstance(key.key, RSAPublicKey)
    return not is_rsa or key.key.key_size >= LEAST_RSA_BITS


def out_of_reach() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE",
        "Whoever vouches for members cannot be asked just now; try again.",
        retry_after=AGAIN_SECONDS,
        part="sign-in",
    )


# ---- where the keys are --------------------------------------------------------------


def members_of(config: MatchmakingConfig) -> Members:
    """As the settings say; ConfigError where they do not fit together."""
    issuer, audience = config.sign_in_issuer, config.sign_in_audience
    keys = config.sign_in_keys
    if issuer and audience and keys:
        return Members(Trust(issuer, audience), KeySet(fetching(keys)))
    if issuer or audience or keys:
        raise ConfigError(
            "ANPAI_SIGN_IN_ISSUER, ANPAI_SIGN_IN_AUDIENCE and ANPAI_SIGN_IN_KEYS "
            "belong together."
        )
    return Members(None, KeySet(lambda: b""))


def fetching(where: str) -> Callable[[], bytes]:
    """Reads the set, and no more of it than a set may have. OSError, ValueError."""
    if not where.startswith("https://"):
        return lambda: short(Path(where).read_bytes())

    def fetch() -> bytes:
        context = ssl.create_default_context()
        with urllib.request.urlopen(where, timeout=FETCH_SECONDS, context=context) as r:
            return short(r.read(LONGEST_SET + 1))

    return fetch


def short(text: bytes) -> bytes:
    if len(text) > LONGEST_SET:
        raise ValueError("longer than any set of keys")
    return text
