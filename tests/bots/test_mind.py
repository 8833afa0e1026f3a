"""A strategy that is slow or broken is answered for, in time (T-59)."""

import asyncio
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from anpai import View, question_of
from anpai.engine.v1 import question_pb2 as pb
from clients.bots.mind import Mind

VIEW = View()


def question(deadline_in: float | None = None):
    words = pb.ChooseWords(
        options=[pb.WordOption(id="rock"), pb.WordOption(id="paper")]
    )
    asked = pb.Question(min=1, max=1, words=words)
    if deadline_in is not None:
        asked.deadline.FromNanoseconds(int((time.time() + deadline_in) * 1e9))
    return question_of(asked)


def mind(strategy, pool=None, **more):
    return Mind(strategy, {}, random.Random(1), pool, **more)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def awake():
    return threading.Event()


@pytest.fixture
def sleepy(pool, awake):
    """Comes to no end before it is awake."""

    def thinks(view, question, faces, chance):
        awake.wait(60)
        return ("paper",)

    yield thinks
    awake.set()


async def test_a_quick_one_is_taken_at_its_word(pool):
    thinker = mind(lambda *_: ("paper",), pool)

    assert await thinker.choose(VIEW, question()) == ("paper",)
    assert thinker.fallbacks == 0


async def test_t59_a_slow_one_is_not_waited_for(pool, sleepy):
    thinker = mind(sleepy, pool, longest=0.05)

    assert await thinker.choose(VIEW, question()) == ("rock",)
    assert thinker.fallbacks == 1


async def test_the_deadline_leaves_less_time(pool, sleepy):
    thinker = mind(sleepy, pool)

    assert await thinker.choose(VIEW, question(deadline_in=2.1)) == ("rock",)


async def test_others_are_served_while_one_thinks(pool):
    served = threading.Event()

    def waiting(view, question, faces, chance):
        return ("paper",) if served.wait(10) else ("rock",)

    thinking = asyncio.create_task(mind(waiting, pool).choose(VIEW, question()))
    await asyncio.sleep(0.01)
    served.set()

    assert await thinking == ("paper",)


@pytest.mark.parametrize(
    "strategy",
    [
        lambda *_: 1 / 0,
        lambda *_: ("scissors",),
        lambda *_: (),
        lambda *_: ("rock", "rock"),
    ],
)
async def test_t59_a_broken_one_gives_a_legal_answer_all_the_same(strategy):
    thinker = mind(strategy)

    assert await thinker.choose(VIEW, question()) == ("rock",)
    assert thinker.fallbacks == 1


async def test_what_needs_time_has_it(pool):
    def slow(view, question, faces, chance):
        time.sleep(0.4)
        return ("paper",)

    thinker = mind(slow, pool, needs=0.5)

    assert await thinker.choose(VIEW, question()) == ("paper",)


async def test_where_its_time_is_not_left_steady_answers(pool):
    thinker = mind(lambda *_: 1 / 0, pool, needs=30)

    choice = await thinker.choose(VIEW, question(deadline_in=20))

    assert choice in (("rock",), ("paper",))
    assert thinker.fallbacks == 0


async def test_where_many_think_steady_answers_in_time(pool, sleepy, awake):
    waiting = asyncio.create_task(mind(sleepy, pool).choose(VIEW, question()))
    await asyncio.sleep(0.05)
    thinker = mind(lambda *_: 1 / 0, pool, longest=20, needs=19.9)

    thinking = asyncio.create_task(thinker.choose(VIEW, question()))
    await asyncio.sleep(0.3)
    awake.set()

    choice = await thinking
    assert choice in (("rock",), ("paper",))
    assert thinker.fallbacks == 0
    await waiting
