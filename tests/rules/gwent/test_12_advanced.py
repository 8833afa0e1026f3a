"""RULES 12: decks within narrower limits (each by itself: `test_decks.py`)."""

import pytest

from services.engine.games.gwent.decks import faults
from services.engine.games.gwent.starter import deck_of
from tests.rules.gwent.layout import laid_out, whole

NILFGAARD = deck_of("advanced_nilfgaard")


def said(*more, without=()):
    deck = [face for face in NILFGAARD if face not in without]
    return [fault.text.en for fault in faults("advanced", [(*deck, *more)])]


@pytest.mark.note(76)
@pytest.mark.rule("GW-12.1")
@pytest.mark.parametrize(
    ("hero", "sentence"),
    [
        ("mysterious_elf", "The deck has 3 spies; 2 at most."),
        ("yennefer", "The deck has 3 medics; 2 at most."),
    ],
)
def test_heroes_are_counted_among_spies_and_medics(hero, sentence):
    assert sentence in said(hero)
    assert "menno" in NILFGAARD


@pytest.mark.note(76)
@pytest.mark.rule("GW-12.2")
def test_printed_strengths_are_summed_heroes_counted():
    assert said() == []
    assert any("130 at most" in one for one in said("geralt", "ciri", "vesemir"))
    assert said("geralt", without=("letho", "tibor")) == []


@pytest.mark.note(76)
@pytest.mark.rule("GW-12.2")
def test_the_side_deck_is_not_counted():
    assert faults("advanced", [deck_of("advanced_skellige")]) == []


@pytest.mark.rule("GW-12.1", "GW-1.4")
def test_who_brings_none_chooses_among_the_advanced_ones():
    table = whole("advanced")
    assert table.anna.options == [
        "advanced_monsters",
        "advanced_nilfgaard",
        "advanced_northern_realms",
        "advanced_scoiatael",
        "advanced_skellige",
    ]


@pytest.mark.rule("GW-12.1")
def test_it_is_played_as_a_duel():
    table = laid_out("anna  melee: Ves   gems: 2\n ben  gems: 1", "advanced")
    table.anna.passes()
    table.ben.passes()
    assert table.is_over
    assert table.winners == ["anna"]
