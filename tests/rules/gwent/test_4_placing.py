"""RULES 4.1 to 4.4: where units come to lie, and heroes (4.22)."""

import pytest

from tests.rules.gwent.layout import gwent, stands


@pytest.mark.rule("GW-4.1")
@pytest.mark.parametrize(
    ("name", "row"),
    [("Ves", "melee"), ("Keira", "ranged"), ("Trebuchet", "siege"), ("Draug", "melee")],
)
def test_a_unit_or_hero_goes_to_the_row_its_card_names(name, row):
    table = gwent(f"anna  hand: {name}, Cow")
    assert [one for one in table.anna.options if "Cow" not in one] == [
        f"{table.name_of(table.card(name).handle)} to {row}"
    ]
    table.anna.plays(name)
    table.shows(f"anna  {row}: {name}   hand: Cow")


@pytest.mark.rule("GW-4.1")
def test_a_row_holds_any_number():
    table = gwent("anna  hand: Ves, Cow   melee: 5 Mahakaman Defender, 9 Zoltan")
    table.anna.plays("Ves")
    table.shows("anna  melee: 5 Mahakaman Defender, 9 Zoltan, Ves")


@pytest.mark.note(14)
@pytest.mark.case(34)
@pytest.mark.rule("GW-4.2")
@pytest.mark.parametrize("row", ["melee", "ranged"])
def test_who_plays_an_agile_card_chooses_melee_or_ranged(row):
    for name in ("Barclay", "Kayran"):
        table = gwent(f"anna  hand: {name}, Cow")
        table.anna.plays(name, row)
        table.shows(f"anna  {row}: {name}   hand: Cow")


@pytest.mark.rule("GW-4.2")
def test_an_agile_unit_stays_in_its_row():
    table = gwent("""
        anna  hand: Impenetrable Fog, Cow   ranged: Barclay 6
    """)
    table.anna.plays("Impenetrable Fog")
    table.shows("anna  ranged: Barclay 1   hand: Cow  \n  weather: Impenetrable Fog")
    assert all("Barclay" not in one for one in table.ben.options)


@pytest.mark.note(14)
@pytest.mark.rule("GW-4.2", "GW-4.7")
def test_who_revives_an_agile_unit_chooses_its_row():
    table = gwent("anna  hand: Birna, Cow   discard: Barclay, Ves")
    table.anna.plays("Birna")
    assert table.anna.options == [
        "Barclay Els to melee",
        "Barclay Els to ranged",
        "Ves to melee",
    ]
    table.anna.chooses("Barclay to ranged")
    table.shows("anna  melee: Birna   ranged: Barclay   discard: Ves")


@pytest.mark.note(14)
@pytest.mark.rule("GW-4.2", "GW-4.7")
def test_the_row_of_an_agile_unit_is_asked_for_when_it_is_the_only_one_too():
    table = gwent("anna  hand: Birna, Cow   discard: Barclay")
    table.anna.plays("Birna").chooses("Barclay to ranged", of="medic")
    table.shows("anna  melee: Birna   ranged: Barclay")


@pytest.mark.note(14)
@pytest.mark.rule("GW-4.2")
def test_what_chance_brings_back_goes_to_melee():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Barclay, Keira
        ben   Invader of the North
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Barclay   discard: Keira")


# -- however it comes ------------------------------------------------------------------

ENTRANCES = {
    "from the hand": "hand: Young Berserker, Cow",
    "revived": "hand: Birna, Cow   discard: Young Berserker",
}


@pytest.mark.note(112)
@pytest.mark.case(31)
@pytest.mark.rule("GW-4.3")
@pytest.mark.parametrize("lies", ENTRANCES.values(), ids=ENTRANCES)
def test_however_a_berserker_comes_mardroeme_transforms_it_at_once(lies):
    table = gwent(f"anna  Skellige   {lies}   ranged slot: Mardroeme")
    table.anna.plays("Birna" if "Birna" in lies else "Young Berserker")
    birna = "melee: Birna" if "Birna" in lies else ""
    table.shows(f"""
        anna  {birna}   ranged: Young Vildkaarl 8   ranged slot: Mardroeme
        removed: Young Berserker
    """)


@pytest.mark.case(31)
@pytest.mark.rule("GW-4.3")
def test_a_revived_unit_scorches_as_if_it_had_been_played():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Villentretenmerth
        ben   melee: Olaf 12, Ves 6
    """)
    table.anna.plays("Birna")
    table.shows("""
        anna  melee: Birna, Villentretenmerth
        ben   melee: Ves 5   discard: Olaf
    """)


@pytest.mark.case(31)
@pytest.mark.rule("GW-4.3", "GW-8.6")
def test_weather_that_a_leader_fetches_works_at_once():
    table = gwent("""
        anna  Pureblood Elf   melee: Ves 5   pile: Cow, Biting Frost
        ben   melee: Zoltan 5
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Ves 1
        ben   melee: Zoltan 1
        weather: Biting Frost
    """)


@pytest.mark.note(112)
@pytest.mark.rule("GW-4.3", "GW-4.10")
def test_strengths_are_counted_before_abilities_run():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Dimun Pirate   melee: Ves
        ben   melee: 2 Commando 8
    """)
    table.anna.plays("Birna")
    table.shows("""
        anna  melee: Birna 2, Ves 5   ranged: Clan Dimun Pirate 6
        ben   discard: 2 Commando
    """)


@pytest.mark.note(9)
@pytest.mark.case(63)
@pytest.mark.rule("GW-4.4")
def test_nothing_stays_with_a_card_from_the_last_time():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: 2 Commando 16   melee slot: Commander's Horn
        ben   passed
    """)
    table.anna.plays("Decoy", "melee").chooses("Commando")
    table.shows("""
        anna  melee: Decoy, Commando 8   melee slot: Commander's Horn
              hand: Commando, Cow
    """)
    table.anna.passes()
    assert table.round == 2
    table.anna.plays("Commando")
    table.shows("anna  melee: Commando 4   hand: Cow")


# -- heroes ----------------------------------------------------------------------------


@pytest.mark.note(2)
@pytest.mark.case(14)
@pytest.mark.rule("GW-4.22")
def test_a_hero_counts_with_its_printed_strength_always():
    stands("""
        anna  melee: Geralt 15, Isengrim 10, Mysterious Elf 0 {by ben}, Olgierd 4
              melee slot: Commander's Horn   ranged: Ermion 8, Philippa 10
        ben   The Treacherous
        weather: Biting Frost, Skellige Storm
    """)


@pytest.mark.note(2)
@pytest.mark.note(6)
@pytest.mark.rule("GW-4.22")
def test_what_heroes_do_works_on_others():
    stands("anna  ranged: Kayran 8, Keira 6   melee: Isengrim 10, Ves 6")
    table = gwent("anna  hand: Yennefer, Cow   discard: Zoltan")
    table.anna.plays("Yennefer")
    table.shows("anna  ranged: Yennefer 7   melee: Zoltan 5")


@pytest.mark.rule("GW-4.22", "GW-6.5")
def test_no_hero_is_scorched_or_taken_back():
    table = gwent("""
        anna  hand: Scorch, Decoy   melee: Geralt   ranged: Keira
        ben   siege: Morvran, Trebuchet
    """)
    assert [one for one in table.anna.options if "Decoy" in one] == ["Decoy to ranged"]
    table.anna.plays("Scorch")
    table.shows("""
        anna  melee: Geralt   ranged: Keira
        ben   siege: Morvran   discard: Trebuchet
    """)


@pytest.mark.note(30)
@pytest.mark.case(39)
@pytest.mark.rule("GW-4.22", "GW-4.7")
def test_no_hero_is_revived():
    table = gwent("anna  hand: Birna, Cow   discard: Geralt, Hemdall")
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna   discard: Geralt, Hemdall")


@pytest.mark.rule("GW-4.22", "GW-9.1")
def test_no_hero_is_kept():
    table = gwent("anna  Monsters   melee: Geralt, Draug")
    table.anna.passes()
    table.ben.passes()
    table.shows("anna  discard: Geralt, Draug")


@pytest.mark.note(38)
@pytest.mark.rule("GW-4.22", "GW-4.10")
def test_a_hero_may_call():
    table = gwent("anna  hand: Cerys, Shield Maiden   pile: 2 Shield Maiden, Cow")
    table.anna.plays("Cerys")
    table.shows("""
        anna  melee: Cerys 10, 3 Shield Maiden 12   hand: nothing   pile: Cow
    """)
