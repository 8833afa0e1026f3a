"""A real Envoy with our own configuration; only where things are is another."""

import asyncio
import json
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import yaml

from tests.certificates import Authority
from tests.contract.contract import ROOT
from tests.evenings.processes import read
from tests.evenings.town import Town
from tests.ports import HOST, free_port

ENVOY = Path(sys.executable).parent / "envoy"
FOLDER = ROOT / "deploy" / "edge"

Addresses = Mapping[str, Sequence[str]]


class Edge:
    """Envoy at `address`; `folder` has its certificate, its configuration, its log."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.folder = folder
        self.log = folder / "envoy.log"
        self.inside = f"{HOST}:{free_port()}"
        self.operators = f"{HOST}:{free_port()}"
        self.admin = f"{HOST}:{free_port()}"
        self.authority = Authority(folder)
        self.renew("edge")

    @property
    def trust(self) -> grpc.ChannelCredentials:
        """What its clients are told."""
        return grpc.ssl_channel_credentials(self.authority.file.read_bytes())

    @property
    def https(self) -> ssl.SSLContext:
        """What a browser is told."""
        return ssl.create_default_context(cafile=str(self.authority.file))

    def renew(self, name: str) -> None:
        """Put a new certificate in the place of the old one, both files whole."""
        cert, key = self.authority.sign(name)
        key.rename(self.folder / "tls.key")
        cert.rename(self.folder / "tls.crt")

    async def stats(self) -> dict[str, int]:
        """Envoy's own counters and gauges, by name."""
        text = await asyncio.to_thread(read, f"http://{self.admin}/stats")
        pairs = (line.split(": ") for line in text.splitlines())
        return {name: int(value) for name, value in pairs if value.isdecimal()}

    def config(self, behind: Addresses, text: str = "") -> dict[str, Any]:
        """The deployed configuration, or another such text, with addresses of ours."""
        text = text or (FOLDER / "envoy.yaml").read_text()
        config: dict[str, Any] = yaml.safe_load(text)
        config["admin"]["address"] = address_of(self.admin)
        players, inside, operators = config["static_resources"]["listeners"]
        players["address"] = address_of(self.address)
        inside["address"] = address_of(self.inside)
        operators["address"] = address_of(self.operators)
        (chain,) = players["filter_chains"]
        tls = chain["transport_socket"]["typed_config"]["common_tls_context"]
        (secret,) = tls["tls_certificate_sds_secret_configs"]
        secret["sds_config"]["path_config_source"]["path"] = str(self._certificate())
        for cluster in config["static_resources"]["clusters"]:
            places = behind.get(cluster["name"], [self.admin])
            endpoints = [{"endpoint": {"address": address_of(one)}} for one in places]
            cluster["load_assignment"]["endpoints"] = [{"lb_endpoints": endpoints}]
        return config

    def _certificate(self) -> Path:
        """The deployed file that says where the certificate is, with our folder."""
        text = (FOLDER / "certificate.yaml").read_text()
        path = self.folder / "certificate.yaml"
        path.write_text(text.replace("/etc/envoy/tls", str(self.folder)))
        return path


def behind(town: Town) -> Addresses:
    """Where a town's services are, by the names of the edge's clusters."""
    return {
        "matchmaking": [town.matchmaking.address],
        "engine": [engine.address for engine in town.engines],
        "audit": [town.vault.address],
    }


def address_of(text: str) -> dict[str, Any]:
    host, _, port = text.rpartition(":")
    return {"socket_address": {"address": host, "port_value": int(port)}}


@asynccontextmanager
async def running(edge: Edge, config: dict[str, Any]) -> AsyncIterator[Edge]:
    """Envoy, once it lets players in."""
    path = edge.folder / "envoy.json"
    path.write_text(json.dumps(config))
    process = spawned(path, edge.log)
    try:
        await until_it_listens(edge.address, process)
        yield edge
    finally:
        process.kill()
        process.wait()


def spawned(config: Path, log: Path) -> "subprocess.Popen[bytes]":
    told = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"]
    at_once = ["--file-flush-interval-msec", "100"]
    with log.open("wb") as out:
        return subprocess.Popen(
            [str(ENVOY), "-c", str(config), *told, *at_once], stdout=out, stderr=out
        )


async def until_it_listens(address: str, process: "subprocess.Popen[bytes]") -> None:
    host, _, port = address.rpartition(":")
    async with asyncio.timeout(30):
        while process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((host, int(port))) == 0:
                    return
            await asyncio.sleep(0.05)
    raise AssertionError("Envoy has ended")
