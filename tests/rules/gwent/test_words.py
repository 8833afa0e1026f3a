"""Words: every card and everything the rules name, in both languages."""

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from services.engine.games import gwent
from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import FACTIONS
from services.engine.games.gwent.words import catalog
from services.engine.kernel import Word
from services.engine.kernel import event as happened
from services.local import LocalTable


def test_every_face_and_key_has_words_in_both_languages():
    found = catalog()
    texts = [t for face in found.faces.values() for t in (face.name, face.text)]
    for text in [*texts, *found.words.values()]:
        assert text.en.strip()
        assert any("\u4e00" <= letter <= "\u9fff" for letter in text.zh)
        assert text.en.count("{") == text.zh.count("{")


def test_no_two_cards_have_one_name():
    for language in ("en", "zh"):
        names = Counter(getattr(card.name, language) for card in CARDS.values())
        assert max(names.values()) == 1


def test_a_face_tells_clients_all_that_is_printed():
    faces = catalog().faces
    assert dict(faces["kayran"].attributes) == {
        "faction": "monsters",
        "rows": "melee ranged",
        "abilities": "agile morale_boost",
        "hero": "yes",
        "strength": 8,
        "copies": 1,
    }
    assert faces["cerys"].attributes["calls"] == "shield_maiden"
    assert faces["cow"].attributes["strength"] == 0
    assert "strength" not in faces["scorch"].attributes
    assert faces["poor_infantry"].attributes["starter"] == 4


def test_a_text_says_what_the_card_does():
    faces = catalog().faces
    assert faces["zoltan"].text.en == "No ability."
    assert faces["geralt"].text.en.startswith("Hero: ")
    assert "Hemdall" in faces["kambi"].text.en
    assert "side deck" in faces["hemdall"].text.en
    assert "汉姆多尔" in faces["kambi"].text.zh


def test_factions_and_rows_go_by_words():
    words = catalog().words
    for faction in FACTIONS:
        assert words[f"option.{faction}"].en
    for row in ("melee", "ranged", "siege"):
        assert words[f"place.{row}"].en
        assert words[f"place.{row}_slot"].en


# What the rules call things by, written out in their code: verb -> (argument, chapter).
NAMED_BY = {
    "choose_one": (2, "question"),
    "choose": (1, "question"),
    "ask": (1, "question"),
    "ask_may": (1, "question"),
    "ask_some": (1, "question"),
    "Question": (1, "question"),
    "declare": (0, "event"),
    "mark": (0, "marker"),
    "mark_all": (0, "marker"),
    "set_counter": (0, "counter"),
    "gain": (0, "counter"),
    "roll": (0, "roll"),
    "Word": (0, "option"),
    "Place": (0, "place"),
}


def names_in(path):
    """Every key that a file of the rules writes out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            number, chapter = NAMED_BY.get(called, (len(node.args), ""))
            for argument in node.args[number : number + 1]:
                if isinstance(argument, ast.Constant):
                    yield f"{chapter}.{argument.value}"


FILES = sorted(Path(gwent.__file__).parent.rglob("*.py"))


def test_everything_the_rules_name_has_words():
    named = {name for path in FILES for name in names_in(path)}
    assert named - set(catalog().words) == set()


def rules_in(path):
    """Whatever may wait for somebody: a question says where it comes from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.AsyncFunctionDef):
            yield f"rule.{node.name.strip('_')}"


def test_every_rule_that_may_wait_has_words():
    waiting = {name for path in FILES for name in rules_in(path)}
    assert waiting - set(catalog().words) == set()


# ---- what is said in games -----------------------------------------------------------


def random_game(variant, seats, seed):
    chance = random.Random(seed)
    game = LocalTable(gwent.GWENT, seats, variant, seed=seed)
    asked = []
    while game.outcome is None:
        seat = chance.choice(game.waiting())
        question = game.question(seat)
        asked.append(question)
        number = chance.randint(question.least, question.most)
        game.answer(seat, chance.sample(question.ids, number))
    return game, asked


def keys_of(event):
    match event:
        case happened.Asked(asking):
            yield from (f"rule.{name}" for name in asking.path)
        case happened.Declared(name=name):
            yield f"event.{name}"
        case happened.MarkerPut(name=name):
            yield f"marker.{name}"
        case happened.CounterSet(name=name):
            yield f"counter.{name}"
        case happened.Rolled(name=name):
            yield f"roll.{name}"


def keys_asked(question):
    yield f"question.{question.name}"
    if question.least == 0:
        yield f"decline.{question.name}"
    words = (one for one in question.options if isinstance(one, Word))
    yield from (f"option.{one}" for one in words)


CASES = [(one.name, seats) for one in gwent.GWENT.variants for seats in one.seats]


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_everything_said_in_random_games_has_words(variant, seats):
    said = set()
    for seed in range(12):
        game, asked = random_game(variant, seats, seed)
        said |= {key for event in game.events for key in keys_of(event)}
        said |= {key for question in asked for key in keys_asked(question)}
        said |= {f"place.{place.name}" for place in game.play.table.places()}
    assert said - set(catalog().words) == set()
