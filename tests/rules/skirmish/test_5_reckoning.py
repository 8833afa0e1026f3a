"""RULES 5: what an attack is, from the card to disaster and weather."""

import pytest

from tests.rules.skirmish.layout import reckoning, turning_up


def attack(soldier, position, *rest):
    """The attack a soldier of anna's is reckoned with."""
    enemy = [line for line in rest if line.startswith("ben")] or [
        "ben hand: Suicide Bomber"
    ]
    table = [line for line in rest if not line.startswith("ben")]
    game = reckoning("\n".join([f"anna  {position}", *enemy, *table]))
    return game.attacks[soldier]


@pytest.mark.rule("SK-5.1")
def test_an_attack_is_computed_anew_and_not_stored():
    table = turning_up("""
        anna  scout: Spotter, (Bugle Call)   sniper: (Quick Draw)
        ben   hand: Lurker
    """)
    table.anna.turns_up("Bugle Call", "Quick Draw").chooses("Bugle Call")
    assert table.fallen == ["Bugle Call"]
    assert table.attacks == {"Spotter": 3, "Quick Draw": 6}


@pytest.mark.rule("SK-5.1")
def test_a_negative_sum_is_raised_to_0_but_not_between_the_terms():
    gazed = "ben assault: War God's Gaze"
    assert attack("Rookie", "assault: Rookie {=1, as Recluse}, Cover", gazed) == 1
    assert attack("Blind Shot", "assault: Blind Shot, Bugle Call", gazed) == 5
    crowd = (
        "Cover, Lurker, Spotter, Spotter, Spotter, Bugle Call, Spy, Soul Chaser, Rookie"
    )
    assert attack("Recluse", f"sniper: Recluse   scout: {crowd}") == 0


@pytest.mark.rule("SK-5.1", "SK-5.7")
def test_a_disaster_does_not_push_below_0():
    assert attack("Lurker", "scout: Lurker", "disaster: Earthquake") == 0


@pytest.mark.rule("SK-5.1", "SK-5.8")
def test_the_weather_does_not_push_below_0():
    lines = ["weather: Rain", "gambled: anna"]
    assert attack("Old Hand", "assault: Old Hand", *lines) == 0


@pytest.mark.rule("SK-5.2")
def test_adrenaline_doubles_the_printed_attack_of_the_others_in_its_row():
    position = "assault: Adrenaline, Rookie, Bugle Call   scout: Cover"
    assert attack("Rookie", position) == 6
    assert attack("Adrenaline", position) == 8
    assert attack("Cover", position) == 3


@pytest.mark.rule("SK-5.2")
def test_two_adrenalines_double_twice_and_each_other():
    position = "assault: Adrenaline, Rookie, Lurker {as Adrenaline}"
    assert attack("Rookie", position) == 8
    assert attack("Adrenaline", position) == 12
    assert attack("Lurker", position) == 12


@pytest.mark.rule("SK-5.2")
def test_an_enemys_adrenaline_in_the_same_kind_of_row_does_nothing():
    assert attack("Rookie", "assault: Rookie", "ben assault: Adrenaline") == 2


@pytest.mark.rule("SK-5.3")
def test_brothers_have_one_for_every_other_on_their_side():
    position = "scout: Band of Brothers, Band of Brothers   assault: Band of Brothers 3"
    enemy = "ben assault: Band of Brothers, Band of Brothers"
    assert attack("Band of Brothers", position, enemy) in (4, 5)
    game = reckoning(f"anna {position}\n{enemy}")
    assert game.points == [15, 8]


@pytest.mark.rule("SK-5.3", "SK-4.12")
def test_a_spotter_adds_one():
    position = "scout: Spotter {spots Sniper God}   sniper: Sniper God"
    assert attack("Sniper God", position) == 7


@pytest.mark.rule("SK-5.3")
def test_a_bugle_adds_two_for_the_others_in_its_row():
    position = "scout: Bugle Call, Cover   assault: Rookie"
    assert attack("Cover", position) == 5
    assert attack("Bugle Call", position) == 3
    assert attack("Rookie", position) == 2
    assert attack("Lurker", "scout: Lurker", "ben scout: Bugle Call") == 2


@pytest.mark.rule("SK-5.3")
def test_snow_leopard_adds_one_for_all_on_its_side():
    game = reckoning("""
        anna  Snow Leopard   scout: Cover, Lurker   sniper: Recluse
        ben   scout: Spotter
    """)
    assert game.points == [3 + 2 + 6 + 3, 3]


@pytest.mark.rule("SK-5.3")
def test_a_gaze_takes_one_from_every_enemy_in_an_assault_row():
    game = reckoning("""
        anna  assault: War God's Gaze, Rookie
        ben   assault: Hot Blood, Lurker {as Bugle Call}   scout: Cover
        cleo  assault: Spotter {as War God's Gaze}
    """)
    assert game.attacks == {
        "War God's Gaze": 4,
        "Rookie": 1,
        "Hot Blood": 5 - 2 + 2,
        "Lurker": 1,
        "Cover": 3,
        "Spotter": 4,
    }


@pytest.mark.rule("SK-5.3")
def test_hot_blood_has_three_more_if_it_is_alone_on_its_side():
    assert attack("Hot Blood", "assault: Hot Blood", "ben scout: Cover") == 8
    assert attack("Hot Blood", "assault: Hot Blood   scout: Cover") == 5


@pytest.mark.rule("SK-5.3")
def test_a_recluse_has_one_less_for_every_other_soldier_on_its_side():
    position = "sniper: Recluse, Sniper God   scout: Cover   assault: Rookie"
    assert attack("Recluse", position, "ben scout: Spotter") == 5


@pytest.mark.rule("SK-5.3")
def test_a_blind_shot_has_three_less_without_a_spotter():
    assert attack("Blind Shot", "sniper: Blind Shot") == 4
    spotted = "sniper: Blind Shot   scout: Spotter {spots Blind Shot}"
    assert attack("Blind Shot", spotted) == 8


@pytest.mark.rule("SK-5.3")
@pytest.mark.parametrize(
    ("weather", "points"),
    [("Clear", 10), ("Snow", 6), ("Rain", 6), ("Fog", 1), ("Sandstorm", 1)],
)
def test_a_precision_rifle_has_four_less_unless_it_is_clear(weather, points):
    position = "sniper: Precision Rifle"
    assert attack("Precision Rifle", position, f"weather: {weather}") == points


@pytest.mark.rule("SK-5.3", "SK-3.4")
def test_the_penalty_is_one_of_the_terms():
    assert attack("Forced Dispatch", "scout: Forced Dispatch 13, Bugle Call") == 5


@pytest.mark.rule("SK-5.4")
@pytest.mark.parametrize(
    "where", ["ben assault: Master Sergeant", "ben sniper: Master Sergeant"]
)
def test_a_sergeant_on_any_side_lifts_every_minus_one_from_class_assault(where):
    assert attack("Forced Dispatch", "scout: Forced Dispatch 13", where) == 4
    assert attack("Old Hand", "assault: Old Hand", where, "weather: Fog") == 5
    gazed = where + ", War God's Gaze"
    assert attack("Rookie", "assault: Rookie", gazed) == 2


@pytest.mark.rule("SK-5.4")
def test_a_sergeant_does_not_help_other_classes_nor_against_other_costs():
    sergeant = "ben assault: Master Sergeant, War God's Gaze"
    assert attack("Cover", "assault: Cover", sergeant) == 2
    assert attack("Assault Sniper", "scout: Assault Sniper", sergeant) == 6
    assert attack("Rookie", "assault: Rookie", sergeant, "disaster: Tsunami") == 0
    assert attack("Recluse", "sniper: Recluse   scout: Cover", sergeant) == 7


@pytest.mark.rule("SK-5.4", "SK-4.7")
def test_a_sergeant_does_not_help_a_warded_soldier():
    sergeant = "ben assault: Master Sergeant"
    position = "scout: Forced Dispatch 13 {warded}"
    assert attack("Forced Dispatch", position, sergeant) == 3


@pytest.mark.rule("SK-5.4")
def test_a_sergeant_lying_face_down_lifts_nothing():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   scout: Forced Dispatch 15, Cover   assault: (Master Sergeant), Hot Blood
    """)
    assert table.anna.options == ["Cover", "Forced Dispatch", "Hot Blood"]


@pytest.mark.rule("SK-5.5")
def test_mutation_comes_after_the_terms():
    assert attack("Cover", "scout: Cover {x2}, Bugle Call") == 10
    assert attack("Cover", "scout: Cover {=1}, Bugle Call") == 1
    assert attack("Recluse", "sniper: Recluse {x2}   scout: Cover") == 14


@pytest.mark.rule("SK-5.6")
def test_the_gamble_comes_after_the_mutation():
    assert attack("Cover", "scout: Cover {=1}", "gambled: anna") == 0


@pytest.mark.rule("SK-5.7")
def test_wildfire_kills_below_6_in_one_event():
    game = reckoning("""
        anna  sniper: Sniper God, Quick Draw
        ben   assault: Hot Blood   scout: Bugle Call {x2}
        disaster: Wildfire
    """)
    assert sorted(game.fallen) == ["Hot Blood", "Quick Draw"]
    assert game.deaths == 1


@pytest.mark.rule("SK-5.7")
def test_a_thunderstorm_kills_above_3():
    game = reckoning("""
        anna  sniper: Sniper God {=1}   scout: Cover, Bugle Call
        ben   assault: Soul Chaser, Rookie
        disaster: Thunderstorm
    """)
    assert sorted(game.fallen) == ["Cover", "Soul Chaser"]


@pytest.mark.rule("SK-5.7")
def test_what_is_left_is_computed_anew_and_not_struck_twice():
    game = reckoning("""
        anna  scout: Bugle Call, Cover, Lone Ranger
        ben   sniper: Recluse   assault: Rookie, Soul Chaser
        disaster: Wildfire
    """)
    assert sorted(game.fallen) == ["Bugle Call", "Cover", "Rookie", "Soul Chaser"]
    assert game.attacks == {"Lone Ranger": 6, "Recluse": 8}


@pytest.mark.rule("SK-5.7", "SK-5.6")
def test_a_disaster_is_judged_before_the_weather_and_after_the_gamble():
    game = reckoning("""
        anna  sniper: Sniper God
        ben   sniper: Recluse
        disaster: Wildfire
        weather: Fog
        gambled: ben
    """)
    assert game.fallen == ["Recluse"]
    assert game.attacks == {"Sniper God": 1}


@pytest.mark.rule("SK-5.7")
@pytest.mark.parametrize(("disaster", "attack_"), [("Tsunami", 4), ("Earthquake", 3)])
def test_tsunami_and_earthquake_take_two_and_three(disaster, attack_):
    assert (
        attack("Sniper God", "sniper: Sniper God", f"disaster: {disaster}") == attack_
    )


@pytest.mark.rule("SK-5.8")
@pytest.mark.parametrize(
    ("weather", "attacks"),
    [
        ("Clear", [3, 4, 6]),
        ("Snow", [1, 4, 6]),
        ("Rain", [3, 1, 6]),
        ("Fog", [3, 4, 1]),
        ("Sandstorm", [1, 1, 1]),
    ],
)
def test_the_weather_goes_by_row(weather, attacks):
    game = reckoning(f"""
        anna  scout: Cover   assault: Soul Chaser
        ben   sniper: Sniper God
        weather: {weather}
    """)
    assert list(game.attacks.values()) == attacks


@pytest.mark.rule("SK-5.8")
def test_it_is_the_row_and_not_the_class():
    assert attack("Sniper God", "assault: Sniper God", "weather: Rain") == 1
    assert attack("Sniper God", "assault: Sniper God", "weather: Fog") == 6


@pytest.mark.rule("SK-5.8")
def test_snow_rain_and_fog_make_one_even_of_0_but_a_sandstorm_does_not():
    for weather, after in [("Snow", 1), ("Sandstorm", 0)]:
        lost = attack("Cover", "scout: Cover", f"weather: {weather}", "gambled: anna")
        assert lost == after


@pytest.mark.rule("SK-5.8")
@pytest.mark.parametrize("weather", ["Snow", "Rain", "Fog", "Sandstorm"])
def test_old_hand_has_one_less_in_any_weather_and_nothing_else_of_it(weather):
    for row in ("scout", "assault", "sniper"):
        assert attack("Old Hand", f"{row}: Old Hand", f"weather: {weather}") == 4
    assert attack("Old Hand", "assault: Old Hand", "weather: Clear") == 5


@pytest.mark.rule("SK-5.8", "SK-5.7")
def test_the_weather_comes_after_the_disaster():
    lines = ["weather: Snow", "disaster: Earthquake"]
    assert attack("Cover", "scout: Cover", *lines) == 1


@pytest.mark.rule("SK-5.8")
def test_on_snow_leopards_side_snow_is_clear():
    game = reckoning("""
        anna  Snow Leopard   scout: Cover   assault: Old Hand   sniper: Precision Rifle
        ben   scout: Spotter
        weather: Snow
    """)
    assert game.attacks == {
        "Cover": 4,
        "Old Hand": 6,
        "Precision Rifle": 11,
        "Spotter": 1,
    }


@pytest.mark.rule("SK-5.8")
def test_on_snow_leopards_side_other_weather_is_weather():
    leopard = "Snow Leopard   assault: Soul Chaser   scout: Cover"
    assert attack("Soul Chaser", leopard, "weather: Rain") == 1
    assert attack("Cover", leopard, "weather: Sandstorm") == 1


@pytest.mark.rule("SK-5.9")
@pytest.mark.parametrize(
    "rest",
    [
        "weather: Fog",
        "weather: Sandstorm",
        "disaster: Tsunami",
        "gambled: anna",
        "ben assault: War God's Gaze",
    ],
)
def test_no_tactic_and_no_other_skill_changes_a_seeing_eye(rest):
    assert attack("Seeing Eye", "sniper: Seeing Eye {x2}, Bugle Call", rest) == 8
    assert attack("Seeing Eye", "assault: Seeing Eye, Adrenaline", rest) == 8


@pytest.mark.rule("SK-5.9")
def test_the_commanders_one_counts_for_a_seeing_eye():
    assert attack("Seeing Eye", "Snow Leopard   sniper: Seeing Eye") == 9


@pytest.mark.rule("SK-5.9", "SK-5.7")
def test_death_reaches_a_seeing_eye():
    game = reckoning("""
        anna  sniper: Seeing Eye
        ben   hand: Lurker
        disaster: Thunderstorm
    """)
    assert game.fallen == ["Seeing Eye"]


@pytest.mark.rule("SK-5.10")
def test_a_sides_points_are_the_attacks_of_those_that_lie_on_it():
    game = reckoning("""
        anna  scout: Cover, Spy {by ben}
        ben   assault: Rookie
    """)
    assert game.points == [5, 2]


@pytest.mark.rule("SK-5.11")
def test_the_current_attack_looks_at_what_is_face_up_now():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   scout: Lone Ranger, (Bugle Call)   assault: Band of Brothers 7, Hot Blood
    """)
    assert table.anna.options == ["Band of Brothers", "Hot Blood"]


@pytest.mark.rule("SK-5.11")
def test_disaster_and_weather_are_left_out_of_the_current_attack():
    table = turning_up("""
        anna  sniper: (Quick Draw)   scout: Lone Ranger
        ben   assault: Rookie   sniper: Sniper God
        weather: Fog
        disaster: Earthquake
    """)
    assert table.fallen == ["Rookie"]


@pytest.mark.rule("SK-5.11")
@pytest.mark.parametrize(("weather", "dies"), [("Rain", True), ("Clear", False)])
def test_a_precision_rifle_looks_at_the_weather_now_lying(weather, dies):
    table = turning_up(f"""
        anna  sniper: (Quick Draw), Bugle Call
        ben   sniper: Precision Rifle
        weather: {weather}
    """)
    assert "Precision Rifle" in table.anna.options if dies else table.is_over


@pytest.mark.rule("SK-5.11")
def test_a_later_card_does_not_undo_a_kill():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   assault: Band of Brothers 8, (Band of Brothers 3), (Band of Brothers 4)
    """)
    assert table.fallen == ["Band of Brothers"]
    table.quiet()
    assert table.points == [5, 8]
