"""What of a service's memory is swept, and when."""

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from contextlib import suppress
from itertools import count

import pytest

from services.chassis import memory
from services.chassis.memory import SWEEPER, look_through, look_through_at_times

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
    SWEEPER.__init__()  # as if it had never begun
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


@pytest.fixture
def often(sweeper, monkeypatch):
    monkeypatch.setattr(memory, "LOOK_THROUGH_SECONDS", 0.0)
    monkeypatch.setattr(memory, "SOON_DONE", 10**9)  # there are many tests in a process


async def test_so_it_is_by_itself_where_nothing_goes_on(often):
    knot = left_behind()
    grow_old()
    looking = asyncio.create_task(look_through_at_times())
    await asyncio.wait_for(is_gone(knot), 30)
    looking.cancel()


async def test_but_not_while_something_is_going_on(often, monkeypatch):
    monkeypatch.setattr(memory, "process_time", count().__next__)
    knot = left_behind()
    grow_old()
    await look_through_for(1.5)

    assert knot() is not None


async def test_and_not_where_it_would_take_long(often, monkeypatch):
    monkeypatch.setattr(memory, "SOON_DONE", 1_000)
    knot = left_behind()
    grow_old()
    await look_through_for(1.5)

    assert knot() is not None


async def look_through_for(seconds):
    with suppress(TimeoutError):
        await asyncio.wait_for(look_through_at_times(), seconds)


async def is_gone(knot):
    while True:
        if knot() is None:
            return
        await asyncio.sleep(0.1)


def test_what_is_set_aside_goes_with_its_last_reference(sweeper):
    kept = [[] for _ in range(2 * memory.YOUNG)]
    kept.append({1: (told := set())})
    gone = weakref.ref(told)
    del kept, told

    assert gone() is None


async def test_a_process_that_is_no_service_is_left_alone(monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda: pytest.fail("it is not ours to sweep"))
    await memory.give_back()


TUPLES_GO = """
import asyncio, os
from services.chassis.memory import SWEEPER, give_back
from tests.evenings.memory import rss

SWEEPER.begin()
before = rss(os.getpid())
kept = [(bytes(900), tuple(range(n))) for _ in range(2_000) for n in range(1, 20)]
most = rss(os.getpid())
del kept
asyncio.run(give_back())
print(before, most, rss(os.getpid()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is given back")
def test_what_python_lays_aside_does_not_hold_pages():
    told = subprocess.run(
        [sys.executable, "-c", TUPLES_GO],
        env=os.environ | {"PYTHONMALLOC": "malloc"},
        capture_output=True,
        check=True,
    )
    before, most, after = map(float, told.stdout.split())
    assert after - before < (most - before) / 4


async def test_what_grpc_leaves_behind_does_not_pile_up(stub, sweeper):
    for _ in range(CALLS):
        await stub("Echo", "hello")
        grow_old()
    gc.unfreeze()

    assert gc.collect() < CALLS  # it is some objects a call
