"""RULES 4.19 to 4.21: berserkers and Mardroeme."""

import pytest

from tests.rules.gwent.layout import gwent, stands


@pytest.mark.note(52)
@pytest.mark.note(53)
@pytest.mark.rule("GW-4.19", "GW-6.4")
def test_mardroeme_transforms_the_berserkers_in_its_row():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow   melee: Berserker 4, Ves 5
              ranged: Young Berserker 2
    """)
    table.anna.plays("Mardroeme", "melee slot")
    table.shows("""
        anna  melee: Transformed Vildkaarl 14, Ves 6   melee slot: Mardroeme
              ranged: Young Berserker 2   discard: nothing   total: 22
              side deck: Bovine, Hemdall, 3 Young Vildkaarl
        removed: Berserker
    """)


@pytest.mark.note(52)
@pytest.mark.rule("GW-4.19")
def test_those_that_come_later_are_transformed_too():
    table = gwent("""
        anna  Skellige   hand: 2 Young Berserker, Cow   ranged slot: Mardroeme
        ben   passed
    """)
    table.anna.plays("Young Berserker")
    table.shows("anna  ranged: Young Vildkaarl 8   ranged slot: Mardroeme")
    table.anna.plays("Young Berserker")
    table.shows("anna  ranged: 2 Young Vildkaarl 16   ranged slot: Mardroeme")


@pytest.mark.note(55)
@pytest.mark.case(32)
@pytest.mark.note(58)
@pytest.mark.rule("GW-4.19", "GW-4.18")
def test_young_vildkaarls_are_bound_and_nobody_else_is_taken_away():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow
              ranged: Keira, Young Berserker, Sabrina, 2 Young Berserker, Hjalmar
    """)
    table.anna.plays("Mardroeme", "ranged slot")
    table.shows("""
        anna  ranged: Keira 5, Sabrina 4, Hjalmar 10, 3 Young Vildkaarl 24
              ranged slot: Mardroeme   total: 91
        removed: 3 Young Berserker
    """)


@pytest.mark.note(55)
@pytest.mark.rule("GW-4.19")
def test_two_young_vildkaarls_are_16_each():
    stands("anna  ranged: 2 Young Vildkaarl 16   melee: Transformed Vildkaarl 14")


@pytest.mark.rule("GW-4.19")
def test_only_the_row_on_the_own_side_is_transformed():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow   ranged: Young Berserker
        ben   Skellige   ranged: Young Berserker
    """)
    table.anna.plays("Mardroeme", "ranged slot")
    table.shows("""
        anna  ranged: Young Vildkaarl   ranged slot: Mardroeme
        ben   ranged: Young Berserker
    """)


@pytest.mark.note(53)
@pytest.mark.rule("GW-4.19")
def test_a_transformed_berserker_is_out_of_the_game():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow   melee: Berserker
    """)
    table.anna.plays("Mardroeme", "melee slot")
    table.ben.passes()
    table.anna.passes()
    table.shows("""
        anna  discard: Transformed Vildkaarl, Mardroeme
        removed: Berserker
    """)


@pytest.mark.note(53)
@pytest.mark.rule("GW-4.19", "GW-4.3")
def test_the_bear_is_there_before_anything_else_goes_on():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow   melee: Berserker
        ben   passed   melee: Olaf
    """)
    table.anna.plays("Mardroeme", "melee slot")
    assert table.totals == [14, 12]


@pytest.mark.note(54)
@pytest.mark.rule("GW-4.20", "GW-4.17")
def test_with_no_bear_left_the_berserker_stays_as_it_is():
    table = gwent("""
        anna  Skellige   hand: Mardroeme, Cow   ranged: 2 Young Berserker
              side deck: Young Vildkaarl
    """)
    table.anna.plays("Mardroeme", "ranged slot")
    table.shows("""
        anna  ranged: Young Vildkaarl 8, Young Berserker 2   ranged slot: Mardroeme
        removed: Young Berserker
    """)


@pytest.mark.note(57)
@pytest.mark.rule("GW-4.20")
def test_without_mardroeme_a_berserker_is_a_unit_like_any_other():
    stands("""
        anna  Skellige   melee: Berserker 4   ranged: 3 Young Berserker 2
    """)


@pytest.mark.note(57)
@pytest.mark.rule("GW-4.19", "GW-4.8")
def test_a_berserker_revived_into_such_a_row_is_transformed_at_once():
    table = gwent("""
        anna  Skellige   hand: Birna, Cow   discard: Berserker   melee slot: Mardroeme
    """)
    table.anna.plays("Birna")
    table.shows("""
        anna  melee: Birna 3, Transformed Vildkaarl 14   melee slot: Mardroeme
        removed: Berserker
    """)


@pytest.mark.note(52)
@pytest.mark.rule("GW-4.21")
def test_ermion_in_the_row_works_as_mardroeme_does():
    table = gwent("""
        anna  Skellige   hand: Ermion, Young Berserker, Cow
              ranged: Young Berserker   melee: Berserker
        ben   passed
    """)
    table.anna.plays("Ermion")
    table.shows("anna  ranged: Ermion 8, Young Vildkaarl 8   melee: Berserker 4")
    table.anna.plays("Young Berserker")
    table.shows("anna  ranged: Ermion 8, 2 Young Vildkaarl 16   melee: Berserker 4")


@pytest.mark.note(56)
@pytest.mark.rule("GW-4.21", "GW-5.7")
def test_mardroeme_ends_with_the_round():
    table = gwent("""
        anna  Skellige   hand: 2 Young Berserker   ranged: Ermion
              ranged slot: Mardroeme
    """)
    table.anna.passes()
    table.ben.passes()
    table.anna.plays("Young Berserker")
    table.shows("anna  ranged: Young Berserker 2   discard: Ermion, Mardroeme")


@pytest.mark.note(23)
@pytest.mark.rule("GW-4.18", "GW-6.5")
def test_a_vildkaarl_taken_back_is_played_as_a_14():
    table = gwent("""
        anna  Skellige   hand: Decoy, Cow   melee: Transformed Vildkaarl
        ben   passed
    """)
    table.anna.plays("Decoy", "melee").plays("Transformed Vildkaarl")
    table.shows("anna  melee: Decoy, Transformed Vildkaarl 14   hand: Cow")
