"""RULES 16: alone against the automaton: set-up, turns, rounds."""

import random

import pytest

from services.engine.games.gwent.pieces import FACTIONS
from services.engine.games.gwent.starter import for_the_seat, whole_set
from services.engine.kernel import Place
from tests.rules.gwent.layout import laid_out, solo, whole


def begun(own, other, variant="solo", **chance):
    """A game whose factions and leader are chosen: the first of the leaders."""
    table = whole(variant, **chance)
    table.anna.chooses(own, of="choose_faction")
    table.anna.chooses(other, of="automaton_faction")
    table.anna.chooses(table.anna.options[0], of="choose_leader")
    return table


# -- set-up --------------------------------------------------------------------------


@pytest.mark.rule("GW-16.1")
@pytest.mark.note(96)
@pytest.mark.case(3)
def test_the_player_chooses_both_factions_and_they_differ():
    table = whole("solo")
    assert table.anna.options == sorted(FACTIONS)
    table.anna.chooses("skellige", of="choose_faction")
    assert table.anna.is_asked == "automaton_faction"
    assert "skellige" not in table.anna.options
    assert len(table.anna.options) == 4


@pytest.mark.rule("GW-16.1", "GW-16.2")
@pytest.mark.note(96, 97)
@pytest.mark.parametrize("own", FACTIONS)
def test_both_have_the_whole_set_the_seat_without_weather(own):
    other = "monsters" if own != "monsters" else "skellige"
    table = begun(own, other)
    weather = {"biting_frost", "impenetrable_fog", "torrential_rain", "skellige_storm"}
    seat, automaton = whole_set(own), whole_set(other)
    assert weather < set(seat)
    assert set(seat) - set(for_the_seat(seat)) == weather
    leaders = sum(face in LEADERS for face in seat)
    assert table.built["pile:0"] == len(for_the_seat(seat)) - leaders
    others = sum(face in LEADERS for face in automaton)
    assert table.built["automaton_pile"] == len(automaton) - others
    assert automaton.count("biting_frost") == automaton.count("clear_weather") == 3


LEADERS = {
    face
    for faction in FACTIONS
    for face in whole_set(faction)
    if face.startswith(("eredin", "emhyr", "foltest", "francesca", "crach", "king_"))
}


@pytest.mark.rule("GW-16.2")
@pytest.mark.note(96)
def test_side_decks_lie_beside_for_both():
    table = begun("skellige", "monsters")
    table.shows("""
        anna  side deck: 6 cards
        automaton  side deck: Bovine Defense Force
    """)
    assert "hemdall" not in whole_set("skellige")


@pytest.mark.rule("GW-16.2")
@pytest.mark.note(97)
def test_the_seat_chooses_its_leader_and_the_others_are_out_of_sight():
    table = whole("solo")
    table.anna.chooses("monsters").chooses("skellige")
    assert len(table.anna.options) == 5
    table.anna.chooses("Eredin: Bringer of Death", of="choose_leader")
    table.shows("anna  Bringer of Death")
    assert table.table.count(Place("box", 0)) == 4


@pytest.mark.rule("GW-16.2")
@pytest.mark.note(97)
def test_ten_cards_an_exchange_and_two_gems_but_no_hand_for_the_automaton():
    table = begun("monsters", "skellige")
    assert table.anna.is_asked == "exchange"
    table.shows("anna  hand: 10 cards   gems: 2\nautomaton  gems: 2")
    table.anna.declines("exchange")
    assert table.anna.is_asked == "turn"
    assert not [p for p in table.table.places() if p.name == "automaton_hand"]


@pytest.mark.rule("GW-16.2")
def test_daisy_draws_an_eleventh_card_alone_too():
    table = whole("solo")
    table.anna.chooses("scoiatael").chooses("monsters").chooses(
        "Francesca Findabair: Daisy of the Valley"
    )
    table.shows("anna  hand: 11 cards")


@pytest.mark.rule("GW-16.1")
def test_who_does_not_say_is_given_factions_and_a_leader_by_lot():
    table = whole("solo", lots=[4, 3, 1])
    for _ in range(3):
        table.anna.runs_out_of_time()
    table.shows("anna  King Bran\nautomaton  gems: 2")
    assert table.marker("automaton_faction") == "scoiatael"


# -- who starts ----------------------------------------------------------------------


@pytest.mark.rule("GW-16.3")
@pytest.mark.note(98)
@pytest.mark.parametrize(("own", "turned_up"), [("monsters", 1), ("scoiatael", 0)])
def test_the_automaton_starts_unless_the_seat_is_scoiatael(own, turned_up):
    table = begun(own, "skellige", chance=random.Random(5))
    table.anna.declines("exchange")
    turned = [event for event in table.moved if event[0].endswith("automaton turned")]
    assert len(turned) == turned_up
    assert table.turn == "anna"


@pytest.mark.rule("GW-16.3")
@pytest.mark.note(98)
def test_scoiatael_that_won_start_the_next_round():
    table = solo("""
        anna  Scoia'tael   melee: Zoltan   hand: Ves
        automaton  Skellige   pile: Udalryk, Donar
    """)
    table.anna.passes()
    table.shows("anna  hand: Ves\nautomaton  gems: 1\nround: 2   starts: anna")


@pytest.mark.rule("GW-16.3")
@pytest.mark.note(98)
def test_scoiatael_that_did_not_win_do_not_start():
    table = solo("""
        anna  Scoia'tael   hand: Ves
        automaton  Monsters   pile: Zoltan, Wyvern
    """)
    table.anna.passes()
    table.shows("anna  gems: 1\nautomaton  ranged: Wyvern   melee: Zoltan")


@pytest.mark.rule("GW-16.3", "GW-10.4")
@pytest.mark.note(98)
def test_others_do_not_start_though_they_won_or_tied():
    for row in ("melee: Zoltan", "melee: Ves"):
        table = solo(f"""
            anna  Skellige   {row}   hand: Ves
            automaton  Nilfgaard   ranged: Cynthia   pile: Decoy, Cow, Albrich
        """)
        table.anna.passes()
        assert "Albrich to automaton ranged" in [one for [one, *_] in table.moved]
        assert table.turn == "anna"


# -- turns ---------------------------------------------------------------------------


@pytest.mark.rule("GW-16.4")
@pytest.mark.note(99)
def test_after_each_turn_the_automaton_turns_up_a_card_and_plays_it():
    table = solo("""
        anna  hand: Ves, Siegfried, Keira
        automaton  Monsters   pile: Griffin, Wyvern, Fiend
    """)
    table.anna.plays("Ves")
    table.shows("""
        anna  melee: Ves
        automaton  melee: Griffin   pile: Wyvern, Fiend
    """)
    table.anna.plays("Siegfried")
    table.shows("""
        anna  melee: Ves, Siegfried
        automaton  melee: Griffin   ranged: Wyvern   pile: Fiend
    """)


@pytest.mark.rule("GW-16.4")
@pytest.mark.note(99)
def test_weather_takes_effect_and_another_card_follows():
    table = solo("""
        anna  hand: Ves, Siegfried
        automaton  Monsters   pile: Biting Frost, Torrential Rain, Griffin, Wyvern
    """)
    table.anna.plays("Ves")
    table.shows("""
        anna  melee: Ves 1
        automaton  melee: Griffin 1   pile: Wyvern
        weather: Biting Frost, Torrential Rain
    """)


@pytest.mark.rule("GW-16.4", "GW-7.4", "GW-7.3")
@pytest.mark.note(99)
def test_clear_weather_counts_as_weather_for_it():
    table = solo("""
        anna  hand: Ves, Siegfried
        automaton  Monsters   pile: Biting Frost, Biting Frost, Clear Weather, Griffin,
            Wyvern
    """)
    table.anna.plays("Ves")
    table.shows("""
        anna  melee: Ves 5
        automaton  melee: Griffin 5   pile: Wyvern
            discard: 2 Biting Frost, Clear Weather
    """)


@pytest.mark.rule("GW-16.4")
@pytest.mark.note(100)
def test_with_an_empty_pile_it_does_nothing():
    table = solo("""
        anna  hand: Ves, Siegfried
        automaton  melee: Zoltan
    """)
    table.anna.plays("Ves")
    table.shows("anna  melee: Ves   turn: anna\nautomaton  melee: Zoltan")


@pytest.mark.rule("GW-16.4", "GW-7.2")
def test_what_the_automaton_lays_goes_to_its_own_discard():
    table = solo("""
        anna  melee: Draug
        automaton  pile: Biting Frost, Zoltan
    """)
    table.anna.passes()
    table.shows("""
        anna  discard: Draug
        automaton  discard: Biting Frost, Zoltan
    """)


@pytest.mark.rule("GW-16.5")
@pytest.mark.note(100)
def test_after_a_pass_it_has_one_more_turn_and_the_round_ends():
    table = solo("""
        anna  melee: Griffin   hand: Ves
        automaton  Skellige   pile: Udalryk, Donar, Svanrige
    """)
    table.anna.passes()
    table.shows("""
        anna  discard: Griffin   gems: 2
        automaton  discard: Udalryk   melee: Donar   pile: Svanrige   gems: 1
    """)
    assert table.round == 2


@pytest.mark.rule("GW-16.5", "GW-3.4")
@pytest.mark.note(100)
def test_a_seat_that_can_do_nothing_passes_and_the_automaton_acts_once_more():
    table = solo("""
        anna  hand: Griffin
        automaton  gems: 1   pile: Cow, Zoltan, Ves
    """)
    table.anna.plays("Griffin")
    assert table.declared("passes") == ["anna"]
    table.shows(
        "anna  melee: Griffin   gems: 1\nautomaton  melee: Zoltan   ranged: Cow"
    )
    assert table.declared("automaton_round_won") == []


@pytest.mark.rule("GW-16.5")
@pytest.mark.note(100)
def test_the_automaton_never_passes():
    table = solo("""
        anna  hand: Ves, Siegfried, Keira
        automaton  melee: Griffin, Fiend   pile: Wyvern
    """)
    table.anna.plays("Ves")
    table.shows("anna  melee: Ves\nautomaton  melee: Griffin, Fiend   ranged: Wyvern")
    assert table.declared("passes") == []


@pytest.mark.rule("GW-16.2")
def test_who_gives_up_has_not_won():
    table = begun("monsters", "skellige")
    table.anna.concedes()
    assert table.winners == []


# -- what nobody sees ----------------------------------------------------------------


@pytest.mark.rule("GW-16.12", "GW-1.9")
@pytest.mark.note(105)
def test_nobody_sees_its_pile_or_what_lies_under_its_decoy():
    table = solo("""
        anna  hand: Ves, Siegfried
        automaton  pile: Decoy, Zoltan, Griffin
    """)
    table.anna.plays("Ves")
    assert not table.anna.sees("Zoltan")
    assert not table.public_sees("Zoltan")
    table.shows("anna  melee: Ves\nautomaton  melee: Decoy   under: Zoltan")


@pytest.mark.rule("GW-16.15", "GW-1.9")
@pytest.mark.note(97, 107)
def test_nobody_sees_its_leaders_before_they_are_turned_up():
    table = begun("skellige", "monsters", "solo-leaders")
    assert table.built["automaton_leaders"] == 5
    assert table.table.is_deck(Place("automaton_leaders"))
    again = laid_out("anna  hand: Ves\nautomaton  melee: Cow", "solo-leaders")
    again.anna.passes()
    assert again.declared("automaton_leads") == []
