"""RULES 4: tactics that act when they are turned up."""

import pytest

from tests.rules.skirmish.layout import turning_up


@pytest.mark.rule("SK-4.20")
def test_a_nuke_kills_everybody_face_up_or_down_in_one_event():
    table = turning_up("""
        anna  tactic: (Tactical Nuke)   scout: Cover, (Spotter)
        ben   sniper: Seeing Eye, (Recluse)   assault: Rookie {warded}
    """)
    table.anna.turns_up("Tactical Nuke")
    assert sorted(table.fallen) == [
        "Cover",
        "Recluse",
        "Rookie",
        "Seeing Eye",
        "Spotter",
    ]
    assert table.deaths == 1


@pytest.mark.rule("SK-4.20")
def test_those_that_come_after_the_nuke_live():
    table = turning_up("""
        anna  tactic: (Tactical Nuke)   scout: Cover
        ben   tactic: (Resurrection)
    """)
    table.ben.turns_up("Resurrection")
    assert table.points == [0, 3]


@pytest.mark.rule("SK-4.21")
def test_a_copy_takes_name_class_attack_and_skill_and_keeps_row_and_mutation():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Rookie {x2}, Lurker
        ben   sniper: Recluse {=1}   scout: Cover
    """)
    table.anna.chooses("Rookie", of="copy").chooses("Recluse", of="pattern")
    assert table.heard("copy") == ["Rookie"]
    assert table.attacks["Rookie"] == 14
    assert table.points == [16, 4]


@pytest.mark.rule("SK-4.21")
def test_no_spotter_of_the_pattern_comes_over():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Lurker
        ben   sniper: Blind Shot   scout: Spotter {spots Blind Shot}, Cover
    """)
    table.anna.chooses("Blind Shot", of="pattern")
    assert table.attacks["Lurker"] == 4


@pytest.mark.rule("SK-4.21", "SK-4.4")
def test_the_turned_up_skill_of_a_copy_does_not_run():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Lurker
        ben   sniper: Quick Draw   scout: Cover
    """)
    table.anna.chooses("Quick Draw", of="pattern")
    assert table.fallen == []
    assert table.attacks["Lurker"] == 5


@pytest.mark.rule("SK-4.21")
def test_a_lasting_skill_of_a_copy_works():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Lurker, Cover
        ben   scout: Bugle Call
    """)
    table.anna.chooses("Lurker", of="copy").chooses("Bugle Call", of="pattern")
    assert table.attacks == {"Lurker": 3, "Cover": 5, "Bugle Call": 3}


@pytest.mark.rule("SK-4.21", "SK-3.4")
def test_a_copy_bears_the_penalty_of_its_new_card():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Lurker
        ben   assault: Forced Dispatch 14   scout: Cover
    """)
    table.anna.chooses("Forced Dispatch", of="pattern")
    assert table.attacks["Lurker"] == 4


@pytest.mark.rule("SK-4.21", "SK-3.4")
def test_a_copy_no_longer_bears_the_penalty_of_its_old_card():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Assault Sniper
        ben   assault: Rookie, Hot Blood
    """)
    table.anna.chooses("Rookie", of="pattern")
    assert table.attacks["Assault Sniper"] == 2


@pytest.mark.rule("SK-4.21")
def test_two_face_up_soldiers_are_enough():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Lurker
        ben   assault: Hot Blood
    """)
    assert table.heard("copy") == ["Lurker"]
    assert table.points == [8, 8]


@pytest.mark.rule("SK-4.21")
def test_nothing_is_copied_without_a_pattern_or_an_own_face_up_soldier():
    for own, enemy in [("Lurker", "(Cover)"), ("(Lurker)", "Cover, Spotter")]:
        table = turning_up(f"""
            anna  tactic: (Gene Copy)   scout: {own}
            ben   scout: {enemy}
        """)
        if table.asked == "turn_up":
            table.anna.turns_up("Gene Copy")
        assert table.quiet().heard("copy") == []


@pytest.mark.rule("SK-4.22")
@pytest.mark.parametrize(("how", "attack"), [("double", 6), ("one", 1)])
def test_a_mutation_doubles_or_makes_one_as_the_player_likes(how, attack):
    table = turning_up("""
        anna  tactic: (Gene Mutation)   scout: Lurker
        ben   scout: (Cover)
    """)
    assert table.anna.options == ["Cover", "Lurker"]
    table.anna.chooses("Cover", of="mutate").chooses(how, of="mutation")
    assert table.attacks["Cover"] == attack


@pytest.mark.rule("SK-4.22", "SK-5.9")
def test_a_face_down_seeing_eye_may_be_mutated_to_no_avail():
    table = turning_up("""
        anna  tactic: (Gene Mutation)
        ben   sniper: (Seeing Eye)
    """)
    table.anna.chooses("double", of="mutation")
    assert table.points == [0, 8]


@pytest.mark.rule("SK-4.23")
def test_a_coerced_soldier_moves_to_the_same_row():
    table = turning_up("""
        anna  tactic: (Coercion)   hand: Rookie
        ben   sniper: Forced Dispatch 13   scout: (Cover)   hand: Lurker
    """)
    assert table.anna.options == ["Cover", "Forced Dispatch"]
    table.anna.chooses("Forced Dispatch")
    assert table.points == [4, 3]


@pytest.mark.rule("SK-4.23")
def test_a_face_down_soldier_stays_so_and_its_bringer_alone_knows_it():
    table = turning_up("""
        anna  tactic: (Coercion)   assault: (Hot Blood), (Adrenaline)
        ben   scout: (Cover), (Spotter)
    """)
    table.anna.turns_up("Coercion").chooses("Cover", of="coerce")
    assert (
        table
        == """
        anna  tactic: Coercion   assault: (Hot Blood), (Adrenaline)   scout: (Cover)
        ben   scout: (Spotter)
    """
    )
    assert table.ben.sees("Cover")
    assert not table.anna.sees("Cover")
    assert "Cover" in table.anna.options


@pytest.mark.rule("SK-4.23")
def test_the_new_side_turns_it_up_and_uses_its_skill():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   sniper: (Quick Draw)   scout: Lurker, Cover
    """)
    table.anna.chooses("Quick Draw", of="coerce")
    assert table.anna.is_asked == "quick_draw"


@pytest.mark.rule("SK-4.23", "SK-5.9")
def test_a_face_down_seeing_eye_is_turned_up_and_stays():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: (Lurker)
        ben   sniper: (Seeing Eye)
    """)
    table.anna.turns_up("Coercion")
    assert table.turned_up[:2] == ["Coercion", "Seeing Eye"]
    assert table.points == [2, 8]


@pytest.mark.rule("SK-4.24")
def test_resurrection_brings_anybodys_soldier_face_up_to_the_own_side():
    table = turning_up("""
        anna  tactic: (Resurrection)
        ben   scout: Lurker
        discard: Forced Dispatch 16, Cover, Snow
    """)
    assert table.anna.options == [
        "Cover to scout",
        "Forced Dispatch to assault",
        "Forced Dispatch to sniper",
    ]
    table.anna.chooses("Forced Dispatch to sniper")
    assert table.points == [4, 2]


@pytest.mark.rule("SK-4.24")
def test_resurrection_may_raise_who_fell_this_round():
    table = turning_up("""
        anna  tactic: (Resurrection)   sniper: (Sniper God)
        ben   sniper: Recluse
    """)
    table.anna.turns_up("Sniper God")
    assert table.fallen == ["Recluse"]
    assert table.attacks["Recluse"] == 7


@pytest.mark.rule("SK-4.25")
def test_a_seat_discards_all_its_tactics_face_up():
    table = turning_up("""
        anna  tactic: (Dumbing Strike)   hand: Snow
        ben   hand: Rain, Fog, Rookie
        cleo  hand: Lurker
        weather: Sandstorm
    """)
    table.anna.chooses("strip", of="dumb_down")
    assert table.anna.options == ["anna", "ben"]
    table.anna.chooses("ben", of="strip")
    assert (
        table
        == """
        ben   hand: Rookie
        discard: Rain, Fog, Dumbing Strike
    """
    )
    assert table.declared("strips") == ["ben"]


@pytest.mark.rule("SK-4.25")
def test_without_a_tactic_in_any_hand_the_tactics_on_the_table_are_void():
    table = turning_up("""
        anna  tactic: (Dumbing Strike)   hand: Rookie
        ben   hand: Lurker
    """)
    assert table.declared("voids") == ["anna"]


@pytest.mark.rule("SK-4.25")
def test_void_means_no_weather_disaster_copy_mutation_or_gamble():
    table = turning_up("""
        anna  tactic: (Dumbing Strike)   scout: Cover {x2}, Lurker {as Recluse}
        ben   assault: Rookie {=1}
        weather: Rain
        disaster: Tsunami
        gambled: anna
    """)
    assert table.attacks == {"Cover": 3, "Lurker": 2, "Rookie": 2}


@pytest.mark.rule("SK-4.25")
def test_what_is_still_face_down_is_turned_up_without_effect():
    table = turning_up("""
        anna  tactic: (Dumbing Strike)   scout: Cover
        ben   tactic: (Tactical Nuke)
    """)
    assert table.turned_up == ["Dumbing Strike", "Tactical Nuke"]
    assert table.points == [3, 0]


@pytest.mark.rule("SK-4.25", "SK-6.3")
def test_a_void_french_salute_does_nothing():
    table = turning_up("""
        anna  tactic: (Dumbing Strike)   sniper: Recluse
        ben   tactic: (French Salute)   scout: Cover
    """)
    assert table.is_over
    assert table.ben.hand == []


@pytest.mark.rule("SK-4.25")
def test_deaths_moves_raised_soldiers_and_wards_stay():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: (Part-time Medic)
        ben   scout: Bugle Call, Cover
        cleo  tactic: (Dumbing Strike)
        weather: Snow
    """)
    table.anna.turns_up("Coercion").chooses("Cover")
    table.anna.chooses("Cover", of="ward")
    assert table.declared("voids") == ["cleo"]
    assert table.points == [5, 3, 0]
    assert table.marker("ward", "Cover") is None


@pytest.mark.rule("SK-4.26")
@pytest.mark.parametrize(
    ("dice", "points"),
    [([1, 1], [3, 2]), ([2, 1], [3, 0]), ([5, 2], [3, 0]), ([4, 2], [3, 0])],
)
def test_the_gamble_hits_enemies_on_even_or_on_tails(dice, points):
    table = turning_up(
        """
        anna  tactic: (Yan Shuangying's Gamble)   scout: Cover
        ben   assault: Rookie
        """,
        dice=dice,
    )
    assert table.points == points
    assert table.rolled == [("gamble_die", 6, dice[0]), ("gamble_coin", 2, dice[1])]


@pytest.mark.rule("SK-4.26")
def test_those_that_come_later_have_0_too():
    table = turning_up(
        """
        anna  tactic: (Yan Shuangying's Gamble)
        ben   assault: (Call of Duty)   hand: Rookie
        """,
        dice=[2, 1],
    )
    table.ben.chooses("Rookie", of="call_up")
    assert table.points == [0, 0]
