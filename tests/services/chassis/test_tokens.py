import asyncio
import stat
import time

import jwt
import pytest

from services.chassis.config import ConfigError
from services.chassis.errors import AnpaiError
from services.chassis.keys import load_keys, make_keys
from services.chassis.tokens import (
    Caller,
    Credential,
    Kind,
    Verifier,
    player_token,
    sign,
)


@pytest.fixture
def engine(keys):
    return Verifier(keys["engine"])


def refused(verifier, token):
    with pytest.raises(AnpaiError) as error:
        verifier.caller_of(token)
    return error.value.reason


def pass_time(monkeypatch, seconds):
    later = time.time() + seconds
    monkeypatch.setattr(time, "time", lambda: later)


def bearer(credential):
    return credential.metadata()[0][1].removeprefix("Bearer ")


def test_a_player_is_who_matchmaking_says(keys, engine):
    token = player_token(keys["matchmaking"], "p1", "Anna", Kind.GUEST, 60)

    assert engine.caller_of(token) == Caller(Kind.GUEST, "p1", "Anna")


def test_no_other_service_may_sign_players_in(keys, engine):
    token = player_token(keys["engine"], "p1", "Anna", Kind.GUEST, 60)

    assert refused(engine, token) == "TOKEN_INVALID"


def test_a_player_cannot_be_of_the_kind_of_a_service(keys, engine):
    token = player_token(keys["matchmaking"], "vault", "vault", Kind.SERVICE, 60)

    assert refused(engine, token) == "TOKEN_INVALID"


def test_a_service_is_known_by_its_own_signature(keys, engine):
    token = bearer(Credential(keys["matchmaking"], "engine"))

    assert engine.caller_of(token).kind is Kind.SERVICE
    assert engine.caller_of(token).id == "matchmaking"


def test_an_operator_is_whoever_has_the_key_under_the_name_he_gives(keys, engine):
    claims = {"sub": "operator", "aud": "engine", "name": "anna"}

    told = engine.caller_of(sign(keys["operator"], claims, 60))

    assert told == Caller(Kind.OPERATOR, "operator", "anna")
    assert not told.is_player
    assert not told.is_service


@pytest.mark.parametrize("kind", [Kind.OPERATOR, Kind.NOBODY])
def test_a_player_cannot_be_of_the_kind_of_an_operator(kind, keys, engine):
    token = player_token(keys["matchmaking"], "operator", "operator", kind, 60)

    assert refused(engine, token) == "TOKEN_INVALID"


def test_no_service_speaks_for_an_operator(keys, engine):
    claims = {"sub": "operator", "aud": "engine"}

    for name in ("matchmaking", "engine", "vault", "bots"):
        assert refused(engine, sign(keys[name], claims, 60)) == "TOKEN_INVALID"


def test_a_credential_is_good_for_its_target_only(keys, engine):
    token = bearer(Credential(keys["matchmaking"], "vault"))

    assert refused(engine, token) == "TOKEN_INVALID"


def test_a_service_speaks_for_itself_only(keys, engine):
    claims = {"sub": "vault", "aud": "engine"}

    assert refused(engine, sign(keys["matchmaking"], claims, 60)) == "TOKEN_INVALID"


def test_a_token_without_signature_is_no_token(engine):
    claims = {"iss": "matchmaking", "aud": "anpai", "sub": "p1", "name": "Anna"}
    token = jwt.encode(claims | {"kind": "guest", "exp": 9e9}, "", algorithm="none")

    assert refused(engine, token) == "TOKEN_INVALID"
    assert refused(engine, "nonsense") == "TOKEN_INVALID"


def test_a_token_ends_with_its_time_although_it_is_remembered(
    keys, engine, monkeypatch
):
    token = player_token(keys["matchmaking"], "p1", "Anna", Kind.GUEST, 60)
    engine.caller_of(token)

    pass_time(monkeypatch, 61)

    assert refused(engine, token) == "TOKEN_EXPIRED"


def test_an_old_token_is_told_to_be_old(keys, engine):
    token = player_token(keys["matchmaking"], "p1", "Anna", Kind.GUEST, -1)

    assert refused(engine, token) == "TOKEN_EXPIRED"


def test_a_credential_renews_itself_before_it_ends(keys, monkeypatch):
    credential = Credential(keys["matchmaking"], "engine", seconds=300)
    first = credential.metadata()
    assert credential.metadata() is first

    pass_time(monkeypatch, 250)

    assert credential.metadata() != first


def test_a_credential_of_a_clock_that_was_put_back_is_signed_anew(
    keys, engine, monkeypatch
):
    """It was signed in an hour that has not come yet: nobody takes it."""
    with monkeypatch.context() as ahead:
        pass_time(ahead, 3600)
        credential = Credential(keys["matchmaking"], "engine")
        early = bearer(credential)

    assert refused(engine, early) == "TOKEN_INVALID"
    assert engine.caller_of(bearer(credential)).id == "matchmaking"


def test_the_verifier_remembers_a_bounded_number_of_tokens(keys):
    verifier = Verifier(keys["engine"], remembered=2)
    for number in range(5):
        verifier.caller_of(
            player_token(keys["matchmaking"], f"p{number}", "x", Kind.BOT, 60)
        )

    assert len(verifier._known) == 2


async def test_who_is_quiet_for_long_is_forgotten_and_who_comes_again_is_not(
    keys, engine, monkeypatch
):
    quiet, busy = (
        player_token(keys["matchmaking"], name, name, Kind.GUEST, 60)
        for name in ("quiet", "busy")
    )
    monkeypatch.setattr("services.chassis.tokens.TURN_SECONDS", 0.05)
    forgetting = asyncio.create_task(engine.forget_the_quiet())
    assert engine.caller_of(quiet).id == "quiet"
    async with asyncio.timeout(30):
        while engine.knows(quiet):
            assert engine.caller_of(busy).id == "busy"
            await asyncio.sleep(0.01)

    assert engine.knows(busy)
    assert engine.caller_of(quiet).id == "quiet"
    forgetting.cancel()


def test_private_keys_are_for_their_owner_and_are_kept(tmp_path):
    make_keys(tmp_path)
    path = tmp_path / "engine.key"
    before = path.read_bytes()

    make_keys(tmp_path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == before


def test_a_missing_key_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"ANPAI_KEYS: engine\.key: No such file"):
        load_keys(tmp_path, "engine")
