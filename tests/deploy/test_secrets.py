"""The secrets of a new cluster, made by the script, open what they should open."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from services.chassis.config import (
    EngineConfig,
    MatchmakingConfig,
    ServiceConfig,
    VaultConfig,
    load,
)
from services.chassis.keys import load_keys
from services.chassis.tls import tls_of
from tests.deploy.cluster import OVERLAYS, SERVICES, pod_of, speaks_tls, workloads
from tests.deploy.given import a_cluster_s_store, all_secrets, give, printed, told
from tests.ports import HOST, free_port

CONFIGS = {
    "matchmaking": MatchmakingConfig,
    "engine": EngineConfig,
    "vault": VaultConfig,
}


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def secrets(port: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each Secret, with what it has as files: as it is mounted."""
    folder = tmp_path_factory.mktemp("cluster")
    all_secrets(folder, port)
    return folder


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_secret_that_is_mounted_is_made_or_is_the_certificate(overlay, secrets):
    mounted = {
        volume["secret"]["secretName"]
        for one in workloads(overlay).values()
        for volume in pod_of(one)["spec"]["volumes"]
        if "secret" in volume
    }

    made = {path.name for path in secrets.glob("anpai-*")}
    if not speaks_tls(overlay):
        made = {name for name in made if "inner" not in name}
    assert mounted | {"anpai-store"} == made | {"anpai-edge-tls"}


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_service_starts_from_what_it_is_told_and_given(overlay, name, secrets, port):
    config = configured(overlay, name, secrets)

    assert load_keys(config.keys, name).service == name
    assert config.redis_url.startswith(f"redis://{name}:")
    assert config.redis_url.endswith(f"@{HOST}:{port}/0")
    assert config.reflection is False
    assert (tls_of(config) is not None) is speaks_tls(overlay)


def configured(overlay: str, name: str, secrets: Path) -> ServiceConfig:
    """Its settings as its container reads them, but for where Secrets are mounted."""
    values = told(overlay, name, secrets)
    return load(CONFIGS[name], values | {"ANPAI_ADVERTISE": "10.1.2.3:8400"})


def test_bots_are_given_their_own_key(secrets):
    assert load_keys(secrets / "anpai-bots", "bots").service == "bots"
    assert not (secrets / "anpai-bots" / "store-url").exists()


def test_the_master_key_is_the_vault_s_alone(secrets):
    given = {path.parent.name for path in secrets.glob("anpai-*/master.key")}

    assert given == {"anpai-vault"}


# ---- certificates --------------------------------------------------------------------


def openssl(*told: object) -> str:
    done = subprocess.run(
        ["openssl", *map(str, told)], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("name", [*SERVICES, "bots", "edge"])
def test_a_certificate_is_for_its_own_pods_and_signed_by_the_one_authority(
    secrets, name
):
    own = secrets / f"anpai-inner-{name}"
    shown = openssl("x509", "-in", own / "tls.crt", "-noout", "-ext", "subjectAltName")

    assert {path.name for path in own.iterdir()} == {"ca.crt", "tls.crt", "tls.key"}
    assert "OK" in openssl("verify", "-CAfile", own / "ca.crt", own / "tls.crt")
    assert f"DNS:{name}" in shown
    assert ("DNS:anpai" in shown) is (name != "edge")  # whom nobody in here calls


def test_the_authority_s_key_and_the_operator_s_certificate_are_no_pod_s(secrets):
    given = [path.read_bytes() for path in secrets.glob("anpai-*/*")]

    for own in ("ca.key", "operator/tls.key"):
        assert (secrets / "inner" / own).read_bytes() not in given
        assert (secrets / "inner" / own).stat().st_mode & 0o077 == 0


def test_made_again_certificates_are_others_of_the_same_authority(tmp_path):
    give(printed("certificates.sh", tmp_path / "inner"), tmp_path)
    engine = tmp_path / "anpai-inner-engine"
    before = [(engine / name).read_bytes() for name in ("ca.crt", "tls.crt", "tls.key")]

    give(printed("certificates.sh", tmp_path / "inner"), tmp_path)

    after = [(engine / name).read_bytes() for name in ("ca.crt", "tls.crt", "tls.key")]
    assert [old == new for old, new in zip(before, after, strict=True)] == [
        *(True, False, False)
    ]


# ---- the store's users ---------------------------------------------------------------


@pytest.fixture(scope="module")
def store(secrets: Path, port: int) -> Iterator[None]:
    with a_cluster_s_store(secrets, port):
        yield


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_reaches_its_own_keys_and_no_others(store, name, secrets):
    url = configured("small", name, secrets).redis_url
    with redis.Redis.from_url(url) as own:
        own.set(f"{name}:x", "1")
        for other in set(SERVICES) - {name}:
            with pytest.raises(redis.exceptions.NoPermissionError):
                own.get(f"{other}:x")
        with pytest.raises(redis.exceptions.NoPermissionError):
            own.execute_command("KEYS", "*")


def test_the_store_s_operator_may_do_everything(store, secrets, port):
    word = (secrets / "anpai-store" / "operator").read_text()
    with redis.Redis(host=HOST, port=port, username="operator", password=word) as own:
        assert own.config_set("auto-aof-rewrite-percentage", 0)
        assert own.acl_whoami() == "operator"


def test_a_stranger_may_ask_whether_the_store_lives_and_no_more(store, port):
    with redis.Redis(host=HOST, port=port) as nobody:
        assert nobody.ping()
        with pytest.raises(redis.exceptions.NoPermissionError):
            nobody.get("vault:probe")
