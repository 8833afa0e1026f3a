"""When memory is swept for cycles, so that no sweep holds a service up for long.

A sweep looks at all that is young, and a worker's tables grow with every answer: swept
as usual, a tenth of its time went there. But nothing of ours leaves a cycle behind when
it goes; gRPC alone does, one for each call that comes in. So the young are swept only
if a call came since the last time, and then there are few of them. What lived through
that, or came while no call did, is set aside (`gc.freeze`) and not looked at again; it
still goes as soon as nobody refers to it.

Lest a cycle that slipped through stays for ever, everything is looked through when the
process has little to do, and once in a long while in any case.
"""

import asyncio
import gc
from time import monotonic

YOUNG = 500  # objects more than at the last sweep: the next one is due
NEVER = 1_000_000_000
LOOK_THROUGH_SECONDS = 180.0
QUIET_SWEEPS = 180  # in that time; one that serves players has many more
LONGEST_SECONDS = 6 * 3600.0  # a busy process is looked through after all


class Sweeper:
    """What the collector is told before and after each sweep."""

    def __init__(self) -> None:
        self.sweeps = 0
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

    def _hear(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] > 0:
            return
        if phase == "start":
            self.sweeps += 1
            if not self._has_been_called:
                gc.freeze()  # and the sweep finds nothing to look at
        else:
            gc.freeze()
            self._has_been_called = False


SWEEPER = Sweeper()


def look_through() -> None:
    """Sweep everything, which takes its time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def look_through_at_times() -> None:
    looked, sweeps = monotonic(), SWEEPER.sweeps
    while True:
        await asyncio.sleep(LOOK_THROUGH_SECONDS)
        is_quiet = SWEEPER.sweeps - sweeps < QUIET_SWEEPS
        if is_quiet or monotonic() - looked > LONGEST_SECONDS:
            look_through()
            looked = monotonic()
        sweeps = SWEEPER.sweeps
