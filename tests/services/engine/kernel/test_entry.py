"""A journal entry is read as it was written, and its hash covers all of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.kernel.entry import (
    START_OF_JOURNAL,
    Entry,
    EntryKind,
    Veil,
    canonical,
    chained,
    digest_of,
    next_head,
)
from services.engine.kernel.outcome import Outcome

texts = st.text(max_size=12)
numbers = st.integers(-1, 2**40)
entries = st.builds(
    Entry,
    position=numbers,
    kind=st.sampled_from(EntryKind),
    seat=numbers,
    answer_id=texts,
    choice=st.none() | st.lists(texts, max_size=3).map(tuple),
    revision=numbers,
    head=texts,
    at=numbers,
    deadlines=st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple),
    outcome=st.none() | st.just(Outcome((1, 2), (7, 3), "played")),
    details=st.dictionaries(texts, texts, max_size=2),
    hash=texts,
)


@given(entry=entries)
def test_an_entry_is_read_as_it_was_written(entry):
    assert Entry.read(entry.text()) == entry


@given(entry=entries, other=entries)
def test_the_hash_covers_every_item(entry, other):
    other = other._replace(hash=entry.hash)
    same = chained(START_OF_JOURNAL, entry.items()) == chained(
        START_OF_JOURNAL, other.items()
    )

    assert same == (entry == other)


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1,2,3]", "null"])
def test_anything_else_is_no_entry(text):
    with pytest.raises(ValueError, match=r"not a journal entry|Expecting value"):
        Entry.read(text)


def test_a_digest_depends_on_past_seat_choice_operations_and_veil():
    base = (Veil(b"veil"), "00", 1, ("a",), (("deck", 1, (1,), "draw"),))
    others = [
        (Veil(b"liev"), *base[1:]),
        (base[0], "01", *base[2:]),
        (base[0], "00", 2, *base[3:]),
        (base[0], "00", 1, ("b",), base[4]),
        (base[0], "00", 1, ("a",), ()),
    ]

    assert len({digest_of(*one) for one in [base, *others]}) == 6


def test_a_head_depends_on_the_head_before():
    assert next_head("00" * 32, "11" * 32) != next_head("22" * 32, "11" * 32)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    ),
)


@given(value=values)
def test_the_canonical_form_is_what_the_standard_library_writes(value):
    plain = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)

    assert canonical(value) == plain


def test_every_single_character_has_one_canonical_form():
    for code in range(0x3000):
        assert canonical(chr(code)) == json.dumps(chr(code))
