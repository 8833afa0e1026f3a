"""Members: whose word is taken for whom, and whose is not."""

import asyncio
import base64
import hashlib
import hmac
import json
import threading
import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.chassis.client import finishing
from services.chassis.config import ConfigError
from services.chassis.keys import load_keys
from services.chassis.tokens import Kind, Verifier, player_token
from services.matchmaking import members
from tests.certificates import Authority
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.issuer import (
    AUDIENCE,
    ISSUER,
    Issuer,
    claims,
    published,
)
from tests.services.matchmaking.players import House, refused

DAY = 24 * 3600


@pytest.fixture(scope="module")
def issuer():
    return Issuer("RS256", "ES256", "EdDSA")


@pytest.fixture
def trusting(tmp_path, issuer):
    """Settings of a house that trusts the issuer."""
    path = tmp_path / "keys.json"
    path.write_bytes(issuer.set)
    return {
        "sign_in_issuer": ISSUER,
        "sign_in_audience": AUDIENCE,
        "sign_in_keys": str(path),
    }


@pytest.fixture
async def welcoming(begin, trusting, keys_folder):
    running = await begin(**trusting)
    house = House(running.address, keys_folder)
    yield house
    await house.close()


@pytest.fixture
def who(keys_folder):
    return Verifier(load_keys(keys_folder, "engine")).caller_of


async def entered(house, token, name="", **more):
    request = pb.SignInRequest(name=name, external_token=token, **more)
    async with finishing(house.stub.SignIn(request)) as call:
        return await call


@pytest.mark.parametrize("id", ["rs256", "es256", "eddsa"])
async def test_a_member_is_who_the_issuer_says_each_time_the_same(
    welcoming, issuer, who, id
):
    first = await entered(welcoming, issuer.token(id))
    again = await entered(welcoming, issuer.token(id))
    another = await entered(welcoming, issuer.token(id, subject="43"))

    member = who(first.token)
    assert (member.kind, member.id) == (Kind.MEMBER, first.player_id)
    assert member.name == "Anna Żółć"
    assert first.player_id == again.player_id != another.player_id


async def test_a_member_may_be_called_otherwise_here(welcoming, issuer, who):
    reply = await entered(welcoming, issuer.token(), "Ann")

    assert who(reply.token).name == "Ann"


async def test_of_a_name_from_outside_as_much_is_shown_as_can_be(
    welcoming, issuer, who
):
    odd = await entered(welcoming, issuer.token(name="\u202eAnna\n" + "x" * 90))
    none = await entered(welcoming, issuer.token(name=None))

    assert who(odd.token).name == "Anna" + "x" * 28
    assert who(none.token).name == "Member"


async def test_a_house_that_trusts_nobody_says_so(house, issuer):
    with refused("INVALID_FIELD") as error:
        await entered(house, issuer.token())

    assert error.value.metadata["field"] == "external_token"


async def test_guests_are_admitted_unless_they_are_not(
    begin, trusting, issuer, keys, keys_folder
):
    running = await begin(guests=False, **trusting)
    house = House(running.address, keys_folder)

    with refused("GUESTS_NOT_ADMITTED"):
        await entered(house, "", "Anna")
    for kind in (Kind.GUEST, Kind.BOT):  # a guest who has said that a program plays
        with refused("GUESTS_NOT_ADMITTED"):
            await renewed(house, player_token(keys, "p-1", "Anna", kind, 60))
    assert await renewed(house, player_token(keys, "b-1", "Abacus", Kind.BOT, 60))

    assert (await entered(house, issuer.token())).player_id
    await house.close()


@pytest.mark.parametrize("missing", ["issuer", "audience", "keys"])
async def test_settings_of_which_one_is_forgotten_are_refused_at_the_start(
    begin, trusting, missing
):
    with pytest.raises(ConfigError) as error:
        await begin(**trusting | {f"sign_in_{missing}": None})

    assert "ANPAI_SIGN_IN_ISSUER" in str(error.value)
    assert "belong together" in str(error.value)


# ---- whose word is not taken ---------------------------------------------------------


def forged(issuer):
    """Tokens that are nearly good, by what is wrong with them."""
    stranger = Issuer("RS256")
    public = issuer.keys["rs256"][1].public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    good = issuer.token("rs256")
    return {
        "another's signature": stranger.token("rs256"),
        "another issuer": issuer.token(iss="https://strangers.example"),
        "meant for another": issuer.token(aud="chess.example"),
        "meant for nobody": issuer.token(aud=None),
        "without an end": issuer.token(exp=None),
        "about nobody": issuer.token(sub=None),
        "about nobody in particular": issuer.token(subject=""),
        "not good yet": issuer.token(nbf=int(time.time()) + 600),
        "a key nobody has": jwt.encode(
            claims(), issuer.keys["rs256"][1], "RS256", headers={"kid": "none"}
        ),
        "no key named": jwt.encode(claims(), issuer.keys["rs256"][1], "RS256"),
        "an algorithm the key is not for": jwt.encode(
            claims(), issuer.keys["rs256"][1], "RS512", headers={"kid": "rs256"}
        ),
        "no signature": unsigned(claims()),
        "signed with what everybody knows": signed_with(pem, claims()),
        "cut off": good[:-8],
        "altered": good.replace(".", ".e", 1),
        "longer than any": good + "x" * 9000,
        "garbage": "a.b.c",
        "not text": "\u0000",
    }


def unsigned(told):
    return jwt.encode(told, "", algorithm="none", headers={"kid": "rs256"})


def signed_with(secret, told):
    """HS256 with the public key for a secret; PyJWT itself would refuse to make it."""
    head = {"alg": "HS256", "typ": "JWT", "kid": "rs256"}
    parts = [encoded(json.dumps(part).encode()) for part in (head, told)]
    digest = hmac.new(secret, ".".join(parts).encode(), hashlib.sha256).digest()
    return ".".join([*parts, encoded(digest)])


def encoded(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_no_other_token_is_taken(welcoming, issuer):
    for token in forged(issuer).values():
        with refused("TOKEN_INVALID"):
            await entered(welcoming, token)


async def test_a_token_from_outside_ends_when_it_says(welcoming, issuer):
    with refused("TOKEN_EXPIRED"):
        await entered(welcoming, issuer.token(exp=int(time.time()) - 60))


def test_keys_that_prove_nothing_are_passed_over(issuer):
    weak = Issuer("RS256")
    weak.keys["rs256"] = "RS256", rsa.generate_private_key(65537, 1024)
    secret = {"kty": "oct", "k": "c2VjcmV0", "kid": "s", "alg": "HS256"}
    for_sealing = issuer.published("es256") | {"use": "enc"}
    nameless = {**issuer.published("es256"), "kid": ""}
    strange = {"kty": "new", "kid": "n"}
    entries: list[object] = [
        "text",
        None,
        {},
        {"kty": "RSA"},
        secret,
        weak.published("rs256"),
        for_sealing,
        nameless,
        strange,
    ]

    assert members.keys_in(json.dumps({"keys": entries}).encode()) == {}


# ---- where the keys come from --------------------------------------------------------


@pytest.fixture
def site(tmp_path, monkeypatch, issuer):
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with published(lambda: issuer.set, authority.sign("members.example")) as told:
        yield told


@pytest.fixture
async def asking(begin, site, keys_folder):
    running = await begin(
        sign_in_issuer=ISSUER, sign_in_audience=AUDIENCE, sign_in_keys=site[1]
    )
    house = House(running.address, keys_folder)
    yield house
    await house.close()


async def test_keys_are_fetched_once_and_for_a_while(asking, site, issuer):
    for _ in range(5):
        assert (await entered(asking, issuer.token())).player_id

    assert site[0].looked == 1


async def test_a_key_nobody_knows_makes_us_look_again_but_not_all_the_time(
    asking, site, issuer, monkeypatch
):
    assert (await entered(asking, issuer.token())).player_id
    later = Issuer("ES256")
    later.keys = {"new": later.keys["es256"]}
    site[0].answer = lambda: later.set
    for _ in range(5):
        with refused("TOKEN_INVALID"):
            await entered(asking, later.token("new"))
    assert site[0].looked == 1

    monkeypatch.setattr(members, "AGAIN_SECONDS", 0)

    assert (await entered(asking, later.token("new"))).player_id
    with refused("TOKEN_INVALID"):
        await entered(asking, issuer.token())


async def test_what_was_fetched_holds_while_nobody_can_be_asked(
    asking, site, issuer, monkeypatch
):
    assert (await entered(asking, issuer.token())).player_id
    monkeypatch.setattr(members, "AGAIN_SECONDS", 0)
    monkeypatch.setattr(members, "FRESH_SECONDS", 0)
    site[0].answer = lambda: b""

    assert (await entered(asking, issuer.token())).player_id
    assert site[0].looked == 2


async def test_a_key_that_is_known_does_not_wait_for_one_that_is_not(
    issuer, monkeypatch
):
    """Whoever shows a token of nobody's, and an issuer that hangs, hold nobody up."""
    monkeypatch.setattr(members, "AGAIN_SECONDS", 0)
    asked, answers = threading.Event(), threading.Event()
    answers.set()

    def fetch():
        asked.set()
        answers.wait(20)
        return issuer.set

    keys = members.KeySet(fetch)
    await keys.key("rs256")
    asked.clear()
    answers.clear()
    stranger = asyncio.create_task(keys.key("nobody's"))
    await asyncio.to_thread(asked.wait, 10)

    async with asyncio.timeout(5):
        assert (await keys.key("rs256")).key_id == "rs256"

    answers.set()
    with pytest.raises(KeyError):
        await stranger


@pytest.mark.parametrize(
    "answer",
    [b"", b"nonsense", b"[]", b'{"keys": 1}', b"x" * (members.LONGEST_SET + 1)],
)
async def test_without_any_keys_nobody_can_be_proven(asking, site, issuer, answer):
    site[0].answer = lambda: answer

    for _ in range(2):
        with refused("PART_UNAVAILABLE") as error:
            await entered(asking, issuer.token())

    assert error.value.retry_after
    assert site[0].looked == 1


# ---- for another while ---------------------------------------------------------------


def told(token):
    return (("authorization", f"Bearer {token}"),)


async def renewed(house, token):
    call = house.stub.RenewToken(pb.RenewTokenRequest(), metadata=told(token))
    async with finishing(call):
        return await call


@pytest.mark.parametrize("kind", [Kind.GUEST, Kind.MEMBER, Kind.BOT])
async def test_a_token_is_renewed_for_the_same_player(house, keys, who, kind):
    token = player_token(keys, "x-1", "Anna", kind, 60)

    reply = await renewed(house, token)

    assert who(reply.token) == who(token)
    assert who(reply.token).since == who(token).since
    assert reply.expires_at.seconds > time.time() + DAY - 60
    assert who(token).id == "x-1"


async def test_a_member_must_be_vouched_for_again_after_a_month(house, keys):
    month_ago = int(time.time()) - 31 * DAY
    old = player_token(keys, "m-1", "Anna", Kind.MEMBER, 60, month_ago)
    guest = player_token(keys, "p-1", "Anna", Kind.GUEST, 60, month_ago)

    with refused("TOKEN_EXPIRED"):
        await renewed(house, old)

    assert (await renewed(house, guest)).token


async def test_what_has_ended_is_not_renewed(house, keys):
    with refused("TOKEN_EXPIRED"):
        await renewed(house, player_token(keys, "p-1", "Anna", Kind.GUEST, -60))
