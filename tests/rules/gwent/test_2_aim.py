"""RULES 2: what a match is played for."""

import pytest

from tests.rules.gwent.layout import gwent, whole


@pytest.mark.rule("GW-2.1")
def test_the_higher_total_wins_the_round_and_the_lower_side_loses_a_gem():
    table = gwent("""
        anna  hand: Ves     melee: Olaf 12, Siegfried 7
        ben   hand: 2 Cow   melee: Zoltan
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  gems: 2   hand: Ves       discard: Olaf, Siegfried
        ben   gems: 1   hand: 2 cards   discard: Zoltan
        round: 2   turn: anna
    """)
