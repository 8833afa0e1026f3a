"""All tables are looked at, and nobody who plays waits for that."""

import asyncio

from services.engine.surveying import AT_ONCE, each_in_turn

MANY = list(range(3 * AT_ONCE))


async def test_each_is_looked_at_once():
    seen = []

    await each_in_turn(MANY, seen.append)

    assert seen == MANY


async def test_whatever_else_is_due_comes_in_between():
    seen, others = [], []

    async def plays():
        while True:
            others.append(len(seen))
            await asyncio.sleep(0)

    playing = asyncio.create_task(plays())
    await each_in_turn(MANY, seen.append)
    playing.cancel()

    assert {AT_ONCE, 2 * AT_ONCE} <= set(others)
