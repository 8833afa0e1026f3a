"""RULES 8: the end of the game."""

import pytest

from tests.rules.skirmish.layout import placing, reckoning


@pytest.mark.rule("SK-8.1")
def test_the_game_ends_when_a_seat_has_no_soldier_in_hand_after_a_round():
    table = reckoning("""
        anna  scout: Cover   hand: Hot Blood, Rookie
        ben   scout: Spotter   hand: Snow
    """)
    assert table.is_over


@pytest.mark.rule("SK-8.1")
def test_it_goes_on_while_every_seat_has_a_soldier():
    table = reckoning("""
        anna  scout: Cover   hand: Hot Blood
        ben   assault: Rookie   hand: Recluse
    """)
    assert table.waits_for == ["anna: place"]


@pytest.mark.rule("SK-8.1", "SK-6.2")
def test_a_hand_that_was_empty_in_between_does_not_end_it():
    table = reckoning("""
        anna  Vulture   scout: Cover
        ben   assault: Rookie   hand: Recluse
        soldier deck: Hot Blood
    """)
    table.anna.chooses("draw")
    assert table.waits_for == ["anna: place"]


@pytest.mark.rule("SK-8.1")
def test_a_robbed_seat_plays_the_round_to_its_end():
    table = placing("""
        anna  hand: Spy, Cover
        ben   hand: Rookie
    """)
    table.anna.places("Spy to ben's scout").is_done()
    assert not table.is_over or table.points == [0, 2]
    assert table.turned_up == ["Spy"]


@pytest.mark.rule("SK-8.1", "SK-8.2")
def test_a_lurker_on_the_table_is_no_soldier_in_hand_and_no_point_more():
    table = reckoning("""
        anna  scout: Lurker
        ben   scout: Spotter   hand: Recluse, Snow
    """)
    assert table.is_over
    assert table.totals == [2, 3 + 2]


@pytest.mark.rule("SK-8.2")
def test_every_soldier_and_tactic_left_in_hand_is_a_point():
    table = reckoning("""
        anna  scout: Cover    hand: Hot Blood, Snow, Rain   total: 20
        ben   scout: Spotter  hand: Fog                     total: 20
    """)
    assert table.totals == [26, 24]


@pytest.mark.rule("SK-8.3")
def test_the_highest_total_wins():
    table = reckoning("""
        anna  scout: Cover    total: 20
        ben   assault: Rookie   total: 22
        cleo  sniper: Recluse   total: 1
    """)
    assert table.winners == ["ben"]
    assert table.play.outcome.ranks == (2, 1, 3)


@pytest.mark.rule("SK-8.3")
def test_equal_totals_share_the_win():
    table = reckoning("""
        anna  scout: Cover    total: 20
        ben   assault: Rookie   total: 21
        cleo  sniper: Recluse   total: 1
    """)
    assert table.winners == ["anna", "ben"]
    assert table.play.outcome.ranks == (1, 1, 3)
