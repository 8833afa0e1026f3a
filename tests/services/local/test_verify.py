"""Whoever changes a finished game in any place is found out."""

import copy
import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.engine.games import GAMES
from services.local import LocalTable
from services.local.playouts import play_out
from services.local.verify import verify
from tests.services.local.conftest import finished

SKIRMISH = GAMES["skirmish"]


def test_an_honest_game_agrees(game, paper):
    report = verify(paper)

    assert report.ok
    assert report.outcome == game.outcome
    assert report.events == len(game.events)
    assert report.batches == len(game.ledger)


def test_t10_an_honest_game_is_the_one_that_was_promised(game, paper):
    report = verify(paper, commitment=game.commitment)

    assert report.ok
    assert report.promised


def test_a_wholly_invented_game_agrees_with_itself_alone(game):
    invented = finished(seed=99).disclosure()

    assert verify(invented).ok
    told = verify(invented, commitment=game.commitment).problem
    assert told == "The seed is not the one you were promised (--commitment)."


def test_a_conceded_and_an_abandoned_game_agree():
    for seed, end in enumerate(("concede", "abandon")):
        table = finished_by(end, seed)
        assert verify(table.disclosure()).ok


def finished_by(end, seed):
    table = LocalTable(SKIRMISH, 2, seed=seed)
    table.concede(1) if end == "concede" else table.abandon()
    return table


# ---- one change, anywhere ------------------------------------------------------------


@cache
def a_paper():
    """No fixture: a failing example would print all of it."""
    return finished().disclosure()


def places(value, path=()):
    """Every leaf of the disclosure, as the path that leads to it."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places(one, (*path, name))
    elif isinstance(value, list) and value:
        for index, one in enumerate(value):
            yield from places(one, (*path, index))
    else:
        yield path


ODD: list[object] = [None, True, False, 0, 1, -1, 2.0, "", "x", [], ["x"], {}]


def changed(value, dice):
    """Something else in its place, of the same kind or of another."""
    others = list(ODD)
    if isinstance(value, str) and value:
        at = dice.randrange(len(value))
        other = dice.choice("0123456789abcdef")
        others += [value[:at] + other + value[at + 1 :], value[::-1], value + "0"]
    if type(value) is int:
        others += [value + 1, value - 1, float(value), str(value)]
    others = [one for one in others if json.dumps(one) != json.dumps(value)]
    return dice.choice(others)


def at(parts, path):
    for step in path:
        parts = parts[step]
    return parts


def put(parts, path, value):
    at(parts, path[:-1])[path[-1]] = value


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_changed_item_is_found_out(dice):
    parts = json.loads(a_paper())
    path = dice.choice(list(places(parts)))

    put(parts, path, changed(at(parts, path), dice))

    report = verify(parts)
    assert not report.ok, path
    assert report.problem.endswith(".")


def test_whatever_stands_at_the_head_of_the_file_is_found_out():
    """Where the re-run has not begun yet, each odd thing in each place."""
    whole = json.loads(a_paper())
    head = [("format",), ("table",), ("game",), ("seed",), ("ledger",), ("journal",)]
    head += [("events",), ("journal", 0), *places(whole["journal"][0], ("journal", 0))]
    for path in head:
        for odd in ODD:
            parts = json.loads(a_paper())
            if json.dumps(at(parts, path)) != json.dumps(odd):
                put(parts, path, odd)
                assert not verify(parts).ok, (path, odd)


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_anything_left_out_or_put_in_twice_is_found_out(dice):
    parts = json.loads(a_paper())
    items = parts[dice.choice(["ledger", "journal", "events"])]
    at = dice.randrange(len(items))

    if dice.random() < 0.5:
        del items[at]
    else:
        items.insert(at, copy.deepcopy(items[at]))

    assert not verify(parts).ok


@pytest.mark.parametrize(
    ("given_file", "sentence"),
    [
        (b"\xff\xfe", "This is not JSON."),
        ("[1, 2]", "This is no disclosure of the form 'anpai-disclosure-1'."),
        ("{}", "This is no disclosure of the form 'anpai-disclosure-1'."),
        ("[" * 100_000, "This is not JSON."),
    ],
)
def test_a_file_that_is_no_disclosure_is_told_so(given_file, sentence):
    assert verify(given_file).problem == sentence


# ---- each forgery has its sentence ---------------------------------------------------


def test_a_roll_or_deal_that_is_better_than_it_was(forged):
    parts = forged(lambda it: it["ledger"][0][3].append([[], [6]]))

    assert verify(parts).problem == (
        "Batch 1 of the ledger: results not as the re-run gives it."
    )


def test_an_answer_that_was_another(forged):
    def answer_otherwise(parts):
        entry = next(one for one in parts["journal"] if one[1] == "answer" and one[4])
        entry[4] = []

    assert "of the journal (answer)" in verify(forged(answer_otherwise)).problem


def test_another_seed(forged):
    parts = forged(lambda it: it.update(seed="00" * 32))

    assert verify(parts).problem == (
        "The seed is not the one that was committed to before play."
    )


def test_another_version_of_the_rules(forged):
    parts = forged(lambda it: it["journal"][0][10].update(rules_version="0"))

    assert "version '0' of the rules" in verify(parts).problem


def test_a_journal_that_stops_before_the_end(forged):
    parts = forged(lambda it: it["journal"].pop())

    assert verify(parts).problem == "The journal ends before the game does."


def test_a_journal_that_goes_on_after_the_end(forged):
    parts = forged(lambda it: it["journal"].append(it["journal"][-1]))

    assert "goes on after the outcome" in verify(parts).problem


def test_a_default_before_its_time():
    table = finished_timed()
    parts = json.loads(table.disclosure())
    entry = next(one for one in parts["journal"] if one[1] == "answer")
    entry[1] = "default"

    assert "before its time was out" in verify(parts).problem


def finished_timed():
    table = LocalTable(SKIRMISH, 2, seed=3, timed=True, bots=(True, True))
    play_out(table, random.Random(3))
    return table


@pytest.mark.parametrize("behind", ["many", -2, True, None])
def test_an_opening_that_lets_spectators_in_as_nobody_can(behind):
    parts = json.loads(finished_by("concede", 3).disclosure())
    parts["journal"][0][10]["spectators"] = behind

    assert verify(parts).problem == "The journal's first entry does not open a table."
