"""Every reason is documented, has its status, is raised, and is met in a test."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from anpai.errors.v1 import error_reason_pb2
from services.chassis.errors import STATUS
from tests.contract.contract import PROTOS, ROOT

PREFIX = "ERROR_REASON_"
REASONS = [
    name.removeprefix(PREFIX)
    for name in error_reason_pb2.ErrorReason.keys()  # noqa: SIM118  # no mapping
    if not name.endswith("UNSPECIFIED")
]


@cache
def comments() -> dict[str, str]:
    """Reason -> the comment above it."""
    text = (PROTOS / "anpai/errors/v1/error_reason.proto").read_text()
    found = re.findall(rf"((?: +//.*\n)+) +{PREFIX}(\w+) = \d+;", text)
    return {reason: re.sub(r" *// ?", " ", prose) for prose, reason in found}


def strings_in(paths: Iterable[Path]) -> set[str]:
    return {text for path in paths for text in constants_of(path)}


def constants_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def raised() -> set[str]:
    """Every string of the services but those of the table of statuses itself."""
    table = ROOT / "services/chassis/errors.py"
    paths = (ROOT / "services").rglob("*.py")
    return strings_in(path for path in paths if path != table)


@cache
def names_in_tests() -> set[str]:
    """Every string of the tests that call services."""
    return strings_in((ROOT / "tests" / "services").rglob("*.py"))


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_tells_its_status_and_what_to_do(reason: str):
    status, _, advice = comments()[reason].strip().partition(". ")

    assert status == STATUS[reason].name
    assert len(advice.split()) > 5


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_shows_a_sample_of_its_metadata(reason: str):
    sample = json.loads(comments()[reason][comments()[reason].index("{") :])

    assert all(isinstance(value, str) for value in sample.values())


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_raised_by_a_service(reason: str):
    assert reason in raised() or reason == "INTERNAL"


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_met_in_a_test(reason: str):
    assert reason in names_in_tests()


def test_the_table_of_statuses_has_every_reason_and_no_other():
    assert set(STATUS) == set(REASONS)
