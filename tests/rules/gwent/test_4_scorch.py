"""RULES 4.14 and 4.15: units that scorch."""

import pytest

from tests.rules.gwent.layout import free_for_all, gwent


@pytest.mark.note(41)
@pytest.mark.case(22)
@pytest.mark.rule("GW-4.14")
@pytest.mark.parametrize(
    ("name", "row", "victim", "spared"),
    [
        ("Villentretenmerth", "melee", "Vesemir", "Donar"),
        ("Toad", "ranged", "Ida Emean", "Sabrina"),
        ("Schirrú", "siege", "Trebuchet", "Holger"),
    ],
)
def test_its_row_of_the_opponent_loses_the_strongest_at_10(name, row, victim, spared):
    table = gwent(f"""
        anna  hand: {name}, Cow
        ben   {row}: {victim} 6, {spared} 4   total: 10
    """)
    table.anna.plays(name)
    table.shows(f"""
        anna  {row}: {name}
        ben   {row}: {spared}   discard: {victim}
    """)


@pytest.mark.note(41)
@pytest.mark.case(22)
@pytest.mark.case(23)
@pytest.mark.rule("GW-4.14")
def test_nine_are_not_enough():
    table = gwent("""
        anna  hand: Villentretenmerth, Cow
        ben   melee: Zoltan 5, Donar 4   total: 9
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("ben  melee: Zoltan, Donar   discard: nothing")


@pytest.mark.note(41)
@pytest.mark.rule("GW-4.14")
def test_a_row_alone_must_total_10_not_the_side():
    table = gwent("""
        anna  hand: Villentretenmerth, Cow
        ben   melee: Zoltan 5   ranged: Milva 10   total: 15
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("ben  melee: Zoltan   ranged: Milva")


@pytest.mark.note(41)
@pytest.mark.case(27)
@pytest.mark.rule("GW-4.14")
def test_heroes_count_towards_the_10_and_do_not_burn():
    table = gwent("""
        anna  hand: Villentretenmerth, Cow
        ben   melee: Geralt 15, Foglet 2, Yarpen 2
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("ben  melee: Geralt   discard: Foglet, Yarpen")


@pytest.mark.note(41)
@pytest.mark.rule("GW-4.14")
def test_all_effects_count_towards_the_10():
    table = gwent("""
        anna  hand: 2 Villentretenmerth
        ben   melee: Zoltan 1, Vesemir 1
        weather: Biting Frost
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("""
        ben   melee: Zoltan, Vesemir   discard: nothing
        weather: Biting Frost
    """)


@pytest.mark.case(29)
@pytest.mark.rule("GW-4.14")
@pytest.mark.parametrize("who", ["anna", "ben"])
def test_nothing_burns_on_the_own_side_whichever_seat_it_is(who):
    other = "ben" if who == "anna" else "anna"
    table = gwent(f"""
        {who}  hand: Villentretenmerth, Cow   melee: 2 Commando 8
        {other}  melee: Vesemir 6, Ves 5
        turn: {who}
    """)
    table.seat(("anna", "ben").index(who)).plays("Villentretenmerth")
    table.shows(f"""
        {who}  melee: 2 Commando, Villentretenmerth
        {other}  melee: Ves   discard: Vesemir
    """)


@pytest.mark.note(41)
@pytest.mark.rule("GW-4.14")
def test_all_that_are_tied_burn_in_that_row():
    table = gwent("""
        anna  hand: Schirrú, Cow
        ben   siege: 2 Ballista, Siege Tower, Holger   melee: Olaf
    """)
    table.anna.plays("Schirrú")
    table.shows("ben  siege: Holger   melee: Olaf   discard: 2 Ballista, Siege Tower")


@pytest.mark.note(43)
@pytest.mark.rule("GW-4.14", "GW-15.2")
def test_each_opponent_is_looked_at_by_itself():
    table = free_for_all("""
        anna  hand: Villentretenmerth, Cow
        ben   melee: Ves 5, Donar 4
        cleo  melee: Vesemir 6, Zoltan 5
        dan   melee: Olaf 12
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("""
        ben   melee: Ves, Donar
        cleo  melee: Zoltan   discard: Vesemir
        dan   discard: Olaf
    """)


# -- Clan Dimun Pirate -----------------------------------------------------------------


@pytest.mark.note(42)
@pytest.mark.rule("GW-4.15")
def test_the_pirate_scorches_the_whole_table_as_the_special_card_does():
    table = gwent("""
        anna  hand: Dimun Pirate, Cow   melee: 2 Commando 8
        ben   siege: Catapult 8, Trebuchet 6
    """)
    table.anna.plays("Dimun Pirate")
    table.shows("""
        anna  ranged: Dimun Pirate   discard: 2 Commando
        ben   siege: Trebuchet       discard: Catapult
    """)


@pytest.mark.note(42)
@pytest.mark.rule("GW-4.15")
def test_the_pirate_itself_is_not_spared():
    table = gwent("""
        anna  hand: Dimun Pirate, Cow   melee: Ves
        ben   siege: Trebuchet 6
    """)
    table.anna.plays("Dimun Pirate")
    table.shows("""
        anna  melee: Ves   discard: Dimun Pirate
        ben   discard: Trebuchet
    """)
