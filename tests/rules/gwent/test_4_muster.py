"""RULES 4.9 and 4.10: musters."""

import pytest

from tests.rules.gwent.layout import gwent


@pytest.mark.note(35)
@pytest.mark.note(37)
@pytest.mark.case(30)
@pytest.mark.rule("GW-4.9")
def test_all_of_the_group_come_from_hand_and_pile():
    table = gwent("""
        anna  hand: 2 Nekker, Cow   pile: Nekker, Ves, Nekker, Nekker, Zoltan
    """)
    table.anna.plays("Nekker")
    table.shows("anna  melee: 5 Nekker   hand: Cow   pile: Ves, Zoltan")


@pytest.mark.note(35)
@pytest.mark.rule("GW-4.9")
def test_none_comes_from_a_discard():
    table = gwent("anna  hand: Nekker, Cow   discard: 2 Nekker   pile: Ves")
    table.anna.plays("Nekker")
    table.shows("anna  melee: Nekker   discard: 2 Nekker")


@pytest.mark.note(35)
@pytest.mark.rule("GW-4.9", "GW-1.9")
@pytest.mark.parametrize("pile", ["Nekker, Ves", "Ves, Zoltan"])
def test_the_pile_is_shuffled_whether_or_not_it_held_any(pile):
    table = gwent(f"anna  hand: Nekker, Cow   pile: {pile}")
    table.anna.plays("Nekker")
    assert table.shuffled == ["anna's pile"]


@pytest.mark.note(35)
@pytest.mark.case(33)
@pytest.mark.rule("GW-4.9")
def test_each_goes_to_its_own_printed_row():
    table = gwent("""
        anna  hand: Arachas, Behemoth, Cow   pile: 2 Arachas
    """)
    table.anna.plays("Behemoth")
    table.shows("anna  melee: 3 Arachas   siege: Behemoth   hand: Cow")


VAMPIRES = "Ekimmara, Fleder, Garkain, Bruxa, Katakan"
CRONES = "Brewess, Weavess, Whispess"


@pytest.mark.note(36)
@pytest.mark.rule("GW-4.9")
@pytest.mark.parametrize("group", [VAMPIRES, CRONES])
def test_a_group_is_called_whatever_the_names_of_its_cards(group):
    first, *rest = group.split(", ")
    table = gwent(f"anna  hand: {first}, {rest[0]}, Cow   pile: {', '.join(rest[1:])}")
    table.anna.plays(first)
    table.shows(f"anna  melee: {group}   hand: Cow   pile: nothing")


@pytest.mark.note(36)
@pytest.mark.case(69)
@pytest.mark.rule("GW-4.9")
def test_arachas_and_behemoth_call_each_other():
    table = gwent("anna  hand: Arachas, Cow   pile: Behemoth, Arachas, Ves")
    table.anna.plays("Arachas")
    table.shows("anna  melee: 2 Arachas   siege: Behemoth   pile: Ves")


@pytest.mark.note(36)
@pytest.mark.rule("GW-4.9")
def test_gaunter_calls_the_darkness_which_calls_only_itself():
    table = gwent("anna  hand: Gaunter O'Dimm, Cow   pile: 3 Darkness")
    table.anna.plays("Gaunter O'Dimm")
    table.shows("anna  siege: Gaunter O'Dimm   ranged: 3 Darkness   pile: nothing")
    table = gwent("anna  hand: Darkness, Gaunter O'Dimm   pile: 2 Darkness")
    table.anna.plays("Darkness")
    table.shows("anna  ranged: 3 Darkness   hand: Gaunter O'Dimm")


@pytest.mark.note(36)
@pytest.mark.rule("GW-4.9", "GW-4.10")
def test_shield_maidens_call_neither_cerys_nor_each_other():
    table = gwent("anna  hand: Shield Maiden, Cerys   pile: 2 Shield Maiden")
    table.anna.plays("Shield Maiden")
    table.shows("anna  melee: Shield Maiden   hand: Cerys   pile: 2 Shield Maiden")


@pytest.mark.note(37)
@pytest.mark.rule("GW-4.10")
def test_a_called_card_does_not_call_in_turn():
    table = gwent("anna  hand: Nekker, Cow   pile: 2 Nekker, Ves")
    table.anna.plays("Nekker")
    assert table.shuffled == ["anna's pile"]


@pytest.mark.note(39)
@pytest.mark.rule("GW-4.10", "GW-4.11")
def test_bonds_of_called_units_count():
    table = gwent("anna  hand: Cerys, Cow   pile: 2 Shield Maiden")
    table.anna.plays("Cerys")
    table.shows("anna  melee: Cerys 10, 2 Shield Maiden 8   total: 26")


@pytest.mark.case(71)
@pytest.mark.rule("GW-4.9")
@pytest.mark.parametrize("name", ["Impera", "Nausicaa", "Young Emissary", "Defender"])
def test_a_bond_or_a_name_shared_is_no_muster(name):
    table = gwent(f"anna  hand: 2 {name}   pile: {name}")
    table.anna.plays(name)
    table.shows(f"anna  melee: {name}   hand: {name}   pile: {name}")
