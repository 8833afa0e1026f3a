"""Everybody who might call: with tokens good, bad, and meant for something else."""

from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.chassis.keys import SERVICES, Keys, load_keys
from services.chassis.tokens import (
    ISSUER,
    PLAYERS,
    Credential,
    Kind,
    player_token,
    sign,
)

GARBAGE = "garbage.garbage.garbage"
LONG_AGO = -3600


@dataclass(frozen=True, slots=True)
class Caller:
    """`authorization` is the header's whole value, None for none. `wrong` is the reason
    for which a token as such is refused; `player` and `service` say whose it is."""

    authorization: str | None
    wrong: str = ""
    player: bool = False
    service: str = ""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        if self.authorization is None:
            return ()
        return (("authorization", self.authorization),)


def everybody(folder: Path, target: str) -> dict[str, Caller]:
    """Who might knock at the service `target`, by what they are."""
    keys = {name: load_keys(folder, name) for name in SERVICES}
    services = {
        f"the {name} service": Caller(credential(keys[name], target), service=name)
        for name in SERVICES
    }
    return players(keys) | services | impostors(keys, target)


def players(keys: dict[str, Keys]) -> dict[str, Caller]:
    issuer = keys[ISSUER]
    kinds = {
        f"a {kind}": Caller(bearer(player_token(issuer, "p-1", "Anna", kind, 60)))
        for kind in (Kind.GUEST, Kind.MEMBER, Kind.BOT)
    }
    return {
        name: Caller(caller.authorization, player=True)
        for name, caller in kinds.items()
    }


def impostors(keys: dict[str, Keys], target: str) -> dict[str, Caller]:
    matchmaking, engine = keys["matchmaking"], keys["engine"]
    stranger = Keys(ISSUER, Ed25519PrivateKey.generate(), {})
    forged_engine = Keys("engine", stranger.private, {})
    elsewhere = next(name for name in SERVICES if name != target)
    late = player_token(matchmaking, "p-1", "Anna", Kind.GUEST, LONG_AGO)
    claims = {"sub": "p-1", "name": "Anna", "kind": "guest", "aud": PLAYERS}
    another = {"sub": "engine", "aud": target}
    invalid = {
        "garbage": bearer(GARBAGE),
        "a token without its scheme": GARBAGE,
        "a player of a stranger's": bearer(sign(stranger, claims, 60)),
        "a player of the engine's": bearer(sign(engine, claims, 60)),
        "the engine of a stranger's": credential(forged_engine, target),
        "the engine, bound elsewhere": credential(engine, elsewhere),
        "matchmaking as the engine": bearer(sign(matchmaking, another, 60)),
        "a player called service": bearer(
            sign(matchmaking, claims | {"kind": "service"}, 60)
        ),
    }
    expired = {
        "a player of yesterday": bearer(late),
        "the engine of yesterday": bearer(sign(engine, another, LONG_AGO)),
    }
    return {
        "nobody": Caller(None),
        **{name: Caller(token, "TOKEN_INVALID") for name, token in invalid.items()},
        **{name: Caller(token, "TOKEN_EXPIRED") for name, token in expired.items()},
    }


def bearer(token: str) -> str:
    return f"Bearer {token}"


def credential(keys: Keys, target: str) -> str:
    return Credential(keys, target).metadata()[0][1]
