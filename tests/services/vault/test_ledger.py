"""Takeover and Resolve against a real store: what protocol_faults.md has taught."""

import pytest
import redis

from services.chassis.errors import AnpaiError
from services.vault.chain import next_head
from tests.services.vault.worker import BEGIN, BUILD, ROLL, digest, draw


async def test_a_seed_is_never_drawn_again(worker):
    first = worker.commitment

    assert (await worker.open("t")).commitment == first


async def test_a_table_that_is_opened_and_never_begun_goes_within_a_day(rival, valkey):
    await rival.open("u")
    waiting = lasting(valkey, "u")

    await rival.take_over(1, rival.commitment)

    assert waiting
    assert all(0 < seconds <= 24 * 3600 for seconds in waiting)
    assert set(lasting(valkey, "u")) == {-1}


async def test_nobody_writes_for_a_table_that_he_has_not_taken_over(rival, valkey):
    await rival.open("u")

    reply = await rival.resolve(rival.commitment, "a", BEGIN)
    with pytest.raises(AnpaiError) as refused:
        await rival.disclose(rival.commitment)

    assert reply.refusal == refused.value.reason == "EPOCH_REFUSED"
    assert all(seconds > 0 for seconds in lasting(valkey, "u"))


def lasting(url, table):
    """The seconds that each key of a table has left; -1 for ever."""
    with redis.Redis.from_url(url) as store:
        return [store.ttl(key) for key in store.scan_iter(f"vault:{{{table}}}:*")]


async def test_a_late_copy_of_a_takeover_cuts_nothing(worker):  # F1
    heads = await worker.play("a")

    await worker.take_over(1, worker.commitment)

    assert (await worker.resolve(heads[0], "b", ROLL)).refusal == ""


async def test_the_same_takeover_gets_the_same_reply(worker):
    heads = await worker.play("a", "b")
    first = await worker.take_over(2, heads[0])
    await worker.resolve(heads[0], "c", ROLL)

    assert await worker.take_over(2, heads[0]) == first


async def test_a_late_batch_of_a_dropped_attempt_cuts_nothing(worker):  # F2
    heads = await worker.play("a", "y")

    late = await worker.resolve(heads[0], "x", ROLL)

    assert late.refusal == "HEAD_REFUSED"
    assert (await worker.take_over(2, heads[1])).head_known


async def test_an_old_takeover_is_refused_and_told_the_epoch(worker, rival):  # F3
    await rival.take_over(2, worker.commitment)

    with pytest.raises(AnpaiError) as refused:
        await worker.take_over(1, worker.commitment)

    assert refused.value.reason == "EPOCH_REFUSED"
    assert refused.value.metadata["epoch"] == "2"


async def test_the_same_number_with_another_token_is_refused(worker, rival):
    with pytest.raises(AnpaiError) as refused:
        await rival.take_over(1, worker.commitment)

    assert refused.value.metadata["epoch"] == "1"


async def test_a_worker_that_lost_the_table_resolves_nothing(worker, rival):
    heads = await worker.play("a")
    await rival.take_over(5, heads[0])

    late = await worker.resolve(heads[0], "b", ROLL)

    assert (late.refusal, late.epoch_in_force.number) == ("EPOCH_REFUSED", 5)
    assert not late.results


async def test_a_reply_names_its_batch(worker):  # F4
    sent = worker.batch(worker.commitment, "a", BEGIN)

    (reply,) = await worker.send(sent)

    told = (reply.table_id, reply.epoch, reply.head, reply.digest)
    assert told == (sent.table_id, sent.epoch, sent.head, sent.digest)


async def test_a_takeover_cuts_what_was_never_committed(worker, rival):
    heads = await worker.play("a", "b", "c")
    await rival.take_over(2, heads[0])

    assert len(await rival.ledger()) == 1
    gone = await rival.resolve(heads[1], "c", ROLL)
    assert gone.refusal == "HEAD_REFUSED"


async def test_a_batch_that_was_cut_gives_the_same_again(worker, rival):
    head = worker.commitment
    first = await worker.resolve(head, "a", BEGIN, BUILD, draw(7, 0, 1), ROLL)
    await rival.take_over(2, head)

    again = await rival.resolve(head, "a", BEGIN, BUILD, draw(7, 0, 1), ROLL)

    assert again.results == first.results


async def test_another_past_gives_another_roll(worker, rival):  # F14
    first = await worker.resolve(worker.commitment, "a", BEGIN, ROLL)
    await rival.take_over(2, worker.commitment)

    other = await rival.resolve(worker.commitment, "b", BEGIN, ROLL)

    assert other.results[1].numbers != first.results[1].numbers


async def test_a_repeated_batch_gets_what_was_recorded(worker):
    head = worker.commitment
    first = await worker.resolve(head, "a", BEGIN, BUILD, draw(3, -1))
    await worker.resolve(next_head(head, digest("a")), "b", ROLL)

    again = await worker.resolve(head, "a", BEGIN, BUILD, draw(3, -1))

    assert again == first


async def test_a_head_the_vault_has_lost_leaves_what_was_named(worker, rival):
    heads = await worker.play("a")
    worker.committed = heads[0]
    await worker.resolve(heads[0], "b", ROLL)

    taken = await rival.take_over(2, digest("a head of batches that are lost"))

    assert not taken.head_known
    assert (taken.known_head, taken.length) == (heads[0], 1)


async def test_lost_batches_are_sent_again_and_resolve_as_before(worker, rival):
    heads = await worker.play("a", "b")
    worker.committed = heads[0]
    first = await worker.resolve(heads[1], "c", ROLL)
    await rival.take_over(2, digest("lost"))

    await rival.resolve(heads[0], "b", draw(1, 0), ROLL)
    again = await rival.resolve(heads[1], "c", ROLL)

    assert again.results == first.results


async def test_a_journal_shorter_than_the_ledger_was_told_is_flagged(worker, rival):
    heads = await worker.play("a", "b")
    worker.committed = heads[1]
    await worker.resolve(heads[1], "c", ROLL)

    with pytest.raises(AnpaiError) as refused:
        await rival.take_over(2, heads[0])

    assert refused.value.reason == "JOURNAL_LOST"


async def test_a_worker_reads_back_what_it_took_over(worker, rival):
    heads = await worker.play("a", "b", "c")
    await rival.take_over(2, heads[1])
    await rival.resolve(heads[1], "d", ROLL)

    assert [one.head for one in await rival.ledger()] == heads[:2]


async def test_the_ledger_is_not_read_under_an_old_epoch(worker, rival):
    await rival.take_over(2, worker.commitment)

    with pytest.raises(AnpaiError) as refused:
        await worker.ledger()

    assert refused.value.reason == "EPOCH_REFUSED"


async def test_a_head_that_was_cut_is_known_no_more(worker, rival):
    heads = await worker.play("a", "b")
    await worker.take_over(2, heads[0])
    await worker.resolve(heads[0], "c", ROLL)

    assert not (await rival.take_over(3, heads[1])).head_known


async def test_what_was_named_as_committed_stays_so(worker, rival):
    heads = await worker.play("a", "b")
    worker.committed = heads[1]
    await worker.resolve(heads[1], "c", ROLL)
    worker.committed = heads[0]
    await worker.resolve(heads[1], "c", ROLL)

    with pytest.raises(AnpaiError) as refused:
        await rival.take_over(2, heads[0])

    assert refused.value.reason == "JOURNAL_LOST"
