"""Who is calling: Ed25519 keys, player tokens, service credentials.

Both are JWTs in `authorization: Bearer …`. Matchmaking signs player tokens (audience
"anpai"); each service signs its own credentials for one target service, for minutes.
Why a cache: a signature check costs more than the rest of a short call, and the same
token comes with each of a seat's answers.
"""

import os
import time
from collections import OrderedDict
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from services.chassis.config import ConfigError
from services.chassis.errors import AnpaiError

PLAYERS = "anpai"
ISSUER = "matchmaking"
SERVICES = ("matchmaking", "engine", "vault", "bots")
CREDENTIAL_SECONDS = 300
RENEW_BEFORE = 60
CLOCKS_DIFFER_BY = 5


class Kind(StrEnum):
    NOBODY = "nobody"
    GUEST = "guest"
    MEMBER = "member"
    BOT = "bot"
    SERVICE = "service"


PLAYER_KINDS = frozenset({Kind.GUEST, Kind.MEMBER, Kind.BOT})


@dataclass(frozen=True, slots=True)
class Caller:
    """Verified: a player, a service, or nobody in particular."""

    kind: Kind
    id: str
    name: str

    @property
    def is_player(self) -> bool:
        return self.kind in PLAYER_KINDS

    @property
    def is_service(self) -> bool:
        return self.kind is Kind.SERVICE


NOBODY = Caller(Kind.NOBODY, "", "")
CALLER: ContextVar[Caller] = ContextVar("caller", default=NOBODY)


def caller() -> Caller:
    """Who makes the call that is being served."""
    return CALLER.get()


# ---- keys ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keys:
    """One service's private key and everybody's public ones."""

    service: str
    private: Ed25519PrivateKey
    publics: dict[str, Ed25519PublicKey]


def load_keys(folder: Path, service: str) -> Keys:
    """Read `<service>.key` and every `.pub`; ConfigError where they are not keys."""
    private = serialization.load_pem_private_key(
        read_pem(folder / f"{service}.key"), password=None
    )
    if not isinstance(private, Ed25519PrivateKey):
        raise ConfigError(f"ANPAI_KEYS: {service}.key is not an Ed25519 key.")
    publics = {}
    for path in sorted(folder.glob("*.pub")):
        public = serialization.load_pem_public_key(read_pem(path))
        if not isinstance(public, Ed25519PublicKey):
            raise ConfigError(f"ANPAI_KEYS: {path.name} is not an Ed25519 key.")
        publics[path.stem] = public
    return Keys(service, private, publics)


def read_pem(path: Path) -> bytes:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"ANPAI_KEYS: {path.name}: {error.strerror}.") from None
    if b"-----BEGIN" not in text:
        raise ConfigError(f"ANPAI_KEYS: {path.name} is not a PEM file.")
    return text


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


# ---- signing -------------------------------------------------------------------------


def player_token(keys: Keys, player: str, name: str, kind: Kind, seconds: int) -> str:
    """Only matchmaking's signature is accepted on it."""
    claims = {"sub": player, "name": name, "kind": kind.value, "aud": PLAYERS}
    return sign(keys, claims, seconds)


def sign(keys: Keys, claims: dict[str, Any], seconds: float) -> str:
    now = time.time()
    times = {"iss": keys.service, "iat": int(now), "exp": int(now + seconds)}
    return jwt.encode(claims | times, keys.private, algorithm="EdDSA")


class Credential:
    """This service's own credential for one target; renews itself."""

    def __init__(self, keys: Keys, target: str, seconds: int = CREDENTIAL_SECONDS):
        self._keys = keys
        self._target = target
        self._seconds = seconds
        self._renew_at = 0.0
        self._metadata: tuple[tuple[str, str], ...] = ()

    def metadata(self) -> tuple[tuple[str, str], ...]:
        if time.time() >= self._renew_at:
            claims = {"sub": self._keys.service, "aud": self._target}
            token = sign(self._keys, claims, self._seconds)
            self._metadata = (("authorization", f"Bearer {token}"),)
            self._renew_at = time.time() + self._seconds - RENEW_BEFORE
        return self._metadata


# ---- verifying -----------------------------------------------------------------------


class Verifier:
    """Tokens this service accepts: players', and services' that are meant for it."""

    def __init__(self, keys: Keys, remembered: int = 20_000):
        self._keys = keys
        self._limit = remembered
        self._known: OrderedDict[str, tuple[Caller, float]] = OrderedDict()

    def knows(self, token: str) -> bool:
        """Whether it has been looked at before and found good."""
        return token in self._known

    def caller_of(self, token: str) -> Caller:
        known = self._known.get(token)
        if known is None:
            known = self._verify(token)
            self._remember(token, known)
        who, expires = known
        if expires <= time.time():
            self._known.pop(token, None)
            raise AnpaiError(
                "TOKEN_EXPIRED", "Your sign-in has expired; sign in again."
            )
        return who

    def _remember(self, token: str, known: tuple[Caller, float]) -> None:
        self._known[token] = known
        if len(self._known) > self._limit:
            self._known.popitem(last=False)

    def _verify(self, token: str) -> tuple[Caller, float]:
        try:
            unproven = jwt.decode(token, options={"verify_signature": False})
            claims = jwt.decode(
                token,
                self._keys.publics[unproven["iss"]],
                algorithms=["EdDSA"],
                audience=[PLAYERS, self._keys.service],
                leeway=CLOCKS_DIFFER_BY,
                options={"require": ["exp", "sub", "aud", "iss"]},
            )
            return self._caller(claims), float(claims["exp"])
        except jwt.ExpiredSignatureError:
            raise AnpaiError(
                "TOKEN_EXPIRED", "Your sign-in has expired; sign in again."
            ) from None
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise AnpaiError(
                "TOKEN_INVALID", "This token was not issued here."
            ) from None

    def _caller(self, claims: dict[str, Any]) -> Caller:
        """KeyError and ValueError mean a token nobody here would have signed."""
        if claims["aud"] == self._keys.service:
            if claims["sub"] != claims["iss"]:
                raise ValueError("a service speaks for itself only")
            return Caller(Kind.SERVICE, claims["iss"], claims["iss"])
        if claims["aud"] != PLAYERS or claims["iss"] != ISSUER:
            raise ValueError("only matchmaking signs players in")
        kind = Kind(claims["kind"])
        if kind not in PLAYER_KINDS:
            raise ValueError("not a kind of player")
        return Caller(kind, str(claims["sub"]), str(claims["name"]))
