"""The secrets of a new cluster, made by the script, open what they should open."""

import base64
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import yaml

from services.__main__ import new_keys
from services.chassis.config import (
    EngineConfig,
    MatchmakingConfig,
    ServiceConfig,
    VaultConfig,
    load,
)
from services.chassis.keys import load_keys
from tests.deploy.cluster import (
    KUBECTL,
    KUBERNETES,
    OVERLAYS,
    SERVICES,
    container_of,
    environment,
    pod_of,
    workloads,
)
from tests.evenings.processes import HOST, free_port
from tests.stores import kinds, wait_for

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
    new_keys(folder / "keys")
    for secret in printed(folder / "keys", f"{HOST}:{port}"):
        mounted = folder / secret["metadata"]["name"]
        mounted.mkdir()
        for name, text in secret["data"].items():
            (mounted / name).write_bytes(base64.b64decode(text))
    return folder


def printed(*told: object) -> list[dict[str, dict[str, str]]]:
    """What the script says for `kubectl apply`."""
    path = f"{KUBECTL.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [KUBERNETES / "secrets.sh", *map(str, told)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return [one for one in yaml.safe_load_all(done.stdout) if one]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_secret_that_is_mounted_is_made_or_is_the_certificate(overlay, secrets):
    mounted = {
        volume["secret"]["secretName"]
        for one in workloads(overlay).values()
        for volume in pod_of(one)["spec"]["volumes"]
        if "secret" in volume
    }

    made = {path.name for path in secrets.iterdir()} - {"keys"}
    assert mounted | {"anpai-store"} == made | {"anpai-edge-tls"}


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_service_starts_from_what_it_is_told_and_given(overlay, name, secrets, port):
    config = configured(overlay, name, secrets)

    assert load_keys(config.keys, name).service == name
    assert config.redis_url.startswith(f"redis://{name}:")
    assert config.redis_url.endswith(f"@{HOST}:{port}/0")
    assert config.reflection is False


def configured(overlay: str, name: str, secrets: Path) -> ServiceConfig:
    """Its settings as its container reads them, but for where Secrets are mounted."""
    workload = workloads(overlay)[name]
    (mount,) = container_of(workload)["volumeMounts"]
    (volume,) = pod_of(workload)["spec"]["volumes"]
    given = str(secrets / volume["secret"]["secretName"])
    told = environment(overlay, workload)
    told = {key: text.replace(mount["mountPath"], given) for key, text in told.items()}
    told["ANPAI_ADVERTISE"] = "10.1.2.3:8400"
    return load(CONFIGS[name], told)


def test_bots_are_given_their_own_key(secrets):
    assert load_keys(secrets / "anpai-bots", "bots").service == "bots"
    assert not (secrets / "anpai-bots" / "store-url").exists()


def test_the_master_key_is_the_vault_s_alone(secrets):
    given = {path.parent.name for path in secrets.glob("anpai-*/master.key")}

    assert given == {"anpai-vault"}


@pytest.fixture(scope="module")
def store(secrets: Path, port: int) -> Iterator[None]:
    """Started with the users there are in the cluster."""
    (command,) = {
        tuple(container_of(workloads("small")["store"])["command"]),
    }
    folder = secrets / "data"
    folder.mkdir()
    told = " ".join(command[1:]).replace("/run/store", str(secrets / "anpai-store"))
    told = told.replace("/data", str(folder))
    with subprocess.Popen(
        [kinds()["valkey"], *told.split(), "--port", str(port), "--bind", HOST],
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_for(redis.Redis(host=HOST, port=port))
        yield
        process.kill()


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


def test_a_stranger_may_ask_whether_the_store_lives_and_no_more(store, port):
    with redis.Redis(host=HOST, port=port) as nobody:
        assert nobody.ping()
        with pytest.raises(redis.exceptions.NoPermissionError):
            nobody.get("vault:probe")
