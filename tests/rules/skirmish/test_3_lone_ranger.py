"""RULES 3.6: Lone Ranger, beside whom nobody is placed."""

import pytest

from tests.rules.skirmish.layout import placing, turning_up


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_placed_beside_another_nor_another_beside_him():
    table = placing("""
        anna  hand: Lone Ranger, Cover, Rookie, Hot Blood
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Cover")
    assert table.anna.options == ["Hot Blood to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_placed_beside_lone_ranger():
    table = placing("""
        anna  hand: Lone Ranger, Cover, Forced Dispatch 13
        ben   hand: Lurker
    """)
    table.anna.places("Lone Ranger")
    assert table.anna.options == ["Forced Dispatch to assault"]


@pytest.mark.rule("SK-3.6")
def test_wolfs_lone_ranger_keeps_whatever_row_he_is_in_to_himself():
    table = placing("""
        anna  Wolf   hand: Lone Ranger, Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Lone Ranger to sniper")
    assert table.anna.options == ["Rookie to assault", "Rookie to scout"]


@pytest.mark.rule("SK-3.6")
def test_placing_beside_lone_ranger_means_the_call_up_too_and_face_down_too():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: (Lone Ranger)   hand: Cover, Rookie
        ben   hand: Lurker
    """)
    table.anna.turns_up("Call of Duty")
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_called_up_beside_lone_ranger():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: Lone Ranger   hand: Cover, Rookie
        ben   hand: Lurker
    """)
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_called_up_beside_a_soldier_even_a_face_down_one():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: (Spotter)   hand: Lone Ranger
        ben   hand: Lurker
    """)
    table.anna.turns_up("Call of Duty")
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
def test_nobody_is_raised_beside_lone_ranger_nor_he_beside_another():
    table = turning_up("""
        anna  tactic: (Resurrection)   scout: Lone Ranger
        ben   hand: Lurker
        discard: Cover, Forced Dispatch 13, Rookie
    """)
    assert table.anna.options == ["Forced Dispatch to assault", "Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_raised_beside_another():
    table = turning_up("""
        anna  tactic: (Resurrection)   scout: Spotter
        ben   hand: Lurker
        discard: Lone Ranger, Cover, Rookie
    """)
    assert table.anna.options == ["Cover to scout", "Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_coerced_beside_lone_ranger():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Cover, (Bugle Call)   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6")
def test_a_face_up_lone_ranger_is_not_coerced_beside_another():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Spotter
        ben   scout: Lone Ranger   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6", "SK-2.3")
def test_a_face_down_lone_ranger_may_be_coerced_like_any_body():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Spotter
        ben   scout: (Lone Ranger)   assault: Rookie
    """)
    assert table.anna.options == ["Lone Ranger", "Rookie"]
    table.anna.chooses("Lone Ranger")
    assert table.points == [9, 2]


@pytest.mark.rule("SK-3.6")
@pytest.mark.parametrize("spy", ["Spy {by ben}", "(Spy {by ben})", "Lurker {stayed}"])
def test_a_foreign_spy_and_a_lurker_of_the_last_round_do_not_count(spy):
    table = turning_up(f"""
        anna  assault: (Call of Duty)   scout: {spy}   hand: Lone Ranger
        ben   hand: Rookie
    """)
    if table.asked == "turn_up":
        table.anna.turns_up("Call of Duty")
    assert table.anna.options == ["Lone Ranger to scout"]


@pytest.mark.rule("SK-3.6")
def test_a_lurker_of_this_round_counts():
    table = turning_up("""
        anna  assault: (Call of Duty)   tactic: (Resurrection)   hand: Lone Ranger
        ben   hand: Rookie
        discard: Lurker
    """)
    table.anna.turns_up("Resurrection")
    assert table.anna.is_asked == "call_up"
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
@pytest.mark.parametrize(
    "copy", ["Spy {by ben, as Cover}", "Lurker {stayed, as Cover}"]
)
def test_a_spy_or_lurker_that_became_a_copy_is_what_it_shows(copy):
    table = turning_up(f"""
        anna  assault: (Call of Duty)   scout: {copy}   hand: Lone Ranger
        ben   hand: Rookie
    """)
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
def test_a_foreign_spy_and_a_lurker_may_be_coerced_beside_lone_ranger():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Lurker {stayed}, Cover, (Spy {by cleo})
        cleo  hand: Rookie
    """)
    assert table.anna.options == ["Lurker", "Spy"]


@pytest.mark.rule("SK-3.6")
def test_a_spy_coming_home_counts():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Spy {by anna}   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_who_shares_a_row_all_the_same_counts_as_ever():
    table = placing("""
        anna  hand: Lone Ranger
        ben   hand: Spy, Rookie
    """)
    table.anna.places("Lone Ranger")
    table.ben.places("Spy to anna's scout").is_done()
    table.quiet()
    assert table.attacks["Lone Ranger"] == 6
    assert table.points == [8, 0]
