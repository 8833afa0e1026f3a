"""RULES 4.11 to 4.13: tight bond, morale, and units with a horn."""

import pytest

from tests.rules.gwent.layout import gwent, stands


@pytest.mark.note(5)
@pytest.mark.rule("GW-4.11")
def test_bound_units_are_multiplied_by_how_many_there_are():
    stands("anna  melee: Commando 4             total: 4")
    stands("anna  melee: 2 Commando 8           total: 16")
    stands("anna  melee: 3 Commando 12          total: 36")


@pytest.mark.note(5)
@pytest.mark.case(16)
@pytest.mark.rule("GW-4.11")
def test_where_they_lie_in_the_row_does_not_matter():
    stands("anna  siege: Catapult 16, Trebuchet 6, Thaler 1 {by ben}, Catapult 16")


@pytest.mark.note(5)
@pytest.mark.rule("GW-4.11")
def test_only_cards_of_one_name_are_bound():
    stands("""
        anna  melee: 2 Impera 6, 3 Nausicaa 6, Young Emissary 5
        ben   melee: 2 Redanian 1, 3 Mahakaman Defender 5, Impera 3
    """)


@pytest.mark.rule("GW-4.11")
def test_only_those_on_the_own_side_count():
    stands("""
        anna  melee: 2 Craite Warrior 12
        ben   melee: Craite Warrior 6
    """)


@pytest.mark.case(14)
@pytest.mark.rule("GW-4.11", "GW-4.22")
def test_no_hero_is_drawn_into_a_bond():
    stands("anna  melee: Geralt 15, Ciri 15, 2 Commando 8")


@pytest.mark.note(6)
@pytest.mark.rule("GW-4.12")
def test_each_other_card_with_morale_in_the_row_gives_one():
    stands("anna  siege: Siege Expert 1, Trebuchet 7")
    stands("anna  siege: 3 Siege Expert 3, Trebuchet 9, Siege Technician 3")


@pytest.mark.note(6)
@pytest.mark.rule("GW-4.12")
def test_morale_works_in_the_own_row_alone_and_not_on_heroes():
    stands("""
        anna  ranged: Milva 10, Keira 6, Philippa 10   melee: Ves 5
        ben   ranged: Sabrina 4
    """)


@pytest.mark.note(7)
@pytest.mark.rule("GW-4.13")
def test_a_unit_with_a_horn_doubles_the_others_not_itself():
    stands("""
        anna  melee: Dandelion 2, Ves 10, Geralt 15   ranged: Keira 5
        ben   melee: Zoltan 5   siege: Draig 2
    """)


@pytest.mark.note(7)
@pytest.mark.case(70)
@pytest.mark.rule("GW-4.13")
def test_two_units_with_a_horn_double_each_other_and_the_rest_once():
    stands("anna  melee: 2 Dandelion 4, Ves 10")


@pytest.mark.note(7)
@pytest.mark.rule("GW-4.13", "GW-6.2")
def test_any_other_horn_in_the_row_doubles_a_unit_with_one():
    stands("anna  melee: Dandelion 4, Ves 10   melee slot: Commander's Horn")
    stands("anna  siege: Draig 4, Trebuchet 12   horns: siege")


@pytest.mark.case(13)
@pytest.mark.rule("GW-4.13", "GW-5.6")
def test_horns_of_different_kinds_do_not_add_up():
    table = gwent("""
        anna  hand: Dandelion, Cow   melee: Ves 10   melee slot: Commander's Horn
    """)
    table.anna.plays("Dandelion")
    table.shows("anna  melee: Ves 10, Dandelion 4   melee slot: Commander's Horn")


@pytest.mark.note(8)
@pytest.mark.rule("GW-4.12", "GW-5.7")
def test_a_unit_loses_the_morale_of_one_that_is_taken_back():
    table = gwent("anna  hand: Decoy, Cow   siege: Siege Expert 1, Trebuchet 7")
    table.anna.plays("Decoy", "siege").chooses("Siege Expert")
    table.shows("anna  siege: Decoy, Trebuchet 6   hand: Siege Expert, Cow")
