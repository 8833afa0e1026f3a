"""A real Envoy with our own configuration; only where things are is another."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.contract.contract import ROOT
from tests.evenings.town import Town

ENVOY = Path(sys.executable).parent / "envoy"
CONFIG = ROOT / "deploy" / "envoy.yaml"


def config_for(town: Town) -> dict[str, Any]:
    """The deployed configuration, with this town's addresses."""
    config: dict[str, Any] = yaml.safe_load(CONFIG.read_text())
    (listener,) = config["static_resources"]["listeners"]
    listener["address"] = address_of(town.edge)
    behind = {
        "matchmaking": [town.matchmaking.address],
        "engine": [engine.address for engine in town.engines],
        "audit": [town.vault.address],
    }
    for cluster in config["static_resources"]["clusters"]:
        endpoints = [
            {"endpoint": {"address": address_of(one)}}
            for one in behind[cluster["name"]]
        ]
        cluster["load_assignment"]["endpoints"] = [{"lb_endpoints": endpoints}]
    return config


def address_of(text: str) -> dict[str, Any]:
    host, _, port = text.rpartition(":")
    return {"socket_address": {"address": host, "port_value": int(port)}}


@asynccontextmanager
async def an_edge(town: Town) -> AsyncIterator[None]:
    """Envoy in front of a town, at its edge's address."""
    path = town.folder / "envoy.json"
    path.write_text(json.dumps(config_for(town)))
    process = spawned(path, town.folder / "envoy.log")
    try:
        await until_it_listens(town.edge, process)
        yield
    finally:
        process.kill()
        process.wait()


def spawned(config: Path, log: Path) -> "subprocess.Popen[bytes]":
    one = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"]
    with log.open("wb") as out:
        return subprocess.Popen(
            [str(ENVOY), "-c", str(config), *one], stdout=out, stderr=out
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
