"""The files of deploy/, read as their tools read them."""

import dataclasses
import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import yaml

from services.chassis.config import (
    IN_FILES,
    EngineConfig,
    MatchmakingConfig,
    VaultConfig,
)
from tests.contract.contract import ROOT

DEPLOY = ROOT / "deploy"

# All that any of our containers can be told.
SETTINGS = {
    *(
        field.metadata["variable"]
        for kind in (EngineConfig, MatchmakingConfig, VaultConfig)
        for field in dataclasses.fields(kind)
    ),
    *(f"{name}_FILE" for name in IN_FILES),
    *("ANPAI_SERVER", "ANPAI_CAPACITY", "ANPAI_THINK_MS", "ANPAI_SEATS_FILE"),
}


@cache
def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


def services() -> dict[str, dict[str, Any]]:
    """The containers of compose.yaml, by name."""
    found: dict[str, dict[str, Any]] = read("compose.yaml")["services"]
    return found


def ours() -> dict[str, dict[str, Any]]:
    """Those whose images we build."""
    return {name: told for name, told in services().items() if "build" in told}


def filled_in(text: str, values: dict[str, str]) -> str:
    """As compose fills in `${NAME:?}` and `${NAME:-default}`."""
    pattern = r"\$\{(\w+)(?::\?|:-([^}]*))?\}"
    return re.sub(pattern, lambda it: values.get(it[1]) or it[2], text)


def stages() -> dict[str, str]:
    """The Dockerfile's stages, each with its text."""
    text = (DEPLOY / "Dockerfile").read_text()
    parts = re.split(r"^FROM \S+ AS (\w+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


# ---- what is watched -----------------------------------------------------------------


def alerts() -> dict[str, dict[str, Any]]:
    """The rules somebody is told by, by name."""
    groups = read("prometheus/alerts.yaml")["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def dashboards() -> dict[str, dict[str, Any]]:
    """By the names of their files."""
    folder = DEPLOY / "grafana" / "dashboards"
    return {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}


def panels() -> list[dict[str, Any]]:
    """Everything on all dashboards that shows numbers."""
    boards = dashboards().values()
    return [one for board in boards for one in board["panels"] if "targets" in one]


def queries() -> list[str]:
    """All that alerts and dashboards ask Prometheus."""
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [rule["expr"] for rule in alerts().values()] + shown


def metrics_named(texts: Iterable[str]) -> set[str]:
    """Names of series that stand in queries."""
    pattern = r"\b(?:anpai|process|python)_\w+"
    return {name for text in texts for name in re.findall(pattern, text)}
