"""RULES 4: turning up, the bomb's window and the order of things."""

import pytest

from tests.rules.skirmish.layout import placing, turning_up, window


@pytest.mark.rule("SK-4.1")
def test_all_who_put_a_soldier_on_their_own_side_are_asked_at_once():
    table = window("""
        anna  assault: (Rookie)
        ben   assault: (Suicide Bomber)
        cleo  scout: (Spotter)
    """)
    assert table.waits_for == ["anna: bomb", "ben: bomb", "cleo: bomb"]
    assert table.anna.options == []
    assert table.ben.options == ["Suicide Bomber"]


@pytest.mark.rule("SK-4.1")
def test_who_put_down_but_a_spy_is_not_asked():
    table = window("""
        anna  tactic: (Snow)
        ben   scout: (Spy {by anna}), (Rookie)
    """)
    assert table.waits_for == ["ben: bomb"]


@pytest.mark.rule("SK-4.1", "SK-3.8")
def test_a_lurker_of_the_last_round_is_no_reason_to_ask():
    table = window("""
        anna  scout: Lurker {stayed}
        ben   scout: (Spotter)
    """)
    assert table.waits_for == ["ben: bomb"]


@pytest.mark.rule("SK-4.1")
def test_who_has_answered_is_not_shown_before_all_have():
    table = window("""
        anna  assault: (Rookie)
        ben   assault: (Suicide Bomber)
    """)
    before = len(table.events)
    table.ben.chooses("Suicide Bomber")
    assert len(table.events) == before
    table.anna.declines()
    assert table.turned_up == ["Suicide Bomber"]


@pytest.mark.rule("SK-4.1")
def test_one_outcome_is_shown():
    table = window("""
        anna  assault: (Suicide Bomber)
        ben   assault: (Rookie)
    """)
    table.anna.declines()
    table.ben.declines()
    assert table.declared("no_blast") == [""]


@pytest.mark.rule("SK-4.1")
def test_the_outcome_is_held_for_a_fixed_time():
    table = window("""
        anna  assault: (Suicide Bomber)
        ben   assault: (Rookie)
    """)
    assert table.play.asking.secret
    assert table.play.asking.hold == 10


@pytest.mark.rule("SK-4.1")
def test_there_is_no_window_while_the_bomber_is_in_the_discard():
    table = window("""
        anna  assault: (Rookie), (Hot Blood)
        ben   scout: (Spotter)
        discard: Suicide Bomber
    """)
    assert table.waits_for == ["anna: turn_up"]


@pytest.mark.rule("SK-4.2")
def test_the_bomber_takes_a_row_of_any_side_with_it():
    table = window("""
        anna  assault: (Suicide Bomber), (Hot Blood)
        ben   scout: (Cover), (Spotter)   assault: (Rookie)
    """)
    table.anna.chooses("Suicide Bomber")
    table.ben.declines()
    assert table.anna.options == [
        "assault",
        "ben's assault",
        "ben's scout",
        "ben's sniper",
        "scout",
        "sniper",
    ]
    table.anna.chooses("ben's scout", of="blast")
    assert table.declared("blast") == ["anna"]
    assert sorted(table.fallen) == ["Cover", "Spotter", "Suicide Bomber"]
    assert table.points == [8, 2]


@pytest.mark.rule("SK-4.2")
def test_the_bomber_may_name_its_own_row_or_an_empty_one():
    for row, dead in [("assault", ["Rookie", "Suicide Bomber"]), ("sniper", None)]:
        table = window("""
            anna  assault: (Suicide Bomber), (Rookie)
            ben   scout: (Cover)
        """)
        table.anna.chooses("Suicide Bomber")
        table.ben.declines()
        table.anna.chooses(row)
        assert table.fallen == (dead or ["Suicide Bomber"])


@pytest.mark.rule("SK-4.2")
def test_a_bomber_turned_up_later_is_a_plain_soldier():
    table = turning_up("""
        anna  assault: (Suicide Bomber)
        ben   scout: (Cover)
    """)
    assert table.is_over
    assert table.points == [1, 3]
    assert table.fallen == []


@pytest.mark.rule("SK-4.3")
def test_seats_turn_up_in_placing_order_each_in_the_order_it_likes():
    table = turning_up("""
        anna  scout: (Lurker), (Spotter)
        ben   scout: (Cover), (Bugle Call)   tactic: (Snow)
        first: ben
    """)
    table.ben.turns_up("Snow", "Bugle Call")
    table.anna.turns_up("Spotter")
    assert table.turned_up == ["Snow", "Bugle Call", "Cover", "Spotter", "Lurker"]


@pytest.mark.rule("SK-4.3", "SK-3.7")
def test_a_seat_turns_up_whoever_brought_it():
    table = turning_up("""
        anna  assault: Rookie
        ben   scout: (Spy {by anna}), (Cover)
    """)
    table.ben.turns_up("Spy")
    assert table.turned_up == ["Spy", "Cover"]


@pytest.mark.rule("SK-4.3", "SK-4.23")
def test_a_seat_turns_up_what_came_during_its_turn():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   scout: (Cover)
    """)
    assert table.turned_up == ["Coercion", "Cover"]
    assert table.points == [3, 0]


@pytest.mark.rule("SK-4.4")
def test_a_skill_is_done_to_the_end_before_the_next_card():
    table = turning_up("""
        anna  assault: (Call of Duty), (Hot Blood)   hand: Call of Duty, Part-time Medic
        ben   hand: Lurker
    """)
    table.anna.turns_up("Call of Duty").chooses("Call of Duty", of="call_up")
    table.anna.chooses("Part-time Medic", of="call_up")
    assert table.anna.is_asked == "ward"
    assert "Hot Blood" not in table.turned_up


@pytest.mark.rule("SK-4.4", "SK-4.12")
def test_a_spotter_names_its_sniper_before_the_snipers_own_skill():
    table = turning_up("""
        anna  scout: Spotter   sniper: (Quick Draw)
        ben   assault: Adrenaline, Hot Blood   scout: Cover
    """)
    assert table.heard("spots") == ["Spotter"]
    assert table.anna.options == ["Adrenaline", "Cover", "Spotter"]


@pytest.mark.rule("SK-4.4")
def test_entering_face_up_counts_as_being_turned_up():
    table = turning_up("""
        anna  tactic: (Resurrection)
        ben   assault: Rookie, Hot Blood
        discard: Quick Draw
    """)
    assert table.fallen == ["Rookie"]


@pytest.mark.rule("SK-4.4", "SK-4.23")
def test_moving_does_not_count_as_being_turned_up():
    table = turning_up("""
        anna  tactic: (Coercion)   assault: Rookie
        ben   sniper: Quick Draw
    """)
    assert table.fallen == []
    assert table.points == [7, 0]


@pytest.mark.rule("SK-4.6")
def test_a_later_weather_and_a_later_disaster_replace_the_earlier():
    table = turning_up("""
        anna  scout: Cover   tactic: (Rain)
        ben   assault: Hot Blood   tactic: (Earthquake)
        weather: Snow
        disaster: Wildfire
    """)
    assert table.attacks == {"Cover": 0, "Hot Blood": 1}


@pytest.mark.rule("SK-4.6")
def test_weather_waits_for_the_reckoning():
    table = turning_up("""
        anna  sniper: (Quick Draw)   tactic: (Rain)
        ben   assault: Adrenaline   scout: Cover, Spotter
    """)
    table.anna.turns_up("Rain")
    assert table.anna.options == ["Cover", "Spotter"]


@pytest.mark.rule("SK-4.6")
def test_without_a_weather_the_sky_is_clear():
    table = turning_up("""
        anna  sniper: (Precision Rifle)
        ben   hand: Lurker
    """)
    assert table.points == [10, 0]


@pytest.mark.rule("SK-4.6", "SK-6.3")
def test_a_french_salute_does_nothing_when_turned_up():
    table = placing("""
        anna  hand: Rookie, French Salute
        ben   hand: Lurker, Cover
    """)
    table.anna.places("Rookie", "French Salute")
    table.ben.places("Lurker").is_done()
    table.anna.declines()
    table.ben.declines()
    table.anna.turns_up("French Salute")
    assert table.turned_up[:2] == ["French Salute", "Rookie"]
