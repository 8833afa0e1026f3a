"""Whatever a strategy answers, the table accepts; the better one wins."""

import random
from dataclasses import replace

import pytest

from anpai import question_of
from clients.bots.strategies import STRATEGIES, strategy_named
from clients.bots.strategy import is_legal, plainest
from clients.bots.strength import contests, local_faces, main, measure, strategy_of
from services.local import GAMES, LocalTable
from services.local.seeing import view_of
from tests.scale import scale, scaled

CASES = [
    (game, variant.name, seats)
    for game in GAMES
    for variant in GAMES[game].variants
    for seats in variant.seats
]
MANY = {"sharp": scaled(1, 10)}
USUALLY = scaled(6, 10_000 // len(CASES))
MOST_ANSWERS = 2_000


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.timeout(0 if scale() else 120)
def test_t59_every_answer_is_legal_and_no_game_hangs(name, game, variant, seats):
    chance = random.Random(f"{name} {game} {variant} {seats}")
    faces, strategy = local_faces(game), strategy_of(name, iterations=3)
    for seed in range(MANY.get(name, USUALLY)):
        table, given = LocalTable(GAMES[game], seats, variant, seed=seed), 0
        while table.outcome is None:
            seat = chance.choice(table.waiting())
            view = view_of(table, seat)
            question = question_of(view.question)
            choice = strategy(view, question, faces, chance)
            assert is_legal(question, choice), (question.name, choice)
            table.answer(seat, choice)
            given += 1
            assert given < MOST_ANSWERS


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_the_plainest_answer_is_legal_and_ends_the_game(game, variant, seats):
    table = LocalTable(GAMES[game], seats, variant, seed=3)

    while table.outcome is None:
        seat = table.waiting()[0]
        question = question_of(view_of(table, seat).question)
        assert is_legal(question, plainest(question))
        table.answer(seat, plainest(question))


def test_the_same_seat_in_the_same_place_thinks_the_same():
    table = LocalTable(GAMES["skirmish"], 2, seed=5)
    (seat,) = table.waiting()
    view = view_of(table, seat)
    question, faces = question_of(view.question), local_faces("skirmish")

    thoughts = {
        STRATEGIES["steady"](view, question, faces, random.Random(1)) for _ in range(3)
    }

    assert len(thoughts) == 1


def test_steady_beats_random_at_skirmish():
    strength = measure("skirmish", 40)

    assert strength.share >= 0.85
    assert strength.is_enough


def test_steady_beats_random_at_gwent():
    strength = measure("gwent", 40)

    assert strength.share >= 0.9
    assert strength.is_enough


def test_in_several_processes_the_same_games_are_played():
    alone, together = (measure("gwent", 6, jobs=jobs) for jobs in (1, 2))

    assert replace(alone, seconds=0) == replace(together, seconds=0)


def test_what_is_promised_is_measured_unless_something_else_is_asked_for():
    promised = [(one.better, one.worse) for one in contests(["gwent"], "", "")]
    asked_for = contests([], "random", "steady")

    assert promised == [("steady", "random"), ("sharp", "steady")]
    assert {(one.better, one.worse) for one in asked_for} == {("random", "steady")}
    assert {one.game for one in asked_for} == set(GAMES)


def test_strength_says_no_where_the_better_one_is_not_better(capsys):
    told = ["--games", "10", "--game", "skirmish", "--better", "random", "--json"]

    assert main([*told, "--worse", "steady"]) == 1
    assert '"better": "random"' in capsys.readouterr().out


def test_a_strategy_nobody_knows_is_the_usual_one():
    assert strategy_named("") is STRATEGIES["steady"]
    assert strategy_named("chess engine") is STRATEGIES["steady"]
