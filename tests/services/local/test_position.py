"""A position read off a view is the table the seat sees, and play goes on from it."""

import random

import pytest

from anpai import question_of
from clients.bots.sharp.thinking import BY_GAME
from clients.bots.steady import steady
from clients.bots.strength import local_faces
from services.local import GAMES, LocalTable
from services.local.position import GO_ON, taken_up
from services.local.rollout import at_random, play_out, play_until
from services.local.seeing import position_of, view_of

CASES = [
    (game.name, variant.name, seats)
    for game in GAMES.values()
    for variant in game.variants
    for seats in variant.seats
]
a_case = pytest.mark.parametrize(("game", "variant", "seats"), CASES)


def searchable(game: str, variant: str, seats: int, after: int = 12):
    """A seat that may think ahead, some answers on; its view and question."""
    table = LocalTable(GAMES[game], seats, variant, seed=after)
    chance, faces = random.Random(after), local_faces(game)
    answers = 0
    while table.outcome is None:
        seat = table.waiting()[0]
        view = view_of(table, seat)
        question = question_of(view.question)
        if answers >= after and BY_GAME[game].searches(view, question):
            return table, view, question
        table.answer(seat, steady(view, question, faces, chance))
        answers += 1
    raise AssertionError("the game was over before")


def world_of(position, seed: int):
    ahead = BY_GAME[position.game](position, local_faces(position.game))
    return ahead.world(random.Random(seed))


@a_case
def test_what_the_seat_sees_lies_there_and_nothing_else(game, variant, seats):
    table, view, _ = searchable(game, variant, seats)
    position = position_of(view)
    laid, _ = taken_up(position, world_of(position, 1))
    real = table.play.table

    assert laid.places() == real.places()
    for place in real.places():
        assert laid.count(place) == real.count(place)
        assert laid.is_deck(place) == real.is_deck(place)
    assert laid.counters == real.counters
    assert laid.markers == real.markers
    for card in position.cards:
        assert laid.card(card.handle).place == real.card(card.handle).place
        if card.face:
            assert laid.card(card.handle).face == real.card(card.handle).face


# Some cards of a round may lie already: that many fewer may follow.
IN_MID_ROUND = [("skirmish", "standard", 4, 14), ("skirmish", "standard", 2, 15)]


@pytest.mark.parametrize(
    ("game", "variant", "seats", "after"),
    [(*case, 12) for case in CASES] + IN_MID_ROUND,
)
def test_the_same_is_asked_there_and_the_game_goes_on_to_its_end(
    game, variant, seats, after
):
    _, view, question = searchable(game, variant, seats, after)
    position = position_of(view)
    for seed in range(4):
        laid, cards = taken_up(position, world_of(position, seed))
        asked = []

        def noting(one, dice, asked=asked):
            asked.append(one)
            return at_random(one, dice)

        rules = GO_ON[game](laid, view.viewer)
        outcome, _ = play_out(rules, cards, random.Random(seed), noting)

        first = asked[0]
        assert (first.seat, first.name) == (view.viewer, question.name)
        assert (first.least, first.most) == (question.min, question.max)
        assert set(first.ids) == {option.id for option in question.options}
        assert len(outcome.ranks) == seats


def test_hidden_cards_are_dealt_anew_in_every_world():
    _, view, _ = searchable("gwent", "duel", 2)
    position = position_of(view)
    hands = set()
    for seed in range(5):
        laid, _ = taken_up(position, world_of(position, seed))
        theirs = [
            p for p in laid.places() if p.name == "hand" and p.seat != view.viewer
        ]
        hands.add(tuple(sorted(str(card.face) for card in laid.cards(*theirs))))

    assert len(hands) == 5


def test_a_rollout_may_be_broken_off():
    _, view, _ = searchable("gwent", "duel", 2)
    position = position_of(view)
    laid, cards = taken_up(position, world_of(position, 1))
    rules, dice = GO_ON["gwent"](laid, view.viewer), random.Random(1)

    outcome, answers = play_until(rules, cards, dice, at_random, lambda: True)

    assert (outcome, answers) == (None, 0)
