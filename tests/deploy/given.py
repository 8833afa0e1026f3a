"""Secrets of a new cluster as the scripts make them and as pods are given them."""

import base64
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import yaml

from services.__main__ import new_keys
from tests.deploy.cluster import (
    KUBECTL,
    KUBERNETES,
    container_of,
    environment,
    pod_of,
    workloads,
)
from tests.ports import HOST
from tests.stores import kinds, wait_for


def printed(script: str, *told: object) -> list[dict[str, Any]]:
    """What a script says for `kubectl apply`."""
    path = f"{KUBECTL.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [KUBERNETES / script, *map(str, told)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return [one for one in yaml.safe_load_all(done.stdout) if one]


def give(secrets: list[dict[str, Any]], folder: Path) -> None:
    """A folder for each, with what it has as files; those it had are exchanged."""
    for secret in secrets:
        mounted = folder / secret["metadata"]["name"]
        mounted.mkdir(exist_ok=True)
        for name, text in secret["data"].items():
            new = mounted / f".{name}"
            new.write_bytes(base64.b64decode(text))
            new.rename(mounted / name)


def all_secrets(folder: Path, store_port: int) -> None:
    """Keys, ways to the store, certificates; what no pod is given too: `keys` and
    `inner`."""
    new_keys(folder / "keys")
    give(printed("secrets.sh", folder / "keys", f"{HOST}:{store_port}"), folder)
    give(printed("certificates.sh", folder / "inner"), folder)


def told(overlay: str, name: str, secrets: Path) -> dict[str, str]:
    """What a container is told, with folders of ours for Secrets that are mounted."""
    workload = workloads(overlay)[name]
    volumes = {one["name"]: one for one in pod_of(workload)["spec"]["volumes"]}
    values = environment(overlay, workload)
    for mount in container_of(workload)["volumeMounts"]:
        if secret := volumes[mount["name"]].get("secret"):
            where = rf"^{mount['mountPath']}(?=/|$)"
            there = str(secrets / secret["secretName"])
            values = {key: re.sub(where, there, text) for key, text in values.items()}
    return values


@contextmanager
def a_cluster_s_store(secrets: Path, port: int) -> Iterator[None]:
    """Started as in the cluster, with the users there are."""
    command = container_of(workloads("small")["store"])["command"]
    data = secrets / "data"
    data.mkdir()
    told = " ".join(command[1:]).replace("/run/store", str(secrets / "anpai-store"))
    told = told.replace("/data", str(data))
    with subprocess.Popen(
        [kinds()["valkey"], *told.split(), "--port", str(port), "--bind", HOST],
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_for(redis.Redis(host=HOST, port=port))
        try:
            yield
        finally:
            process.kill()
