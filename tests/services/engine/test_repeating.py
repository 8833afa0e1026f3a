"""Whoever sends an action again, to whomever, has done it once."""

import asyncio
import random
from itertools import count

import pytest
import redis

from services.engine.kernel.entry import Entry
from tests.scale import scaled
from tests.services.engine.playing import an_answer, options

ALL_OVER_AGAIN = 5


@pytest.fixture
async def other(worker, engine):
    return await worker()


class Insistent:
    """Both players of a table: they send an action up to five times at once, mixed with
    what they did before, through either worker."""

    def __init__(self, table, seats, seed):
        self.told: dict[int, set[object]] = {}
        self._table = table
        self._seats = seats
        self._chance = random.Random(seed)
        self._done = []

    async def do(self, method, *what):
        """`method` of whichever door is tried, with the same arguments each time."""
        action = (len(self._done), method, what)
        self._done.append(action)
        times = self._chance.randint(1, ALL_OVER_AGAIN)
        before = self._chance.sample(self._done, min(len(self._done), 2))
        sent = [action] * times + before
        self._chance.shuffle(sent)
        await asyncio.gather(*map(self._send, sent))

    async def _send(self, action):
        number, (seat, method), what = action
        door = self._chance.choice(self._seats[seat])
        reply = await getattr(door, method)(self._table, *what)
        self.told.setdefault(number, set()).add(getattr(reply, "seat", reply))

    async def answers_until_the_end(self, at_most):
        for _ in count():
            views = [await doors[0].looks(self._table) for doors in self._seats]
            if views[0].HasField("outcome") or len(self._done) > at_most:
                return
            for seat, view in enumerate(views):
                if view.HasField("question"):
                    await self.do((seat, "answers"), self._answer(view.question))

    def _answer(self, question):
        most = min(question.max, len(options(question)))
        chosen = self._chance.sample(
            options(question), self._chance.randint(question.min, most)
        )
        return an_answer(question, chosen)


@pytest.mark.parametrize("seed", range(scaled(1, 20)))
async def test_t13_whatever_is_sent_again_and_out_of_order_is_done_once(
    opened, player, other, engine, valkey, seed
):
    names = ("anna", "ben")
    table = await opened(*names)
    doors = [(player(name), player(name, other.address)) for name in names]
    both = Insistent(table, doors, seed)

    for seat in (0, 1):
        await both.do((seat, "takes_seat"))
    await both.answers_until_the_end(at_most=40)
    await both.do((0, "concedes"))

    assert len(both.told) > 20
    assert [told for told in both.told.values() if len(told) != 1] == []
    entries = journal_of(table, valkey)
    answered = [entry.answer_id for entry in entries if entry.answer_id]
    assert len(answered) == len(set(answered)) == len(both.told) - 3


def journal_of(table, url):
    with redis.Redis.from_url(url) as store:
        kept = store.xrange(f"engine:{{{table}}}:journal")
    return [Entry.read(fields[b"e"]) for _, fields in kept]
