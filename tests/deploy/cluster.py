"""The manifests of deploy/kubernetes, built as `kubectl apply -k` builds them."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from tests.deploy.deployed import DEPLOY

KUBERNETES = DEPLOY / "kubernetes"
KUBECTL = Path(sys.executable).with_name("kubectl")
OVERLAYS = ("small", "small+tls", "production")
SERVICES = ("matchmaking", "engine", "vault")
OURS = (*SERVICES, "bots", "edge")

Manifest = dict[str, Any]


def kubectl(*arguments: str | Path, told: str | None = None) -> str:
    """What it prints; it never asks a cluster."""
    done = subprocess.run(
        [KUBECTL, *arguments], input=told, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def built(overlay: str) -> list[Manifest]:
    """Every manifest of an overlay, with further components: `small+tls`."""
    name, *components = overlay.split("+")
    with TemporaryDirectory() as folder:
        here = os.path.relpath(KUBERNETES, os.path.realpath(folder))
        told = {
            "resources": [f"{here}/overlays/{name}"],
            "components": [f"{here}/components/{one}" for one in components],
        }
        Path(folder, "kustomization.yaml").write_text(yaml.safe_dump(told))
        return list(yaml.safe_load_all(kubectl("kustomize", folder)))


def speaks_tls(overlay: str) -> bool:
    """Whether its pods do, among themselves."""
    return "ANPAI_TLS_CERT" in environment(overlay, workloads(overlay)["engine"])


def of(overlay: str, *kinds: str) -> dict[str, Manifest]:
    """Those of some kinds, by name."""
    return {
        one["metadata"]["name"]: one for one in built(overlay) if one["kind"] in kinds
    }


def workloads(overlay: str) -> dict[str, Manifest]:
    return of(overlay, "Deployment", "StatefulSet")


def pod_of(workload: Manifest) -> Manifest:
    """Labels and spec of its pods."""
    template: Manifest = workload["spec"]["template"]
    return template


def container_of(workload: Manifest) -> Manifest:
    """Its only one."""
    (container,) = pod_of(workload)["spec"]["containers"]
    return dict(container)


def fits(selector: Manifest, labels: dict[str, str]) -> bool:
    """Whether a selector chooses what has these labels."""
    exact = selector.get("matchLabels", {}).items() <= labels.items()
    return exact and all(
        labels.get(one["key"]) in one["values"]
        for one in selector.get("matchExpressions", ())
    )


def environment(overlay: str, workload: Manifest) -> dict[str, str]:
    """What its container is told; what is the pod's own, by where it is to be found."""
    container = container_of(workload)
    settings = of(overlay, "ConfigMap")
    told: dict[str, str] = {}
    for source in container.get("envFrom", ()):
        told |= settings[source["configMapRef"]["name"]]["data"]
    for one in container.get("env", ()):
        told[one["name"]] = one.get("value") or str(one["valueFrom"])
    return told


# ---- who may call whom ---------------------------------------------------------------


def admitted(overlay: str, source: str, target: str, port: int) -> bool:
    """Whether a pod of one kind may call a pod of another at a port: its own policies
    must let it out, and the other's must let it in."""
    policies = of(overlay, "NetworkPolicy").values()
    pods = {
        name: pod_of(one)["metadata"]["labels"]
        for name, one in workloads(overlay).items()
    }
    out = [rule for one in policies for rule in rules(one, "Egress", pods[source])]
    into = [rule for one in policies for rule in rules(one, "Ingress", pods[target])]
    return any(lets(rule, "to", pods[target], port) for rule in out) and any(
        lets(rule, "from", pods[source], port) for rule in into
    )


def rules(policy: Manifest, way: str, labels: dict[str, str]) -> list[Manifest]:
    """What a policy lets pods with these labels do."""
    spec = policy["spec"]
    if way not in spec["policyTypes"] or not fits(spec["podSelector"], labels):
        return []
    return list(spec.get(way.lower(), ()))


def lets(rule: Manifest, side: str, labels: dict[str, str], port: int) -> bool:
    """Who names nobody names everybody, and who names no port all of them."""
    peers, ports = rule.get(side), rule.get("ports")
    named = not peers or any(is_meant(peer, labels) for peer in peers)
    return named and (not ports or port in [one["port"] for one in ports])


def is_meant(peer: Manifest, labels: dict[str, str]) -> bool:
    """Whether a pod of ours, with these labels, is among those."""
    here = {"kubernetes.io/metadata.name": "anpai"}
    return (
        "ipBlock" not in peer
        and fits(peer.get("namespaceSelector", {}), here)
        and fits(peer.get("podSelector", {}), labels)
    )
