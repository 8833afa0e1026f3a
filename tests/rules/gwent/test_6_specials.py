"""RULES 6: horns, Mardroeme and Scorch; decoys are in `test_6_decoy.py`."""

import pytest

from tests.rules.gwent.layout import free_for_all, gwent, stands

SLOTS = ["melee slot", "ranged slot", "siege slot"]


@pytest.mark.rule("GW-6.1")
def test_a_special_card_has_no_strength_and_is_no_unit():
    stands("""
        anna  melee: Decoy, Draug 10   melee slot: Mardroeme
              ranged slot: Commander's Horn   total: 10
    """)


@pytest.mark.note(20)
@pytest.mark.case(40)
@pytest.mark.rule("GW-6.1", "GW-9.1")
def test_no_special_card_is_kept():
    table = gwent("""
        anna  Monsters   melee: Decoy   melee slot: Commander's Horn
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("anna  discard: Decoy, Commander's Horn")


@pytest.mark.rule("GW-6.1", "GW-6.8")
def test_no_special_card_is_scorched():
    table = gwent("""
        anna  hand: Scorch, Ves   melee: Decoy, Cow   melee slot: Commander's Horn
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Decoy, Bovine   melee slot: Commander's Horn   discard: Scorch, Cow
    """)


# -- the horn --------------------------------------------------------------------------


@pytest.mark.note(15)
@pytest.mark.rule("GW-6.2")
def test_a_horn_in_the_slot_doubles_the_units_of_the_row():
    table = gwent("""
        anna  hand: Commander's Horn, Cow   melee: Ves 5, Geralt 15   ranged: Keira 5
        ben   melee: Zoltan 5
    """)
    table.anna.plays("Commander's Horn", "melee slot")
    table.shows("""
        anna  melee: Ves 10, Geralt 15   ranged: Keira 5
              melee slot: Commander's Horn   hand: Cow
        ben   melee: Zoltan 5
    """)


@pytest.mark.note(16)
@pytest.mark.rule("GW-6.2", "GW-6.4")
@pytest.mark.parametrize("name", ["Commander's Horn", "Mardroeme"])
def test_horn_and_mardroeme_go_to_own_slots_alone(name):
    table = gwent(f"anna  hand: {name}")
    assert table.anna.options == [f"{name} to {slot}" for slot in SLOTS]


@pytest.mark.note(15)
@pytest.mark.rule("GW-6.3")
@pytest.mark.parametrize("lying", ["Commander's Horn", "Mardroeme"])
def test_a_slot_holds_one_card(lying):
    table = gwent(f"anna  hand: Commander's Horn, Mardroeme   melee slot: {lying}")
    assert [one for one in table.anna.options if "melee" in one] == []
    assert len(table.anna.options) == 4


@pytest.mark.note(18)
@pytest.mark.case(13)
@pytest.mark.rule("GW-6.3")
def test_with_no_free_slot_neither_can_be_played():
    table = gwent("""
        anna  hand: Commander's Horn, Mardroeme, Ves
              melee slot: Mardroeme   ranged slot: Mardroeme   siege slot: Mardroeme
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.note(15)
@pytest.mark.rule("GW-6.3", "GW-8.4")
def test_a_row_that_a_leaders_horn_is_on_takes_no_horn_but_mardroeme():
    table = gwent("""
        anna  hand: Commander's Horn, Mardroeme   horns: siege
    """)
    assert [one for one in table.anna.options if "siege" in one] == [
        "Mardroeme to siege slot"
    ]


@pytest.mark.note(15)
@pytest.mark.rule("GW-6.3", "GW-8.4")
def test_no_leader_sounds_a_horn_on_a_row_with_one_in_its_slot():
    table = gwent("""
        anna  The Siegemaster   hand: Ves   siege slot: Commander's Horn
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.note(15)
@pytest.mark.rule("GW-6.3")
def test_a_unit_with_a_horn_does_not_block_the_slot():
    table = gwent("anna  hand: Commander's Horn, Cow   melee: Dandelion 2, Ves 10")
    table.anna.plays("Commander's Horn", "melee slot")
    table.shows("anna  melee: Dandelion 4, Ves 10   melee slot: Commander's Horn")


@pytest.mark.case(36)
@pytest.mark.rule("GW-6.3", "GW-8.4")
def test_a_leaders_horn_takes_no_card_from_the_hand_and_leaves_the_slot_empty():
    table = gwent("""
        anna  The Siegemaster   hand: Commander's Horn, Ves   siege: Trebuchet
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  siege: Trebuchet 12   hand: Commander's Horn, Ves   horns: siege
              discard: nothing
    """)


@pytest.mark.rule("GW-6.4")
def test_mardroeme_may_lie_in_a_row_without_berserkers():
    table = gwent("anna  hand: Mardroeme, Cow   siege: Trebuchet")
    table.anna.plays("Mardroeme", "siege slot")
    table.shows("anna  siege: Trebuchet 6   siege slot: Mardroeme")


@pytest.mark.rule("GW-6.7")
def test_slots_and_decoys_are_discarded_when_the_round_ends():
    table = gwent("""
        anna  melee slot: Commander's Horn   ranged: Decoy   siege slot: Mardroeme
              horns: ranged
        ben   melee: Decoy
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("""
        anna  discard: Commander's Horn, Decoy, Mardroeme   horns: nothing
        ben   discard: Decoy
        round: 2
    """)


# -- Scorch ----------------------------------------------------------------------------


@pytest.mark.note(40)
@pytest.mark.case(25)
@pytest.mark.rule("GW-6.8")
def test_the_strongest_units_of_all_sides_burn_the_own_ones_too():
    table = gwent("""
        anna  hand: Scorch, Cow   melee: Vesemir 6, Ves 5
        ben   siege: Trebuchet 6   melee: Zoltan 5
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Ves      discard: Scorch, Vesemir   hand: Cow
        ben   melee: Zoltan   discard: Trebuchet
    """)


@pytest.mark.note(40)
@pytest.mark.case(24)
@pytest.mark.rule("GW-6.8")
def test_scorch_has_no_least_strength():
    table = gwent("""
        anna  hand: Scorch, Cow
        ben   melee: Foglet 2, Redanian 1
    """)
    table.anna.plays("Scorch")
    table.shows("ben  melee: Redanian   discard: Foglet")


@pytest.mark.note(40)
@pytest.mark.rule("GW-6.8", "GW-4.22")
def test_heroes_are_not_looked_at_when_the_strongest_is_sought():
    table = gwent("""
        anna  hand: Scorch, Cow   melee: Geralt 15, Ciri 15
        ben   melee: Ves 5, Yarpen 2
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Geralt, Ciri   discard: Scorch
        ben   melee: Yarpen   discard: Ves
    """)


@pytest.mark.note(40)
@pytest.mark.rule("GW-6.8")
def test_what_a_unit_is_worth_now_counts_not_what_is_printed():
    table = gwent("""
        anna  hand: Scorch, Cow   melee: Olaf 1
        ben   siege: Thaler 2 {by anna}   siege slot: Commander's Horn
        weather: Biting Frost
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Olaf   discard: Scorch
        ben   siege slot: Commander's Horn   discard: Thaler
        weather: Biting Frost
    """)


@pytest.mark.note(45)
@pytest.mark.note(115)
@pytest.mark.rule("GW-6.8")
def test_if_every_unit_has_0_all_of_them_burn():
    table = gwent("""
        anna  hand: Scorch, Ves   ranged: Havekar Healer 0, Philippa 10
        ben   siege: Siege Technician 0
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  ranged: Philippa   discard: Scorch, Havekar Healer
        ben   discard: Siege Technician
    """)


@pytest.mark.note(18)
@pytest.mark.rule("GW-6.8")
def test_scorch_may_be_played_without_effect():
    table = gwent("anna  hand: Scorch, Cow   melee: Geralt")
    table.anna.plays("Scorch")
    table.shows("anna  melee: Geralt   discard: Scorch   hand: Cow")


@pytest.mark.note(44)
@pytest.mark.rule("GW-6.9")
def test_all_that_burn_are_named_first_and_go_together():
    table = gwent("""
        anna  hand: Scorch, Ves   melee: 3 Commando 12
        ben   melee: Olaf 12, Vesemir 7
    """)
    table.anna.plays("Scorch")
    assert table.discarded[1:] == [["Blue Stripes Commando"] * 3 + ["Olaf"]]
    table.shows("""
        anna  discard: Scorch, 3 Commando
        ben   melee: Vesemir 6   discard: Olaf
    """)


@pytest.mark.note(44)
@pytest.mark.rule("GW-6.9", "GW-4.16")
def test_those_that_are_called_come_after_the_fire():
    table = gwent("""
        anna  hand: Scorch, Ves   ranged: Cow 0
        ben   siege: Siege Technician 0
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Bovine 8   discard: Scorch, Cow
        ben   discard: Siege Technician
    """)
    went = [step for event in table.moved for step in event]
    assert went[-1] == "Bovine Defense Force to anna's melee"


@pytest.mark.rule("GW-6.8", "GW-15.2")
def test_scorch_looks_at_the_sides_of_all_opponents_together():
    table = free_for_all("""
        anna  hand: Scorch, Cow   melee: Ves 5
        ben   melee: Vesemir 6
        cleo  melee: Zoltan 5   siege: Trebuchet 6
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Ves   discard: Scorch
        ben   discard: Vesemir
        cleo  melee: Zoltan   discard: Trebuchet
    """)
