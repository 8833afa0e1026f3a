"""RULES 7: weather."""

import pytest

from tests.rules.gwent.layout import free_for_all, gwent

EVERYWHERE = "melee: Ves {}   ranged: Keira {}   siege: Holger {}"
TOUCHED = {
    "Biting Frost": (1, 5, 4),
    "Impenetrable Fog": (5, 1, 4),
    "Torrential Rain": (5, 5, 1),
    "Skellige Storm": (5, 1, 1),
}


@pytest.mark.note(4)
@pytest.mark.case(1)
@pytest.mark.rule("GW-7.1", "GW-5.2")
@pytest.mark.parametrize("name", TOUCHED)
def test_weather_touches_its_rows_on_all_sides(name):
    table = gwent(f"""
        anna  hand: {name}, Cow   {EVERYWHERE.format("", "", "")}
        ben   {EVERYWHERE.format("", "", "")}
    """)
    table.anna.plays(name)
    table.shows(f"""
        anna  {EVERYWHERE.format(*TOUCHED[name])}   hand: Cow
        ben   {EVERYWHERE.format(*TOUCHED[name])}
        weather: {name}
    """)


@pytest.mark.case(1)
@pytest.mark.rule("GW-7.1")
def test_each_weather_that_is_played_works_beside_those_that_lie_there():
    table = gwent("""
        anna  hand: Biting Frost, Torrential Rain, Impenetrable Fog, Cow
              melee: Ves   ranged: Keira   siege: Holger
        ben   passed
    """)
    table.anna.plays("Biting Frost").plays("Torrential Rain")
    table.shows("""
        anna  melee: Ves 1   ranged: Keira 5   siege: Holger 1
        weather: Biting Frost, Torrential Rain
    """)
    table.anna.plays("Impenetrable Fog")
    assert table.totals == [3, 0]


@pytest.mark.note(61)
@pytest.mark.rule("GW-7.1")
def test_weather_touches_those_that_come_later():
    table = gwent("""
        anna  hand: Olaf, Cow
        weather: Biting Frost
    """)
    table.anna.plays("Olaf", "melee")
    table.shows("anna  melee: Olaf 1   hand: Cow\n weather: Biting Frost")


@pytest.mark.note(16)
@pytest.mark.rule("GW-7.1")
def test_weather_goes_to_the_middle():
    table = gwent("anna  hand: Biting Frost, Clear Weather")
    assert table.anna.options == ["Biting Frost to weather", "Clear Weather to weather"]


@pytest.mark.note(59)
@pytest.mark.rule("GW-7.2")
def test_at_the_end_of_the_round_it_goes_to_the_discard_of_who_brought_it():
    table = gwent("""
        anna  melee: Olaf
        ben   melee: Ves
        weather: Biting Frost {by ben}, Torrential Rain {by anna}
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  discard: Olaf, Torrential Rain
        ben   discard: Ves, Biting Frost
        round: 2
    """)


@pytest.mark.note(16)
@pytest.mark.rule("GW-7.3")
def test_a_second_card_of_a_weather_goes_straight_to_the_discard_of_its_player():
    table = gwent("""
        anna  hand: Biting Frost, Cow   melee: Ves 1
        weather: Biting Frost {by ben}
    """)
    table.anna.plays("Biting Frost")
    table.shows("""
        anna  melee: Ves 1   discard: Biting Frost
        ben   discard: nothing
        weather: Biting Frost {by ben}
    """)


@pytest.mark.note(16)
@pytest.mark.rule("GW-7.3")
def test_fog_and_rain_may_lie_beside_the_storm():
    table = gwent("""
        anna  hand: Impenetrable Fog, Cow   ranged: Keira 1
        weather: Skellige Storm
    """)
    table.anna.plays("Impenetrable Fog")
    table.shows("anna  ranged: Keira 1\n weather: Skellige Storm, Impenetrable Fog")


@pytest.mark.rule("GW-8.6", "GW-7.1")
def test_a_leader_that_finds_weather_takes_one_of_two_out_of_the_pile():
    table = gwent("""
        anna  King of Temeria   pile: Cow, 2 Impenetrable Fog
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  pile: Cow, Impenetrable Fog   discard: nothing
        weather: Impenetrable Fog
    """)


@pytest.mark.note(59)
@pytest.mark.note(60)
@pytest.mark.case(41)
@pytest.mark.rule("GW-7.4", "GW-7.2")
def test_clear_weather_takes_all_of_it_away_the_storm_once():
    table = gwent("""
        anna  hand: Clear Weather, Cow   ranged: Keira 1
        ben   siege: Trebuchet 1         melee: Ves 1
        weather: Skellige Storm {by ben}, Biting Frost {by anna}
    """)
    table.anna.plays("Clear Weather")
    table.shows("""
        anna  ranged: Keira 5   discard: Clear Weather, Biting Frost
        ben   siege: Trebuchet 6   melee: Ves 5   discard: Skellige Storm
    """)


@pytest.mark.note(60)
@pytest.mark.rule("GW-7.4", "GW-8.8")
def test_the_lord_commander_clears_all_kinds_too():
    table = gwent("""
        anna  Lord Commander   ranged: Keira 1
        weather: Skellige Storm {by ben}, Biting Frost {by anna}
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  ranged: Keira 5   discard: Biting Frost
        ben   discard: Skellige Storm
    """)


@pytest.mark.note(60)
@pytest.mark.rule("GW-8.8", "GW-8.2")
def test_he_needs_one_weather_card_and_no_more():
    table = gwent("anna  Lord Commander   hand: Cow\n weather: Biting Frost")
    assert len(table.anna.options) == 2
    table.anna.uses_leader()
    table.shows("anna  Lord Commander {used}   discard: Biting Frost")
    assert gwent("anna  Lord Commander   hand: Cow").anna.options == ["Cow to ranged"]


@pytest.mark.case(41)
@pytest.mark.rule("GW-7.4")
def test_after_the_sky_was_cleared_weather_may_be_played_again():
    table = gwent("""
        anna  hand: Clear Weather, Biting Frost, Cow   melee: Ves
        ben   passed
        weather: Biting Frost
    """)
    table.anna.plays("Clear Weather").plays("Biting Frost")
    table.shows("""
        anna  melee: Ves 1   discard: Clear Weather, Biting Frost
        weather: Biting Frost
    """)


@pytest.mark.note(18)
@pytest.mark.rule("GW-7.4")
def test_clear_weather_may_be_played_without_effect():
    table = gwent("anna  hand: Clear Weather, Cow")
    table.anna.plays("Clear Weather")
    table.shows("anna  discard: Clear Weather   hand: Cow")


@pytest.mark.rule("GW-7.1", "GW-15.2")
def test_it_touches_the_sides_of_all_opponents():
    table = free_for_all("""
        anna  hand: Biting Frost, Cow   melee: Vesemir
        ben   melee: Ves
        cleo  melee: Zoltan
    """)
    table.anna.plays("Biting Frost")
    assert table.totals == [1, 1, 1]
