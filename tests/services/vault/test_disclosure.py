"""A game over: everything is told, and nothing resolves any more."""

import asyncio

import grpc
import pytest
import redis
import redis.asyncio

from anpai.vault.v1 import vault_service_pb2 as vault
from services.chassis.errors import AnpaiError
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.local.verify import verify
from services.vault.chain import next_head
from services.vault.faces import Epoch, Faces
from services.vault.sealing import HeldMasterKey
from tests.services.vault.conftest import MASTER_KEY
from tests.services.vault.played import Played
from tests.services.vault.worker import ROLL, digest

STOPPED_MS = 90 * 24 * 3600 * 1000


@pytest.fixture
async def played(worker):
    """A game that a worker has played to its end, not disclosed yet."""
    opened = await worker.open("t")
    game = Played(worker, opened.veil)
    await game.to_the_end()
    return game


async def test_a_game_played_on_the_vault_can_be_checked_by_anybody(worker, played):
    await played.disclose()

    report = verify(await worker.audit("GetDisclosure"), commitment=worker.commitment)

    assert report.problem == ""
    assert report.outcome == played.play.outcome
    assert report.entries == len(played.entries)


async def test_another_worker_goes_on_where_a_vault_forgot(worker, rival, played):
    """Every batch resolves alike when its table is made anew from the ledger."""
    await rival.take_over(2, played.play.head)

    ledger = await rival.ledger()

    assert ledger[-1].head == played.play.head


async def test_nothing_is_told_before_the_outcome(worker):  # F10
    await worker.play("a")

    with pytest.raises(AnpaiError) as refused:
        await worker.audit("GetDisclosure")

    assert refused.value.reason == "NOT_DISCLOSED"


async def test_nothing_resolves_after_a_disclosure(worker):
    heads = await worker.play("a")
    await worker.disclose(heads[0])

    late = await worker.resolve(heads[0], "b", ROLL)

    assert late.refusal == "DISCLOSED_ALREADY"


async def test_a_disclosure_again_changes_nothing(worker):
    heads = await worker.play("a")
    await worker.disclose(heads[0], journal=["[1]"])
    first = await worker.audit("GetDisclosure")

    await worker.disclose(heads[0], journal=["[2]"])

    assert await worker.audit("GetDisclosure") == first


async def test_what_is_disclosed_goes_away_by_itself_and_what_is_played_does_not(
    worker, valkey
):
    heads = await worker.play("a")
    kinds = ("about", "heads", "ledger", "disclosure")
    with redis.Redis.from_url(valkey) as store:
        assert [store.ttl(f"vault:{{t}}:{kind}") for kind in kinds[:3]] == [-1] * 3

        await worker.disclose(heads[0])

        day = 24 * 3600
        left = [store.ttl(f"vault:{{t}}:{kind}") for kind in kinds]
        assert all(29 * day < seconds <= 30 * day for seconds in left)


async def test_only_the_worker_that_has_the_table_discloses(worker, rival):
    heads = await worker.play("a")
    await rival.take_over(2, heads[0])

    with pytest.raises(AnpaiError) as refused:
        await worker.disclose(heads[0])

    assert refused.value.reason == "EPOCH_REFUSED"


async def test_a_ledger_that_went_on_is_not_disclosed(worker):
    heads = await worker.play("a", "b")

    with pytest.raises(AnpaiError) as refused:
        await worker.disclose(heads[0])

    assert refused.value.reason == "HEAD_REFUSED"


async def test_a_ledger_that_goes_on_meanwhile_is_not_disclosed(worker, valkey):
    """The store judges what was read: between reading and telling anything may come."""
    heads = await worker.play("a", "b")
    store = await open_store(valkey, fresh_metrics())
    faces = Faces(store, HeldMasterKey(MASTER_KEY))

    with pytest.raises(AnpaiError) as refused:
        await faces.disclose("t", Epoch(1, "mine"), heads[0], "read before b")
    await store.close()

    assert refused.value.reason == "HEAD_REFUSED"


async def test_a_disclosed_table_can_still_be_read_back(worker, rival):
    heads = await worker.play("a", "b")
    await worker.disclose(heads[1])

    assert (await rival.take_over(2, heads[1])).head_known
    assert [one.head for one in await rival.ledger()] == heads


# ---- in parts ------------------------------------------------------------------------


async def test_what_is_told_in_parts_is_as_if_it_had_been_told_at_once(worker, valkey):
    heads = await worker.play("a")
    await worker.disclose(heads[0], journal=["[1]", "[2]"], events=["[3]", "[4]"])
    at_once = await worker.audit("GetDisclosure")
    with redis.Redis.from_url(valkey) as store:
        store.hdel("vault:{t}:about", "disclosed")
        store.delete("vault:{t}:disclosure")

    await worker.disclose_in_parts(
        heads[0],
        {"journal": ["[1]"]},
        {"journal": ["[2]"], "events": ["[3]"]},
        {},
        {"events": ["[4]"]},
    )

    assert await worker.audit("GetDisclosure") == at_once


async def test_nothing_is_disclosed_by_parts_that_break_off(worker):
    heads = await worker.play("a", "b")
    with pytest.raises(AnpaiError) as refused:
        await worker.disclose_in_parts(heads[0], {"journal": ["[1]"]}, {})
    assert refused.value.reason == "HEAD_REFUSED"

    async def breaks_off():
        yield vault.DiscloseInPartsRequest(
            table_id="t", epoch=worker.epoch, head=heads[1]
        )
        raise RuntimeError

    with pytest.raises((AnpaiError, asyncio.CancelledError, grpc.aio.AioRpcError)):
        await worker.call("DiscloseInParts", breaks_off())

    with pytest.raises(AnpaiError) as refused:
        await worker.audit("GetDisclosure")
    assert refused.value.reason == "NOT_DISCLOSED"


async def test_parts_that_name_no_table_are_of_none(worker):
    for parts in ((), ({"journal": ["[1]"]},)):
        requests = (vault.DiscloseInPartsRequest(**part) for part in parts)
        with pytest.raises(AnpaiError) as refused:
            await worker.call("DiscloseInParts", requests)
        assert refused.value.reason == "TABLE_NOT_FOUND"


# ---- stopped tables ------------------------------------------------------------------


async def test_a_stopped_table_goes_away_some_day_and_stays_sealed(worker, valkey):
    await worker.play("a", "b")
    assert set((await lifetimes(valkey)).values()) == {-1}

    await worker.stop()
    left = await lifetimes(valkey)
    await worker.stop()

    assert set(left) == {"about", "heads", "ledger"}
    assert all(STOPPED_MS - 60_000 < each <= STOPPED_MS for each in left.values())
    assert all(now <= left[kind] for kind, now in (await lifetimes(valkey)).items())
    with pytest.raises(AnpaiError) as refused:
        await worker.audit("GetDisclosure")
    assert refused.value.reason == "NOT_DISCLOSED"


async def test_a_stopped_table_that_is_taken_over_all_the_same_stays(
    worker, rival, valkey
):
    """The engine's store has failed over and lost that it was stopped."""
    heads = await worker.play("a", "b")
    await worker.stop()

    await rival.take_over(2, heads[1])

    assert set((await lifetimes(valkey)).values()) == {-1}


async def test_a_disclosed_table_goes_when_it_would_have_gone(worker, rival, valkey):
    heads = await worker.play("a", "b")
    await worker.disclose(heads[1])
    before = await lifetimes(valkey)

    await worker.stop()
    await rival.take_over(2, heads[1])

    after = await lifetimes(valkey)
    assert after.keys() == before.keys() == {"about", "disclosure", "heads", "ledger"}
    assert all(0 < after[kind] <= before[kind] for kind in before)


async def test_a_stopped_table_that_is_disclosed_after_all_goes_whole(worker, valkey):
    heads = await worker.play("a")
    await worker.stop()

    await worker.disclose(heads[0])

    left = await lifetimes(valkey)
    assert set(left) == {"about", "disclosure", "heads", "ledger"}
    assert all(0 < each <= STOPPED_MS / 3 for each in left.values())


async def test_a_table_nobody_has_is_stopped_for_nothing(worker, valkey):
    await worker.play("a")
    before = await lifetimes(valkey)
    worker.table = "t-none"

    await worker.stop()

    assert await lifetimes(valkey) == before


async def lifetimes(valkey):
    """How many milliseconds each key of the table has left; -1: for ever."""
    async with redis.asyncio.from_url(valkey) as store:
        return {
            key.decode().rpartition(":")[2]: await store.pttl(key)
            async for key in store.scan_iter("vault:{t}:*")
        }


async def test_anybody_may_ask_how_far_the_ledger_goes(worker):
    heads = await worker.play("a", "b")
    worker.committed = heads[0]
    await worker.resolve(heads[1], "c", ROLL)

    told = await worker.audit("GetLedgerHead")

    assert (told.head, told.length) == (heads[0], 1)
    commitment = (await worker.audit("GetCommitment")).commitment
    assert commitment == worker.commitment


@pytest.mark.parametrize("method", ["GetCommitment", "GetLedgerHead", "GetDisclosure"])
async def test_of_a_table_nobody_opened_there_is_nothing(worker, method):
    worker.table = "nobody's"

    with pytest.raises(AnpaiError) as refused:
        await worker.audit(method)

    assert refused.value.reason == "TABLE_NOT_FOUND"


@pytest.mark.parametrize("method", ["GetCommitment", "GetLedgerHead", "GetDisclosure"])
async def test_a_name_no_table_could_have_is_not_repeated(worker, method):
    """What a refusal says travels in a trailer, and there is no room for more."""
    worker.table = "t" * 50_000

    with pytest.raises(AnpaiError) as refused:
        await worker.audit(method)

    assert refused.value.reason == "TABLE_NOT_FOUND"


async def test_the_last_head_is_what_the_batches_chain_to(worker):
    heads = await worker.play("a", "b")

    first = next_head(worker.commitment, digest("a"))

    assert heads == [first, next_head(first, digest("b"))]
