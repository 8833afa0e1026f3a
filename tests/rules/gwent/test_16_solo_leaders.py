"""RULES 16: the automaton's leaders, turned up when the seat is ahead."""

import pytest

from services.engine.games.gwent.pieces import FACTIONS
from services.engine.games.gwent.starter import whole_set
from tests.rules.gwent.layout import laid_out, solo
from tests.rules.gwent.notation import NAMES


def ended(leaders, seat, side, **also):
    """The position when the seat has passed and the round is over."""
    words = "\n".join(f"{key}: {value}" for key, value in also.items())
    table = laid_out(
        f"""
        anna  {seat}
        automaton  leaders: {leaders}   {side}
        {words}
        """,
        "solo-leaders",
    )
    table.anna.passes()
    return table


# -- when ----------------------------------------------------------------------------


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
def test_who_is_ahead_has_a_leader_against_him_and_totals_are_compared_again():
    table = ended("The Siegemaster", "melee: Griffin, Ves", "siege: Trebuchet")
    table.shows("anna  gems: 1\nautomaton  gems: 2")
    assert table.declared("automaton_round_won") == ["12"]


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
def test_who_is_ahead_all_the_same_has_won():
    table = ended("The Siegemaster", "melee: Olaf, Ves", "siege: Trebuchet")
    table.shows("anna  gems: 2\nautomaton  gems: 1")
    assert table.declared("round_won") == ["anna 18"]


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
def test_one_leader_a_round_and_the_next_one_in_the_next():
    table = ended(
        "Commander of the Red Riders, King of the Wild Hunt",
        "melee: Draug   hand: Hjalmar, Ves",
        "pile: Scorch, Decoy, Zoltan, Biting Frost",
    )
    assert len(table.declared("automaton_leads")) == 1
    table.shows("automaton  leaders: King of the Wild Hunt   melee: Decoy   gems: 1")
    table.anna.plays("Hjalmar").passes()
    assert len(table.declared("automaton_leads")) == 2
    assert table.winners == ["anna"]


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
@pytest.mark.parametrize("seat", ["melee: Zoltan", "melee: Vattier {by automaton}"])
def test_who_is_not_ahead_has_none_against_him(seat):
    table = ended("The Siegemaster", seat, "melee: Zoltan")
    assert table.declared("automaton_leads") == []
    table.shows("anna  gems: 1\nautomaton  leaders: The Siegemaster")


@pytest.mark.rule("GW-16.15", "GW-16.12")
@pytest.mark.note(105, 107)
def test_covered_cards_are_turned_up_before_it_is_seen_who_is_ahead():
    table = ended("The Siegemaster", "melee: Ves", "melee: Decoy   under: Griffin")
    assert table.declared("automaton_leads") == []


@pytest.mark.rule("GW-16.15")
def test_with_no_leader_left_the_round_is_the_seats():
    table = ended("nothing", "melee: Ves", "melee: Cow")
    assert table.declared("round_won") == ["anna 5"]


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
def test_without_this_variant_no_leader_is_turned_up():
    table = solo("anna  melee: Ves\nautomaton  Monsters   melee: Albrich")
    table.anna.passes()
    assert table.declared("round_won") == ["anna 5"]


# -- what they do --------------------------------------------------------------------


@pytest.mark.rule("GW-16.15", "GW-8.5")
@pytest.mark.note(107)
def test_a_scorching_leader_burns_the_seats_row():
    table = ended("The Steel-Forged", "siege: Trebuchet, Holger", "melee: Zoltan")
    table.shows("anna  discard: Trebuchet, Holger\nautomaton  gems: 2")
    assert table.declared("automaton_round_won") == ["5"]


@pytest.mark.rule("GW-16.15", "GW-8.6")
@pytest.mark.note(107)
def test_a_leaders_weather_comes_out_of_the_automatons_pile():
    table = ended(
        "Pureblood Elf",
        "melee: Griffin, Ves",
        "ranged: Keira   pile: Mardroeme, Ghoul, Biting Frost, Zoltan",
    )
    assert ["Biting Frost to automaton turned"] in table.moved
    assert "automaton pile" in table.shuffled


@pytest.mark.rule("GW-16.16", "GW-8.17")
@pytest.mark.note(107)
@pytest.mark.parametrize(
    ("seat", "played"),
    [("melee: Griffin, Ves", "Biting Frost"), ("siege: Holger, Draig", "Storm")],
)
def test_of_several_weathers_it_plays_the_one_that_gains_most(seat, played):
    table = ended(
        "King of the Wild Hunt",
        seat,
        "melee: Toad   pile: Mardroeme, Clear Weather, Skellige Storm, Biting Frost",
    )
    went = [way for event in table.moved for way in event if played in way]
    assert [way.partition(" to ")[2] for way in went[:2]] == [
        "automaton turned",
        "weather",
    ]
    assert table.shuffled == ["automaton pile"]


@pytest.mark.rule("GW-16.15", "GW-8.27")
@pytest.mark.note(107)
def test_crach_shuffles_both_discards_back():
    table = ended(
        "Crach", "melee: Ves   discard: Keira", "discard: Zoltan   pile: Mardroeme"
    )
    table.shows("""
        anna  pile: Keira   discard: Ves
        automaton  melee: Zoltan   discard: nothing   pile: Mardroeme
    """)


@pytest.mark.rule("GW-16.16", "GW-8.3")
@pytest.mark.note(107)
def test_a_passive_leader_works_from_the_comparison_on():
    table = ended(
        "The Treacherous",
        "melee: Griffin, Ves   hand: Ves, Siegfried",
        "melee: Vattier   pile: 2 Cow, Stefan Skellen",
    )
    assert table.declared("round_won") == ["anna 10"]
    table.anna.plays("Ves")
    table.shows("""
        anna  melee: Ves
        automaton  melee: Stefan Skellen 18, Bovine Defense Force 8   ranged: Cow
    """)


@pytest.mark.rule("GW-16.16", "GW-8.28")
@pytest.mark.note(107)
def test_king_bran_halves_for_the_automaton_alone():
    table = ended("King Bran", "melee: 2 Ves", "melee: Griffin", weather="Biting Frost")
    assert table.declared("automaton_round_won") == ["3"]


HAND_LEADERS = [
    *("Emperor of Nilfgaard", "The Relentless", "Destroyer of Worlds"),
    *("Bringer of Death", "Daisy of the Valley"),
]


@pytest.mark.rule("GW-16.16")
@pytest.mark.note(107)
@pytest.mark.parametrize("leader", HAND_LEADERS)
def test_what_needs_a_hand_does_nothing(leader):
    table = ended(
        leader,
        "melee: Draug   hand: Ves   discard: Keira",
        "discard: Zoltan",
    )
    table.shows("""
        anna  hand: Ves   discard: Keira, Draug
        automaton  discard: Zoltan
    """)
    assert len(table.declared("automaton_leads")) == 1


@pytest.mark.rule("GW-16.16", "GW-8.2")
def test_what_would_do_nothing_does_nothing():
    table = ended("Lord Commander", "melee: Ves", "melee: Cow")
    assert table.declared("round_won") == ["anna 5"]


@pytest.mark.rule("GW-16.16", "GW-8.14")
def test_the_seats_white_flame_undoes_the_automatons_leaders():
    table = ended("The Siegemaster", "The White Flame   melee: Ves", "siege: Holger")
    assert table.declared("round_won") == ["anna 5"]


@pytest.mark.rule("GW-16.16", "GW-8.14")
@pytest.mark.note(107)
def test_the_automatons_white_flame_undoes_the_seats_leader_from_then_on():
    table = ended(
        "The White Flame",
        "Commander of the Red Riders   melee: Draug   hand: Ves, Zoltan",
        "melee: Albrich",
    )
    assert table.anna.playable == sorted([NAMES["ves"], NAMES["zoltan"]])


LEADERS = [
    face
    for faction in FACTIONS
    for face in whole_set(faction)
    if face.startswith(("eredin", "emhyr", "foltest", "francesca", "crach", "king_"))
]


@pytest.mark.rule("GW-16.15")
@pytest.mark.note(107)
@pytest.mark.parametrize("leader", LEADERS)
def test_every_leader_may_be_turned_up(leader):
    table = ended(
        NAMES[leader],
        "melee: Olaf, Ves   ranged: Keira, Milva   siege: Catapult   hand: Ves",
        "melee: Filavandrel   pile: Cow, Impenetrable Fog, Torrential Rain, Zoltan",
    )
    assert table.declared("automaton_leads") == [""]
    assert table.turn == "anna"
