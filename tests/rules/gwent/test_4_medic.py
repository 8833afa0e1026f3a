"""RULES 4.7 and 4.8: medics."""

import pytest

from tests.rules.gwent.layout import gwent


@pytest.mark.rule("GW-4.7")
def test_a_medic_brings_a_unit_of_the_own_discard_to_its_row():
    table = gwent("""
        anna  hand: Dun Banner Medic   discard: Keira, Ves
        ben   discard: Olaf
    """)
    table.anna.plays("Dun Banner Medic")
    assert table.anna.options == ["Keira Metz", "Ves"]
    table.anna.chooses("Keira", of="medic")
    table.shows("""
        anna  siege: Dun Banner Medic   ranged: Keira   discard: Ves
        ben   discard: Olaf
    """)


@pytest.mark.note(30)
@pytest.mark.note(20)
@pytest.mark.case(39)
@pytest.mark.case(40)
@pytest.mark.rule("GW-4.7", "GW-6.1")
def test_neither_heroes_nor_special_cards_nor_decoys_nor_weather_are_revived():
    table = gwent("""
        anna  hand: Birna, Cow
              discard: Geralt, Scorch, Decoy, Commander's Horn, Biting Frost
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna   hand: Cow   discard: 5 cards")
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-4.7")
def test_the_medic_that_is_played_is_not_its_own_target():
    table = gwent("anna  hand: Birna, Cow   discard: nothing")
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna   discard: nothing")


@pytest.mark.note(31)
@pytest.mark.case(37)
@pytest.mark.rule("GW-4.8")
def test_a_revived_medic_revives_another_until_there_is_none():
    table = gwent("""
        anna  hand: Menno, Cow   discard: Birna, Siege Technician, 2 Etolian
    """)
    table.anna.plays("Menno").chooses("Birna").chooses("Siege Technician")
    table.anna.chooses("Etolian")
    table.shows("""
        anna  melee: Menno 10, Birna 2   ranged: 2 Etolian 1
              siege: Siege Technician 0   discard: nothing
    """)
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(31)
@pytest.mark.rule("GW-4.8")
def test_two_medics_do_not_revive_each_other_for_ever():
    table = gwent("anna  hand: Birna, Cow   discard: Dun Banner Medic")
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna   siege: Dun Banner Medic   discard: nothing")


@pytest.mark.note(32)
@pytest.mark.rule("GW-4.8", "GW-4.9")
def test_a_revived_unit_calls_the_rest_of_its_group():
    table = gwent("""
        anna  hand: Birna, Nekker, Cow   discard: Nekker   pile: Ves, Nekker
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, 3 Nekker   hand: Cow   pile: Ves")


@pytest.mark.rule("GW-4.8")
def test_a_revived_unit_is_the_revivers():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Ves, Zoltan
        ben   passed
    """)
    table.anna.plays("Birna").chooses("Zoltan")
    table.shows("anna  melee: Birna {by anna}, Zoltan {by anna}   discard: Ves")


@pytest.mark.note(33)
@pytest.mark.case(5)
@pytest.mark.rule("GW-4.7", "GW-8.16")
@pytest.mark.parametrize("anna", ["Invader of the North", "Nilfgaard"])
def test_the_invader_draws_who_comes_back_for_both(anna):
    ben = "Nilfgaard" if anna == "Invader of the North" else "Invader of the North"
    table = gwent(f"""
        anna  {anna}   hand: Birna, Cow   discard: Ves, Geralt, Zoltan, Keira
        ben   {ben}
        lots: 1
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   discard: Ves, Geralt, Keira")


@pytest.mark.note(33)
@pytest.mark.rule("GW-8.16")
def test_the_invader_draws_anew_for_each_medic_of_a_chain():
    table = gwent("""
        anna  Invader of the North   hand: Birna, Cow
              discard: Ves, Dun Banner Medic, Zoltan
        lots: 1, 1
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   siege: Dun Banner Medic   discard: Ves")


@pytest.mark.rule("GW-4.7", "GW-1.10")
def test_a_medic_whose_player_runs_out_of_time_revives_by_lot():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Ves, Zoltan, Keira
        lots: 2
    """)
    table.anna.plays("Birna").runs_out_of_time()
    table.shows("anna  melee: Birna   ranged: Keira   discard: Ves, Zoltan")
