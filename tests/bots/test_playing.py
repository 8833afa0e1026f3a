"""What a seat does where another was quicker."""

import random
import time

import grpc
import pytest

from anpai import NotAsked, QuestionStale, TableEnded, View, question_of
from anpai.engine.v1 import question_pb2 as pb
from clients.bots.mind import Mind
from clients.bots.playing import Tally, answer, pause_before

WORDS = pb.ChooseWords(options=[pb.WordOption(id="rock")])
QUESTION = question_of(pb.Question(min=1, max=1, words=WORDS))
CODE = grpc.StatusCode.ABORTED


@pytest.mark.parametrize(
    ("left", "think", "pause"),
    [(None, 3.0, 3.0), (60, 3.0, 3.0), (8, 30.0, 1.0), (5, 30.0, 0.0)],
)
def test_t59_a_pause_before_an_answer_never_costs_the_time_for_it(
    left, think, pause, monkeypatch
):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    asked = pb.Question(min=1, max=1, words=WORDS)
    if left is not None:
        asked.deadline.FromNanoseconds(int((now + left) * 1e9))

    assert pause_before(question_of(asked), think) == pytest.approx(pause, abs=0.01)


class Elsewhere:
    """A table that went on while this seat was thinking."""

    view = View()

    def __init__(self, refusal):
        self.refusal = refusal

    async def answer(self, *choice):
        raise self.refusal


@pytest.mark.parametrize(
    "refusal",
    [
        QuestionStale(CODE, "QUESTION_STALE", "That question is not open any more."),
        TableEnded(CODE, "TABLE_ENDED", "The game is over."),
        NotAsked("this seat is not asked anything now"),
    ],
)
async def test_whoever_comes_too_late_goes_on(refusal):
    tally, mind = Tally(), Mind(lambda *_: ("rock",), {}, random.Random(1))

    await answer(Elsewhere(refusal), QUESTION, mind, tally)

    assert (tally.stale, tally.answers, dict(tally.errors)) == (1, 0, {})
