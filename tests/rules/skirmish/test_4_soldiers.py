"""RULES 4: soldiers that act when they are turned up."""

import pytest

from tests.rules.skirmish.layout import reckoning, turning_up


@pytest.mark.rule("SK-4.7")
def test_the_medic_wards_a_face_up_soldier_of_its_side():
    table = turning_up("""
        anna  scout: (Part-time Medic), (Cover)   assault: Rookie
        ben   assault: Hot Blood
    """)
    table.anna.turns_up("Part-time Medic")
    assert table.anna.options == ["Part-time Medic", "Rookie"]
    table.anna.chooses("Rookie", of="ward")
    assert table.heard("ward") == ["Rookie"]


@pytest.mark.rule("SK-4.7")
def test_the_medic_wards_itself_if_there_is_nobody_else():
    table = turning_up("""
        anna  scout: (Part-time Medic)
        ben   tactic: (Snow)
    """)
    assert table.heard("ward") == ["Part-time Medic"]
    assert table.points == [2, 0]


@pytest.mark.rule("SK-4.7")
@pytest.mark.parametrize(
    ("row", "soldier", "attack", "rest"),
    [
        ("scout", "Cover", 3, "ben Snow Leopard"),
        ("scout", "Cover", 3, "weather: Snow"),
        ("scout", "Cover", 3, "weather: Sandstorm"),
        ("scout", "Cover", 3, "disaster: Tsunami"),
        ("scout", "Cover", 3, "disaster: Earthquake"),
        ("scout", "Cover", 3, "gambled: anna"),
        ("assault", "Rookie", 2, "ben assault: War God's Gaze"),
        ("assault", "Old Hand", 5, "weather: Rain"),
    ],
)
def test_nothing_from_outside_touches_a_warded_soldier(row, soldier, attack, rest):
    table = reckoning(f"""
        anna  Snow Leopard   {row}: {soldier} {{warded}}
        {rest if rest.startswith("ben") else "ben   hand: Lurker"}
        {"" if rest.startswith("ben") else rest}
    """)
    assert table.attacks[soldier] == attack


@pytest.mark.rule("SK-4.7")
@pytest.mark.parametrize("helper", ["Adrenaline", "Bugle Call"])
def test_no_other_soldiers_skill_helps_a_warded_one(helper):
    table = reckoning(f"""
        anna  assault: Rookie {{warded}}, {helper}
        ben   hand: Lurker
    """)
    assert table.attacks["Rookie"] == 2


@pytest.mark.rule("SK-4.7", "SK-1.6")
def test_a_warded_soldier_may_be_warded_again_and_it_is_told():
    table = turning_up("""
        anna  scout: (Part-time Medic)   assault: Rookie {warded}
        ben   hand: Lurker
    """)
    table.anna.chooses("Rookie", of="ward")
    assert table.declared("wards") == ["anna"]


@pytest.mark.rule("SK-4.7")
def test_a_ward_undoes_what_struck_before():
    table = turning_up("""
        anna  scout: (Part-time Medic)   assault: Rookie {x2}
        ben   scout: (Lurker), (Spotter)
    """)
    table.anna.chooses("Rookie")
    assert table == "anna  scout: Part-time Medic   assault: Rookie {warded}"
    assert table.quiet().attacks["Rookie"] == 2


@pytest.mark.rule("SK-4.7")
def test_an_earlier_copy_stays_under_the_ward():
    table = turning_up("""
        anna  scout: (Part-time Medic)   assault: Rookie {as Recluse}
        ben   hand: Lurker
    """)
    table.anna.chooses("Rookie")
    assert table.attacks["Rookie"] == 7


@pytest.mark.rule("SK-4.7", "SK-5.7")
def test_death_touches_a_warded_soldier():
    table = reckoning("""
        anna  assault: Rookie {warded}   sniper: Recluse
        ben   hand: Lurker
        disaster: Wildfire
    """)
    assert table.fallen == ["Rookie"]


@pytest.mark.rule("SK-4.7")
@pytest.mark.parametrize(
    ("side", "soldier", "attack"),
    [
        ("scout: Forced Dispatch 14 {warded}", "Forced Dispatch", 4),
        ("scout: Assault Sniper {warded}", "Assault Sniper", 6),
        ("assault: Hot Blood {warded}", "Hot Blood", 8),
        ("sniper: Recluse {warded}   scout: Cover", "Recluse", 7),
        ("sniper: Blind Shot {warded}", "Blind Shot", 4),
        ("sniper: Precision Rifle {warded}", "Precision Rifle", 6),
    ],
)
def test_its_own_penalty_and_its_own_skill_hold_under_the_ward(side, soldier, attack):
    table = reckoning(f"""
        anna  {side}
        ben   hand: Lurker
        weather: Rain
    """)
    assert table.attacks[soldier] == attack


@pytest.mark.rule("SK-4.7", "SK-5.3")
def test_a_warded_brother_has_the_others_and_they_have_him():
    table = reckoning("""
        anna  scout: Band of Brothers 4 {warded}   assault: Band of Brothers 3
        ben   hand: Lurker
    """)
    assert table.points == [8, 0]


@pytest.mark.rule("SK-4.7")
def test_a_warded_soldiers_skill_still_works_on_others():
    table = reckoning("""
        anna  scout: Cover, Bugle Call {warded}
        ben   hand: Lurker
    """)
    assert table.attacks["Cover"] == 5


@pytest.mark.rule("SK-4.7", "SK-3.5")
def test_no_commander_touches_a_warded_soldier_not_even_wolf():
    table = reckoning("""
        anna  Wolf   scout: Assault Sniper {warded}
        ben   hand: Lurker
    """)
    assert table.attacks["Assault Sniper"] == 6


@pytest.mark.rule("SK-4.8")
def test_call_of_duty_puts_a_soldier_from_the_hand_face_up_on_the_own_side():
    table = turning_up("""
        anna  assault: (Call of Duty)   hand: Forced Dispatch 16, Cover
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Cover to scout",
        "Forced Dispatch to assault",
        "Forced Dispatch to sniper",
    ]
    table.anna.chooses("Forced Dispatch to sniper")
    assert table.points == [8, 0]


@pytest.mark.rule("SK-4.8")
def test_call_of_duty_goes_beyond_the_limit_of_three():
    table = turning_up("""
        anna  assault: (Call of Duty), Rookie, Hot Blood   hand: Cover
        ben   hand: Lurker
    """)
    table.anna.chooses("Cover", of="call_up")
    assert table.points == [14, 0]


@pytest.mark.rule("SK-4.8", "SK-4.4")
def test_the_skill_of_the_soldier_called_up_runs_at_once():
    table = turning_up("""
        anna  assault: (Call of Duty)   hand: Quick Draw
        ben   assault: Hot Blood, Cover
    """)
    table.anna.chooses("Quick Draw", of="call_up")
    assert table.anna.is_asked == "quick_draw"


@pytest.mark.rule("SK-4.8")
def test_call_of_duty_is_not_asked_without_a_soldier_in_hand():
    table = turning_up("""
        anna  assault: (Call of Duty)   hand: Snow
        ben   hand: Lurker
    """)
    assert table.is_over


@pytest.mark.rule("SK-4.8", "SK-4.23")
def test_who_turns_call_of_duty_up_calls_from_its_own_hand():
    table = turning_up("""
        anna  tactic: (Coercion)   hand: Rookie
        ben   assault: (Call of Duty)   hand: Cover
    """)
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-4.9", "SK-5.23")
def test_soul_chaser_takes_one_of_the_last_rounds_fallen():
    table = turning_up("""
        anna  assault: (Soul Chaser)
        ben   hand: Lurker
        discard: Cover {fell}, Rookie {fell}, Bugle Call, Snow
    """)
    assert table.anna.options == ["Cover", "Rookie"]
    table.anna.chooses("Rookie", of="chase")
    assert table.is_over is False
    assert table.anna.hand == ["Rookie"]


@pytest.mark.rule("SK-4.9")
def test_soul_chaser_is_not_asked_when_nobody_fell():
    table = turning_up("""
        anna  assault: (Soul Chaser)
        ben   hand: Lurker
        discard: Cover
    """)
    assert table.is_over


@pytest.mark.rule("SK-4.10", "SK-5.11")
def test_quick_draw_kills_another_whose_attack_is_not_above_its_own():
    table = turning_up("""
        anna  sniper: (Quick Draw)   scout: Bugle Call
        ben   assault: Adrenaline, Cover
        cleo  sniper: Blind Shot   scout: (Spotter)
    """)
    assert table.anna.options == ["Blind Shot", "Bugle Call"]
    table.anna.chooses("Blind Shot")
    assert table.fallen == ["Blind Shot"]
    assert table.declared("kills") == ["anna"]


@pytest.mark.rule("SK-4.10")
def test_quick_draw_may_have_to_shoot_its_own():
    table = turning_up("""
        anna  sniper: (Quick Draw)   scout: Cover {=1}
        ben   scout: (Spotter)
    """)
    assert table.fallen == ["Cover"]


@pytest.mark.rule("SK-4.10")
def test_quick_draw_shoots_nobody_if_all_are_stronger():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   sniper: Sniper God
    """)
    assert table.fallen == []


@pytest.mark.rule("SK-4.11")
def test_sniper_god_kills_another_in_any_sniper_row_face_up_or_down():
    table = turning_up("""
        anna  sniper: (Sniper God), (Blind Shot)   scout: Cover
        ben   sniper: Recluse, (Forced Dispatch 16)   assault: Hot Blood
    """)
    table.anna.turns_up("Sniper God")
    assert table.anna.options == ["Blind Shot", "Forced Dispatch", "Recluse"]
    table.anna.chooses("Forced Dispatch", of="sniper_god")
    assert table.fallen == ["Forced Dispatch"]


@pytest.mark.rule("SK-4.12")
def test_a_spotter_spots_as_soon_as_there_is_a_sniper():
    table = turning_up("""
        anna  scout: (Spotter)   sniper: (Blind Shot)
        ben   hand: Lurker
    """)
    table.anna.turns_up("Spotter", "Blind Shot")
    assert table.heard("spots") == ["Spotter"]
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12")
def test_the_owner_chooses_among_several_snipers_in_whatever_row():
    table = turning_up("""
        anna  scout: (Spotter), Assault Sniper   sniper: Recluse, (Blind Shot)
        ben   sniper: Sniper God
    """)
    table.anna.turns_up("Spotter")
    assert table.anna.options == ["Assault Sniper", "Recluse"]
    table.anna.chooses("Assault Sniper", of="spot")
    assert table.attacks["Assault Sniper"] == 7


@pytest.mark.rule("SK-4.12")
def test_it_is_the_class_that_is_spotted_and_not_the_row():
    table = turning_up("""
        anna  scout: (Spotter)   sniper: Forced Dispatch 16
        ben   hand: Lurker
    """)
    assert table.heard("spots") == []


@pytest.mark.rule("SK-4.12")
def test_several_may_spot_the_same():
    table = reckoning("""
        anna  scout: Spotter {spots Recluse}, Spotter {spots Recluse}   sniper: Recluse
        ben   hand: Lurker
    """)
    assert table.attacks["Recluse"] == 8


@pytest.mark.rule("SK-4.12")
def test_a_spotter_spots_anew_when_its_sniper_dies():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}   sniper: Recluse, Blind Shot
        ben   sniper: (Sniper God)
    """)
    table.ben.chooses("Recluse", of="sniper_god")
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12")
def test_the_spotter_of_another_sniper_keeps_to_it():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}, Spotter {spots Blind Shot}
        anna  sniper: Recluse, Blind Shot, Quick Draw
        ben   sniper: (Sniper God)
    """)
    table.ben.chooses("Recluse", of="sniper_god")
    table.anna.chooses("Quick Draw", of="spot")
    assert table.heard("spots") == ["Spotter"]
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12")
def test_a_spotter_spots_anew_when_its_sniper_leaves_the_side():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}   sniper: Recluse, Blind Shot
        ben   tactic: (Coercion)
    """)
    table.ben.chooses("Recluse", of="coerce")
    assert table.attacks["Blind Shot"] == 8
    assert table.attacks["Recluse"] == 8


@pytest.mark.rule("SK-4.12", "SK-4.23")
def test_a_spotter_that_changes_sides_spots_there():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}   sniper: Recluse
        ben   tactic: (Coercion)   sniper: Blind Shot
    """)
    table.ben.chooses("Spotter", of="coerce")
    assert table.attacks == {"Recluse": 8, "Spotter": 3, "Blind Shot": 8}


@pytest.mark.rule("SK-4.12")
def test_a_spotter_spots_anew_when_its_sniper_is_warded():
    table = turning_up("""
        anna  sniper: Recluse, Blind Shot   scout: Spotter {spots Recluse}
        anna  assault: (Part-time Medic)
        ben   hand: Lurker
    """)
    table.anna.chooses("Recluse", of="ward")
    assert table.attacks["Blind Shot"] == 8
    assert table.attacks["Recluse"] == 5


@pytest.mark.rule("SK-4.12", "SK-4.21")
def test_a_spotter_spots_anew_when_its_sniper_changes_class_or_skill():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}   sniper: Recluse   tactic: (Gene Copy)
        ben   sniper: Assault Sniper
    """)
    table.anna.chooses("Recluse", of="copy").chooses("Assault Sniper", of="pattern")
    assert table.heard("spots") == ["Spotter"]
    assert table.attacks["Recluse"] == 9


@pytest.mark.rule("SK-4.12", "SK-4.21")
def test_a_spotter_that_changes_skill_spots_nobody():
    table = turning_up("""
        anna  scout: Spotter {spots Recluse}   sniper: Recluse   tactic: (Gene Copy)
        ben   assault: Rookie
    """)
    table.anna.chooses("Spotter", of="copy").chooses("Rookie", of="pattern")
    assert table.attacks["Recluse"] == 7


@pytest.mark.rule("SK-4.12", "SK-4.21")
def test_a_copy_of_a_spotter_spots():
    table = turning_up("""
        anna  scout: Cover   sniper: Blind Shot   tactic: (Gene Copy)
        ben   scout: Spotter
    """)
    table.anna.chooses("Cover", of="copy").chooses("Spotter", of="pattern")
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12", "SK-4.25")
def test_a_spotter_spots_anew_when_its_copied_sniper_is_its_own_card_again():
    table = turning_up("""
        anna  scout: Spotter {spots Rookie}, Rookie {as Recluse}   sniper: Blind Shot
        ben   tactic: (Dumbing Strike)
    """)
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12")
def test_a_spotter_keeps_to_its_sniper():
    table = turning_up("""
        anna  scout: Spotter {spots Blind Shot 3}   sniper: Blind Shot 3, (Recluse)
        ben   hand: Lurker
    """)
    assert table.heard("spots") == []
    assert table.attacks["Blind Shot"] == 8


@pytest.mark.rule("SK-4.12")
def test_nobody_is_spotted_anew_in_the_reckoning():
    table = reckoning("""
        anna  scout: Spotter {spots Recluse, x2}   sniper: Recluse {=1}, Sniper God
        ben   hand: Lurker
        disaster: Wildfire
    """)
    assert table.fallen == ["Recluse"]
    assert table.attacks == {"Spotter": 6, "Sniper God": 6}


@pytest.mark.rule("SK-4.13")
def test_a_warded_soldier_and_a_seeing_eye_are_not_coerced():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   scout: Cover {warded}, Spotter, Lurker   sniper: Seeing Eye
    """)
    assert table.anna.options == ["Lurker", "Spotter"]


@pytest.mark.rule("SK-4.13")
def test_a_warded_soldier_and_a_seeing_eye_are_not_mutated():
    table = turning_up("""
        anna  tactic: (Gene Mutation)
        ben   scout: Cover {warded}, Spotter, (Lurker)   sniper: Seeing Eye
    """)
    assert table.anna.options == ["Lurker", "Spotter"]


@pytest.mark.rule("SK-4.13")
def test_a_warded_soldier_and_a_seeing_eye_do_not_become_copies_but_may_be_patterns():
    table = turning_up("""
        anna  tactic: (Gene Copy)   scout: Cover {warded}, Lurker, Bugle Call
        ben   scout: Rookie {warded}   sniper: Seeing Eye
    """)
    assert table.anna.options == ["Bugle Call", "Lurker"]
    table.anna.chooses("Lurker")
    assert table.anna.options == ["Bugle Call", "Cover", "Rookie", "Seeing Eye"]


@pytest.mark.rule("SK-4.13")
def test_a_warded_soldier_and_a_seeing_eye_are_not_spotted():
    table = turning_up("""
        anna  scout: (Spotter)   sniper: Recluse {warded}, Seeing Eye
        ben   hand: Lurker
    """)
    assert table.heard("spots") == []


@pytest.mark.rule("SK-4.13", "SK-4.7")
def test_a_seeing_eye_is_not_warded():
    table = turning_up("""
        anna  scout: (Part-time Medic)   sniper: Seeing Eye
        ben   hand: Lurker
    """)
    assert table.heard("ward") == ["Part-time Medic"]


@pytest.mark.rule("SK-4.13")
def test_a_warded_soldier_and_a_seeing_eye_may_be_chosen_by_whoever_kills():
    table = turning_up("""
        anna  sniper: (Sniper God)
        ben   sniper: Recluse {warded}, Seeing Eye
    """)
    assert table.anna.options == ["Recluse", "Seeing Eye"]


@pytest.mark.rule("SK-4.13", "SK-5.21")
def test_a_warded_soldier_and_a_seeing_eye_may_be_saved_by_cover():
    table = reckoning("""
        anna  scout: Cover   sniper: Seeing Eye, Recluse {warded}
        ben   hand: Lurker
        disaster: Thunderstorm
    """)
    assert table.anna.options == ["Recluse", "Seeing Eye"]
