"""Links to the store that are slow, cut or deaf: nobody gets another's reply, and what
is counted is counted once."""

import asyncio
import random

import pytest

from services.chassis.stores import Script, StoreUnavailable, open_store
from services.chassis.telemetry import fresh_metrics
from tests.proxy import Proxy
from tests.scale import scaled

ECHO = Script("echo", "return ARGV[1]")
SET = Script("set", "redis.call('SET', KEYS[1], ARGV[1]) return ARGV[1]")
ONCE = Script(
    "once",
    """
    if redis.call('SADD', KEYS[1], ARGV[1]) == 1 then redis.call('INCR', KEYS[2]) end
    return redis.call('GET', KEYS[2])
    """,
)


@pytest.fixture
async def proxy(valkey):
    async with Proxy(valkey, seed=7) as proxy:
        yield proxy


@pytest.fixture
async def store(proxy):
    store = await open_store(f"redis://{proxy.address}", fresh_metrics())
    yield store
    await store.close()


async def insist(store, script, keys, args):
    """As clients do: again with the same id until somebody knows."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await store.pipeline.call(script, keys, args)
            except StoreUnavailable:
                await asyncio.sleep(0.01)


async def test_t09_each_of_a_thousand_callers_gets_his_own_reply(store, proxy):
    """One in three changes his mind at a random moment; what the others get is theirs,
    by scripts and by single commands."""
    proxy.faults.delay = 0.1
    chance = random.Random(9)
    callers = [asyncio.create_task(calls(store, number)) for number in range(1000)]
    for caller in chance.sample(callers, 333):
        asyncio.get_running_loop().call_later(chance.uniform(0, 1), caller.cancel)

    await asyncio.wait(callers)

    stayed = [caller.result() for caller in callers if not caller.cancelled()]
    assert len(stayed) >= 667
    assert all(stayed)


async def calls(store, number):
    """Whether every reply was one's own."""
    mine = b"%d" % number
    for _ in range(scaled(3, 20)):
        key = f"of-{number}"
        heard = [
            await store.pipeline.call(SET, [key], [mine]),
            await store.reading.call(ECHO, [], [mine]),
            await store.redis.get(key) if number % 10 == 0 else mine,
        ]
        if heard != [mine] * 3:
            return False
    return True


async def test_t19_counters_are_exact_although_replies_are_lost_at_random(store, proxy):
    """However many writers share a reply that is lost: until enough were."""
    proxy.faults.deaf = 0.2
    writers, each = 20, scaled(15, 200)

    async def write(writer):
        number = 0
        while number < each or proxy.cuts <= 10:
            await insist(store, ONCE, ["ids", "sum"], [f"{writer}-{number}"])
            await asyncio.sleep(0.001 * writer)
            number += 1
        return number

    written = await asyncio.gather(*map(write, range(writers)))

    proxy.faults.deaf = 0.0
    assert await store.redis.get("sum") == b"%d" % sum(written)


async def test_t19_what_redis_py_would_do_twice_is_done_at_most_once(store, proxy):
    """A plain count, that no id guards: each call adds one or nothing."""
    add = Script("add", "return redis.call('INCR', KEYS[1])")
    proxy.faults.deaf = 0.3
    heard = 0
    for _ in range(scaled(60, 500)):
        try:
            await store.pipeline.call(add, ["sum"])
            heard += 1
        except StoreUnavailable:
            pass
    proxy.faults.deaf = 0.0

    sum_ = int(await store.redis.get("sum"))
    assert heard < sum_ <= heard + proxy.cuts
