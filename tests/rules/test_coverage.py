"""The rulebook is the code: each clause has a function and a test that name it.

For every game with a RULES.md: each numbered clause of it is cited in the docstring of
a function of the game's package and by a test's `@pytest.mark.rule`, and neither cites
a clause that does not exist. `python -m pytest -s` on this file shows the table.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from services.engine.games import GAMES

ROOT = Path(__file__).parents[2]
CLAUSE = re.compile(r"\b[A-Z]{2}-\d+\.\d+\b")
DEFINED = re.compile(r"^- \*\*(" + CLAUSE.pattern + r")\*\*", re.MULTILINE)
RANGE = re.compile(r"\b([A-Z]{2}-\d+)\.(\d+) to \1\.(\d+)\b")


@dataclass
class Coverage:
    """Where each clause of one game is cited."""

    clauses: list[str]
    code: dict[str, list[str]] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)

    def faults(self):
        for kind, cited in (("function", self.code), ("test", self.tests)):
            for clause in self.clauses:
                if clause not in cited:
                    yield f"{clause}: no {kind} names it"
            for clause, where in cited.items():
                if clause not in self.clauses:
                    yield f"{clause}: {where[0]} names it, and there is no such clause"

    def report(self):
        yield f"{'clause':10} {'functions':>9} {'tests':>5}"
        for clause in self.clauses:
            code, tests = self.code.get(clause, ()), self.tests.get(clause, ())
            yield f"{clause:10} {len(code):9} {len(tests):5}"


def coverage_of(game):
    rules = ROOT / "services/engine/games" / game / "RULES.md"
    covered = Coverage(DEFINED.findall(rules.read_text(encoding="utf-8")))
    for path in sorted(rules.parent.rglob("*.py")):
        for name, text in docstrings(path):
            cite(covered.code, clauses_in(text), f"{path.name}: {name}")
    for path in sorted((ROOT / "tests/rules" / game).rglob("test_*.py")):
        for name, clauses in marks(path):
            cite(covered.tests, clauses, f"{path.name}: {name}")
    return covered


def cite(cited, clauses, where):
    for clause in clauses:
        cited.setdefault(clause, []).append(where)


def clauses_in(text):
    """Every clause a docstring cites; "SK-1.1 to SK-1.4" cites those between too."""
    clauses = CLAUSE.findall(text)
    for chapter, first, last in RANGE.findall(text):
        clauses += [f"{chapter}.{n}" for n in range(int(first) + 1, int(last))]
    return clauses


def docstrings(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, ast.get_docstring(node) or ""


def marks(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield (
                node.name,
                [one for mark in node.decorator_list for one in named(mark)],
            )


def named(decorator):
    """The clauses that `@pytest.mark.rule("SK-5.7", "SK-6.1")` names."""
    match decorator:
        case ast.Call(func=ast.Attribute(attr="rule"), args=arguments):
            return [one.value for one in arguments if isinstance(one, ast.Constant)]
    return []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_clause_has_a_function_and_a_test(game):
    covered = coverage_of(game)
    print("", game, *covered.report(), sep="\n")
    assert covered.clauses, f"{game} has no numbered rules"
    assert list(covered.faults()) == []


def test_a_range_cites_what_lies_between():
    assert clauses_in("SK-3.3 to SK-3.5, SK-6.1") == [
        "SK-3.3",
        "SK-3.5",
        "SK-6.1",
        "SK-3.4",
    ]
