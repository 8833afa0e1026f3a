"""Chance: without bias, and from the chain's key alone."""

import json
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.vault.chain import (
    canonical,
    commitment_of,
    first_key,
    next_key,
    veil_of,
)
from services.vault.chance import Chance

KEYS = [next_key(b"k" * 32, f"{number:064x}") for number in range(6_000)]


def chi_square(counts, kinds):
    """How far counts are from all alike; its mean is `kinds` - 1."""
    expected = sum(counts.values()) / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in counts) + (
        (kinds - len(counts)) * expected
    )


# For each number of degrees of freedom, what chance exceeds once in ten thousand times.
LIMIT = {5: 25.7, 6: 27.9, 9: 33.7, 23: 57.1, 51: 96.1}


@pytest.mark.parametrize("bound", [6, 7, 10, 52])
def test_numbers_below_a_bound_are_all_alike(bound):
    counts = Counter(Chance(key).below(bound) for key in KEYS)

    assert chi_square(counts, bound) < LIMIT[bound - 1]


def test_all_orders_of_a_shuffle_are_alike():
    counts = Counter()
    for key in KEYS:
        cards = [0, 1, 2, 3]
        Chance(key).shuffle(cards)
        counts[tuple(cards)] += 1

    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < LIMIT[23]


def test_all_samples_are_alike():
    counts = Counter(Chance(key).sample(4, 3) for key in KEYS)

    assert set(counts) == set(permutations(range(4), 3))
    assert chi_square(counts, 24) < LIMIT[23]


def test_a_bound_that_divides_badly_is_not_biased():
    """Taken modulo of a word, the small numbers would come twice as often."""
    bound = 2**32 // 3 * 2
    low = sum(Chance(key).below(bound) < bound // 2 for key in KEYS)

    assert abs(low / len(KEYS) - 0.5) < 0.03


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_number_lies_below_its_bound(key, bound):
    assert 0 <= Chance(key).below(bound) < bound


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_card(key, cards):
    shuffled = list(cards)
    Chance(key).shuffle(shuffled)

    assert sorted(shuffled) == sorted(cards)


@given(st.binary(min_size=32, max_size=32))
def test_handles_do_not_shift_when_numbers_are_drawn(key):
    quiet, busy = Chance(key), Chance(key)
    busy.sample(50, 50)

    assert [quiet.handle() for _ in range(9)] == [busy.handle() for _ in range(9)]


@given(st.binary(min_size=32, max_size=32))
def test_handles_are_twelve_hex_digits_and_all_different(key):
    chance = Chance(key)
    handles = [chance.handle() for _ in range(500)]

    assert len(set(handles)) == len(handles)
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in handles)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_another_seed_gives_another_commitment_veil_and_key(one, other):
    def all_of(seed):
        return {commitment_of(seed), veil_of(seed), first_key(seed, "t", [""])}

    assert one == other or not all_of(one) & all_of(other)


@pytest.mark.parametrize(
    ("table", "nonces"),
    [("t", ["b", "a"]), ("t", ["ab", ""]), ("t", ["", "ab"]), ("u", ["a", "b"])],
)
def test_key_0_covers_the_table_and_which_seat_gave_which_nonce(table, nonces):
    seed = b"s" * 32

    assert first_key(seed, table, nonces) != first_key(seed, "t", ["a", "b"])


@given(text=st.text())
def test_what_is_hashed_has_one_form_whatever_its_letters(text):
    told = [text, "暗牌 \x7f é"]

    plain = json.dumps(told, ensure_ascii=True, separators=(",", ":"))

    assert canonical(told) == plain
