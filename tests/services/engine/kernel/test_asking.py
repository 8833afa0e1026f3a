"""Questions: who is asked, what others learn, when the table goes on."""

from dataclasses import replace

import pytest

from services.engine.kernel import Clocks, Default, IllegalAnswer, Word, choose
from services.engine.kernel.budget import Budget, OverBudget
from services.engine.kernel.entry import EntryKind
from services.engine.kernel.event import (
    Answered,
    Asked,
    BankDrawn,
    ClockMoved,
    Declared,
    Ended,
)
from services.engine.kernel.waiting import StaleQuestion
from services.local.table import LocalTable
from tests.services.engine.kernel.small import HAND, last, table_of

YES, NO = Word("yes"), Word("no")


async def ask_secretly(table):
    asked = [choose(seat, "vote", [YES, NO]) for seat in table.seats]
    votes = await table.ask_all(asked, secret=True, hold=10)
    table.declare("voted", number=sum(choice == (YES,) for choice in votes.values()))


async def ask_in_turn(table):
    for seat in table.seats:
        await turn(table, seat)


async def turn(table, seat):
    await table.ask_may(seat, "show", table.cards(HAND[seat]))


def test_t08_a_secret_answer_shows_nothing_before_the_last():
    table = table_of(ask_secretly)
    before = len(table.events)

    table.answer(1, ["yes"])
    table.answer(0, ["no"])
    assert len(table.events) == before
    assert all(entry.choice is None for entry in table.entries[-2:])
    table.answer(2, ["yes"])

    assert last(table, Answered).seats == (0, 1, 2)
    assert last(table, Declared).number == 2


def test_where_people_sit_a_secret_outcome_waits_for_its_time():
    table = table_of(ask_secretly, timed=True)
    for seat in range(3):
        table.answer(seat, ["yes"])

    assert table.outcome is None
    assert table.play.is_held
    assert table.entries[-1].deadlines == ((-1, table.play.held_until),)
    table.now = table.play.held_until
    table.settle()
    assert table.outcome is not None


def test_among_bots_a_secret_outcome_waits_for_nobody():
    table = table_of(ask_secretly, timed=True, bots=(True,) * 3)
    for seat in range(3):
        table.answer(seat, ["yes"])

    assert table.outcome is not None


def test_nor_for_people_who_have_given_up():
    table = table_of(ask_twice_in_secret, timed=True, bots=(True, False, True))
    table.concede(1)
    for seat in (0, 2):
        table.answer(seat, ["yes"])
    table.now = table.play.held_until  # it was asked while somebody played
    table.settle()
    for seat in (0, 2):
        table.answer(seat, ["yes"])

    assert table.outcome is not None


async def ask_twice_in_secret(table):
    for _ in range(2):
        await ask_secretly(table)


def test_t08_all_who_are_asked_in_secret_have_the_same_time():
    table = table_of(ask_secretly, timed=True)

    assert {at for _, at in table.play.asking.deadlines} == {table.play.held_until}


def test_the_first_answer_settles_a_question_put_to_any():
    async def rule(table):
        asked = [choose(seat, "buzz", [YES], least=0) for seat in table.seats]
        assert await table.ask_any(asked) == {2: (YES,)}

    table = table_of(rule)
    table.answer(2, ["yes"])

    assert last(table, Answered).seats == (0, 1, 2)
    assert table.outcome is not None


def test_a_question_names_its_place_in_the_rules():
    asked = last(table_of(ask_in_turn), Asked).asking

    assert asked.path == ("game", "ask_in_turn", "turn")


@pytest.mark.parametrize("choice", [["yes", "yes"], ["no", "yes", "no"]])
def test_no_option_can_be_chosen_twice(choice):
    question = choose(0, "vote", [YES, NO, Word("perhaps")], most=3)
    with pytest.raises(IllegalAnswer, match="the same option is chosen twice"):
        question.judge(choice)


def test_an_answered_question_is_stale_and_a_foreign_option_illegal():
    table = table_of(ask_in_turn)
    with pytest.raises(IllegalAnswer, match="not among the options"):
        table.answer(0, ["nonsense"])
    with pytest.raises(StaleQuestion):
        table.answer(1, [])
    table.answer(0, [])
    with pytest.raises(StaleQuestion):
        table.answer(0, [])


def test_a_default_declines_or_is_drawn_by_lot():
    async def rule(table):
        assert await table.ask_may(0, "may", [YES]) is None
        assert await table.ask(0, "must", [YES, NO], default="no") == NO
        assert await table.ask(0, "lot", [YES, NO], default=Default.LOT) in (YES, NO)

    table = table_of(rule)
    for _ in range(3):
        table.default(0)

    assert table.outcome is not None
    assert last(table, Answered).by_default == (0,)


def test_time_beyond_the_clock_is_taken_from_the_bank():
    clocks = Clocks(default=10, bank=100)
    table = table_of(ask_in_turn, clocks=clocks, timed=True)
    assert table.play.deadline(0) == 110_000

    table.now = 40_000
    table.answer(0, [])
    assert table.play.deadline(1) == 40_000 + 110_000
    assert last(table, BankDrawn) == BankDrawn(0, 70_000)
    assert table.play.banks == (70_000, 100_000, 100_000)


def test_an_answer_within_the_clock_costs_nothing():
    table = table_of(ask_in_turn, clocks=Clocks(default=10, bank=100), timed=True)
    table.now = 10_000
    table.answer(0, [])

    assert not any(isinstance(event, BankDrawn) for event in table.events)


def test_whoever_is_answered_for_has_used_the_bank_up():
    table = table_of(ask_in_turn, clocks=Clocks(default=10, bank=100), timed=True)
    table.now = 110_000
    table.default(0)

    assert last(table, BankDrawn) == BankDrawn(0, 0)
    assert table.play.asking.banked == ((1, 120_000),)


def test_a_secret_question_draws_on_no_bank():
    async def rule(table):
        asked = [choose(seat, "bid", [YES]) for seat in (0, 1)]
        await table.ask_all(asked, secret=True)

    table = table_of(rule, clocks=Clocks(default=10, bank=100), timed=True)
    table.now = 10_000
    for seat in (0, 1):
        table.default(seat)

    assert not any(isinstance(event, BankDrawn) for event in table.events)
    assert table.play.banks == (100_000,) * 3


def test_a_variant_may_have_clocks_of_its_own():
    table = table_of(ask_in_turn, clocks=Clocks(default=10), timed=True)
    game = table.play.game
    quick = replace(game.variants[0], clocks=Clocks(default=3, bank=4))
    own = replace(game, variants=(quick,))

    assert game.clocks_of("usual").default == 10
    assert LocalTable(own, 3, timed=True).play.deadline(0) == 7_000


def test_deadlines_move_by_the_time_the_service_was_away():
    table = table_of(ask_in_turn, timed=True)
    due = table.play.deadline(0)

    table._move(EntryKind.RESUME, details={"milliseconds": 7_000})

    assert table.play.deadline(0) == due + 7_000
    assert table.play.question(0) is not None


def test_with_them_moves_the_time_from_which_the_bank_pays():
    clocks = Clocks(default=10, bank=100)
    table = table_of(ask_in_turn, clocks=clocks, timed=True)
    assert table.play.asking.banked == ((0, 10_000),)

    table._move(EntryKind.RESUME, details={"milliseconds": 7_000})

    assert table.play.asking.banked == ((0, 17_000),)
    assert last(table, ClockMoved).banked == ((0, 17_000),)


def test_a_seat_that_conceded_ranks_last_and_is_asked_no_more():
    async def rule(table):
        await ask_in_turn(table)
        return (9, 1, 2)

    table = table_of(rule)
    table.concede(0)
    table.answer(1, [])
    table.answer(2, [])

    assert table.outcome.ranks == (3, 2, 1)


def test_who_is_left_alone_has_won():
    table = table_of(ask_in_turn)
    table.concede(2)
    table.concede(0)

    assert table.outcome.winners == (1,)
    assert table.outcome.reason == "conceded"
    assert isinstance(table.events[-1], Ended)


def test_who_gives_up_alone_has_not_won():
    table = table_of(ask_in_turn, seats=1)
    table.concede(0)

    assert table.outcome.winners == ()


def test_an_abandoned_table_has_no_winner():
    table = table_of(ask_in_turn)
    table.abandon()

    assert table.outcome.winners == ()


def test_a_table_over_its_budget_stops():
    async def rule(table):
        while True:
            table.gain("score", 1)

    with pytest.raises(OverBudget):
        table_of(rule, budget=Budget(events=50))
