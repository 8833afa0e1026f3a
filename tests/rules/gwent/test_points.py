"""Every point and every case of `POINTS.md` has a test that names it, and no other."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LINE = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
POINTS, CASES = (HERE / "POINTS.md").read_text(encoding="utf-8").split("## Cases")
LISTED = {"note": dict(LINE.findall(POINTS)), "case": dict(LINE.findall(CASES))}


def named_by_tests(kind):
    """The numbers that tests name."""
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=name)) if name == kind:
                    yield from (str(one.value) for one in node.args)


@pytest.mark.parametrize(("kind", "number"), [("note", 115), ("case", 71)])
def test_all_are_listed(kind, number):
    assert list(LISTED[kind]) == [str(n + 1) for n in range(number)]


@pytest.mark.parametrize("kind", LISTED)
def test_each_has_a_test_or_stands_elsewhere(kind):
    here = {n for n, line in LISTED[kind].items() if "*elsewhere*" not in line}
    assert here == set(named_by_tests(kind))
