"""RULES 5: how strong a unit is."""

import pytest

from tests.rules.gwent.layout import gwent, stands


@pytest.mark.note(1)
@pytest.mark.case(21)
@pytest.mark.rule("GW-5.1", "GW-5.4", "GW-5.5", "GW-5.6")
def test_first_weather_then_bond_then_morale_then_the_horn():
    stands("""
        anna  melee: 3 Commando 8, Olgierd 2   melee slot: Commander's Horn
        weather: Biting Frost
    """)


@pytest.mark.note(1)
@pytest.mark.rule("GW-5.1", "GW-5.4", "GW-5.5", "GW-5.6")
def test_without_weather_the_same_row_counts_from_the_printed_numbers():
    stands("""
        anna  melee: 3 Commando 26, Olgierd 12   melee slot: Commander's Horn
              total: 90
    """)


@pytest.mark.note(1)
@pytest.mark.rule("GW-5.3")
def test_the_treacherous_doubles_spies_after_weather_and_before_the_horn():
    stands("""
        anna  The Treacherous   siege: Thaler 2 {by ben}
        ben   melee: Stennis 4 {by anna}   melee slot: Commander's Horn
              siege: Thaler 2 {by anna}
        weather: Biting Frost {by ben}
    """)


@pytest.mark.rule("GW-5.3")
def test_the_treacherous_doubles_no_hero_and_two_of_them_double_once():
    stands("""
        anna  The Treacherous   melee: Mysterious Elf 0 {by ben}, Dijkstra 8 {by ben}
        ben   The Treacherous   siege: Thaler 2 {by anna}
    """)


@pytest.mark.note(3)
@pytest.mark.case(17)
@pytest.mark.rule("GW-5.2")
def test_weather_sets_units_to_1_and_leaves_a_printed_0_at_0():
    stands("""
        anna  melee: Vesemir 1, Kambi 0, Ciaran 1   ranged: Cow 0, Havekar Healer 0
              siege: Siege Technician 0, Heavy Zerrikanian Fire Scorpion 1
        weather: Biting Frost, Impenetrable Fog, Torrential Rain
    """)


@pytest.mark.note(4)
@pytest.mark.rule("GW-5.2")
def test_two_kinds_of_weather_on_a_row_are_as_one():
    stands("""
        anna  ranged: Milva 1   siege: Trebuchet 1   melee: Ves 5
        ben   ranged: Keira 1   siege: Catapult 1
        weather: Impenetrable Fog, Skellige Storm, Torrential Rain
    """)


@pytest.mark.note(5)
@pytest.mark.rule("GW-5.4")
def test_in_frost_three_of_a_name_give_three_each():
    stands("""
        anna  melee: 3 Commando 3
        weather: Biting Frost
    """)


@pytest.mark.case(26)
@pytest.mark.rule("GW-5.1", "GW-5.6")
def test_a_horn_in_frost_makes_two_of_the_one():
    stands("""
        anna  melee: Olaf 2, Ves 4   melee slot: Commander's Horn
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-5.6")
def test_horns_of_every_kind_together_double_once():
    stands("""
        anna  melee: Dandelion 4, Ves 10   melee slot: Commander's Horn   horns: siege
              siege: Draig 4, Trebuchet 12
    """)


@pytest.mark.note(8)
@pytest.mark.case(19)
@pytest.mark.case(20)
@pytest.mark.rule("GW-5.7")
def test_a_horn_that_burns_takes_its_effect_along():
    table = gwent("""
        anna  hand: Scorch   melee: Dandelion 2, Yarpen 4, Draug 10
        ben   ranged: Toruviel 2, Cynthia 4
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Dandelion 2, Draug 10   discard: Scorch, Yarpen
        ben   ranged: Toruviel 2             discard: Cynthia
    """)


@pytest.mark.note(8)
@pytest.mark.rule("GW-5.7")
def test_bond_and_morale_end_with_the_card_that_leaves():
    table = gwent("""
        anna  hand: Decoy, 2 Ves   melee: 2 Commando 9, Olgierd 6
    """)
    table.anna.plays("Decoy", "melee").chooses("Olgierd", of="decoy")
    table.ben.passes()
    table.shows("anna  melee: Decoy, 2 Commando 8   hand: Olgierd, 2 Ves")


@pytest.mark.note(8)
@pytest.mark.rule("GW-5.7", "GW-5.1")
def test_units_rise_again_when_the_weather_clears():
    table = gwent("""
        anna  hand: Clear Weather   melee: 2 Commando 2
        ben   melee: Olgierd 1, Ves 2
        weather: Biting Frost
    """)
    table.anna.plays("Clear Weather")
    table.shows("""
        anna  melee: 2 Commando 8     total: 16
        ben   melee: Olgierd 6, Ves 6   total: 12
    """)


@pytest.mark.note(9)
@pytest.mark.case(18)
@pytest.mark.case(66)
@pytest.mark.rule("GW-4.4")
def test_a_unit_burnt_in_weather_is_revived_at_its_printed_strength():
    table = gwent("""
        anna  hand: Scorch, Clear Weather, Dun Banner Medic, Cow
              melee: Vesemir 1
        ben   passed
        weather: Biting Frost
    """)
    table.anna.plays("Scorch").plays("Clear Weather").plays("Dun Banner Medic")
    table.shows("anna  melee: Vesemir 6   siege: Dun Banner Medic 5")


@pytest.mark.note(10)
@pytest.mark.rule("GW-5.8")
def test_a_total_goes_above_99():
    stands("""
        anna  siege: 2 Catapult 38, 3 Siege Expert 6   siege slot: Commander's Horn
              melee: Geralt 15, Ciri 15                total: 124
    """)


@pytest.mark.rule("GW-5.8")
def test_a_total_is_the_sum_of_all_three_rows():
    stands("""
        anna  melee: Ves 5   ranged: Keira 5   siege: Trebuchet 6   total: 16
        ben   melee: Decoy   ranged: Eithné 10                      total: 10
    """)


@pytest.mark.rule("GW-5.1")
def test_strengths_are_shown_on_every_card_as_soon_as_anything_changes():
    table = gwent("""
        anna  hand: Commando   melee: 2 Commando 8, Draug 10
    """)
    table.anna.plays("Commando")
    table.shows("anna  melee: 3 Commando 12, Draug 10   total: 46")
