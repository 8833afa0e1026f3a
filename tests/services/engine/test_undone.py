"""What a store has lost is told to whoever saw it, however far the table has come.

The store's copy of a table is what a replica would have had: taken, and put in place of
what there is once the worker is dead that could still put back what it has shown.
"""

from collections.abc import Iterator

import pytest
import redis

from tests.services.engine.conftest import SHORT_LEASE_MS
from tests.services.engine.playing import an_answer, options

NAMES = ("anna", "ben")
A_FEW = 3


class Replica:
    """All that the store has of one table, as it was at some moment."""

    def __init__(self, url: str, table: str) -> None:
        self._url, self._table = url, table
        with self._client() as store:
            self._kept = {key: store.dump(key) for key in self._keys(store)}

    def leads(self) -> None:
        """What came after that moment is gone."""
        with self._client() as store:
            store.delete(*self._keys(store))
            for key, value in self._kept.items():
                store.restore(key, 0, value)

    def _client(self) -> redis.Redis:
        return redis.Redis.from_url(self._url)

    def _keys(self, store: redis.Redis) -> Iterator[bytes]:
        return store.scan_iter(match=f"*{{{self._table}}}*")


@pytest.fixture
def lease_ms():
    """A copy that is put in place has the lease of the worker that is gone."""
    return SHORT_LEASE_MS


@pytest.fixture
async def doomed(worker):
    """A worker that will be gone."""
    return await worker()


@pytest.fixture
def here(player, doomed):
    """Somebody at the worker that will be gone."""
    return lambda name: player(name, doomed.address)


@pytest.fixture
async def table(opened, here):
    return await seated(opened, here)


async def seated(opened, player):
    table = await opened(*NAMES)
    for name in NAMES:
        await player(name).takes_seat(table)
    return table


async def asked(player, table):
    """Who of all has a question, and the question."""
    for name in NAMES:
        view = await player(name).looks(table)
        if view.HasField("question"):
            return player(name), view.question
    raise AssertionError("nobody is asked")


async def go_on(player, table, answers=A_FEW, *, otherwise=False):
    """Whoever is asked takes the first options, or the last ones."""
    for _ in range(answers):
        one, question = await asked(player, table)
        count = max(question.min, min(question.max, 1))
        offered = options(question)[::-1] if otherwise else options(question)
        await one.answers(table, an_answer(question, offered[:count]))


async def told_last(player, table):
    """The revision and the past, as a client keeps them."""
    reply = await player.asks("GetView", table_id=table)
    return reply.view.revision, reply.past


@pytest.fixture
async def undone(valkey, here, player, doomed, table):
    """What Anna was told last, of which the end is lost; the table has come further."""
    await go_on(here, table)
    replica = Replica(valkey, table)
    await go_on(here, table)
    seen = await told_last(here("anna"), table)
    await doomed.stop()
    replica.leads()
    await go_on(player, table, 2 * A_FEW, otherwise=True)
    assert (await player("anna").looks(table)).revision > seen[0]
    return seen


async def test_t55_whoever_saw_what_was_undone_is_told_once_and_begins_with_a_view(
    player, engine, table, undone
):
    revision, past = undone
    for name in ("carl", "anna"):
        async with player(name).watching(table, revision, past=past) as stream:
            first = await stream.update()
    at = first.view.revision
    async with player("anna").sitting(table, at, first.past) as stream:
        await go_on(player, table, 1)
        second = await stream.update()

    assert first.undone
    assert at > revision
    assert second.events.events[0].revision == at + 1
    assert not second.undone
    assert engine.metrics.undone.labels("skirmish")._value.get() == 2


async def test_whoever_names_no_past_is_served_as_ever(player, engine, table, undone):
    revision, _ = undone
    async with player("anna").watching(table, revision) as stream:
        first = await stream.update()

    assert first.events.events[0].revision == revision + 1
    assert first.past
    assert engine.metrics.undone.labels("skirmish")._value.get() == 0


async def test_t55_when_a_worker_is_killed_only_what_is_lost_is_undone(
    valkey, opened, player, process
):
    worker = process()
    address = await worker.address()

    def here(name):
        return player(name, address)

    table = await seated(opened, here)
    await go_on(here, table)
    kept, replica = await told_last(here("anna"), table), Replica(valkey, table)
    await go_on(here, table)
    lost = await told_last(here("anna"), table)
    worker.kill()
    worker.process.wait()
    replica.leads()
    await go_on(player, table, 2 * A_FEW, otherwise=True)

    told = {}
    for seen in (kept, lost):
        async with player("anna").watching(table, seen[0], past=seen[1]) as stream:
            told[seen] = await stream.update()
    assert told[kept].events.events[0].revision == kept[0] + 1
    assert told[lost].undone


async def secretly_asked(player, table):
    """Play to a question whose answer nobody sees; who is asked first, and what."""
    while True:
        one, question = await asked(player, table)
        view = await one.looks(table)
        if len(view.asked) == len(NAMES):
            return one, question
        await go_on(player, table, 1)


@pytest.mark.parametrize("way", ["Sit", "Answer"])
async def test_t55_a_secret_answer_that_is_lost_is_told_though_no_revision_shows_it(
    way, valkey, here, player, doomed, table
):
    one, question = await secretly_asked(here, table)
    revision, before = await told_last(one, table)
    replica = Replica(valkey, table)
    past = await answered_by(way, one, table, an_answer(question))
    assert past != before
    await doomed.stop()
    replica.leads()

    again = player(one.id)
    await again.looks(table)  # waits for the end of the lease
    async with again.sitting(table, revision, past) as stream:
        first = await stream.update()

    assert first.undone
    assert first.view.revision == revision
    assert first.view.question.id == question.id
    assert first.past == before


async def answered_by(way, one, table, answer):
    """The past with the answer in it, as this way of answering tells it."""
    if way == "Answer":
        answer.table_id = table
        return (await one.stub.Answer(answer, metadata=one.metadata)).past
    async with one.sitting(table) as stream:
        await stream.update()
        await stream.answers(answer)
        return (await stream.next()).accepted.past


async def test_nobody_is_told_of_an_answer_that_nobody_sees(here, table):
    one, question = await secretly_asked(here, table)
    others = [here("carl"), *(here(name) for name in NAMES if name != one.id)]
    before = [await told_last(other, table) for other in others]

    mine = await answered_by("Answer", one, table, an_answer(question))

    assert [await told_last(other, table) for other in others] == before
    assert (await told_last(one, table))[1] == mine


async def test_a_past_is_named_by_what_was_told(player, opened):
    table = await opened(*NAMES)
    call = player("carl").asks("GetView", table_id=table)
    assert 0 < len((await call).past) <= 64
    async with player("carl").watching(table, 0, past=b"x" * 65) as stream:
        assert await stream.reason_of_end() == "INVALID_FIELD"
