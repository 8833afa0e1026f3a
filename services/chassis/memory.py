"""When memory is swept for cycles, so that no sweep holds a service up for long.

A sweep looks at all that is young, and a worker's tables grow with every answer: swept
as usual, a tenth of its time went there. But nothing of ours leaves a cycle behind when
it goes; gRPC alone does, one for each call that comes in. So the young are swept only
if a call came since the last time, and then there are few of them. What lived through
that, or came while no call did, is set aside (`gc.freeze`) and not looked at again; it
still goes as soon as nobody refers to it.

An error that somebody keeps may be such a cycle after all: it holds the frames it came
through. Those that are known are cut where they come about. For those that are not,
everything is looked through now and then, but only while next to nothing is going on,
and only where it is soon done: at a thousand tables it would take longer than a worker
may be silent without losing them.

What went is given back to the system (`give_back`) where that is worth it. Python's own
allocator gives back only what is empty in whole megabytes, which hardly ever happens;
so services are started with that of the C library (`PYTHONMALLOC`). And Python lays
tuples that went aside for the next ones, some ten thousand, each in the midst of a page
that is otherwise free: only a sweep of all generations lets them go (`let_go`).
"""

import asyncio
import ctypes
import gc
import os
from time import process_time

YOUNG = 500  # objects more than at the last sweep: the next one is due
NEVER = 1_000_000_000
LOOK_THROUGH_SECONDS = 60.0
QUIET = 0.05  # of a second's processor time: less, and nobody is likely to wait
SOON_DONE = 300_000  # objects; somewhat more than a microsecond each


class Sweeper:
    """What the collector is told before and after each sweep."""

    def __init__(self) -> None:
        self._has_begun = False
        self._has_been_called = True

    def call_came(self) -> None:
        """gRPC has looked up who serves a call."""
        self._has_been_called = True

    def begin(self) -> None:
        """What is loaded by now stays, and from now on the old are left alone."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, NEVER, NEVER)
        gc.callbacks.append(self._hear)
        self._has_begun = True

    def let_go(self) -> None:
        """Of what Python has laid aside. Soon done: only the young are looked at."""
        if self._has_begun:
            gc.collect()
            gc.freeze()

    def _hear(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] > 0:
            return
        if phase == "stop":
            gc.freeze()
            self._has_been_called = False
        elif not self._has_been_called:
            gc.freeze()  # and the sweep finds nothing to look at


SWEEPER = Sweeper()


def look_through() -> None:
    """Sweep everything."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def give_back() -> None:
    """Free pages of memory, to the system; nothing happens where that is not known."""
    SWEEPER.let_go()
    await asyncio.to_thread(trim)


def trim() -> None:
    if os.environ.get("PYTHONMALLOC") == "malloc":
        given = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if given is not None:
            given(0)


async def look_through_at_times() -> None:
    while True:
        await asyncio.sleep(LOOK_THROUGH_SECONDS)
        if await is_quiet() and gc.get_freeze_count() <= SOON_DONE:
            look_through()
            await give_back()


async def is_quiet() -> bool:
    """Whether next to nothing is going on in this process."""
    before = process_time()
    await asyncio.sleep(1.0)
    return process_time() - before < QUIET
