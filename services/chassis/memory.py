"""When memory is swept for cycles, so that a sweep never holds a service up for long.

What has lived through two sweeps is set aside (`gc.freeze`) and not looked at again: a
worker full of tables would otherwise stand still for tenths of a second, again and
again. What is set aside still goes as soon as nobody refers to it; so whatever lives
long must leave no cycle behind when it goes. Lest one that slipped through stays for
ever, everything is looked through once in a long while.
"""

import asyncio
import gc

YOUNG = 20_000  # objects more than at the last sweep: the next one is due
MIDDLE = 5  # sweeps of the young: then of those who lived through one
NEVER = 1_000_000_000
LOOK_THROUGH_SECONDS = 180.0


def sweep_little() -> None:
    """What is loaded by now stays, and from now on the old are left alone."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    gc.callbacks.append(set_aside)


def set_aside(phase: str, info: dict[str, int]) -> None:
    """Those who lived through two sweeps."""
    if phase == "stop" and info["generation"] == 1:
        gc.freeze()


def look_through() -> None:
    """Sweep everything, which takes its time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def look_through_at_times() -> None:
    while True:
        await asyncio.sleep(LOOK_THROUGH_SECONDS)
        look_through()
