"""What the documents tell people to type exists."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from clients.terminal.__main__ import app
from loadtest.__main__ import EVENINGS, parser
from tests.contract.contract import ROOT
from tests.deploy.deployed import SETTINGS

DOCUMENTS = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*/**/*.md"))
    if not {".venv", "node_modules", ".anpai"} & set(path.parts)
)
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]

ANPAI: Any = get_command(app)
COMMANDS = set(ANPAI.commands)
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
def test_every_option_of_a_command_exists(path: Path):
    for line in re.findall(r"(?:^|bin/)anpai (.+)", typed_in(path), flags=re.MULTILINE):
        assert [*unknown_options(words_of(line))] == [], line


def words_of(line: str) -> list[str]:
    """Of one command, without what it is piped into or what stands behind it."""
    return shlex.split(re.split(r"[|;>&]", line)[0].replace("…", ""))


def unknown_options(words: list[str]) -> Iterator[str]:
    """Those that the command so far has not."""
    command = ANPAI
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
        known = [name for one in command.params for name in one.opts]
        if word.startswith("-") and word.partition("=")[0] not in (*known, "--help"):
            yield word


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_evening_of_the_load_test_exists_with_its_options(path: Path):
    for line in re.findall(r"python -m loadtest(.*)", typed_in(path)):
        parser().parse_args(shlex.split(line))
    for name in re.findall(r"EVENING=([\w-]+)", path.read_text()):
        assert name in EVENINGS


# Of the tests and of whoever looks for a mistake: Makefile and terminal tell of them.
NO_SETTINGS = {"ANPAI_SCALE", "ANPAI_PROTOCOL_EXAMPLES", "ANPAI_CA"}


def test_the_documents_know_every_setting_and_no_other():
    told = "\n".join(path.read_text() for path in DOCUMENTS)
    named = set(re.findall(r"ANPAI_[A-Z]+(?:_[A-Z]+)*\b(?!_)", told))

    assert named - NO_SETTINGS - {"ANPAI_MASTER_KEY"} <= SETTINGS
    assert SETTINGS - {"ANPAI_MASTER_KEY"} <= named


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


OF_ANY_PACKAGE = {"__init__.py", "__main__.py"}
SERVICES = sorted(ROOT.glob("services/*/README.md"))


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.parent.name)
def test_a_service_s_readme_has_each_of_its_files_and_no_other(path: Path):
    there = {one.name for one in path.parent.glob("*.py")} - OF_ANY_PACKAGE
    text = path.read_text()
    table = text[: text.index("\n\n    ")]

    assert set(re.findall(r"`(\w+\.py)`", table)) == there


def test_there_are_documents_and_things_to_type():
    assert "README.md" in NAMES
    assert {"up", "play", "verify"} <= COMMANDS
    assert {"test", "bench", "release-contract"} <= TARGETS
