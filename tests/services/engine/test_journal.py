"""The journal's scripts in a real store, and the twin that stands for them."""

import asyncio
import time
from dataclasses import replace

import pytest

from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.engine.deadlines import StoredDeadlines
from services.engine.journal import Flagged, Owned, StoredJournal, Taken, Worker
from services.engine.kernel.entry import START_OF_JOURNAL, Entry, EntryKind, chained
from tests.services.engine.protocol.network import DeadlinesPort, JournalPort
from tests.services.engine.protocol.world import WorkerTwin, World

ANNA, BEN = Worker("anna-1", "anna:1"), Worker("ben-1", "ben:1")
TABLE = "t-1"


def an_entry(before=None, answer_id="", head="a" * 64) -> Entry:
    """Some entry behind another."""
    told = {
        "position": before.position + 1 if before else 1,
        "kind": EntryKind.ANSWER if before else EntryKind.OPEN,
        "seat": 0,
        "answer_id": answer_id,
        "choice": ("a", "b"),
        "revision": 3,
        "head": head,
        "at": 1_700_000_000_000,
        "deadlines": ((0, 1_700_000_060_000),),
        "outcome": None,
        "details": {"name": "暗牌"},
    }
    last = before.hash if before else START_OF_JOURNAL
    return Entry(**told, hash=chained(last, Entry(**told).items()))


FIRST = an_entry()
SECOND = an_entry(FIRST, "second")
THIRD = an_entry(SECOND, "third")


class InStore:
    """The journal in a real store."""

    def __init__(self, store):
        self.store = store
        self.deadlines = StoredDeadlines(store)

    def journal(self, worker):
        return StoredJournal(self.store, worker, lease_ms=60_000)

    async def run_out(self, ago_ms=0):
        """The lease has run out; its worker was last heard of so long ago."""
        seconds, micros = await self.store.redis.time()
        now = seconds * 1000 + micros // 1000
        gone = {"until": now - 1, "alive": now - ago_ms}
        await self.store.redis.hset(f"engine:{{{TABLE}}}:state", mapping=gone)


class Simulated:
    """The twin of the property test."""

    def __init__(self):
        self.world = World()
        self.world.network.calm = True
        self.world.vault.rollbacks = 1  # it has no ledger that could be missing
        self.deadlines = DeadlinesPort(WorkerTwin(self.world, "d"), self.world.store)

    def journal(self, worker):
        twin = WorkerTwin(self.world, worker.id)
        twin.identity = worker
        return JournalPort(twin, self.world.store)

    async def run_out(self, ago_ms=0):
        alive = self.world.time() - ago_ms / 1000
        kept = replace(self.world.store.primary.tables[TABLE], until=0.0, alive=alive)
        self.world.store._put(TABLE, kept)


def since(began):
    """Milliseconds."""
    return (time.monotonic() - began) * 1000


@pytest.fixture
async def store(valkey):
    store = await open_store(valkey, fresh_metrics())
    yield store
    await store.close()


@pytest.fixture(params=["store", "twin"])
def kept(request, store):
    """Both must keep the same promises."""
    return Simulated() if request.param == "twin" else InStore(store)


@pytest.fixture
async def anna(kept):
    journal = kept.journal(ANNA)
    await journal.create(TABLE, FIRST)
    return journal


@pytest.fixture
def ben(kept):
    return kept.journal(BEN)


async def test_a_request_names_one_table_for_ever(anna, ben):
    assert await anna.claim("request", "t-a") == "t-a"
    assert await ben.claim("request", "t-b") == "t-a"


async def test_a_journal_is_begun_once(anna, ben):
    other = an_entry(head="b" * 64)
    assert await ben.create(TABLE, other) is False
    assert await ben.opening(TABLE) == FIRST


async def test_there_is_no_journal_where_none_was_begun(anna):
    assert await anna.opening("t-none") is None
    assert await anna.take_over("t-none", 0) is None


async def test_a_takeover_tells_where_the_journal_stands(anna):
    taken = await anna.take_over(TABLE, 0)
    assert isinstance(taken, Taken)
    assert (taken.position, taken.hash, taken.head) == (1, FIRST.hash, FIRST.head)
    assert taken.epoch.number == 1


async def test_every_takeover_has_a_higher_epoch_and_another_token(anna):
    epochs = [(await anna.take_over(TABLE, hint)).epoch for hint in (0, 0, 7)]
    assert [epoch.number for epoch in epochs] == [1, 2, 8]
    assert len({epoch.token for epoch in epochs}) == 3


async def test_who_has_the_lease_is_told_to_others(anna, ben):
    await anna.take_over(TABLE, 0)
    assert await ben.take_over(TABLE, 99) == Owned("anna:1")


async def test_a_lease_that_ran_out_stops_nobody(kept, anna, ben):
    await anna.take_over(TABLE, 0)
    await kept.run_out()
    assert (await ben.take_over(TABLE, 0)).epoch.number == 2


async def test_a_table_handed_over_is_anybodys_and_its_clocks_go_on(anna, ben):
    taken = await anna.take_over(TABLE, 0)
    assert await anna.release(TABLE, taken.epoch)
    assert (await ben.take_over(TABLE, 0)).owed == 0


async def test_the_time_nobody_was_there_is_owed_until_it_is_paid(kept, anna, ben):
    await anna.take_over(TABLE, 0)
    before = time.monotonic()
    await kept.run_out(ago_ms=60_000)
    owed = (await ben.take_over(TABLE, 0)).owed
    assert 60_000 <= owed < 61_000 + since(before)
    again = await ben.take_over(TABLE, 0)
    assert again.owed == owed
    await ben.append(TABLE, again.epoch, FIRST.hash, SECOND, paid=owed)
    assert (await ben.take_over(TABLE, 0)).owed == 0


async def test_entries_come_back_as_they_were_appended(anna):
    taken = await anna.take_over(TABLE, 0)
    assert await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert await anna.append(TABLE, taken.epoch, SECOND.hash, THIRD)
    assert await anna.read(TABLE, 1, 3) == [FIRST, SECOND, THIRD]
    assert await anna.read(TABLE, 2, 9) == [SECOND, THIRD]


async def test_nothing_is_appended_under_an_epoch_that_is_over(kept, anna, ben):
    old = await anna.take_over(TABLE, 0)
    await kept.run_out()
    await ben.take_over(TABLE, 0)
    assert not await anna.append(TABLE, old.epoch, FIRST.hash, SECOND)
    assert await anna.read(TABLE, 1, 9) == [FIRST]


async def test_nothing_is_appended_behind_another_entry(anna):
    taken = await anna.take_over(TABLE, 0)
    assert await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert not await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert await anna.read(TABLE, 1, 9) == [FIRST, SECOND]


async def test_two_tokens_of_one_epoch_number_are_told_apart(anna):
    taken = await anna.take_over(TABLE, 0)
    forged = taken.epoch._replace(token="another")
    assert not await anna.append(TABLE, forged, FIRST.hash, SECOND)
    assert not await anna.confirm(TABLE, forged, FIRST.hash)


async def test_a_worker_learns_whether_it_still_knows_the_table(anna):
    taken = await anna.take_over(TABLE, 0)
    assert await anna.confirm(TABLE, taken.epoch, FIRST.hash)
    await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert not await anna.confirm(TABLE, taken.epoch, FIRST.hash)


async def test_a_lease_is_renewed_by_its_epoch_alone(kept, anna, ben):
    old = await anna.take_over(TABLE, 0)
    await kept.run_out()
    new = await ben.take_over(TABLE, 0)
    assert await ben.renew(TABLE, new.epoch)
    assert not await anna.renew(TABLE, old.epoch)
    assert not await anna.release(TABLE, old.epoch)


async def test_an_append_prolongs_the_lease(kept, anna, ben):
    taken = await anna.take_over(TABLE, 0)
    await kept.run_out()
    await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert await ben.take_over(TABLE, 0) == Owned("anna:1")


async def test_a_flagged_table_says_why_for_ever(anna, ben):
    taken = await anna.take_over(TABLE, 0)
    assert await anna.flag(TABLE, taken.epoch, "LEDGER_LOST")
    assert not await anna.append(TABLE, taken.epoch, FIRST.hash, SECOND)
    assert not await anna.flag(TABLE, taken.epoch, "JOURNAL_LOST")
    assert await ben.take_over(TABLE, 0) == Flagged("LEDGER_LOST")


async def test_a_flagged_table_is_kept_for_weeks_and_not_for_ever(store):
    anna = StoredJournal(store, ANNA, lease_ms=2000, stopped_days=7)
    await anna.create(TABLE, FIRST)
    taken = await anna.take_over(TABLE, 0)
    assert set(await lifetimes(store)) == {-1}
    await anna.flag(TABLE, taken.epoch, "LEDGER_LOST")
    left = await lifetimes(store)
    assert len(left) == 2
    assert all(0 <= 7 * 24 * 3600 * 1000 - each < 60_000 for each in left)


async def test_a_disclosed_table_that_is_flagged_goes_when_it_would_have_gone(store):
    anna = StoredJournal(store, ANNA, lease_ms=2000, kept_days=1, stopped_days=7)
    await anna.create(TABLE, FIRST)
    taken = await anna.take_over(TABLE, 0)
    await anna.retire(TABLE, taken.epoch)
    await anna.flag(TABLE, taken.epoch, "REPLAY_DIVERGED")
    assert all(0 < each <= 24 * 3600 * 1000 for each in await lifetimes(store))


async def lifetimes(store):
    keys = [key async for key in store.redis.scan_iter(f"engine:{{{TABLE}}}:*")]
    return [await store.redis.pttl(key) for key in keys]


async def test_a_disclosed_table_is_known_as_such(anna):
    taken = await anna.take_over(TABLE, 0)
    assert not taken.disclosed
    assert await anna.retire(TABLE, taken.epoch)
    assert (await anna.take_over(TABLE, 0)).disclosed


# ---- deadlines -----------------------------------------------------------------------


async def test_the_earlier_time_stands(kept):
    assert await kept.deadlines.arm(TABLE, 2000) == 2000
    assert await kept.deadlines.arm(TABLE, 3000) == 2000
    assert await kept.deadlines.arm(TABLE, 1000) == 1000
    assert await kept.deadlines.due(999, 10) == []
    assert await kept.deadlines.due(1000, 10) == [(TABLE, 1000)]


async def test_what_was_served_gets_its_next_time_and_then_none(kept):
    await kept.deadlines.arm(TABLE, 1000)
    assert await kept.deadlines.served(TABLE, 1000, 5000)
    assert await kept.deadlines.due(9000, 10) == [(TABLE, 5000)]
    assert await kept.deadlines.served(TABLE, 5000, None)
    assert await kept.deadlines.due(9000, 10) == []


async def test_a_former_owner_can_not_put_off_what_the_new_one_armed(kept):
    await kept.deadlines.arm(TABLE, 1000)
    await kept.deadlines.arm(TABLE, 4000, anew=True)
    assert not await kept.deadlines.served(TABLE, 1000, 9000)
    assert [table for table, _ in await kept.deadlines.due(1000, 10)] == [TABLE]


# ---- the real store ------------------------------------------------------------------


async def test_clocks_of_idle_tables_stop_only_while_no_worker_is_there(store):
    anna = StoredJournal(store, ANNA, lease_ms=50)
    await anna.create(TABLE, FIRST)
    before = time.monotonic()
    await anna.beat()
    await asyncio.sleep(0.3)
    await anna.beat()
    gone = since(before)
    await asyncio.sleep(0.01)
    assert 300 <= (await anna.take_over(TABLE, 0)).owed <= gone + 1


async def test_t56_a_table_of_other_rules_is_with_its_owner_or_who_has_them(store):
    old, older, new = (
        StoredJournal(
            store, Worker(name, f"{name}:1"), 60_000, rules=[f"toy/{version}"]
        )
        for name, version in (("old", 1), ("older", 1), ("new", 2))
    )
    await old.create(TABLE, FIRST)
    await new.beat()
    assert await new.elsewhere(TABLE, "toy/1") is None
    await old.beat()
    assert await new.elsewhere(TABLE, "toy/1") == "old:1"
    await older.beat()
    chosen = await new.elsewhere(TABLE, "toy/1")
    assert await old.elsewhere(TABLE, "toy/1") == chosen
    other = {"old:1": older, "older:1": old}[chosen]
    await other.take_over(TABLE, 0)
    assert await new.elsewhere(TABLE, "toy/1") != chosen


async def test_a_worker_that_is_gone_has_no_rules_any_more(store):
    gone = StoredJournal(store, ANNA, lease_ms=10, rules=["toy/1"])
    await gone.create(TABLE, FIRST)
    await gone.beat()
    await asyncio.sleep(0.1)
    assert await gone.elsewhere(TABLE, "toy/1") is None
    assert await store.redis.zcard("engine:{workers}:rules") == 0


async def test_a_long_journal_is_read_whole(store):
    anna = StoredJournal(store, ANNA, lease_ms=2000)
    await anna.create(TABLE, FIRST)
    taken, entries = await anna.take_over(TABLE, 0), [FIRST]
    for number in range(1, 600):
        entries.append(an_entry(entries[-1], f"answer-{number}"))
        await anna.append(TABLE, taken.epoch, entries[-2].hash, entries[-1])
    assert await anna.read(TABLE, 1, 600) == entries


async def test_keys_of_a_table_lie_in_one_slot_and_begin_with_the_services_name(store):
    anna = StoredJournal(store, ANNA, lease_ms=2000)
    await anna.create(TABLE, FIRST)
    await anna.claim("request", TABLE)
    await anna.beat()
    names = {name.decode() for name in await store.redis.keys("*")}
    assert all(name.startswith("engine:") for name in names)
    assert {name for name in names if TABLE in name} == {
        f"engine:{{{TABLE}}}:state",
        f"engine:{{{TABLE}}}:journal",
    }


async def test_f12_a_journal_that_fell_back_never_mixes_two_branches(store):
    """The same epoch number, the same position: the token tells them apart."""
    anna, ben = (StoredJournal(store, who, lease_ms=60_000) for who in (ANNA, BEN))
    await anna.create(TABLE, FIRST)
    keys = [f"engine:{{{TABLE}}}:state", f"engine:{{{TABLE}}}:journal"]
    before = [await store.redis.dump(key) for key in keys]
    mine = await anna.take_over(TABLE, 0)
    for key, value in zip(keys, before, strict=True):
        await store.redis.restore(key, 0, value, replace=True)
    others = await ben.take_over(TABLE, 0)
    assert others.epoch.number == mine.epoch.number
    assert await ben.append(TABLE, others.epoch, FIRST.hash, SECOND)
    assert not await anna.append(TABLE, mine.epoch, FIRST.hash, an_entry(FIRST, "x"))


async def test_f13_what_was_acknowledged_survives_a_killed_store(own_store):
    store = await open_store(own_store.url, fresh_metrics())
    anna = StoredJournal(store, ANNA, lease_ms=60_000)
    await anna.create(TABLE, FIRST)
    taken, entries = await anna.take_over(TABLE, 0), [FIRST]
    for number in range(200):
        entries.append(an_entry(entries[-1], f"answer-{number}"))
        assert await anna.append(TABLE, taken.epoch, entries[-2].hash, entries[-1])
    own_store.restart()
    await store.close()
    store = await open_store(own_store.url, fresh_metrics())
    anna = StoredJournal(store, ANNA, lease_ms=60_000)
    assert await anna.read(TABLE, 1, 999) == entries
    await store.close()
