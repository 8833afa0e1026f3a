"""Who is calling: player tokens, service credentials.

Both are JWTs in `authorization: Bearer …`. Matchmaking signs player tokens (audience
"anpai"); each service signs its own credentials for one target service, for minutes.
Why a cache: a signature check costs more than the rest of a short call, and the same
token comes with each of a seat's answers.
"""

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.chassis.errors import AnpaiError
from services.chassis.keys import OPERATOR, Keys

PLAYERS = "anpai"
ISSUER = "matchmaking"
CREDENTIAL_SECONDS = 300
RENEW_BEFORE = 60
CLOCKS_DIFFER_BY = 5
TURN_SECONDS = 30.0


class Kind(StrEnum):
    NOBODY = "nobody"
    GUEST = "guest"
    MEMBER = "member"
    BOT = "bot"
    SERVICE = "service"
    OPERATOR = "operator"


PLAYER_KINDS = frozenset({Kind.GUEST, Kind.MEMBER, Kind.BOT})


@dataclass(frozen=True, slots=True)
class Caller:
    """Verified: a player, a service, an operator, or nobody. `since` is when a player
    signed in, in seconds since 1970; `token` names the token."""

    kind: Kind
    id: str
    name: str
    since: int = field(default=0, compare=False)
    token: str = field(default="", compare=False)

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


# ---- signing -------------------------------------------------------------------------


def player_token(
    keys: Keys, player: str, name: str, kind: Kind, seconds: int, since: int = 0
) -> str:
    """Only matchmaking's signature is accepted on it."""
    claims = {"sub": player, "name": name, "kind": kind.value, "aud": PLAYERS}
    signed_in = {"jti": secrets.token_hex(8), "since": since or int(time.time())}
    return sign(keys, claims | signed_in, seconds)


def sign(keys: Keys, claims: dict[str, Any], seconds: float) -> str:
    now = time.time()
    times = {"iss": keys.service, "iat": int(now), "exp": int(now + seconds)}
    return jwt.encode(
        claims | times, keys.private, algorithm="EdDSA", headers={"kid": keys.id}
    )


class Credential:
    """This service's own credential for one target; renews itself."""

    def __init__(self, keys: Keys, target: str, seconds: int = CREDENTIAL_SECONDS):
        self._keys = keys
        self._target = target
        self._seconds = seconds
        self._signed_at = 0.0
        self._signed_with = ""
        self._metadata: tuple[tuple[str, str], ...] = ()

    def metadata(self) -> tuple[tuple[str, str], ...]:
        age = time.time() - self._signed_at
        is_fresh = 0 <= age < self._seconds - RENEW_BEFORE
        if not is_fresh or self._signed_with != self._keys.id:
            claims = {"sub": self._keys.service, "aud": self._target}
            token = sign(self._keys, claims, self._seconds)
            self._metadata = (("authorization", f"Bearer {token}"),)
            self._signed_with = self._keys.id
            self._signed_at = time.time()
        return self._metadata


# ---- verifying -----------------------------------------------------------------------


def key_of(token: str) -> bytes:
    """What a token is remembered by: less than itself, and of no use to a thief."""
    return hashlib.sha256(token.encode()).digest()


class Known(NamedTuple):
    """Whose a token is, and until when (Unix seconds)."""

    who: Caller
    expires: float


class Verifier:
    """Tokens this service accepts: players', and services' that are meant for it."""

    def __init__(self, keys: Keys, remembered: int = 20_000):
        self._keys = keys
        self._limit = remembered
        self._changes = keys.changes
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._known_before: OrderedDict[bytes, Known] = OrderedDict()

    def knows(self, token: str) -> bool:
        """Whether it has been looked at before and found good."""
        key = key_of(token)
        return key in self._known or key in self._known_before

    def caller_of(self, token: str) -> Caller:
        if self._changes != self._keys.changes:
            self._known.clear()
            self._known_before.clear()
            self._changes = self._keys.changes
        key = key_of(token)
        known = self._known.get(key)
        if known is None:
            known = self._known_before.pop(key, None) or self._verify(token)
            self._remember(key, known)
        who, expires = known
        if expires <= time.time():
            self._known.pop(key, None)
            raise AnpaiError(
                "TOKEN_EXPIRED", "Your sign-in has expired; sign in again."
            )
        return who

    async def forget_the_quiet(self) -> None:
        """For ever. Who did not come for two turns takes no room any more, and is
        looked at anew when he comes."""
        while True:
            await asyncio.sleep(TURN_SECONDS)
            self._known_before, self._known = self._known, OrderedDict()

    def _remember(self, key: bytes, known: Known) -> None:
        self._known[key] = known
        if len(self._known) > self._limit:
            self._known.popitem(last=False)

    def _verify(self, token: str) -> Known:
        try:
            claims = self._claims(token)
            return Known(self._caller(claims), float(claims["exp"]))
        except jwt.ExpiredSignatureError:
            raise AnpaiError(
                "TOKEN_EXPIRED", "Your sign-in has expired; sign in again."
            ) from None
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise AnpaiError(
                "TOKEN_INVALID", "This token was not issued here."
            ) from None

    def _claims(self, token: str) -> dict[str, Any]:
        *others, last = self._keys_for(token)
        for key in others:
            with suppress(jwt.InvalidSignatureError):
                return self._read(token, key)
        return self._read(token, last)

    def _read(self, token: str, key: Ed25519PublicKey) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=["EdDSA"],
            audience=[PLAYERS, self._keys.service],
            leeway=CLOCKS_DIFFER_BY,
            options={"require": ["exp", "sub", "aud", "iss"]},
        )
        return claims

    def _keys_for(self, token: str) -> list[Ed25519PublicKey]:
        """The one it names; a token of the release before names none."""
        unproven = jwt.decode_complete(token, options={"verify_signature": False})
        known = self._keys.publics[unproven["payload"]["iss"]]
        named = unproven["header"].get("kid")
        return [known[named]] if named is not None else [*known.values()]

    def _caller(self, claims: dict[str, Any]) -> Caller:
        """KeyError and ValueError mean a token nobody here would have signed."""
        if claims["aud"] == self._keys.service:
            if claims["sub"] != claims["iss"]:
                raise ValueError("a service speaks for itself only")
            return ours(claims["iss"], str(claims.get("name", "")))
        if claims["aud"] != PLAYERS or claims["iss"] != ISSUER:
            raise ValueError("only matchmaking signs players in")
        kind = Kind(claims["kind"])
        if kind not in PLAYER_KINDS:
            raise ValueError("not a kind of player")
        since, token = int(claims.get("since", 0)), str(claims.get("jti", ""))
        return Caller(kind, str(claims["sub"]), str(claims["name"]), since, token)


def ours(name: str, called: str) -> Caller:
    """A service, or an operator, who says what he is called."""
    if name == OPERATOR:
        return Caller(Kind.OPERATOR, OPERATOR, called or OPERATOR)
    return Caller(Kind.SERVICE, name, name)
