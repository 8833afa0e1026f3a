"""RULES 16: how rounds and games against the automaton end; what factions do."""

import pytest

from tests.rules.gwent.layout import solo

# -- rounds and the end --------------------------------------------------------------


@pytest.mark.rule("GW-16.5")
def test_who_loses_to_the_automaton_has_not_won():
    table = solo("""
        anna  gems: 1   hand: Ves
        automaton  melee: Zoltan
    """)
    table.anna.passes()
    assert table.winners == []
    assert table.declared("automaton_round_won") == ["5"]


@pytest.mark.rule("GW-16.2", "GW-11.1")
def test_who_takes_its_last_gem_has_won():
    table = solo("""
        anna  melee: Draug
        automaton  gems: 1   melee: Zoltan
    """)
    table.anna.passes()
    assert table.winners == ["anna"]


@pytest.mark.rule("GW-16.2", "GW-11.2")
def test_if_both_lose_the_last_gem_it_is_a_draw():
    table = solo("""
        anna  gems: 1   melee: Zoltan
        automaton  gems: 1   melee: Zoltan
    """)
    table.anna.passes()
    assert table.declared("round_tied") == [""]
    assert table.winners == ["anna"]


# -- factions ------------------------------------------------------------------------


@pytest.mark.rule("GW-16.14")
@pytest.mark.note(106)
def test_northern_realms_that_won_play_one_card_more_once():
    table = solo("""
        anna  hand: 3 cards
        automaton  Northern Realms   melee: Ves   pile: Keira, Siegfried, Dethmold,
            Redanian, Yarpen
    """)
    table.anna.passes()
    table.shows("""
        anna  gems: 1
        automaton  melee: Siegfried   ranged: Dethmold   pile: Redanian, Yarpen
    """)
    table.anna.plays("Vesemir")
    table.shows("""
        anna  melee: Vesemir
        automaton  melee: Siegfried, Redanian   ranged: Dethmold   pile: Yarpen
    """)


@pytest.mark.rule("GW-16.14")
@pytest.mark.note(106)
def test_northern_realms_that_lost_play_one_card():
    table = solo("""
        anna  melee: Draug   hand: Vesemir
        automaton  Northern Realms   pile: Decoy, Ves, Siegfried, Keira
    """)
    table.anna.passes()
    table.shows("anna  gems: 2\nautomaton  melee: Siegfried   gems: 1")


@pytest.mark.rule("GW-16.14", "GW-9.1")
@pytest.mark.note(108)
def test_monsters_keep_a_unit_for_the_automaton_too():
    table = solo("""
        anna  hand: Ves
        automaton  Monsters   melee: Griffin, Fiend   pile: Draug, Wyvern
        lots: 1
    """)
    table.anna.passes()
    table.shows("""
        anna  gems: 1
        automaton  melee: Fiend   ranged: Wyvern   discard: Draug, Griffin
    """)


@pytest.mark.rule("GW-16.14", "GW-9.2")
@pytest.mark.note(108)
def test_nilfgaard_wins_ties_for_the_automaton_too():
    table = solo("""
        anna  Skellige   melee: Zoltan
        automaton  Nilfgaard   melee: Zoltan
    """)
    table.anna.passes()
    table.shows("anna  gems: 1\nautomaton  gems: 2")


@pytest.mark.rule("GW-16.14", "GW-9.5")
@pytest.mark.note(108)
def test_skellige_bring_back_two_for_the_automaton_too():
    table = solo("""
        anna  Monsters   melee: Draug   hand: Ves
        automaton  Skellige   discard: Olaf, Udalryk, Holger, Hjalmar   pile: Donar, Ves
        round: 2   lots: 0, 2
    """)
    table.anna.passes()
    table.shows("""
        anna  hand: Ves
        automaton  melee: Olaf 12, Ves 6   siege: Holger 4   gems: 1
            discard: Udalryk, Hjalmar, Donar
    """)
