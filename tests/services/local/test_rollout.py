"""Rollouts: whole games of rules alone, as many as one likes."""

import random

import pytest

from services.engine.games import GAMES
from services.local.playouts import playouts
from services.local.rollout import at_random, rollout


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_rollout_ends_with_an_outcome(game):
    for variant in game.variants:
        for seats in variant.seats:
            outcome, answers = rollout(game, seats, variant.name, random.Random(1))

            assert len(outcome.ranks) == seats
            assert outcome.winners or seats == 1
            assert answers > seats


def test_the_same_dice_give_the_same_game():
    game = GAMES["skirmish"]

    first, again = [rollout(game, 2, "standard", random.Random(4)) for _ in range(2)]

    assert first == again


def test_a_policy_is_asked_for_every_answer():
    asked = []

    def noting(question, dice):
        asked.append(question.name)
        return at_random(question, dice)

    _, answers = rollout(GAMES["skirmish"], 2, "standard", random.Random(1), noting)

    assert len(asked) == answers
    assert {"place", "bomb"} <= set(asked)


def test_speed_is_of_games_that_were_played():
    speed = playouts(GAMES["skirmish"], seconds=0.2)

    assert speed["games"] > 0
    assert speed["rules_games"] > 0
    assert speed["answers_per_s"] > speed["games_per_s"]
