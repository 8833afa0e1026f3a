"""RULES 3.5: Wolf, whose soldiers go to any row."""

import pytest

from tests.rules.skirmish.layout import placing, reckoning, turning_up


@pytest.mark.rule("SK-3.5")
def test_wolf_places_in_any_row_of_the_own_side():
    table = placing("""
        anna  Wolf   hand: Rookie
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Rookie to assault",
        "Rookie to scout",
        "Rookie to sniper",
    ]


@pytest.mark.rule("SK-3.5")
def test_wolfs_leave_is_for_soldiers_on_the_own_side():
    table = placing("""
        anna  Wolf   hand: Rookie, Spy, Snow
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Spy to ben's scout", "Snow")
    assert table.heard("leave") == ["Rookie"]


@pytest.mark.rule("SK-3.5")
def test_wolf_calls_up_to_any_row_of_the_own_side():
    table = turning_up("""
        anna  Wolf   assault: (Call of Duty)   hand: Spy
        ben   hand: Lurker
    """)
    assert table.anna.options == ["Spy to assault", "Spy to scout", "Spy to sniper"]


@pytest.mark.rule("SK-3.5")
def test_wolfs_soldiers_bear_no_penalty():
    table = placing("""
        anna  Wolf   hand: Forced Dispatch 13, Assault Sniper, Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Forced Dispatch to scout", "Assault Sniper to scout").is_done()
    table.quiet()
    assert table.attacks["Forced Dispatch"] == 4
    assert table.attacks["Assault Sniper"] == 8


@pytest.mark.rule("SK-3.5")
def test_wolfs_soldier_called_up_bears_no_penalty():
    table = turning_up("""
        anna  Wolf   assault: (Call of Duty)   hand: Assault Sniper
        ben   hand: Lurker
    """)
    table.anna.chooses("Assault Sniper to scout")
    assert table.attacks["Assault Sniper"] == 8


@pytest.mark.rule("SK-3.5")
def test_wolf_raises_only_to_rows_of_the_card_and_with_the_penalty():
    table = turning_up("""
        anna  Wolf   tactic: (Resurrection)
        ben   hand: Lurker
        discard: Assault Sniper
    """)
    assert table.anna.options == [
        "Assault Sniper to scout",
        "Assault Sniper to sniper",
    ]
    table.anna.chooses("Assault Sniper to scout")
    assert table.attacks["Assault Sniper"] == 6


@pytest.mark.rule("SK-3.5")
def test_what_wolf_coerces_keeps_its_penalty():
    table = turning_up("""
        anna  Wolf   tactic: (Coercion)
        ben   scout: Assault Sniper
    """)
    assert table.points == [6, 0]


@pytest.mark.rule("SK-3.5", "SK-2.5")
def test_wolfs_leave_ends_with_the_round():
    table = reckoning("""
        anna  Wolf   scout: Lurker   hand: Rookie
        ben   scout: Cover   hand: Spotter
    """)
    assert table.marker("leave", "Lurker") is None
