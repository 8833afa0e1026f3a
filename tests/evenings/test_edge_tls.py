"""A cluster whose pods speak TLS, each process told and given what its pod is."""

import asyncio
import re
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from tests.deploy.cluster import (
    SERVICES,
    Manifest,
    container_of,
    of,
    pod_of,
    workloads,
)
from tests.deploy.given import a_cluster_s_store, all_secrets, give, printed, told
from tests.evenings.edge import Edge, running
from tests.evenings.players import Played, Seating, assert_nothing_is_lost, games_of
from tests.evenings.processes import Process, Way
from tests.evenings.tapping import tapped
from tests.ports import HOST, free_port

OVERLAY = "small+tls"
MODULES = {name: f"services.{name}" for name in SERVICES}
MODULES["bots"] = "clients.bots.host"


@pytest.fixture
def secrets(tmp_path: Path) -> Iterator[Path]:
    """What pods are given; the store that the services are told of is there."""
    port = free_port()
    folder = tmp_path / "secrets"
    all_secrets(folder, port)
    with a_cluster_s_store(folder, port):
        yield folder


class Cluster:
    """A process for each pod, in the folder `secrets`; `edge` is Envoy."""

    def __init__(self, secrets: Path, folder: Path) -> None:
        self.secrets = secrets
        self.ports = {name: free_port() for name in SERVICES}
        self.edge = Edge(f"{HOST}:{free_port()}", folder)
        self.pods = {name: self._pod(name, folder) for name in MODULES}

    def _pod(self, name: str, folder: Path) -> Process:
        """Names are found here by their ports alone."""
        values = {
            key: re.sub(rf"\b({'|'.join(SERVICES)}):8400", self._place, text)
            for key, text in told(OVERLAY, name, self.secrets).items()
        }
        here = f"{HOST}:{self.ports.get(name, free_port())}"
        own = {
            "ANPAI_ADVERTISE": here,
            "ANPAI_EDGE": self.edge.address,
            "ANPAI_SEATS_FILE": str(folder / "seats.json"),
        }
        values |= {key: own[key] for key in own.keys() & values.keys()}
        return Process(name, MODULES[name], folder, Way(here, here), **values)

    def _place(self, name: "re.Match[str]") -> str:
        return f"localhost:{self.ports[name[1]]}"

    def config(self) -> Manifest:
        """Envoy's, as its pod is given it, with folders of ours."""
        workload = workloads(OVERLAY)["edge"]
        (config,) = (
            volume["configMap"]["name"]
            for volume in pod_of(workload)["spec"]["volumes"]
            if "configMap" in volume
        )
        files = of(OVERLAY, "ConfigMap")[config]["data"]
        mounted = {
            one["mountPath"]: one["subPath"]
            for one in container_of(workload)["volumeMounts"]
            if "subPath" in one
        }
        given = str(self.secrets / "anpai-inner-edge")
        text = files[mounted.pop("/etc/envoy/envoy.yaml")]
        for path, name in mounted.items():
            place = self.edge.folder / name
            place.write_text(files[name].replace("/etc/envoy/inner", given))
            text = text.replace(path, str(place))
        behind = {"audit": [self.at("vault")]}
        behind |= {name: [self.at(name)] for name in SERVICES}
        return self.edge.config(behind, text)

    def at(self, name: str) -> str:
        return f"{HOST}:{self.ports[name]}"


@asynccontextmanager
async def a_cluster(secrets: Path, folder: Path) -> AsyncIterator[Cluster]:
    cluster = Cluster(secrets, folder)
    *services, bots = cluster.pods.values()
    try:
        await asyncio.gather(*(one.start() for one in services))
        await bots.start()
        async with running(cluster.edge, cluster.config()):
            yield cluster
    finally:
        for pod in cluster.pods.values():
            pod.kill()


async def test_a_cluster_plays_with_every_listener_and_every_call_in_tls(
    secrets, tmp_path
):
    async with a_cluster(secrets, tmp_path) as cluster:
        for name in MODULES:
            assert await asyncio.to_thread(asked_by_kubernetes, cluster, name) == 200
        for name in SERVICES:
            await no_stranger_is_served(cluster, name)
        games = [await a_game(cluster, tmp_path)]
        before = (await cluster.edge.stats())[TAKEN]
        give(printed("certificates.sh", secrets / "inner"), secrets)
        await renewed_at(cluster.edge, before)
        games += [await a_game(cluster, tmp_path)]
        listed = await asyncio.to_thread(listed_by_an_operator, cluster)

        assert_nothing_is_lost(
            await games_of(cluster.edge.address, games, trust(cluster))
        )
        assert listed.returncode == 0, listed.stderr


TAKEN = "cluster.engine.client_ssl_socket_factory.ssl_context_update_by_sds"


def trust(cluster: Cluster) -> grpc.ChannelCredentials:
    """A player's: he knows nothing of what is behind the edge."""
    return cluster.edge.trust


def asked_by_kubernetes(cluster: Cluster, name: str) -> int:
    """What a pod says when it is asked whether it is ready, or at least lives."""
    container = container_of(workloads(OVERLAY)[name])
    probe = (container.get("readinessProbe") or container["livenessProbe"])["httpGet"]
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    url = f"{probe['scheme'].lower()}://{cluster.pods[name].metrics_address}"
    with urllib.request.urlopen(url + probe["path"], context=context) as page:
        return int(page.status)


async def no_stranger_is_served(cluster: Cluster, name: str) -> None:
    """Not even one who trusts the authority, if he has no certificate of it."""
    roots = (cluster.secrets / "inner" / "ca.crt").read_bytes()
    credentials = grpc.ssl_channel_credentials(roots)
    target = f"localhost:{cluster.ports[name]}"
    for channel in (
        grpc.aio.insecure_channel(target),
        grpc.aio.secure_channel(target, credentials),
    ):
        stub: Any = HealthStub(channel)
        async with channel:
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await stub.Check(HealthCheckRequest(), timeout=20)
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


async def a_game(cluster: Cluster, folder: Path) -> Played:
    """Of a program and a bot of the cluster's, by the edge, to the end."""
    seating = Seating(cluster.edge.address, folder, tls=trust(cluster))
    async with seating.connect(None) as house:
        await house.sign_in("Anna", bot=True)
        tap = tapped(house)
        ticket = await house.enter("skirmish", seats=2, bots=1)
        return await seating.plays(house, await ticket.seat(), tap, 0.0)


async def renewed_at(edge: Edge, before: int) -> None:
    async with asyncio.timeout(30):
        while (await edge.stats())[TAKEN] == before:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def listed_by_an_operator(cluster: Cluster) -> "subprocess.CompletedProcess[bytes]":
    """As over ports that kubectl forwards, with the folder that the document says."""
    keys, inner = cluster.secrets / "keys" / "operator", cluster.secrets / "inner"
    for name in ("tls.crt", "tls.key"):
        (keys / name).write_bytes((inner / "operator" / name).read_bytes())
    where = {name: f"localhost:{port}" for name, port in cluster.ports.items()}
    return subprocess.run(
        [
            *(sys.executable, "-m", "clients.terminal", "--ca", inner / "ca.crt"),
            *("admin", "tables", "--keys", keys, "--engine", where["engine"]),
            *("--server", f"grpcs://{where['matchmaking']}"),
        ],
        capture_output=True,
    )
