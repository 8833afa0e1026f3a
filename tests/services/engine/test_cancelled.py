"""Streams that are cancelled: not one leaves anything, in our memory or in gRPC's."""

import asyncio
import gc
import os

import pytest

from tests.evenings.memory import rss
from tests.scale import scaled

AT_ONCE = 20
EACH = 60e-6  # MB: what leaked in gRPC was twice as much and more
SLACK = 2.0  # MB: what an allocator may keep for itself


@pytest.fixture
async def table(opened, player):
    return await opened("anna", "ben")


async def test_t45_memory_stays_however_many_streams_are_cancelled(
    table, player, engine
):
    crowd = [player(f"carl-{number}") for number in range(AT_ONCE)]
    number = scaled(1_000, 100_000)
    await cancelled(crowd, table, number // 2)
    before = memory()

    await cancelled(crowd, table, number)

    assert memory() - before < SLACK + number * EACH
    await nobody_left(engine)


async def cancelled(crowd, table, number):
    """So many streams, each broken off in the midst of it."""
    for _ in range(number // len(crowd)):
        await asyncio.gather(*(breaks_off(one, table) for one in crowd))


async def nobody_left(engine):
    for _ in range(500):
        if not engine.metrics.watchers._value.get():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("somebody still watches")


async def breaks_off(player, table):
    async with player.watching(table) as stream:
        await stream.update()


def memory():
    gc.collect()
    return rss(os.getpid())
