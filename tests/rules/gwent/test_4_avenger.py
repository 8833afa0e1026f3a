"""RULES 4.16 to 4.18: those who come when another is gone."""

import pytest

from tests.rules.gwent.layout import gwent, stands


@pytest.mark.note(46)
@pytest.mark.note(48)
@pytest.mark.case(70)
@pytest.mark.rule("GW-4.16")
def test_a_cow_that_burns_is_avenged_in_the_avengers_own_row():
    table = gwent("""
        anna  hand: Scorch, Ves   ranged: Cow 0
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Bovine Defense Force 8   discard: Scorch, Cow
              side deck: nothing
    """)


@pytest.mark.note(46)
@pytest.mark.rule("GW-4.16", "GW-8.25")
def test_whatever_the_reason_a_leaders_scorch_too():
    table = gwent("""
        anna  Queen of Dol Blathanna
        ben   Skellige   melee: Kambi 0, Geralt 15
    """)
    table.anna.uses_leader()
    table.shows("ben  melee: Geralt 15, Hemdall 11   discard: Kambi")


@pytest.mark.note(46)
@pytest.mark.note(47)
@pytest.mark.rule("GW-4.16", "GW-10.3")
def test_at_the_end_of_a_round_the_avenger_stands_in_the_next():
    table = gwent("""
        anna  Skellige   melee: Kambi, Ves
        ben   ranged: Cow
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  melee: Hemdall 11              discard: Kambi, Ves
        ben   melee: Bovine Defense Force 8  discard: Cow
        round: 2
    """)
    assert table.totals == [11, 8]


@pytest.mark.note(22)
@pytest.mark.note(46)
@pytest.mark.case(68)
@pytest.mark.rule("GW-4.16")
def test_taken_back_by_a_decoy_it_brings_nobody():
    table = gwent("anna  hand: Decoy, Ves   ranged: Cow")
    table.anna.plays("Decoy", "ranged")
    table.shows("anna  ranged: Decoy   hand: Cow, Ves   side deck: Bovine")


@pytest.mark.note(46)
@pytest.mark.rule("GW-4.16", "GW-8.19")
def test_discarded_from_a_hand_it_brings_nobody():
    table = gwent("""
        anna  Destroyer of Worlds   hand: Cow, Ves, Keira   pile: Zoltan
    """)
    table.anna.uses_leader().chooses("Cow", "Ves", of="discard_two")
    table.anna.chooses("Zoltan", of="take")
    table.shows("anna  hand: Keira, Zoltan   discard: Cow, Ves   side deck: Bovine")


@pytest.mark.note(46)
@pytest.mark.rule("GW-4.16", "GW-9.1")
def test_kept_by_monsters_it_brings_nobody():
    table = gwent("anna  Monsters   ranged: Cow")
    table.anna.passes()
    table.ben.passes()
    table.shows("anna  ranged: Cow   discard: nothing   side deck: Bovine")


@pytest.mark.note(48)
@pytest.mark.rule("GW-4.16")
def test_hemdall_comes_to_melee_and_is_a_hero():
    table = gwent("""
        anna  Skellige   hand: Scorch, Ves   melee: Kambi 0
        ben   ranged: Cow 0
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Hemdall 11              discard: Scorch, Kambi
        ben   melee: Bovine Defense Force 8  discard: Cow
    """)
    table.ben.passes()
    table.anna.passes()
    table.shows("anna  discard: Scorch, Kambi, Hemdall")


@pytest.mark.note(49)
@pytest.mark.rule("GW-4.17")
def test_with_none_left_in_the_side_deck_nobody_comes():
    table = gwent("""
        anna  hand: Scorch, Ves   ranged: 2 Cow
    """)
    table.anna.plays("Scorch")
    table.shows("anna  melee: Bovine Defense Force   discard: Scorch, 2 Cow")


@pytest.mark.note(49)
@pytest.mark.rule("GW-4.17")
def test_an_avenger_in_the_discard_does_not_come_again():
    table = gwent("""
        anna  hand: Scorch, Ves   ranged: Cow   discard: Bovine   side deck: nothing
    """)
    table.anna.plays("Scorch")
    table.shows("anna  discard: Scorch, Cow, Bovine")


@pytest.mark.note(50)
@pytest.mark.rule("GW-4.16", "GW-11.1")
def test_nobody_comes_at_the_end_of_the_match():
    table = gwent("""
        anna  gems: 1   ranged: Cow
        ben   melee: Ves
    """)
    table.anna.passes()
    table.ben.passes()
    assert table.is_over
    table.shows("anna  ranged: Cow   side deck: Bovine")


@pytest.mark.note(48)
@pytest.mark.rule("GW-4.16")
def test_the_avenger_comes_to_the_side_that_the_card_left():
    table = gwent("""
        anna  hand: Scorch, Ves   side deck: nothing
        ben   ranged: Cow
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  discard: Scorch
        ben   melee: Bovine Defense Force   side deck: nothing
    """)


@pytest.mark.note(51)
@pytest.mark.rule("GW-4.18")
def test_what_came_from_the_side_deck_is_a_unit_like_any_other():
    stands("""
        anna  melee: Bovine Defense Force 2, Ves 2   melee slot: Commander's Horn
        weather: Biting Frost
    """)
    table = gwent("anna  hand: Decoy, Scorch   melee: Bovine, Ves")
    table.anna.plays("Decoy", "melee").chooses("Bovine")
    table.ben.passes()
    table.anna.plays("Bovine").plays("Scorch")
    table.shows("""
        anna  hand: nothing   discard: Decoy, Ves, Bovine, Scorch
    """)


@pytest.mark.note(51)
@pytest.mark.note(23)
@pytest.mark.rule("GW-4.18")
def test_a_medic_may_take_a_card_of_the_side_deck_out_of_the_discard():
    table = gwent("anna  hand: Birna, Ves   discard: Bovine, Cow")
    table.anna.plays("Birna").chooses("Bovine")
    table.shows("anna  melee: Birna, Bovine   discard: Cow")
