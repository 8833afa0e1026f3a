"""What a seat is asked by a bare message, and how it is answered at random."""

import random
from collections import Counter

from anpai import TableUpdate, View
from clients.bench.asking import asked_after, chosen


def asked(id, least, most, *options):
    """A view in which seat 0 is asked this."""
    view = View()
    view.question.id, view.question.min, view.question.max = id, least, most
    for option in options:
        view.question.words.options.add(id=option)
    return view


def test_the_question_is_that_of_the_view_until_an_event_answers_or_asks():
    view = asked("q-1", 1, 1, "yes", "no")
    question = asked_after(TableUpdate(view=view), None, seat=0)
    assert question.id == "q-1"

    others = TableUpdate()
    others.events.events.add().questions_answered.seats.append(1)
    assert asked_after(others, question, seat=0) is question

    ours = TableUpdate()
    ours.events.events.add().questions_answered.seats.append(0)
    assert asked_after(ours, question, seat=0) is None

    next_one = TableUpdate()
    verb = next_one.events.events.add().questions_asked
    verb.question.CopyFrom(asked("q-2", 1, 1, "yes").question)
    assert asked_after(next_one, question, seat=0).id == "q-2"


def test_when_the_game_is_over_nobody_is_asked():
    over = TableUpdate()
    over.events.events.add().ended.SetInParent()
    question = asked("q-1", 1, 1, "yes").question
    assert asked_after(over, question, seat=0) is None
    assert asked_after(TableUpdate(view=View()), question, seat=0) is None


def test_every_way_to_answer_is_as_likely_as_another():
    question, dice = asked("q-1", 0, 1, "a", "b", "c").question, random.Random(1)
    counts = Counter(chosen(question, dice) for _ in range(4_000))
    assert set(counts) == {(), ("a",), ("b",), ("c",)}
    assert all(900 < count < 1_100 for count in counts.values())


def test_as_many_are_chosen_as_the_question_wants():
    question, dice = asked("q-1", 2, 3, "a", "b", "c", "d").question, random.Random(1)
    choices = [chosen(question, dice) for _ in range(100)]
    assert {len(one) for one in choices} == {2, 3}
    assert all(len(set(one)) == len(one) for one in choices)
