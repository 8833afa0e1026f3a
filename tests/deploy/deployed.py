"""The files of deploy/, read as their tools read them."""

import re
from functools import cache
from typing import Any

import yaml

from tests.contract.contract import ROOT

DEPLOY = ROOT / "deploy"


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
