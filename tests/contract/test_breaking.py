"""What the last release promised still holds; `make release-contract` promises anew."""

import re
import shutil
from pathlib import Path

import pytest

from tests.contract.contract import PROTOS, RELEASED, buf

VIEW = "anpai/engine/v1/table.proto"


def breaks(protos: Path) -> str:
    """What would break for a client of the last release; empty where nothing does."""
    return buf("breaking", protos, "--against", RELEASED).stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROTOS, tmp_path / "protos"))


def edit(protos: Path, file: str, pattern: str, replacement: str) -> None:
    path = protos / file
    text, changes = re.subn(pattern, replacement, path.read_text(), count=1)
    assert changes == 1
    path.write_text(text)


def test_nothing_breaks_a_client_of_the_last_release():
    assert breaks(PROTOS) == ""


def test_a_renumbered_field_is_noticed(copy: Path):
    edit(copy, VIEW, r"uint64 revision = 5;", "uint64 revision = 55;")

    assert '"revision"' in breaks(copy)


def test_a_removed_reason_is_noticed(copy: Path):
    edit(copy, "anpai/errors/v1/error_reason.proto", r"  ERROR_REASON_TOO_MANY.*\n", "")

    assert 'value "63"' in breaks(copy)


def test_a_method_that_changes_its_request_is_noticed(copy: Path):
    service = "anpai/engine/v1/engine_service.proto"
    edit(copy, service, r"rpc GetView\(GetViewRequest\)", "rpc GetView(WatchRequest)")

    assert "GetView" in breaks(copy)


def test_an_added_field_breaks_nobody(copy: Path):
    edit(copy, VIEW, r"(message View \{)", r"\1\n  // New.\n  string hue = 99;")

    assert breaks(copy) == ""
