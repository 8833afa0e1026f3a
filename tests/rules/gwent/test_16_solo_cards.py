"""RULES 16: what cards do otherwise for the automaton."""

import pytest

from tests.rules.gwent.layout import solo


def turned_up(*cards, seat="", side="", **also):
    """The position after the seat played Ves, and the automaton what is on its pile."""
    words = "\n".join(f"{key}: {value}" for key, value in also.items())
    table = solo(f"""
        anna  hand: Ves, Siegfried   pile: 3 Zoltan   {seat}
        automaton  pile: {", ".join(cards)}   {side}
        {words}
    """)
    table.anna.plays("Ves")
    return table


# -- units ---------------------------------------------------------------------------


@pytest.mark.rule("GW-16.6")
@pytest.mark.note(101)
@pytest.mark.parametrize(
    ("side", "row"),
    [
        ("", "melee"),
        ("ranged slot: Commander's Horn", "ranged"),
        ("melee slot: Commander's Horn", "melee"),
        ("ranged: Isengrim", "ranged"),
    ],
)
def test_an_agile_unit_comes_to_the_row_where_it_gains_most_else_to_melee(side, row):
    table = turned_up("Filavandrel", "Cow", side=side)
    assert ["Filavandrel aén Fidháil to automaton " + row] in table.moved


@pytest.mark.rule("GW-16.6")
@pytest.mark.note(104)
def test_its_agile_units_leave_a_row_that_weather_has_come_to():
    table = solo("""
        anna  hand: Biting Frost, Ves
        automaton  melee: Filavandrel, Zoltan   pile: Griffin
    """)
    table.anna.plays("Biting Frost")
    table.shows("""
        automaton  melee: Zoltan 1, Griffin 1   ranged: Filavandrel 6
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-16.6")
@pytest.mark.note(104)
def test_its_agile_units_stay_where_nothing_is_gained():
    table = turned_up("Griffin", side="melee: Yaevinn   ranged: Filavandrel")
    table.shows("""
        automaton  melee: Yaevinn, Griffin   ranged: Filavandrel
    """)


@pytest.mark.rule("GW-16.6", "GW-4.14")
@pytest.mark.note(43)
def test_its_scorching_units_burn_the_seats_row():
    table = turned_up("Villentretenmerth", seat="melee: Griffin", side="melee: Olaf")
    table.shows("""
        anna  discard: Griffin, Ves
        automaton  melee: Olaf, Villentretenmerth
    """)


@pytest.mark.rule("GW-16.6", "GW-4.16")
def test_its_avengers_come_from_its_own_side_deck():
    table = solo("""
        anna  hand: Scorch, Ves
        automaton  ranged: Cow   pile: Griffin
    """)
    table.anna.plays("Scorch")
    table.shows("""
        automaton  melee: Bovine Defense Force, Griffin   side deck: nothing
            discard: Cow
    """)


# -- horns ---------------------------------------------------------------------------


@pytest.mark.rule("GW-16.7")
@pytest.mark.note(101)
def test_its_horn_goes_where_it_adds_most():
    table = turned_up("Commander's Horn", side="melee: Vesemir   siege: Holger, Thaler")
    table.shows("""
        automaton  melee: Vesemir 12   siege: Holger 4, Thaler 1
            melee slot: Commander's Horn
    """)


@pytest.mark.rule("GW-16.7")
@pytest.mark.note(101)
def test_of_equal_rows_its_horn_goes_to_the_one_with_more_units():
    table = turned_up("Commander's Horn", side="melee: Zoltan   siege: Holger, Thaler")
    table.shows("""
        automaton  melee: Zoltan 5   siege: Holger 8, Thaler 2
            siege slot: Commander's Horn
    """)


@pytest.mark.rule("GW-16.7")
@pytest.mark.note(101)
def test_of_rows_still_equal_the_player_chooses():
    table = turned_up("Commander's Horn", "Cow", side="melee: Zoltan   ranged: Keira")
    assert table.anna.options == ["automaton melee slot", "automaton ranged slot"]
    table.anna.chooses("automaton ranged slot", of="automaton_horn")
    table.shows("""
        automaton  melee: Zoltan 5   ranged: Keira 10   pile: Cow
            ranged slot: Commander's Horn
    """)
    assert table.turn == "anna"


@pytest.mark.rule("GW-16.7")
def test_a_choice_of_the_horns_row_not_made_is_made_by_lot():
    table = turned_up(
        "Commander's Horn", side="melee: Zoltan   ranged: Keira", lots="1"
    )
    table.anna.runs_out_of_time()
    table.shows("""
        automaton  melee: Zoltan   ranged: Keira   ranged slot: Commander's Horn
    """)


@pytest.mark.rule("GW-16.7")
@pytest.mark.note(101)
@pytest.mark.parametrize(
    "side",
    ["", "melee: Draug", "melee: Zoltan   melee slot: Mardroeme", "melee: 2 Dandelion"],
)
def test_a_horn_that_would_add_nothing_goes_to_the_discard(side):
    table = turned_up("Commander's Horn", side=side)
    table.shows(f"automaton  {side}   discard: Commander's Horn")


# -- Scorch --------------------------------------------------------------------------


@pytest.mark.rule("GW-16.8")
@pytest.mark.note(43, 101)
def test_its_scorch_burns_the_seats_strongest_alone():
    table = turned_up("Scorch", seat="ranged: Keira, Olaf", side="melee: 2 Olaf")
    table.shows("""
        anna  melee: Ves   ranged: Keira   discard: Olaf
        automaton  melee: 2 Olaf   discard: Scorch
    """)


@pytest.mark.rule("GW-16.8")
@pytest.mark.note(101)
def test_its_scorch_spares_heroes_and_may_find_nobody():
    table = solo("""
        anna  hand: Draug, Ves
        automaton  melee: Olaf   pile: Scorch
    """)
    table.anna.plays("Draug")
    table.shows("anna  melee: Draug\nautomaton  melee: Olaf   discard: Scorch")


@pytest.mark.rule("GW-16.8", "GW-4.15")
@pytest.mark.note(42)
def test_its_pirate_burns_as_its_scorch_does():
    table = turned_up("Dimun Pirate", side="melee: Griffin")
    table.shows("""
        anna  discard: Ves
        automaton  melee: Griffin   ranged: Dimun Pirate
    """)


# -- musters, spies, medics ----------------------------------------------------------


@pytest.mark.rule("GW-16.9")
@pytest.mark.note(102)
def test_its_muster_calls_one_the_first_of_its_pile_and_that_one_no_other():
    table = turned_up("Ekimmara", "Cow", "Bruxa", "Fleder", "Garkain")
    table.shows("""
        automaton  melee: Ekimmara 4, Bruxa 4   total: 8   pile: Cow, Fleder, Garkain
    """)
    assert table.shuffled == ["automaton pile"]


@pytest.mark.rule("GW-16.9")
@pytest.mark.note(102)
def test_its_muster_with_nobody_to_call_is_left_out():
    table = turned_up("Nekker", "Cow")
    table.shows("automaton  melee: Nekker   pile: Cow")
    table = turned_up("Nekker")
    table.shows("automaton  melee: Nekker")


@pytest.mark.rule("GW-16.10")
@pytest.mark.note(103)
def test_its_spy_lies_on_its_own_side_and_two_more_cards_are_played():
    table = turned_up("Vattier", "Griffin", "Wyvern", "Fiend")
    table.shows("""
        anna  melee: Ves   hand: Siegfried
        automaton  melee: Vattier, Griffin   ranged: Wyvern   pile: Fiend
    """)


@pytest.mark.rule("GW-16.10")
@pytest.mark.note(103)
def test_weather_among_the_two_is_followed_by_another():
    table = turned_up("Thaler", "Biting Frost", "Keira", "Wyvern", "Fiend")
    table.shows("""
        automaton  siege: Thaler   ranged: Keira, Wyvern   pile: Fiend
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-16.10", "GW-4.5")
@pytest.mark.note(103)
def test_the_seats_spy_goes_to_the_automatons_side_as_usual():
    table = solo("""
        anna  hand: Thaler, Ves   pile: 3 Zoltan
        automaton  pile: Griffin
    """)
    table.anna.plays("Thaler")
    table.shows("""
        anna  hand: Ves, 2 Zoltan   pile: Zoltan
        automaton  melee: Griffin   siege: Thaler
    """)


@pytest.mark.rule("GW-16.11")
@pytest.mark.note(104)
@pytest.mark.case(2)
def test_its_medic_revives_whom_it_gains_most_from():
    table = turned_up("Dun Banner Medic", side="discard: Wyvern, Olaf, Draug, Scorch")
    table.shows("automaton  siege: Dun Banner Medic   melee: Olaf")
    table = turned_up(
        "Dun Banner Medic", side="discard: Olaf, Catapult   siege: Catapult"
    )
    table.shows("automaton  siege: Dun Banner Medic 5, 2 Catapult 16")


@pytest.mark.rule("GW-16.11")
@pytest.mark.note(104)
def test_of_equals_its_medic_takes_the_first_of_the_discard():
    table = turned_up("Dun Banner Medic", side="discard: Cow, Ves, Keira")
    table.shows("""
        automaton  siege: Dun Banner Medic   melee: Ves   discard: Cow, Keira
    """)


@pytest.mark.rule("GW-16.11", "GW-16.10", "GW-4.8")
@pytest.mark.note(104)
def test_whom_its_medic_revives_does_all_it_does():
    table = turned_up(
        "Dun Banner Medic", "Griffin", "Wyvern", "Cow", side="discard: Stefan Skellen"
    )
    table.shows("""
        automaton  siege: Dun Banner Medic   melee: Stefan Skellen, Griffin
            ranged: Wyvern   pile: Cow
    """)


@pytest.mark.rule("GW-16.11", "GW-8.16")
def test_the_invader_makes_its_medic_revive_by_lot_too():
    table = solo("""
        anna  Invader of the North   hand: Ves, Siegfried
        automaton  pile: Dun Banner Medic   discard: Wyvern, Olaf
        lots: 0
    """)
    table.anna.plays("Ves")
    table.shows("automaton  siege: Dun Banner Medic   ranged: Wyvern   discard: Olaf")


# -- decoys --------------------------------------------------------------------------


@pytest.mark.rule("GW-16.12")
@pytest.mark.note(105)
def test_its_decoy_takes_nothing_back_and_covers_a_card():
    table = turned_up("Decoy", "Griffin", "Fiend", side="melee: Stefan Skellen")
    table.shows("""
        automaton  melee: Decoy, Stefan Skellen   under: Griffin   pile: Fiend
    """)


@pytest.mark.rule("GW-16.12")
@pytest.mark.note(105)
def test_before_totals_are_compared_the_covered_card_is_played():
    table = solo("""
        anna  melee: Zoltan   hand: Ves
        automaton  melee: Decoy   under: Griffin   pile: Wyvern, Fiend
    """)
    table.anna.passes()
    table.shows("""
        anna  gems: 1
        automaton  melee: Fiend   discard: Decoy, Griffin, Wyvern   under: nothing
    """)
    assert table.declared("automaton_round_won") == ["7"]


@pytest.mark.rule("GW-16.12")
@pytest.mark.note(105)
def test_covered_weather_works_and_is_not_followed_by_another():
    table = solo("""
        anna  melee: Olaf   hand: Ves
        automaton  melee: Decoy   under: Biting Frost   pile: Wyvern, Fiend, Griffin
    """)
    table.anna.passes()
    table.shows("anna  gems: 1\nautomaton  melee: Fiend   pile: Griffin")


@pytest.mark.rule("GW-16.12", "GW-16.6")
@pytest.mark.note(104)
@pytest.mark.note(105)
def test_its_agile_units_leave_a_row_that_covered_weather_comes_to():
    table = solo("""
        anna  ranged: Keira   hand: Ves
        automaton  melee: Decoy, Filavandrel   under: Biting Frost   pile: Cow, Fiend
    """)
    table.anna.passes()
    assert table.declared("automaton_round_won") == ["6"]


@pytest.mark.rule("GW-16.12")
@pytest.mark.note(105)
def test_a_covered_decoy_covers_another_card_which_is_played_too():
    table = solo("""
        anna  melee: Zoltan   hand: Ves
        automaton  melee: Decoy   under: Decoy   pile: Wyvern, Griffin, Fiend
    """)
    table.anna.passes()
    table.shows("""
        automaton  melee: Fiend   discard: 2 Decoy, Wyvern, Griffin   under: nothing
    """)


# -- Mardroeme -----------------------------------------------------------------------


@pytest.mark.rule("GW-16.13", "GW-4.19")
@pytest.mark.note(108)
def test_its_mardroeme_goes_to_the_row_with_most_berserkers():
    table = turned_up(
        "Mardroeme",
        side="""melee: Berserker   ranged: 2 Young Berserker
            side deck: Transformed Vildkaarl, 3 Transformed Young Vildkaarl""",
    )
    table.shows("""
        automaton  melee: Berserker   ranged: 2 Transformed Young Vildkaarl 16
            ranged slot: Mardroeme   side deck: Transformed Vildkaarl,
            Transformed Young Vildkaarl
        removed: 2 Young Berserker
    """)


@pytest.mark.rule("GW-16.13")
@pytest.mark.note(108)
@pytest.mark.parametrize(
    "side", ["melee: Zoltan", "melee: Berserker   melee slot: Commander's Horn"]
)
def test_its_mardroeme_without_berserkers_goes_to_the_discard(side):
    turned_up("Mardroeme", side=side).shows(f"automaton  {side}   discard: Mardroeme")
