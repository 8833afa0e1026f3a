"""Decks in a disclosure: what a seat brought was legal, and as much as was said."""

import json
import random

import pytest

from services.local import LocalTable
from services.local.playouts import play_out
from services.local.verify import verify
from tests.services.menagerie import MENAGERIE, opened_to_visitors

HERD = ("saola", "okapi", "takin")
FLOCK = ("vicuna", "vicuna", "vicuna")


@pytest.fixture(autouse=True)
def menagerie(monkeypatch):
    with opened_to_visitors(monkeypatch):
        yield


def a_game(decks, variant="pair"):
    table = LocalTable(MENAGERIE, 2, variant, seed=7, decks=decks)
    play_out(table, random.Random(7))
    return table.disclosure()


def problem_of(paper):
    return verify(paper).problem


def test_a_game_with_decks_is_run_again_with_them():
    assert problem_of(a_game({0: [HERD], 1: [FLOCK]})) == ""
    assert problem_of(a_game({1: [FLOCK]})) == ""
    assert problem_of(a_game({0: [HERD, FLOCK, HERD]}, "cup")) == ""


@pytest.mark.parametrize(
    ("decks", "variant"),
    [
        ([("okapi", "okapi", "dodo")], "pair"),
        ([HERD, FLOCK], "pair"),
        ([HERD], "plain"),
        ([HERD, FLOCK], "cup"),
    ],
)
def test_a_seat_that_brought_what_it_may_not_is_found_out(decks, variant):
    told = problem_of(a_game({1: decks}, variant))

    assert told == "Seat 1 brought decks that it may not bring."


def test_decks_hidden_or_counted_wrongly_are_found_out():
    for change in ({"decks": 2}, {"decks": True}, {}):
        paper = json.loads(a_game({0: [HERD]}))
        details = paper["journal"][1][10]
        del details["decks"]
        details |= change

        assert problem_of(paper) != ""
