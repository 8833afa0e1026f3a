"""What the documents tell people to type exists."""

import importlib.util
import re
from pathlib import Path

import pytest
from typer.main import get_command

from clients.terminal.__main__ import app
from tests.contract.contract import ROOT

DOCUMENTS = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*/**/*.md"))
    if not {".venv", "node_modules", ".anpai"} & set(path.parts)
)
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]

COMMANDS = set(get_command(app).commands)  # type: ignore[attr-defined]
TARGETS = set(
    re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
)


def typed_in(path: Path) -> str:
    """What stands as something to type, without its comments: in backticks, or as a
    block."""
    text = path.read_text()
    blocks = re.findall(r"^ {4,}(.*)$", text, flags=re.MULTILINE)
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    typed = [*blocks, *fenced, *re.findall(r"`([^`\n]+)`", text)]
    return re.sub(r"#.*", "", "\n".join(typed))


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_anpai_command_exists(path: Path):
    typed = re.findall(r"(?:^|bin/)anpai ([a-z]+)", typed_in(path), flags=re.MULTILINE)

    assert set(typed) <= COMMANDS


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_make_target_exists(path: Path):
    typed = re.findall(r"^make ([a-z-]+)", typed_in(path), flags=re.MULTILINE)

    assert set(typed) <= TARGETS


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_module_that_is_run_exists(path: Path):
    for name in re.findall(r"python3? -m ([\w.]+)", typed_in(path)):
        assert importlib.util.find_spec(name) is not None, name


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_path_exists(path: Path):
    """Of ours, that is: `services/…`, `docs/…`; without stars and names to fill in."""
    roots = "protos|services|clients|tests|docs|deploy|loadtest"
    paths = re.findall(rf"`((?:{roots})/[\w./-]*)`", path.read_text())

    assert [one for one in paths if not (ROOT / one).exists()] == []


def test_there_are_documents_and_things_to_type():
    assert "README.md" in NAMES
    assert {"up", "play", "verify"} <= COMMANDS
    assert {"test", "bench", "release-contract"} <= TARGETS
