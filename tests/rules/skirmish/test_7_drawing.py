"""RULES 7: drawing."""

import pytest

from tests.rules.skirmish.layout import reckoning, turning_up


@pytest.mark.rule("SK-7.1", "SK-6.2")
def test_vulture_gets_nothing_from_an_empty_deck():
    table = reckoning("""
        anna  Vulture   scout: Cover
        ben   assault: Rookie
        discard: Hot Blood
    """)
    assert table.is_over
    assert table.anna.hand == []


@pytest.mark.rule("SK-7.1", "SK-7.2")
def test_fire_fox_gets_nothing_from_an_empty_deck():
    table = reckoning("""
        anna  Fire Fox   scout: Cover   hand: Hot Blood
        ben   assault: Rookie   hand: Lurker
        discard: Snow
    """)
    assert table.anna.hand == ["Hot Blood"]


@pytest.mark.rule("SK-7.2")
def test_fire_fox_draws_after_a_round_in_which_it_placed_no_tactic():
    table = reckoning("""
        anna  Fire Fox   scout: Cover     hand: Hot Blood
        ben   Vulture    assault: Rookie  hand: Lurker
        tactic deck: Snow, Rain
    """)
    assert table.anna.hand == ["Hot Blood", "Snow"]
    assert table.ben.hand == ["Lurker"]


@pytest.mark.rule("SK-7.2")
def test_fire_fox_draws_nothing_after_a_round_in_which_it_placed_one():
    table = turning_up("""
        anna  Fire Fox   scout: Cover     hand: Hot Blood   tactic: (Fog)
        ben   Vulture    assault: Rookie  hand: Lurker
        tactic deck: Snow, Rain
    """)
    assert table.anna.hand == ["Hot Blood"]


@pytest.mark.rule("SK-7.2")
def test_a_void_tactic_was_placed_all_the_same():
    table = turning_up("""
        anna  Fire Fox   scout: Cover     hand: Hot Blood   tactic: (Fog)
        ben   Vulture    assault: Rookie  hand: Lurker      tactic: (Dumbing Strike)
        tactic deck: Snow, Rain
        first: ben
    """)
    assert table.anna.hand == ["Hot Blood"]
