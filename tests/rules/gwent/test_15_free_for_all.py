"""RULES 15: three to five seats, each for itself."""

import pytest

from tests.rules.gwent.layout import free_for_all
from tests.rules.gwent.many_seats import all_pass, chosen, hands


def scored(text):
    """The points of each seat when all have passed."""
    return all_pass(free_for_all(text)).points


# -- 15.1, 15.2: turns, spies, scorching ---------------------------------------------


@pytest.mark.rule("GW-15.1", "GW-2.1")
@pytest.mark.note(92)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_three_to_five_play_each_with_a_side_of_its_own_and_no_gems(seats):
    table = chosen("free-for-all", *(["monsters"] * seats))
    assert len(table.totals) == seats
    assert hands(table) == [10] * seats
    assert not any(name == "gems" for name, _ in table.table.counters)


@pytest.mark.rule("GW-15.1", "GW-3.1")
@pytest.mark.note(87)
def test_turns_go_round_by_seats_from_the_starter():
    table = free_for_all("anna\nben\ncleo  hand: Ves, Cow\ndan\nturn: cleo")
    order = []
    for seat in (table.cleo, table.dan, table.anna, table.ben):
        order.append(table.turn)
        seat.plays("Ves" if seat is table.cleo else "Vesemir", "melee")
    assert order == ["cleo", "dan", "anna", "ben"]
    assert table.turn == "cleo"


@pytest.mark.rule("GW-15.1", "GW-3.2", "GW-3.3")
@pytest.mark.note(87)
def test_who_has_passed_is_left_out_and_the_round_ends_when_all_have():
    table = free_for_all("anna  hand: Ves, Zoltan, Cow\nben\ncleo")
    table.anna.plays("Ves")
    table.ben.passes()
    table.cleo.passes()
    assert table.waits_for == ["anna: turn"]
    table.anna.plays("Zoltan")
    assert table.waits_for == ["anna: turn"]
    table.anna.passes()
    assert table.round == 2


@pytest.mark.rule("GW-15.2", "GW-7.1")
@pytest.mark.note(87)
def test_weather_touches_all_sides():
    table = free_for_all("""
        anna  hand: Biting Frost   melee: Ves
        ben   melee: Ves
        cleo  melee: Ves
    """)
    table.anna.plays("Biting Frost")
    assert table.totals == [1, 1, 1]


@pytest.mark.rule("GW-15.2", "GW-4.5")
@pytest.mark.note(28, 94)
def test_who_plays_a_spy_chooses_the_opponent():
    table = free_for_all("anna\nben   hand: Thaler   pile: Ves, Cow\ncleo\nturn: ben")
    assert table.ben.options == ["Thaler to anna's siege", "Thaler to cleo's siege"]
    table.ben.plays("Thaler", "cleo's siege")
    table.shows("ben   hand: Ves, Cow\ncleo  siege: Thaler 1")


@pytest.mark.rule("GW-15.2", "GW-4.8")
@pytest.mark.note(26, 94)
def test_who_revives_a_spy_chooses_the_opponent_too():
    table = free_for_all("""
        anna  hand: Birna   discard: Thaler   pile: Ves, Cow
        ben
        cleo
    """)
    table.anna.plays("Birna")
    assert table.anna.options == ["Thaler to ben's siege", "Thaler to cleo's siege"]
    table.anna.chooses("Thaler to cleo's siege", of="medic")
    table.shows("anna  melee: Birna   hand: Ves, Cow\ncleo  siege: Thaler")


@pytest.mark.rule("GW-15.2", "GW-4.14")
@pytest.mark.note(43, 94)
def test_a_unit_scorches_each_opponents_row_by_itself():
    table = free_for_all("""
        anna  hand: Villentretenmerth   melee: 2 Zoltan, Ves
        ben   melee: Zoltan, Vesemir
        cleo  melee: Zoltan, Rainfarn
        dan   melee: Draug, Redanian
    """)
    table.anna.plays("Villentretenmerth")
    table.shows("""
        anna  melee: 2 Zoltan, Ves, Villentretenmerth
        ben   melee: Zoltan      discard: Vesemir
        cleo  melee: Zoltan, Rainfarn
        dan   melee: Draug       discard: Redanian
    """)


@pytest.mark.rule("GW-15.2", "GW-6.8")
@pytest.mark.note(94)
def test_scorch_burns_the_strongest_of_all_sides():
    table = free_for_all("""
        anna  hand: Scorch   melee: Vesemir
        ben   melee: Vesemir, Ves
        cleo  melee: Zoltan
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  discard: Scorch, Vesemir
        ben   discard: Vesemir   melee: Ves
        cleo  melee: Zoltan
    """)


# -- 15.3 to 15.5: what a round is worth ---------------------------------------------


@pytest.mark.rule("GW-15.3")
@pytest.mark.note(88)
def test_a_point_for_each_opponent_with_less():
    text = "anna  melee: Ves\nben  melee: Draug\ncleo\ndan  melee: Vesemir"
    assert scored(text) == [1, 3, 0, 2]


@pytest.mark.rule("GW-15.3")
@pytest.mark.note(95)
def test_two_tied_ahead_of_three_others_have_three_points_each():
    text = "anna  melee: Draug\nben  melee: Ves\ncleo\ndan  melee: Draug\neva"
    assert scored(text) == [3, 2, 0, 3, 0]


@pytest.mark.rule("GW-15.3")
@pytest.mark.note(88)
def test_ahead_of_two_of_five_is_two_points():
    text = """
        anna  melee: Draug
        ben   melee: Draug, Ves
        cleo  melee: Ves
        dan
        eva
    """
    assert scored(text)[2] == 2


@pytest.mark.rule("GW-15.4", "GW-9.2")
@pytest.mark.note(88)
def test_nilfgaard_beats_whom_it_ties_with():
    text = """
        anna  Nilfgaard   melee: 2 Draug
        ben   Monsters    melee: 2 Draug
        cleo  Monsters    melee: Ves
    """
    assert scored(text) == [2, 1, 0]


@pytest.mark.rule("GW-15.4", "GW-9.2")
@pytest.mark.note(88)
def test_two_nilfgaards_tie():
    text = """
        anna  Nilfgaard   melee: Ves
        ben   Nilfgaard   melee: Zoltan
        cleo  Monsters    melee: Zoltan
        dan   Skellige
    """
    assert scored(text) == [2, 2, 1, 0]


@pytest.mark.rule("GW-15.5", "GW-9.3")
@pytest.mark.note(89)
def test_northern_realms_draw_when_above_two_others():
    table = free_for_all("""
        anna  Northern Realms   hand: Cow   pile: Milva   melee: Ves
        ben   Northern Realms   hand: Cow   pile: Milva   melee: Draug
        cleo  Northern Realms   hand: Cow   pile: Milva
        dan   Northern Realms   hand: Cow   pile: Milva   melee: Redanian
    """)
    all_pass(table)
    assert hands(table) == [2, 2, 1, 1]


@pytest.mark.rule("GW-15.5")
@pytest.mark.note(89)
def test_northern_realms_above_one_other_draw_nothing():
    table = free_for_all("""
        anna  Northern Realms   hand: Cow   pile: Milva   melee: Ves
        ben   melee: Zoltan
        cleo
    """)
    assert all_pass(table).points == [1, 1, 0]
    table.shows("anna  hand: Cow   pile: Milva")


# -- 15.9: several of a faction ------------------------------------------------------


@pytest.mark.rule("GW-15.9", "GW-9.4")
@pytest.mark.note(93)
@pytest.mark.parametrize(("lot", "elf"), [(0, "ben"), (1, "cleo")])
def test_of_several_scoiatael_chance_says_which_names_the_starter(lot, elf):
    table = chosen("free-for-all", "monsters", "scoiatael", "scoiatael", lots=[lot])
    assert table.waits_for == [f"{elf}: who_begins"]
    seat = getattr(table, elf)
    assert seat.options == ["anna", "ben", "cleo"]
    seat.chooses("anna")
    assert table.marked("first") == ["anna"]


@pytest.mark.rule("GW-15.9", "GW-1.6")
@pytest.mark.note(93)
@pytest.mark.parametrize("lot", [0, 1, 2])
def test_without_scoiatael_the_lot_names_the_starter(lot):
    table = chosen("free-for-all", "monsters", "nilfgaard", "skellige", lots=[lot])
    assert table.marked("first") == [["anna", "ben", "cleo"][lot]]


@pytest.mark.rule("GW-15.9", "GW-9.5")
@pytest.mark.note(93)
def test_several_skellige_bring_back_in_turn_order_from_the_starter():
    table = free_for_all("""
        anna  Skellige   discard: Ves
        ben   Skellige   discard: Vesemir
        cleo  Skellige   melee: Zoltan
        round: 2
    """)
    all_pass(table)
    assert table.moved[-3:] == [
        ["Zoltan Chivay to cleo's melee"],
        ["Ves to anna's melee"],
        ["Vesemir to ben's melee"],
    ]


@pytest.mark.rule("GW-15.9", "GW-9.5")
@pytest.mark.note(66, 93)
def test_the_seat_chooses_the_opponent_of_a_spy_that_comes_back():
    table = free_for_all("""
        anna  Skellige   discard: Thaler   pile: 2 Cow   hand: Ves
        ben
        cleo  melee: Zoltan
        round: 2
    """)
    all_pass(table)
    assert table.waits_for == ["anna: opponent"]
    table.anna.chooses("cleo")
    table.shows("cleo  siege: Thaler\nanna  hand: Ves, 2 Cow")


@pytest.mark.rule("GW-9.1", "GW-15.8")
@pytest.mark.note(93)
def test_monsters_keep_a_unit_each_round():
    table = free_for_all("anna  Monsters   melee: Fiend, Draug\nben\ncleo")
    all_pass(table).shows("anna  melee: Fiend   points: 2")
    all_pass(table)
    assert (table.points, table.winners) == ([4, 0, 0], ["anna"])
