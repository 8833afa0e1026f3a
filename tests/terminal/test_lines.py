"""Text that fits, in cells: a Chinese character takes two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from clients.terminal.screen.lines import (
    clock,
    columns,
    fold,
    hanging,
    paragraph,
    rule,
)
from tests.terminal.scenes import plain

LETTERS = st.text(alphabet="ab ,.兄弟连，。", max_size=60)


@given(LETTERS, st.integers(4, 30))
def test_a_folded_text_fits_and_loses_nothing_but_spaces(text, width):
    lines = [line.plain for line in fold(Text(text), width)]
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_english_breaks_at_spaces():
    assert plain(paragraph("one two three", 8)) == "one two\nthree"


def test_chinese_breaks_anywhere_but_before_a_full_stop():
    assert plain(paragraph("兄弟连弟。", 8)) == "兄弟连\n弟。"


def test_items_hang_under_the_first():
    lines = hanging("Row", ["one", "two", "three"], 12, indent=1)
    assert plain(lines) == " Row one\n     two\n     three"


def test_columns_are_read_downwards():
    items = [Text(one) for one in ("1 a", "2 b", "3 c", "4 d", "5 兄弟", "6 f")]
    assert plain(columns(items, 20)) == "  1 a  4 d\n  2 b  5 兄弟\n  3 c  6 f"


def test_a_few_items_stand_beneath_each_other_and_so_do_wide_ones():
    few = [Text("1 a"), Text("2 b")]
    wide = [Text("x" * 15)] * 6
    assert plain(columns(few, 20)) == "  1 a\n  2 b"
    assert len(columns(wide, 20)) == 6
    assert columns([], 20) == []


@pytest.mark.parametrize("left", ["Skirmish", "士兵战 · 回合 2"])
def test_a_rule_is_as_wide_as_told(left):
    assert rule(left, "#87", 60).cell_len == 60


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0:00"),
        (45, "0:45"),
        (187.2, "3:07"),
        (7389, "2:03:09"),
        (93600, "26:00:00"),
    ],
)
def test_time_is_shown_as_a_clock_does(seconds, shown):
    assert clock(seconds) == shown
