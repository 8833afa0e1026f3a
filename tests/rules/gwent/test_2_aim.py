"""RULES 2: what a match is played for."""

import pytest

from tests.rules.gwent.layout import gwent, whole


@pytest.mark.rule("GW-2.1")
def test_the_higher_total_wins_the_round_and_the_lower_side_loses_a_gem():
    table = gwent("""
        anna  melee: Olaf 12, Siegfried 6
        ben   melee: Zoltan 5
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  gems: 2   discard: Olaf, Siegfried
        ben   gems: 1   discard: Zoltan
        round: 2   turn: anna
    """)


@pytest.mark.rule("GW-2.1")
def test_every_side_begins_with_two_gems():
    table = whole()
    table.anna.chooses("starter_monsters")
    table.ben.chooses("starter_skellige")
    assert table.gems == [2, 2]


@pytest.mark.note(72)
@pytest.mark.rule("GW-2.1")
def test_a_match_has_three_rounds_at_most():
    table = gwent("""
        anna  gems: 1   melee: Zoltan
        ben   gems: 1   melee: Ves
        round: 3
    """)
    table.anna.passes()
    table.ben.passes()
    assert table.is_over
    assert table.gems == [0, 0]
