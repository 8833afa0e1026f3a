"""The store as a cluster, and as a group that Sentinels watch; both real."""

import asyncio
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from services.chassis.stores import (
    Script,
    StoreUnavailable,
    StoreUnreachable,
    open_store,
)
from services.chassis.telemetry import fresh_metrics
from tests.certificates import Authority
from tests.groups import a_cluster, a_watched_group
from tests.scale import scale
from tests.stores import kinds

GROUPS = {"cluster": a_cluster, "sentinel": a_watched_group}
RECOVERED_WITHIN = 15.0

ADD = Script("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])")
ONCE = Script(
    "once",
    """
    if redis.call('SADD', KEYS[1], ARGV[1]) == 1 then redis.call('INCR', KEYS[2]) end
    return redis.call('GET', KEYS[2])
    """,
)
TELL = Script("tell", "return redis.call('PUBLISH', ARGV[1], ARGV[2])")


@contextmanager
def a_group(kind, program, tls=None):
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        GROUPS[kind](kinds()[program], Path(folder), tls) as group,
    ):
        yield group


@pytest.fixture(scope="module", params=sorted(kinds()))
def cluster(request):
    with a_group("cluster", request.param) as group:
        yield group


@pytest.fixture(scope="module", params=GROUPS)
def calm(request):
    """One to which no harm is done."""
    with a_group(request.param, "valkey") as group:
        yield group


@pytest.fixture
def group(kind):
    """One's own, to do harm to."""
    with a_group(kind, "valkey") as group:
        yield group


def on(small):
    """On this kind of group, and at full scale on the others as well."""
    return pytest.mark.parametrize("kind", GROUPS if scale() else [small])


@pytest.fixture
def metrics():
    return fresh_metrics()


@pytest.fixture
def read(metrics):
    return lambda name: metrics.registry.get_sample_value(f"anpai_{name}")


@pytest.fixture
async def engine(cluster, metrics):
    """The cluster as the engine's user."""
    cluster.forget_all()
    store = await open_store(cluster.url_of("engine"), metrics)
    yield store
    await store.close()


async def insist(store, script, keys, args):
    """As clients do: again with the same id until somebody knows."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await store.pipeline.call(script, keys, args)
            except StoreUnavailable:
                await asyncio.sleep(0.05)


# ---- a cluster -----------------------------------------------------------------------


async def test_what_is_called_at_once_goes_to_each_primary_at_once(engine, read):
    keys = [f"engine:{{{number}}}:sum" for number in range(100)]

    sums = await asyncio.gather(*(engine.pipeline.call(ADD, [k], [2]) for k in keys))

    assert sums == [2] * 100
    assert read("store_batch_count") == 3
    assert read("store_batch_sum") == 100


async def test_a_cluster_of_which_a_part_is_away_still_answers(metrics):
    """Whoever has his keys there waits; nobody is sent away for it."""
    with a_group("cluster", "valkey") as group:
        store = await open_store(group.url_of("engine"), metrics)
        led = await asyncio.to_thread(group.primaries)
        for node in led[:2]:
            node.freeze()

        async with asyncio.timeout(10):
            await store.ping()

        for node in led[:2]:
            node.thaw()
        await store.close()


async def test_reads_and_writes_find_the_same_key(engine):
    await engine.pipeline.call(ADD, ["engine:{a}:sum"], [7])

    assert await engine.reading.call(ADD, ["engine:{a}:sum"], [0]) == 7
    assert await engine.redis.get("engine:{a}:sum") == b"7"


async def test_a_service_reaches_its_own_keys_alone(engine):
    with pytest.raises(ResponseError, match="permission"):
        await engine.pipeline.call(ADD, ["vault:{a}:sum"], [1])


async def test_keys_of_two_slots_are_refused_by_the_store(engine):
    with pytest.raises(ResponseError, match="slot"):
        await engine.pipeline.call(ONCE, ["engine:{a}", "engine:{b}"], ["id"])


async def test_each_node_is_told_its_scripts_again_when_it_forgot_them(engine, cluster):
    keys = [f"engine:{{{number}}}:sum" for number in range(20)]
    await asyncio.gather(*(engine.pipeline.call(ADD, [k], [1]) for k in keys))

    for node in cluster.primaries():
        with node.client() as client:
            client.script_flush()

    sums = await asyncio.gather(*(engine.pipeline.call(ADD, [k], [1]) for k in keys))
    assert sums == [2] * 20


async def test_a_slot_that_moves_is_followed_while_it_moves_and_after(engine, cluster):
    key, other = "engine:{a}:sum", "engine:{a}:other"
    await engine.pipeline.call(ADD, [key], [1])

    with cluster.moving(key) as move:
        assert await engine.pipeline.call(ADD, [key], [1]) == 2  # still where it was
        assert await engine.pipeline.call(ADD, [other], [1]) == 1  # new ones are there
        assert await engine.pipeline.call(ADD, [other], [1]) == 2
        with pytest.raises(StoreUnavailable):  # one here, one there
            await engine.pipeline.call(ONCE, [key, other], ["id"])
        move(key)
        assert await engine.pipeline.call(ADD, [key], [1]) == 3

    assert await engine.pipeline.call(ADD, [key], [1]) == 4
    assert await engine.pipeline.call(ADD, [other], [1]) == 3


# ---- both ----------------------------------------------------------------------------


@on("cluster")
async def test_t54_t55_counters_are_exact_after_the_primary_died(group, metrics, read):
    """Whoever waits for a replica finds all that was confirmed."""
    keys = ["engine:{a}:ids", "engine:{a}:sum"]
    store = await open_store(group.url_of("engine"), metrics, replicas=1)
    primary = await asyncio.to_thread(group.primary_of, keys[0])

    async def add(writer):
        for number in range(20):
            await insist(store, ONCE, keys, [f"{writer}-{number}"])
            await asyncio.sleep(0.02)

    adding = asyncio.gather(*(add(writer) for writer in range(10)))
    await asyncio.sleep(0.2)
    primary.kill()
    await asyncio.to_thread(group.wait_for_another, primary, keys[0])
    primary.start()
    async with asyncio.timeout(RECOVERED_WITHIN):
        await adding

    assert await store.reading.call(ADD, [keys[1]], [0]) == 200
    assert read("store_failovers_total") == 1
    await store.close()


@on("sentinel")
async def test_t54_a_primary_that_hangs_is_left_for_the_one_that_took_over(
    group, metrics, read
):
    key = "engine:{a}:sum"
    store = await open_store(group.url_of("engine"), metrics)
    await store.pipeline.call(ADD, [key], [1])
    await store.reading.call(ADD, [key], [0])
    primary = await asyncio.to_thread(group.primary_of, key)

    primary.freeze()
    async with asyncio.timeout(RECOVERED_WITHIN):
        sums = await insist(store, ADD, [key], [1])
    primary.thaw()

    assert sums >= 2
    assert await store.reading.call(ADD, [key], [0]) == sums
    assert await store.redis.get(key) == b"%d" % sums
    assert read("store_failovers_total") == 1
    await store.close()


@on("cluster")
async def test_a_channel_is_heard_before_and_after_a_failover(group, metrics):
    store = await open_store(group.url_of("engine"), metrics)
    primary = await asyncio.to_thread(group.primary_of, "engine:{queue}:changed")

    assert await hears(store, "engine:{queue}:changed")
    primary.kill()
    await asyncio.to_thread(group.wait_for_another, primary, "engine:{queue}:changed")
    await insist(store, ADD, ["engine:{queue}:sum"], [1])

    assert await hears(store, "engine:{queue}:changed")
    await store.close()


async def hears(store, channel):
    async with store.heard(channel) as heard:
        await insist(store, TELL, [channel], [channel, "news"])
        async with asyncio.timeout(20):
            while (message := await heard.get_message(timeout=5)) is not None:
                if message["type"] == "message":
                    return message["data"] == b"news"
    return False


async def test_without_waiting_for_replicas_the_operator_is_warned(calm, logged):
    store = await open_store(calm.url_of("engine"), fresh_metrics())
    await store.close()

    assert any("ANPAI_REPLICAS is 0" in line for line in logged())


# Valkey's wheel was built without TLS.
@pytest.mark.skipif("redis" not in kinds(), reason="there is no redis-server")
@on("sentinel")
async def test_a_group_may_be_reached_by_tls_alone(kind, tmp_path, metrics):
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "a stranger")
    with a_group(kind, "redis", authority) as group:
        assert group.url.startswith(f"rediss+{kind}://")
        trusting = group.url.replace(str(authority.file), str(stranger.file))
        assert "certificate verify failed" in await refusal_of(trusting)
        store = await open_store(group.url_of("engine"), metrics, replicas=1)
        keys = [f"engine:{{{number}}}:sum" for number in range(20)]

        calls = [insist(store, ADD, [key], [2]) for key in keys]

        assert await asyncio.gather(*calls) == [2] * 20
        assert await store.redis.get(keys[0]) == b"2"
        assert await hears(store, "engine:{queue}:changed")
        await store.close()


# ---- sentences -----------------------------------------------------------------------


async def refusal_of(url):
    with pytest.raises(StoreUnreachable) as error:
        await open_store(url, fresh_metrics(), patience=0)
    return str(error.value)


async def test_a_wrong_password_is_said_at_the_start(calm):
    sentence = await refusal_of(calm.url_of("engine").replace("engine-word", "hunter2"))

    assert sentence.startswith(f"No store answers at {calm.scheme}://127.0.0.1:")
    assert "invalid username-password pair" in sentence
    assert "hunter2" not in sentence


@pytest.mark.parametrize("kind", ["redis+cluster://{}", "redis+sentinel://{}/anpai"])
async def test_nobody_there_is_said_at_the_start(kind):
    url = kind.format("engine:hunter2@127.0.0.1:1,127.0.0.1:2")

    sentence = await refusal_of(url)

    assert sentence.startswith(
        f"No store answers at {kind.format('127.0.0.1:1,')}"[:40]
    )
    assert "hunter2" not in sentence


async def test_a_node_of_a_cluster_is_not_taken_for_a_store(cluster):
    node = cluster.nodes[0].address

    sentence = await refusal_of(f"redis://engine:engine-word@{node}")

    assert sentence == (
        f"redis://{node} is a node of a cluster. ANPAI_REDIS_URL must begin with "
        "redis+cluster:// (or rediss+cluster://)."
    )


async def test_what_is_watched_is_taken_neither_for_another_nor_for_a_cluster():
    with a_group("sentinel", "valkey") as group:
        sentence = await refusal_of(group.url.replace("/anpai/", "/another/"))
        node = group.nodes[0].address
        other = await refusal_of(f"redis+cluster://engine:engine-word@{node}")

    assert "no Sentinel knows who leads another" in sentence
    assert "cluster support disabled" in other
