"""Every complaint of ASKS.md is tried by tests that bear its number."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROW = re.compile(r"\| T-(\d\d) \| (.+) \| (.+) \|")
NAMED = re.compile(r"`tests/([a-z0-9_/]+\.py)`")
NUMBERS = [f"{number:02}" for number in range(1, 61)]


def rows():
    """The third column of the page, by number."""
    lines = (HERE / "ASKS.md").read_text().splitlines()
    found = [match.groups() for line in lines if (match := ROW.fullmatch(line))]
    assert [number for number, _, _ in found] == NUMBERS
    return {number: shown for number, _, shown in found}


def bears(path, number):
    return number in numbers_in(path)


def numbers_in(path):
    """Those that its tests bear; one may bear several."""
    return {
        number
        for name in re.findall(r"def test_((?:t\d+_)+)", path.read_text())
        for number in re.findall(r"t(\d+)_", name)
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_a_complaint_is_tried_where_the_page_says(number):
    files = NAMED.findall(rows()[number])

    assert files, "nobody shows it"
    assert [one for one in files if not bears(HERE / one, number)] == []


def test_no_test_bears_a_number_that_is_not_on_the_page():
    borne = set().union(*map(numbers_in, HERE.rglob("test_*.py")))

    assert borne <= set(NUMBERS)
