"""When the players of a load answer, and what of it counts."""

import asyncio
import random
from time import monotonic

import pytest

from clients.bench.stage import shares
from clients.bench.tally import Tally
from clients.bench.turns import Paced


class Player:
    """Is asked, and notes from when on its answers count."""

    def __init__(self, is_asked=True):
        self.is_asked = is_asked
        self.answered = []
        self.has_answered = asyncio.Event()

    def answer(self, since):
        self.answered.append(since)
        self.has_answered.set()


async def test_without_a_rate_whoever_is_asked_answers_at_once():
    player = Player()
    Paced(random.Random(1)).asked(player)
    assert player.answered == [pytest.approx(monotonic(), abs=5)]


async def test_an_answer_that_found_nobody_asked_counts_from_when_it_was_due():
    turns, player = Paced(random.Random(1)), Player()
    turns.open(rate=1000.0)
    await asyncio.sleep(0.3)
    asked_at = monotonic()

    turns.asked(player)

    assert player.answered[0] < asked_at - 0.1


async def test_who_is_no_longer_asked_takes_no_turn():
    turns, late, asked = Paced(random.Random(1)), Player(is_asked=False), Player()
    turns.open(rate=50.0)
    turns.asked(late)
    turns.asked(asked)
    await asyncio.wait_for(asked.has_answered.wait(), 30)
    assert late.answered == []


async def test_after_the_end_nobody_answers_and_what_was_due_is_told():
    turns, player = Paced(random.Random(1)), Player()
    turns.open(rate=1000.0)
    await asyncio.sleep(0.3)
    assert turns.stop() > 10
    turns.asked(player)
    assert player.answered == []


# ---- tallies -------------------------------------------------------------------------


async def test_what_was_given_within_the_time_counts_however_late_it_is_told():
    tally = Tally()
    tally.begin()
    tally.give()
    since = monotonic()
    tally.end()
    tally.tell(since)
    told = tally.as_json()
    assert (told["answers"], len(told["seconds"])) == (0, 1)


async def test_an_answer_of_which_nothing_is_heard_is_an_error():
    tally = Tally()
    tally.begin()
    tally.give()
    tally.end()
    await tally.settle(within=0.01)
    assert tally.as_json()["errors"] == {"UNTOLD": 1}


def test_tables_are_shared_out_evenly():
    assert shares(100, 2) == [50, 50]
    assert shares(7, 3) == [3, 2, 2]
    assert shares(1, 4) == [1]
