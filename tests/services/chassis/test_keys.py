"""A service's keys are renewed, and nobody is turned away who should not be."""

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from services.chassis import keys as chassis_keys
from services.chassis.config import ConfigError
from services.chassis.errors import AnpaiError
from services.chassis.keys import (
    forget_old_keys,
    load_keys,
    make_key_folders,
    make_keys,
    rotate_key,
)
from services.chassis.tokens import Credential, Kind, Verifier, player_token, sign


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch):
    monkeypatch.setattr(chassis_keys, "LOOK_SECONDS", 0)


@pytest.fixture
def folder(tmp_path):
    make_keys(tmp_path)
    return tmp_path


def token_of(keys, name="p1"):
    return player_token(keys, name, "Anna", Kind.GUEST, 60)


def refused(verifier, token):
    with pytest.raises(AnpaiError) as error:
        verifier.caller_of(token)
    return error.value.reason


def test_what_the_old_key_signed_is_good_until_it_is_forgotten(folder):
    matchmaking, engine = load_keys(folder, "matchmaking"), load_keys(folder, "engine")
    verifier = Verifier(engine)
    old = token_of(matchmaking)
    assert verifier.caller_of(old).id == "p1"

    rotate_key(folder, "matchmaking")
    assert matchmaking.refresh()
    assert engine.refresh()
    new = token_of(matchmaking)
    assert verifier.caller_of(old).id == verifier.caller_of(new).id == "p1"

    assert forget_old_keys(folder, "matchmaking") == 1
    assert engine.refresh()
    assert refused(verifier, old) == "TOKEN_INVALID"
    assert verifier.caller_of(new).id == "p1"


def test_everybody_is_told_before_the_new_key_signs(folder, monkeypatch):
    """Whoever sees a token of the new key can know it already."""
    found = []
    monkeypatch.setattr(
        chassis_keys.time, "sleep", lambda _: found.append(load_keys(folder, "engine"))
    )
    before = load_keys(folder, "matchmaking").id

    name = rotate_key(folder, "matchmaking")

    (meanwhile,) = found
    assert set(meanwhile.publics["matchmaking"]) == {before, name}
    assert load_keys(folder, "matchmaking").id == name


def test_each_service_s_own_folder_is_told(tmp_path):
    make_key_folders(tmp_path)

    name = rotate_key(tmp_path, "engine")

    for service in ("matchmaking", "engine", "vault", "bots"):
        assert name in load_keys(tmp_path / service, service).publics["engine"]
    assert load_keys(tmp_path / "engine", "engine").id == name
    assert forget_old_keys(tmp_path, "engine") == 1
    assert [*load_keys(tmp_path / "vault", "vault").publics["engine"]] == [name]


def test_a_credential_is_signed_anew_as_soon_as_the_key_is_another(folder):
    engine = load_keys(folder, "engine")
    credential = Credential(engine, "vault")
    before = credential.metadata()

    name = rotate_key(folder, "engine")
    engine.refresh()

    token = credential.metadata()[0][1].removeprefix("Bearer ")
    assert credential.metadata() != before
    assert jwt.get_unverified_header(token)["kid"] == name


def test_a_token_that_names_a_key_nobody_has_is_not_from_here(folder):
    engine = load_keys(folder, "engine")
    claims = {"sub": "p1", "name": "Anna", "kind": "guest", "aud": "anpai"}
    signer = load_keys(folder, "matchmaking")
    signer.id = "0" * 16

    assert refused(Verifier(engine), sign(signer, claims, 60)) == "TOKEN_INVALID"


def test_a_token_of_the_release_before_names_no_key_and_is_good(folder):
    rotate_key(folder, "matchmaking")
    matchmaking = load_keys(folder, "matchmaking")
    claims = {"sub": "p1", "name": "Anna", "kind": "guest", "aud": "anpai"}
    whole = {**claims, "iss": "matchmaking", "exp": 9e9}
    token = jwt.encode(whole, matchmaking.private, algorithm="EdDSA")

    assert Verifier(load_keys(folder, "engine")).caller_of(token).id == "p1"


@pytest.mark.parametrize("text", ["nonsense", "-----BEGIN PUBLIC KEY-----\nMCowBQ"])
def test_a_folder_that_cannot_be_read_is_left_as_it_was(folder, text):
    """Such as while somebody copies a key into it."""
    engine = load_keys(folder, "engine")
    whole = (folder / "matchmaking.pub").read_text()
    (folder / "matchmaking.pub").write_text(text)

    assert not engine.refresh()
    assert engine.publics["matchmaking"]
    with pytest.raises(ConfigError, match=r"ANPAI_KEYS: matchmaking\.pub"):
        load_keys(folder, "engine")

    (folder / "matchmaking.pub").write_text(whole)
    assert engine.refresh()


@pytest.mark.parametrize("protection", [b"a password", None])
def test_a_private_key_that_cannot_be_used_is_named(folder, protection):
    """One with a password, and one of another kind."""
    lock = (
        serialization.BestAvailableEncryption(protection)
        if protection
        else serialization.NoEncryption()
    )
    made = Ed25519PrivateKey if protection else X25519PrivateKey
    pem = made.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock
    )
    (folder / "engine.key").write_bytes(pem)

    with pytest.raises(ConfigError, match=r"ANPAI_KEYS: engine\.key"):
        load_keys(folder, "engine")


def test_a_service_without_a_key_is_named(folder):
    with pytest.raises(ConfigError, match=r"has no bank\.key"):
        rotate_key(folder, "bank")
