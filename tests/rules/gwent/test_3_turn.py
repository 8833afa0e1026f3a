"""RULES 3: turns, passing, and what a turn is made of."""

import pytest

from services.engine.kernel import Place
from tests.rules.gwent.layout import gwent


@pytest.mark.note(11)
@pytest.mark.rule("GW-3.1")
def test_in_a_turn_a_seat_plays_one_card_and_the_next_has_its_turn():
    table = gwent("""
        anna  hand: Ves, Zoltan
        ben   hand: Keira
    """)
    assert table.waits_for == ["anna: turn"]
    table.anna.plays("Ves")
    assert table.waits_for == ["ben: turn"]
    table.shows("anna  melee: Ves   hand: Zoltan")


@pytest.mark.note(11)
@pytest.mark.rule("GW-3.1")
def test_a_leader_is_used_in_place_of_a_card():
    table = gwent("""
        anna  The Siegemaster   siege: Trebuchet 6
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  The Siegemaster {used}   siege: Trebuchet 12   horns: siege
              hand: 1 card
        turn: ben
    """)
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(11)
@pytest.mark.note(12)
@pytest.mark.rule("GW-3.2")
def test_who_has_passed_is_done_and_the_other_goes_on_alone():
    table = gwent("""
        anna  The Siegemaster   hand: Ves
        ben   hand: Zoltan, Keira, Cow
    """)
    table.anna.passes()
    table.ben.plays("Zoltan")
    assert table.waits_for == ["ben: turn"]
    table.ben.plays("Keira")
    assert table.waits_for == ["ben: turn"]
    table.shows("anna  passed   hand: Ves")


@pytest.mark.note(12)
@pytest.mark.case(51)
@pytest.mark.case(55)
@pytest.mark.rule("GW-3.3")
def test_the_round_ends_at_once_when_the_second_passes():
    table = gwent("""
        anna  hand: Ves    melee: Zoltan
        ben   hand: 2 Cow   melee: Olaf
    """)
    table.anna.passes()
    table.ben.plays("Cow")
    table.ben.passes()
    table.shows("""
        anna  hand: Ves   gems: 1
        ben   hand: Cow   gems: 2   melee: Bovine Defense Force
        round: 2   turn: ben
    """)
    assert table.passed == []


@pytest.mark.case(55)
@pytest.mark.rule("GW-3.3")
@pytest.mark.parametrize("first", ["anna", "ben"])
def test_the_round_ends_whichever_passes_last(first):
    table = gwent(f"turn: {first}")
    second = "ben" if first == "anna" else "anna"
    getattr(table, first).passes()
    assert table.round == 1
    getattr(table, second).passes()
    assert table.round == 2


@pytest.mark.note(13)
@pytest.mark.rule("GW-3.4")
def test_an_empty_hand_without_a_usable_leader_passes_by_itself():
    table = gwent("""
        anna  The Siegemaster {used}   hand: Ves
        ben   hand: Cow, Keira
    """)
    table.anna.plays("Ves")
    table.ben.plays("Cow")
    assert table.passed == ["anna"]
    assert table.declared("passes") == ["anna"]
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(13)
@pytest.mark.case(44)
@pytest.mark.rule("GW-3.4")
def test_an_empty_hand_with_a_leader_to_use_is_asked():
    table = gwent("""
        anna  The Siegemaster   hand: Ves
        ben   hand: Cow, Keira
    """)
    table.anna.plays("Ves")
    table.ben.plays("Cow")
    assert table.waits_for == ["anna: turn"]
    table.anna.uses_leader()
    table.shows("anna  The Siegemaster {used}   melee: Ves   horns: siege")


@pytest.mark.rule("GW-3.4", "GW-1.10")
def test_a_leader_that_might_find_its_card_is_asked_for_and_need_not_be_usable():
    table = gwent("""
        anna  King of Temeria   hand: nothing   pile: Ves, Zoltan
    """)
    assert table.waits_for == ["anna: turn"]
    assert table.anna.options == []
    table.anna.passes()
    assert table.passed == ["anna"]


@pytest.mark.rule("GW-3.4")
def test_a_hand_of_nothing_playable_is_not_passed_for():
    table = gwent("anna  hand: Decoy")
    assert table.waits_for == ["anna: turn"]
    assert table.anna.options == []


@pytest.mark.note(13)
@pytest.mark.note(31)
@pytest.mark.case(38)
@pytest.mark.rule("GW-3.4", "GW-4.7")
def test_a_medic_as_the_last_card_still_has_its_choice():
    table = gwent("""
        anna  hand: Birna   discard: Zoltan, Ves
        ben   hand: Keira
    """)
    table.anna.plays("Birna")
    assert table.waits_for == ["anna: medic"]
    table.anna.chooses("Ves")
    table.shows("anna  melee: Birna, Ves   hand: nothing   discard: Zoltan")


@pytest.mark.note(34)
@pytest.mark.case(50)
@pytest.mark.rule("GW-3.5")
def test_nobody_acts_before_a_chain_of_medics_is_done_and_then_once():
    table = gwent("""
        anna  hand: Birna, Cow   discard: Dun Banner Medic, Etolian, Zoltan
        ben   hand: Keira, Cow
    """)
    table.anna.plays("Birna").chooses("Dun Banner")
    assert table.waits_for == ["anna: medic"]
    table.anna.chooses("Etolian")
    table.shows("""
        anna  melee: Birna, Zoltan   ranged: Etolian   siege: Dun Banner Medic
    """)
    table.ben.plays("Keira")
    assert table.waits_for == ["anna: turn"]


@pytest.mark.case(43)
@pytest.mark.rule("GW-3.2", "GW-3.5")
@pytest.mark.parametrize("leader", [True, False])
def test_after_a_leader_or_medic_the_turn_does_not_go_to_who_has_passed(leader):
    table = gwent("""
        anna  The Siegemaster   hand: Birna, Cow   discard: Ves, Zoltan
        ben   passed
    """)
    if leader:
        table.anna.uses_leader()
    else:
        table.anna.plays("Birna").chooses("Ves")
    assert table.waits_for == ["anna: turn"]


@pytest.mark.case(57)
@pytest.mark.rule("GW-3.2")
def test_alone_one_plays_card_after_card_each_in_a_turn_of_its_own():
    table = gwent("""
        anna  hand: Ves, Zoltan, Keira, Cow
        ben   passed
    """)
    for name in ("Ves", "Zoltan", "Keira", "Cow"):
        table.anna.plays(name)
    assert table.round == 2


@pytest.mark.case(52)
@pytest.mark.rule("GW-3.5", "GW-3.3")
def test_the_last_card_takes_effect_before_the_round_is_scored():
    table = gwent("""
        anna  hand: Birna   discard: Olaf
        ben   passed   melee: Vesemir, Zoltan
    """)
    table.anna.plays("Birna").chooses("Olaf to ranged")
    table.shows("""
        anna  gems: 2   discard: Birna, Olaf
        ben   gems: 1
    """)


@pytest.mark.case(53)
@pytest.mark.rule("GW-3.1")
def test_after_a_leader_was_used_horns_and_agile_units_still_ask_for_a_row():
    table = gwent("""
        anna  The Siegemaster   hand: Barclay, Commander's Horn
    """)
    table.anna.uses_leader()
    table.ben.passes()
    assert table.anna.options == [
        "Barclay Els to melee",
        "Barclay Els to ranged",
        "Commander's Horn to melee slot",
        "Commander's Horn to ranged slot",
    ]


@pytest.mark.note(17)
@pytest.mark.rule("GW-3.6")
def test_what_can_be_done_is_done_to_ones_own_harm_too():
    table = gwent("""
        anna  hand: Scorch, Ves   melee: Olaf
        ben   melee: Zoltan
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  discard: Scorch, Olaf
        ben   melee: Zoltan
    """)


@pytest.mark.note(17)
@pytest.mark.rule("GW-3.6", "GW-4.7")
def test_a_revival_cannot_be_declined():
    table = gwent("anna  hand: Birna, Ves   discard: Kambi, Cow")
    table.anna.plays("Birna")
    assert not table.anna.may_decline
    table.anna.runs_out_of_time()
    table.shows("anna  melee: Birna, Kambi   discard: Cow")


@pytest.mark.note(17)
@pytest.mark.rule("GW-3.6")
@pytest.mark.parametrize("name", ["Birna", "Nekker"])
def test_what_cannot_be_done_is_left_out(name):
    table = gwent(f"anna  hand: {name}, Ves   pile: Cow   discard: Scorch")
    table.anna.plays(name)
    table.shows(f"anna  melee: {name}   hand: Ves   pile: Cow   discard: Scorch")
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(69)
@pytest.mark.case(45)
@pytest.mark.rule("GW-3.7")
def test_nobody_draws_in_a_turn_or_between_rounds():
    table = gwent("""
        anna  hand: Ves, Cow     pile: 5 Zoltan   melee: Olaf
        ben   hand: Keira, Cow   pile: 5 Zoltan
    """)
    table.anna.plays("Ves")
    table.ben.passes()
    table.anna.passes()
    table.shows("""
        anna  hand: Cow          pile: 5 cards
        ben   hand: Keira, Cow   pile: 5 cards
        round: 2
    """)


@pytest.mark.rule("GW-3.1", "GW-1.10")
def test_who_runs_out_of_time_passes():
    table = gwent("anna  hand: Ves")
    table.anna.runs_out_of_time()
    assert table.passed == ["anna"]
    assert table.waits_for == ["ben: turn"]


@pytest.mark.note(113)
@pytest.mark.rule("GW-3.5")
def test_an_open_choice_is_one_seats_and_the_turn_waits_for_it():
    table = gwent("anna  hand: Birna, Cow   discard: Ves, Zoltan")
    table.anna.plays("Birna")
    assert table.waits_for == ["anna: medic"]
    assert table.turn == "anna"
    table.anna.runs_out_of_time()
    assert table.turn == "ben"


@pytest.mark.note(114)
@pytest.mark.case(13)
@pytest.mark.rule("GW-3.1")
def test_after_a_leader_was_used_the_next_seat_has_its_whole_time():
    table = gwent("anna  The Siegemaster\n ben  hand: Ves, Cow")
    turn_and_bank = table.anna.deadline
    table.now = 50_000
    table.anna.uses_leader()
    assert table.ben.deadline == 50_000 + turn_and_bank
    table.now = 70_000
    table.ben.plays("Ves")
    assert table.anna.deadline == 70_000 + turn_and_bank


@pytest.mark.note(111)
@pytest.mark.rule("GW-3.1")
def test_a_card_is_known_by_itself_not_by_its_name_or_where_it_was_in_the_hand():
    table = gwent("anna  hand: Cow, 2 Ves\n ben  passed")
    before = [card.handle for card in table.table.cards(Place("hand", 0))]
    ways = [one.split(">")[0] for one in table.anna.question.ids]
    assert ways == before
    table.anna.plays("Cow").plays("Ves").plays("Ves")
    assert table.discarded == [["Cow", "Ves", "Ves"]]
