"""What measures memory is held to memory that is known to grow, or not to."""

import random

import pytest

from tests.evenings.memory import Sample, second_half, trend


def wandering(growth, seed, *, seconds=900, step=0.2):
    """RSS as processes have it: it wanders, and grows by so many MB an hour."""
    chance, wander = random.Random(seed), 0.0
    for at in range(seconds):
        wander = 0.95 * wander + chance.gauss(0, step)
        yield Sample(at, 100 + wander + growth * at / 3600)


@pytest.mark.parametrize("seed", range(20))
def test_memory_that_only_wanders_is_not_said_to_grow(seed):
    assert not trend(list(wandering(0, seed))).grows(allowed=4)


@pytest.mark.parametrize("seed", range(20))
def test_memory_that_grows_is_found_to(seed):
    found = trend(list(wandering(40, seed)))

    assert found.grows(allowed=4)
    assert found.slope == pytest.approx(40, abs=5 * found.noise)


def test_of_a_few_samples_nothing_is_said():
    assert not trend([Sample(0, 100), Sample(1, 200)]).grows(allowed=4)


def test_what_a_process_fills_at_first_is_no_growth():
    filling = [Sample(at, 100 + min(at, 300) / 3) for at in range(900)]

    assert trend(filling).slope > 100
    assert not trend(second_half(filling)).grows(allowed=4)
