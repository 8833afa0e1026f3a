"""What of a service's memory is swept, and when."""

import gc
import weakref

import pytest

from services.chassis import memory
from services.chassis.memory import SWEEPER, look_through

CALLS = 40


class Knot:
    """Refers to itself: only a sweep takes it away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def sweeper():
    usual, callbacks = gc.get_threshold(), list(gc.callbacks)
    SWEEPER.begin()
    grow_old()
    yield SWEEPER
    gc.callbacks[:] = callbacks
    gc.set_threshold(*usual)
    gc.unfreeze()


def grow_old() -> None:
    """Enough new things for a sweep or two."""
    assert [[] for _ in range(2 * memory.YOUNG)]


def left_behind() -> "weakref.ref[Knot]":
    return weakref.ref(Knot())


def test_what_a_call_leaves_behind_is_swept_soon(sweeper):
    knot = left_behind()
    sweeper.call_came()
    grow_old()

    assert knot() is None


def test_while_no_call_comes_nothing_is_looked_at(sweeper):
    knot = left_behind()
    grow_old()

    assert knot() is not None


def test_everything_is_looked_through_in_the_end(sweeper):
    knot = left_behind()
    grow_old()
    look_through()

    assert knot() is None


def test_what_is_set_aside_goes_with_its_last_reference(sweeper):
    kept = [[] for _ in range(2 * memory.YOUNG)]
    kept.append({1: (told := set())})
    gone = weakref.ref(told)
    del kept, told

    assert gone() is None


async def test_what_grpc_leaves_behind_does_not_pile_up(stub, sweeper):
    for _ in range(CALLS):
        await stub("Echo", "hello")
        grow_old()
    gc.unfreeze()

    assert gc.collect() < CALLS  # it is some objects a call
