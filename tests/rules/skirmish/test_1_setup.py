"""RULES 1: set-up, and who knows what."""

import pytest

from services.engine.games.skirmish import SKIRMISH
from services.engine.games.skirmish.pieces import SOLDIERS, Row
from tests.rules.skirmish.layout import (
    placing,
    reckoning,
    turning_up,
    whole,
    window,
)


@pytest.mark.rule("SK-1.1")
def test_two_three_or_four_play():
    assert SKIRMISH.seats == (2, 3, 4)


@pytest.mark.rule("SK-1.1")
@pytest.mark.parametrize(
    ("row", "printed"),
    [
        (Row.SCOUT, "2 2 2 3 3 3 3 3 3 3 3 6"),
        (Row.ASSAULT, "1 2 3 3 3 3 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 5 5 6"),
        (Row.SNIPER, "5 6 7 7 8 8 8 10"),
    ],
)
def test_what_is_printed_on_soldiers(row, printed):
    soldiers = [one for one in SOLDIERS.values() if one.row is row]
    assert [one.number for one in soldiers] == list(range(1, len(soldiers) + 1))
    assert " ".join(str(one.attack) for one in soldiers) == printed


@pytest.mark.rule("SK-1.1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_play_with_three_decks_shuffled_apart(seats):
    table = whole(seats)
    assert table.built == {
        "commander_deck": 4,
        "soldier_deck": 44,
        "tactic_deck": 25,
    }


@pytest.mark.rule("SK-1.2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_gets_one_commander_face_up(seats):
    table = whole(seats)
    commanders = [table.seat(n).commander for n in range(seats)]
    assert commanders == ["Wolf", "Fire Fox", "Snow Leopard", "Vulture"][:seats]
    assert table.ben.sees("Wolf")
    assert table.public_sees("Wolf")


@pytest.mark.rule("SK-1.3")
@pytest.mark.parametrize(("seats", "cards"), [(2, 14), (3, 12), (4, 10)])
def test_soldiers_dealt_by_number_of_seats(seats, cards):
    table = whole(seats)
    assert {table.seat(n).soldiers for n in range(seats)} == {cards}
    assert table.count("soldier_deck") == 44 - seats * cards


@pytest.mark.rule("SK-1.4", "SK-7.2")
@pytest.mark.parametrize(("seats", "cards"), [(2, 6), (3, 5), (4, 4)])
def test_tactics_dealt_by_number_of_seats_and_one_more_for_fire_fox(seats, cards):
    table = whole(seats)
    dealt = [table.seat(n).tactics for n in range(seats)]
    assert dealt == [cards, cards + 1, cards, cards][:seats]


@pytest.mark.rule("SK-1.5")
@pytest.mark.parametrize("lot", [0, 1, 2])
def test_chance_names_the_first_placer(lot):
    table = whole(3, lots=[lot])
    first = ["anna", "ben", "cleo"][lot]
    assert table.waits_for == [f"{first}: place"]
    assert table.marker("first", first) is not None
    assert table.table.counter("round") == 1


@pytest.mark.rule("SK-1.6")
def test_a_hand_is_seen_by_its_holder():
    table = placing("""
        anna  hand: Rookie, Snow
        ben   hand: Lurker
    """)
    assert table.anna.sees("Rookie")
    assert table.anna.sees("Snow")
    assert not table.ben.sees("Rookie")
    assert not table.ben.sees("Snow")


@pytest.mark.rule("SK-1.6")
def test_a_face_down_card_is_seen_by_its_bringer_on_whichever_side_it_lies():
    table = window("""
        anna  scout: (Lurker)   tactic: (Snow)
        ben   scout: (Spy {by anna}), (Spotter)
    """)
    assert table.anna.sees("Lurker")
    assert table.anna.sees("Snow")
    assert table.anna.sees("Spy")
    assert not table.ben.sees("Spy")
    assert not table.ben.sees("Lurker")
    assert not table.ben.sees("Snow")
    assert not table.anna.sees("Spotter")


@pytest.mark.rule("SK-1.6")
def test_a_soldier_taken_by_a_spy_is_known_to_thief_and_robbed_alone():
    table = placing("""
        anna  hand: Spy
        ben   hand: Rookie
        cleo  hand: Lurker
    """)
    table.anna.places("Spy to ben's scout")
    assert table.anna.hand == ["Rookie"]
    assert table.anna.sees("Rookie")
    assert not table.cleo.sees("Rookie")
    assert table.went("Rookie").traced_from == 1 << 1


@pytest.mark.rule("SK-1.6")
def test_what_is_face_up_and_what_lies_on_it_is_public():
    table = turning_up("""
        anna  scout: (Part-time Medic)
        ben   assault: Rookie
        discard: Cover
    """)
    assert table.public_sees("Part-time Medic")
    assert table.public_sees("Cover")
    assert table.heard("ward") == ["Part-time Medic"]


@pytest.mark.rule("SK-1.6")
def test_soldiers_and_tactics_in_a_hand_are_counted_apart():
    table = placing("""
        anna  hand: Rookie, Snow, Rain
        ben   hand: Lurker
    """)
    assert (table.anna.soldiers, table.anna.tactics) == (1, 2)


@pytest.mark.rule("SK-1.6")
def test_a_declined_choice_is_told():
    table = turning_up("""
        anna  assault: (Call of Duty)   hand: Rookie
        ben   assault: Hot Blood
    """)
    table.anna.declines("call_up")
    assert table.declared("declines") == ["anna call_up"]


@pytest.mark.rule("SK-1.6")
def test_cards_that_go_home_go_home_face_up():
    table = reckoning("""
        anna  scout: Lurker   tactic: French Salute
        ben   assault: Hot Blood
    """)
    table.anna.chooses("Lurker", of="salute")
    assert table.went("Lurker").traced_from == -1


@pytest.mark.rule("SK-1.6")
def test_hands_left_at_the_end_are_counted_and_not_shown():
    table = reckoning("""
        anna  scout: Spotter   hand: Rookie, Snow
        ben   assault: Hot Blood
    """)
    assert table.is_over
    assert not table.ben.sees("Rookie")
    assert not table.ben.sees("Snow")
    assert (
        table
        == """
        anna  total: 5
        ben   total: 8   assault:
    """
    )


@pytest.mark.rule("SK-1.7")
def test_a_card_laid_face_down_gets_a_new_handle():
    table = placing("""
        anna  hand: Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Rookie")
    assert table.went("Rookie").old_handle != table.went("Rookie").handle


@pytest.mark.rule("SK-1.7")
def test_a_card_that_enters_a_hand_gets_a_new_handle():
    table = turning_up("""
        anna  assault: (Soul Chaser)
        ben   hand: Lurker
        discard: Rookie {fell}
    """)
    table.anna.chooses("Rookie", of="chase")
    assert table.went("Rookie").old_handle != table.went("Rookie").handle
    assert not table.ben.sees("Rookie")
