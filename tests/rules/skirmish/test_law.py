"""What holds in every game of skirmish: it ends, no card is lost, all has words."""

import inspect
import random

import pytest

from services.engine.games import skirmish
from services.engine.games.skirmish import play, skills, tactics
from services.engine.games.skirmish.pieces import SOLDIERS, tactic_cards
from services.engine.kernel import event as happened
from services.engine.kernel.entry import Draft, EntryKind
from tests.rules.skirmish.layout import whole

WORDS = skirmish.SKIRMISH.catalog.words


def random_game(seats, seed):
    chance = random.Random(seed)
    game = whole(seats, chance=chance)
    while not game.is_over:
        seat = chance.choice(game.play.open_seats)
        question = game.seat(seat).question
        number = chance.randint(question.least, question.most)
        answer = tuple(chance.sample(question.ids, number))
        game.move(Draft(EntryKind.ANSWER, seat, str(game.play.position), answer))
    return game


@pytest.fixture(scope="module")
def games():
    """Two hundred finished games, of two, three and four seats."""
    return [random_game(2 + seed % 3, seed) for seed in range(200)]


def test_a_random_game_ends_and_conserves_its_cards(games):
    for table in (game.table for game in games):
        at_table = [card for place in table.places() for card in table.cards(place)]
        decks = sum(table.count(p) for p in table.places() if table.is_deck(p))
        assert len(at_table) + decks == 4 + 44 + 25
        soldiers = [card.face for card in at_table if card.face in SOLDIERS]
        assert len(soldiers) == len(set(soldiers))


def test_everything_said_in_random_games_has_words(games):
    said = {key for game in games for event in game.events for key in keys_of(event)}
    assert said <= set(WORDS)


def keys_of(event):
    match event:
        case happened.Asked(asking):
            yield from (f"question.{question.name}" for question in asking.questions)
            yield from (f"rule.{name}" for name in asking.path)
        case happened.Declared(name=name):
            yield f"event.{name}"
        case happened.MarkerPut(name=name):
            yield f"marker.{name}"
        case happened.CounterSet(name=name):
            yield f"counter.{name}"
        case happened.Rolled(name=name):
            yield f"roll.{name}"


def test_every_rule_that_may_wait_has_words():
    waiting = [
        name.strip("_")
        for module in (play, skills, tactics)
        for name, one in vars(module).items()
        if inspect.iscoroutinefunction(one)
    ]
    # These ask nobody, and await nothing that does.
    silent = {
        "set_up",
        "deal",
        "rob",
        "reward_fire_fox",
        "gamble",
        "clear_table",
        "lay",
    }
    assert {name for name in waiting if f"rule.{name}" not in WORDS} <= silent


def test_every_face_has_a_name_and_a_text_in_both_languages():
    faces = skirmish.SKIRMISH.catalog.faces
    assert len(faces) == 4 + len(SOLDIERS) + len(set(tactic_cards()))
    assert sum(int(face.attributes["copies"]) for face in faces.values()) == 73
    for text in [t for face in faces.values() for t in (face.name, face.text)]:
        assert text.en
        assert text.zh
