"""RULES 8: what each Francesca, Crach and King Bran do that others do not."""

import pytest

from tests.rules.gwent.layout import gwent, stands, whole

# -- Francesca, Daisy of the Valley --------------------------------------------------

ELVES = "Daisy, 5 Mahakaman, 3 Elven Skirmisher, 3 Dwarven, Milva, Iorveth"
NORTH = "Siegemaster, 4 Poor Infantry, 3 Siege Expert, 3 Crinfrid, 3 Blue Stripes"


@pytest.mark.rule("GW-8.24", "GW-1.7")
@pytest.mark.case(61)
def test_daisy_is_dealt_eleven_before_the_exchange():
    table = whole(decks={"anna": [ELVES], "ben": [NORTH]})
    assert table.waits_for == ["anna: who_begins"]
    assert (len(table.anna.hand), len(table.ben.hand)) == (11, 10)
    table.anna.chooses("anna")
    assert len(table.anna.options) == 11


@pytest.mark.rule("GW-8.24")
def test_daisy_does_nothing_later_in_the_match():
    table = gwent("""
        anna  Daisy   hand: Milva   pile: 2 Cow   melee: Zoltan
        ben   hand: Ves
    """)
    table.anna.passes()
    table.ben.passes()
    table.shows("anna  hand: Milva   pile: 2 cards")
    assert table.round == 2


# -- Francesca, Hope of the Aen Seidhe -----------------------------------------------


@pytest.mark.rule("GW-8.26")
@pytest.mark.case(61)
def test_hope_moves_the_own_agile_units_out_of_the_frost():
    table = gwent("""
        anna  Hope   melee: Yaevinn 1, Dennis 1, Barclay 1
        ben   melee: Filavandrel 1
        weather: Biting Frost
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  Hope {used}   melee: Dennis 1   ranged: Yaevinn 6, Barclay 6
        ben   melee: Filavandrel 1
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.26")
def test_hope_moves_them_to_a_horn_as_one_event():
    table = gwent("""
        anna  Hope   melee: Yaevinn, Barclay   ranged slot: Commander's Horn
    """)
    table.anna.uses_leader()
    assert table.moved == [["Yaevinn to anna's ranged", "Barclay Els to anna's ranged"]]
    table.shows("""
        anna  ranged: Yaevinn 12, Barclay 12   ranged slot: Commander's Horn
    """)


@pytest.mark.rule("GW-8.26", "GW-8.2")
@pytest.mark.parametrize(
    "rows",
    [
        "melee: Yaevinn   ranged: Barclay",
        "melee: Dennis   ranged: Milva",
        "ranged: Yaevinn   ranged slot: Commander's Horn",
        "melee: Kayran",
    ],
)
def test_where_nothing_is_gained_hope_is_not_offered(rows):
    table = gwent(f"anna  Hope   hand: Ves   {rows}")
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.26")
def test_who_gains_nothing_by_it_stays():
    table = gwent("""
        anna  Hope   melee: Olgierd, Dandelion   ranged: Harpy   siege: Ballista
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Olgierd 12, Dandelion 3, Harpy 6   siege: Ballista 6
    """)
    assert table.moved == [["Harpy to anna's melee"]]


@pytest.mark.rule("GW-8.26")
def test_of_equal_totals_hope_takes_the_one_that_moves_fewest():
    table = gwent("""
        anna  Hope   ranged: Olgierd, Olaf
              melee: 5 Mahakaman 1, 3 Havekar Smuggler 1, Zoltan 1
        weather: Biting Frost
    """)
    table.anna.uses_leader()
    assert table.moved == [["Olgierd von Everec to anna's melee"]]
    assert table.totals == [31, 0]


@pytest.mark.rule("GW-8.26")
def test_hope_looks_at_the_total_not_at_each_unit():
    table = gwent("""
        anna  Hope   melee: Olgierd 6, Zoltan 6   ranged: Milva 10, Toruviel 3, Ida 7
    """)
    assert table.totals == [32, 0]
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Zoltan 5   ranged: Milva 11, Toruviel 4, Ida 8, Olgierd 7
    """)
    assert table.totals == [35, 0]


@pytest.mark.rule("GW-8.26")
def test_a_morale_unit_stays_where_its_leaving_costs_more_than_it_gains():
    table = gwent("""
        anna  Hope   hand: Ves   melee: Olgierd 1, 2 Zoltan 2, 5 Mahakaman 2
        weather: Biting Frost
    """)
    assert table.totals == [15, 0]
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.26", "GW-4.22")
def test_hope_moves_no_hero():
    table = gwent("""
        anna  Hope   melee: Kayran, Harpy   ranged slot: Commander's Horn
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Kayran 8   ranged: Harpy 4   ranged slot: Commander's Horn
    """)


# -- Crach an Craite -----------------------------------------------------------------


@pytest.mark.rule("GW-8.27")
@pytest.mark.case(61)
def test_crach_shuffles_each_discard_into_the_pile_of_its_holder():
    table = gwent("""
        anna  Crach   pile: Olaf   discard: Hjalmar, Decoy, Biting Frost, Vattier
        ben   pile: Ves   discard: Thaler, Zoltan
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  Crach {used}   discard: nothing
              pile: Olaf, Hjalmar, Decoy, Biting Frost, Vattier
        ben   discard: nothing   pile: Ves, Thaler, Zoltan
    """)
    assert table.shuffled == ["anna's pile", "ben's pile"]


@pytest.mark.rule("GW-8.27", "GW-4.17")
def test_cards_of_the_side_deck_go_back_beside_it():
    table = gwent("""
        anna  Crach   side deck: nothing   pile: nothing
              discard: Hemdall, Transformed Vildkaarl, Kambi
        ben   side deck: nothing   discard: Bovine   pile: nothing
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  side deck: Hemdall, Transformed Vildkaarl   pile: Kambi   discard: nothing
        ben   side deck: Bovine   pile: nothing   discard: nothing
    """)


@pytest.mark.rule("GW-8.27", "GW-8.6")
def test_weather_that_crach_put_back_can_be_found_again():
    table = gwent("""
        anna  Pureblood   discard: Biting Frost   hand: 2 Ves
        ben   Crach
        turn: ben
    """)
    table.ben.uses_leader()
    table.anna.uses_leader()
    table.shows("anna  pile: nothing   discard: nothing\nweather: Biting Frost")


# -- King Bran -----------------------------------------------------------------------


@pytest.mark.rule("GW-8.28", "GW-5.2")
@pytest.mark.case(61, 67)
def test_king_bran_halves_his_own_units_in_weather_rounded_up():
    stands("""
        anna  King Bran   melee: Zoltan 3, Vesemir 3, Redanian 1, Kambi 0, Draug 10
              siege: Ballista 6
        ben   melee: Zoltan 1, Vesemir 1
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.28", "GW-5.4")
def test_what_king_bran_left_is_multiplied_and_doubled_as_ever():
    stands("""
        anna  King Bran   melee: 2 Craite Warrior 12   melee slot: Commander's Horn
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.28")
def test_two_weathers_halve_once():
    stands("""
        anna  King Bran   ranged: Milva 5
        weather: Impenetrable Fog, Skellige Storm
    """)
