"""RULES 6.5 to 6.7: decoys."""

import pytest

from tests.rules.gwent.layout import gwent, team


@pytest.mark.note(21)
@pytest.mark.rule("GW-6.5")
def test_a_unit_goes_to_the_hand_and_the_decoy_lies_in_its_row():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: Ves, Zoltan   ranged: Keira
    """)
    table.anna.plays("Decoy", "melee").chooses("Zoltan", of="decoy")
    table.shows("""
        anna  melee: Decoy, Ves 5   ranged: Keira 5   hand: Zoltan, Cow
    """)
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(21)
@pytest.mark.rule("GW-6.5")
def test_the_unit_may_be_played_again_with_all_it_does():
    table = gwent("""
        anna  hand: Decoy, Cow   siege: Dun Banner Medic   discard: Ves
        ben   passed
    """)
    table.anna.plays("Decoy", "siege").plays("Dun Banner Medic")
    table.shows("anna  siege: Decoy, Dun Banner Medic   melee: Ves   hand: Cow")


@pytest.mark.note(19)
@pytest.mark.case(35)
@pytest.mark.rule("GW-6.5")
def test_every_row_with_a_unit_is_offered_and_every_unit_in_it():
    table = gwent("""
        anna  hand: Decoy   melee: Stennis {by ben}, Ves, Geralt   ranged: Philippa
              siege: Trebuchet
        ben   ranged: Keira
    """)
    assert table.anna.options == ["Decoy to melee", "Decoy to siege"]
    table.anna.plays("Decoy", "melee")
    assert table.anna.options == ["Prince Stennis", "Ves"]


@pytest.mark.note(20)
@pytest.mark.rule("GW-6.5", "GW-4.22")
def test_no_hero_decoy_or_card_in_a_slot_is_taken():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: Decoy, Geralt, Ves   melee slot: Mardroeme
    """)
    table.anna.plays("Decoy", "melee")
    table.shows("""
        anna  melee: 2 Decoy, Geralt   melee slot: Mardroeme   hand: Ves, Cow
    """)


@pytest.mark.note(18)
@pytest.mark.case(13)
@pytest.mark.rule("GW-6.6")
def test_with_no_unit_to_take_a_decoy_cannot_be_played():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: Geralt, Decoy
        ben   melee: Ves
    """)
    assert table.anna.options == ["Cow to ranged"]


@pytest.mark.note(20)
@pytest.mark.rule("GW-6.1", "GW-6.7")
def test_a_decoy_counts_nothing_and_shields_nobody():
    table = gwent("""
        anna  hand: Decoy, Scorch, Cow   melee: 2 Commando 8, Vesemir 6
        ben   passed
    """)
    table.anna.plays("Decoy", "melee").chooses("Commando")
    table.shows("anna  melee: Decoy, Commando 4, Vesemir 6   total: 10")
    table.anna.plays("Scorch")
    table.shows("anna  melee: Decoy, Commando 4   discard: Scorch, Vesemir")


@pytest.mark.note(21)
@pytest.mark.rule("GW-6.7")
def test_a_decoy_is_discarded_on_the_side_it_lies_on_when_the_round_ends():
    table = gwent("anna  hand: Decoy, Cow   melee: Stennis {by ben}")
    table.anna.plays("Decoy", "melee")
    table.ben.passes()
    table.anna.passes()
    table.shows("anna  hand: Stennis, Cow   discard: Decoy")


@pytest.mark.rule("GW-6.5", "GW-1.10")
def test_a_decoy_takes_by_lot_when_time_runs_out():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: Ves, Zoltan, Vesemir
        lots: 2
    """)
    table.anna.plays("Decoy", "melee").runs_out_of_time()
    table.shows("anna  melee: Decoy, Ves, Zoltan   hand: Cow, Vesemir")


@pytest.mark.note(19)
@pytest.mark.rule("GW-6.5", "GW-14.6")
def test_a_partners_unit_may_be_taken_and_goes_to_who_played_the_decoy():
    table = team("""
        anna  hand: Decoy, Cow
        cleo  hand: Keira       melee: Ves
    """)
    table.anna.plays("Decoy", "melee")
    table.shows("""
        anna  hand: Ves, Cow   melee: Decoy
        cleo  hand: Keira
    """)
