import asyncio
import gc

import pytest
from redis.exceptions import ConnectionError, ResponseError, TimeoutError

from services.chassis.stores import (
    Pipeline,
    Script,
    StoreUnavailable,
    StoreUnreachable,
    StoreUrl,
    open_store,
    patiently,
    primaries_at,
)
from services.chassis.stores.line import Line
from services.chassis.stores.primaries import hang_up
from services.chassis.telemetry import fresh_metrics
from tests.proxy import Proxy

ADD = Script("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])")
FAIL = Script("fail", "return redis.error_reply('STALE not now')")


@pytest.fixture
def metrics():
    return fresh_metrics()


@pytest.fixture
async def store(valkey, metrics):
    store = await open_store(valkey, metrics)
    yield store
    await store.close()


async def test_calls_of_one_turn_travel_together(store, metrics):
    calls = [store.pipeline.call(ADD, ["sum"], [1]) for _ in range(100)]

    assert await asyncio.gather(*calls) == list(range(1, 101))
    assert metrics.registry.get_sample_value("anpai_store_batch_count") == 1


async def test_each_call_has_its_own_result_or_error(store):
    calls = [
        store.pipeline.call(ADD, ["sum"], [1]),
        store.pipeline.call(FAIL),
        store.pipeline.call(ADD, ["sum"], [1]),
    ]

    one, error, two = await asyncio.gather(*calls, return_exceptions=True)

    assert (one, two) == (1, 2)
    assert isinstance(error, ResponseError)
    assert str(error) == "STALE not now"


async def test_a_store_that_forgot_its_scripts_is_told_them_again(store):
    await store.pipeline.call(ADD, ["sum"], [1])

    await store.redis.script_flush()

    assert await store.pipeline.call(ADD, ["sum"], [1]) == 2


async def test_a_call_that_cannot_be_sent_holds_up_none_that_comes_after_it(
    store, logged
):
    """A mistake of ours: what is no argument, such as None."""
    wrong = store.pipeline.call(ADD, ["sum"], [None])
    await asyncio.sleep(0)
    after = store.pipeline.call(ADD, ["sum"], [1])

    with pytest.raises(StoreUnavailable):
        await wrong
    async with asyncio.timeout(10):
        assert await after == 1
    assert any("incident" in line and "TypeError" in line for line in logged())


async def test_a_call_nobody_waits_for_any_more_is_done_all_the_same(store):
    store.pipeline.call(ADD, ["sum"], [5]).cancel()

    await store.close()

    assert await store.redis.get("sum") == b"5"


async def test_what_nobody_hears_of_any_more_is_no_stray_error(own_store, metrics):
    strays = []
    asyncio.get_running_loop().set_exception_handler(lambda _, it: strays.append(it))
    store = await open_store(own_store.url, metrics)
    own_store.kill()

    store.pipeline.call(ADD, ["sum"], [1])
    await store.close()
    gc.collect()

    assert strays == []


async def test_a_wire_that_breaks_as_it_is_made_is_a_store_that_is_away():
    class Closed:
        is_connected = False

        async def connect(self):
            raise RuntimeError("unable to perform operation; the handler is closed")

        async def disconnect(self, nowait):
            pass

    async def dial():
        return Closed()

    with pytest.raises(ConnectionError):
        await Line(dial, 1.0).exchange([("PING",)])


async def test_one_that_does_not_let_go_keeps_nobody_from_hanging_up():
    """As redis-py says of TLS to a host that stands still."""
    hung_up = []

    class Client:
        def __init__(self, name):
            self.connection_pool, self._name = self, name

        async def disconnect(self):
            hung_up.append(self._name)
            if self._name == "stands still":
                raise TimeoutError("Timed out closing connection after 2")

    await hang_up([Client("stands still"), Client("listens")])

    assert hung_up == ["stands still", "listens"]


async def test_who_starts_asks_a_store_again_that_breaks_off():
    answers = [StoreUnavailable(), StoreUnavailable(), "well"]

    async def ask():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert await patiently(ask) == "well"
    answers[:] = [StoreUnavailable()]
    with pytest.raises(StoreUnreachable, match="breaks off"):
        await patiently(ask, patience=0)


async def test_a_lost_reply_is_never_a_second_write(valkey, metrics):
    async with Proxy(valkey) as proxy:
        store = await open_store(f"redis://{proxy.address}", metrics)
        await store.pipeline.call(ADD, ["sum"], [1])

        proxy.faults.deaf = 1.0
        with pytest.raises(StoreUnavailable):
            await store.pipeline.call(ADD, ["sum"], [1])
        proxy.faults.deaf = 0.0

        assert await store.pipeline.call(ADD, ["sum"], [0]) == 2
        await store.close()


async def test_after_a_restart_of_the_store_writing_goes_on(own_store, metrics):
    store = await open_store(own_store.url, metrics)
    await store.pipeline.call(ADD, ["sum"], [1])

    own_store.kill()
    with pytest.raises(StoreUnavailable):
        await store.pipeline.call(ADD, ["sum"], [1])
    own_store.start()

    assert await store.pipeline.call(ADD, ["sum"], [1]) == 2
    await store.close()


async def test_without_enough_replicas_nothing_is_confirmed(valkey, metrics):
    primaries = primaries_at(StoreUrl.parse(valkey), metrics)
    pipeline = Pipeline(primaries, metrics, replicas=1)

    done, refused = pipeline.call(ADD, ["sum"], [1]), pipeline.call(FAIL)

    with pytest.raises(StoreUnavailable):
        await done
    with pytest.raises(ResponseError, match="STALE"):
        await refused
    await pipeline.close()


async def test_replicas_that_are_not_there_are_missed_at_the_start(
    valkey, metrics, logged
):
    store = await open_store(valkey, metrics, replicas=1)
    await store.close()

    assert any("fewer replicas confirm" in line for line in logged())


async def test_a_demoted_store_is_one_that_does_not_answer(own_store, metrics):
    store = await open_store(own_store.url, metrics)
    await store.redis.execute_command("REPLICAOF", "127.0.0.1", "1")

    with pytest.raises(StoreUnavailable):
        await store.pipeline.call(ADD, ["sum"], [1])

    await store.redis.execute_command("REPLICAOF", "NO", "ONE")
    assert await store.pipeline.call(ADD, ["sum"], [1]) == 1
    await store.close()


@pytest.mark.parametrize(
    ("setting", "bad", "good"),
    [("min-replicas-to-write", "1", "0"), ("maxmemory", "1", "0")],
)
async def test_a_store_that_refuses_to_write_is_one_that_does_not_answer(
    store, setting, bad, good
):
    """It was cut off from its replicas, or is full; it has done nothing."""
    await store.redis.config_set(setting, bad)
    try:
        with pytest.raises(StoreUnavailable):
            await store.pipeline.call(ADD, ["sum"], [1])
    finally:  # the next test has the same store
        await store.redis.config_set(setting, good)

    assert await store.pipeline.call(ADD, ["sum"], [1]) == 1


async def test_a_store_that_is_not_there_is_named_without_its_password(metrics):
    url = "redis://engine:hunter2@127.0.0.1:1/0"

    with pytest.raises(StoreUnreachable) as error:
        await open_store(url, metrics, patience=0)

    assert "No store answers at redis://127.0.0.1:1/0" in str(error.value)
    assert "hunter2" not in str(error.value)
