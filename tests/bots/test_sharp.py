"""The sharp bot thinks ahead, in time, and knows what its seat knows and no more."""

import random
from itertools import count, islice

import pytest

from anpai import question_of
from clients.bots.sharp import Effort, sharp_with, thinking
from clients.bots.sharp.search import best_of
from clients.bots.sharp.thinking import Search, think
from clients.bots.steady import steady
from clients.bots.strength import local_faces, measure
from services.engine.kernel.entry import EntryKind
from services.local import GAMES
from services.local.seeing import view_of
from tests.laws.playing import Case, Refused, Script, take
from tests.laws.seeing import dealt_anew, faces_of

CASES = [Case(game, game.variants[0].name, 2) for game in GAMES.values()]
GWENT = Case(GAMES["gwent"], "duel", 2)


def asked_at(case: Case, seed: int, name: str, after: int):
    """A table of steady bots at the question of this name, so many answers on."""
    table, script = case.table(seed), Script()
    chance, faces = random.Random(seed), local_faces(case.game.name)
    while True:
        seat = table.waiting()[0]
        view = view_of(table, seat)
        question = question_of(view.question)
        if len(script.steps) >= after and question.name == name and question.options:
            return table, script, seat
        choice = steady(view, question, faces, chance)
        take(table, EntryKind.ANSWER, seat, choice)
        script.steps.append((EntryKind.ANSWER, seat, choice))


QUESTIONS = {"gwent": "turn", "skirmish": "place"}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_it_cannot_know_changes_no_choice(case, seed):
    """Faces it cannot know are dealt anew: it thinks the same, with the same chance."""
    table, script, seat = asked_at(case, seed, QUESTIONS[case.game.name], 14)
    others = list(islice(other_worlds(case, seed, table, script, seat), 3))

    choices = {chosen(one, seat) for one in (table, *others)}

    assert len(others) == 3
    assert len(choices) == 1


def other_worlds(case, seed, table, script, seat):
    """The same game to this seat, with other faces where it cannot see them."""
    chance, faces = random.Random(seed), faces_of(table)
    for swaps in [40] * 5 + [1] * 60:
        reface = dealt_anew(table, seat, faces, swaps, chance)
        world = case.table(seed, reface=reface)
        try:
            for _ in script.onto(world):
                pass
        except Refused:
            continue
        if reface != faces:
            yield world


def chosen(table, seat: int) -> tuple[str, ...]:
    view = view_of(table, seat)
    faces = local_faces(view.game)
    return sharp_with(60)(view, question_of(view.question), faces, random.Random(5))


def test_it_beats_steady_at_gwent():
    assert measure("gwent", 4, "sharp", "steady", iterations=34).share >= 0.6


def test_it_has_its_time_and_no_more(monkeypatch):
    table, _, seat = asked_at(GWENT, 2, "turn", 6)
    view, faces = view_of(table, seat), local_faces("gwent")
    ticks = count()
    monkeypatch.setattr(thinking.time, "monotonic", lambda: next(ticks) * 0.125)
    monkeypatch.setattr(Search, "play", lambda *_: chance.random())
    chance = random.Random(1)

    think(view, question_of(view.question), faces, chance, Effort(0, 0.5))

    assert next(ticks) == 5  # when it began, and each time it asked whether to go on


def test_without_any_time_it_answers_as_steady_does():
    table, _, seat = asked_at(GWENT, 2, "turn", 6)
    view, faces = view_of(table, seat), local_faces("gwent")
    question = question_of(view.question)

    choice = think(view, question, faces, random.Random(1), Effort(0, 0.000001))

    assert choice == steady(view, question, faces, random.Random(1))


# -- the search ----------------------------------------------------------------------


def times(number: int):
    left = iter(range(number))
    return lambda: next(left, None) is not None


def test_the_best_way_is_found_though_worlds_differ_more_than_ways():
    chance = random.Random(1)
    worlds = [chance.random() for _ in range(500)]
    worth = {"good": 0.05, "fair": 0.0, "bad": -0.3}

    best = best_of(list(worth)[::-1], lambda w, n: worlds[n] + worth[w], times(60))

    assert best == "good"


def test_what_is_far_behind_is_tried_no_more():
    tried = []

    def play(way, world):
        tried.append(way)
        return {"good": 0.9, "near": 0.85, "bad": 0.1}[way] + 0.2 * (world % 2)

    best_of(["good", "near", "bad"], play, times(60))

    assert tried.count("bad") < 10 < tried.count("near")


def test_while_too_little_is_known_the_usual_way_is_kept():
    def play(way, world):
        return float(way == "other")

    assert best_of(["usual", "other"], play, times(7)) == "usual"
    assert best_of(["usual", "other"], play, times(8)) == "other"


def test_a_single_way_is_not_tried():
    assert best_of(["only"], lambda *_: 1 / 0, times(9)) == "only"
