"""Games end, answers count, cards stay, and the same answers give the same game."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.kernel import IllegalAnswer
from services.engine.kernel import event as happened
from services.engine.kernel.written import written
from tests.laws.examples import examples
from tests.laws.playing import played

MESSAGE = 4 * 1024 * 1024  # bytes that a gRPC message may have
seeds = st.integers(0, 2**32)
some = examples(12)


def story(table):
    return [written(event) for event in table.events]


@some
@given(seed=seeds)
def test_a_random_game_ends(case, seed):
    table = case.table(seed)

    played(table, random.Random(seed))

    assert table.outcome is not None
    assert len(table.outcome.ranks) == case.seats
    assert table.outcome.winners or case.seats == 1
    assert table.waiting() == ()


@examples(4)
@given(seed=seeds)
def test_t43_a_game_uses_a_small_part_of_what_a_table_may_use(case, seed):
    """When all is over its events go to whoever asks, in one message."""
    table = case.table(seed)

    played(table, random.Random(seed), lateness=0.05)

    assert len(table.events) < case.game.budget.events / 4
    assert len(table.disclosure()) < MESSAGE / 4


@some
@given(seed=seeds)
def test_a_game_of_late_and_desperate_seats_ends(case, seed):
    table = case.table(seed)

    played(table, random.Random(seed), lateness=0.3, despair=0.01)

    assert table.outcome is not None


@some
@given(seed=seeds)
def test_the_same_answers_give_the_same_game(case, seed):
    table, again = case.table(seed), case.table(seed)
    script = played(table, random.Random(seed), lateness=0.1, despair=0.002)

    entries = list(script.onto(again))

    assert entries[-1] == table.entries[-1]
    assert story(again) == story(table)


@some
@given(seed=seeds)
def test_cards_are_neither_made_nor_lost(case, seed):
    table, chance = case.table(seed), random.Random(seed)

    def cards():
        return sum(table.play.table.count(p) for p in table.play.table.places())

    def built():
        return sum(e.size for e in table.events if isinstance(e, happened.DeckBuilt))

    while table.outcome is None:
        played(table, chance, answers=5)
        assert cards() == built()


@some
@given(seed=seeds, share=st.floats(0, 1))
def test_every_offered_option_is_accepted(case, seed, share):
    whole = case.table(seed)
    script = played(whole, random.Random(seed))
    script.steps = script.steps[: int(share * (len(script.steps) - 1))]

    def here():
        table = case.table(seed)
        list(script.onto(table))
        return table

    table = here()
    for seat in table.waiting():
        question = table.question(seat)
        if question.least <= 1 <= question.most:
            for option in question.ids[:8]:
                here().answer(seat, (option,))
        if question.least == 0:
            here().answer(seat, ())


@some
@given(seed=seeds, answers=st.integers(0, 60), data=st.data())
def test_nothing_else_is_accepted_and_a_refusal_changes_nothing(
    case, seed, answers, data
):
    table = case.table(seed)
    played(table, random.Random(seed), answers=answers)
    if table.outcome is not None:
        return
    seat = table.waiting()[0]
    question = table.question(seat)
    foreign = data.draw(st.sampled_from(["", "none", "seat:0", "scout:1"]))
    ids, before = question.ids, (table.play.hash, len(table.events))
    wrong: list[tuple[str, ...]] = [()] if question.least else []
    wrong += [(foreign,)] if foreign not in ids else []
    wrong += [(*ids, "x"), (*ids[:1], *ids[:1], "x")]

    for choice in wrong:
        with pytest.raises(IllegalAnswer):
            table.answer(seat, choice)

    assert (table.play.hash, len(table.events)) == before
