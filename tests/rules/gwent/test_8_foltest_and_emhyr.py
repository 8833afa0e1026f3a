"""RULES 8: what each Foltest and each Emhyr does that others do not."""

import pytest

from services.engine.kernel import event as happened
from services.engine.kernel.sight import only
from tests.rules.gwent.layout import gwent

# -- Foltest, Lord Commander ---------------------------------------------------------


@pytest.mark.rule("GW-8.8", "GW-7.4")
@pytest.mark.note(60)
@pytest.mark.case(61)
def test_the_lord_commander_clears_all_weather_the_storm_too():
    table = gwent("""
        anna  Lord Commander   melee: Ves 1   siege: Ballista 1
        ben   ranged: Milva 1
        weather: Biting Frost {by ben}, Skellige Storm
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  Lord Commander {used}   melee: Ves 5   siege: Ballista 6
              discard: Skellige Storm
        ben   ranged: Milva 10   discard: Biting Frost
    """)


# -- Emhyr, Emperor of Nilfgaard -----------------------------------------------------

HAND = "Cow, Zoltan, Milva, Decoy, Scorch"


def peeked(table):
    """What was looked at, and which seat was shown it."""
    peeks = [e for e in table.events if isinstance(e, happened.CardsPeeked)]
    return [
        (event.seat, [table.name_of(one.handle) for one in event.cards])
        for event in peeks
        if all(one.seers == only(event.seat) for one in event.cards)
    ]


@pytest.mark.rule("GW-8.13")
@pytest.mark.note(110)
@pytest.mark.case(61)
def test_the_emperor_alone_sees_three_cards_of_the_hand_at_random():
    table = gwent(f"""
        anna  Emperor of Nilfgaard
        ben   hand: {HAND}
        lots: 4, 0, 2
    """)
    table.anna.uses_leader()
    assert peeked(table) == [(0, ["Scorch", "Cow", "Milva"])]
    table.shows(f"ben  hand: {HAND}")
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-8.13")
@pytest.mark.note(110)
def test_nobody_else_is_shown_what_the_emperor_saw_nor_where_it_lies():
    table = gwent(f"""
        anna  Emperor of Nilfgaard
        ben   hand: {HAND}
    """)
    table.anna.uses_leader()
    (peek,) = [e for e in table.events if isinstance(e, happened.CardsPeeked)]
    assert {one.traced for one in peek.cards} == {only(1)}
    assert not table.public_sees("Milva")
    assert table.declared("uses_leader") == ["anna"]


@pytest.mark.rule("GW-8.13")
@pytest.mark.parametrize("hand", ["Cow", "Cow, Zoltan", "Cow, Zoltan, Milva"])
def test_of_three_cards_or_fewer_the_emperor_sees_all(hand):
    table = gwent(f"""
        anna  Emperor of Nilfgaard
        ben   hand: {hand}
    """)
    table.anna.uses_leader()
    ((seat, seen),) = peeked(table)
    assert (seat, sorted(seen)) == (0, table.ben.hand)


# -- Emhyr, The Relentless -----------------------------------------------------------


@pytest.mark.rule("GW-8.15")
@pytest.mark.case(58, 61)
def test_the_relentless_takes_a_unit_of_the_opponents_discard_into_the_hand():
    table = gwent("""
        anna  Relentless   hand: Cow
        ben   discard: Olgierd, Geralt, Decoy, Biting Frost, Zoltan
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["Olgierd von Everec", "Zoltan Chivay"]
    table.anna.chooses("Zoltan", of="take")
    table.shows("""
        anna  Relentless {used}   hand: Cow, Zoltan
        ben   discard: Olgierd, Geralt, Decoy, Biting Frost
    """)
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-8.15")
@pytest.mark.case(59)
def test_what_the_relentless_took_is_the_takers_from_then_on():
    table = gwent("""
        anna  Relentless
        ben   passed   discard: Cow
    """)
    table.anna.uses_leader()
    table.anna.plays("Cow")
    table.anna.passes()
    table.shows("""
        anna  melee: Bovine 8   discard: Cow   side deck: nothing
        ben   discard: nothing   side deck: Bovine
    """)


@pytest.mark.rule("GW-8.15", "GW-1.10")
def test_of_several_units_one_is_taken_by_lot_when_time_runs_out():
    table = gwent("""
        anna  Relentless   hand: Cow
        ben   discard: Ves, Zoltan
        lots: 1
    """)
    table.anna.uses_leader()
    table.anna.runs_out_of_time()
    table.shows("anna  hand: Cow, Zoltan")


# -- Emhyr, Invader of the North -----------------------------------------------------


@pytest.mark.rule("GW-8.16")
@pytest.mark.note(33)
@pytest.mark.case(5, 61)
@pytest.mark.parametrize("of_whom", ["anna", "ben"])
def test_whom_a_medic_brings_back_is_drawn_by_lot_for_either_seat(of_whom):
    rival = {"anna": "ben", "ben": "anna"}[of_whom]
    table = gwent(f"""
        {of_whom}  Invader
        {rival}  King Bran
        anna  hand: Birna   discard: Ves, Geralt, Zoltan, Cow
        lots: 2
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna   ranged: Cow   discard: Ves, Geralt, Zoltan")
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-8.16", "GW-4.8")
def test_a_medic_drawn_by_lot_draws_another():
    table = gwent("""
        anna  Invader   hand: Birna   discard: Ves, Etolian, Zoltan
        lots: 1, 1
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   ranged: Etolian   discard: Ves")


@pytest.mark.rule("GW-8.16")
@pytest.mark.note(14)
def test_chance_lays_an_agile_unit_in_melee():
    table = gwent("anna  Invader   hand: Birna   discard: Olgierd, Ves")
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna 3, Olgierd 6   discard: Ves")


@pytest.mark.rule("GW-8.16", "GW-8.20", "GW-8.15")
@pytest.mark.parametrize("leader", ["Bringer", "Relentless"])
def test_what_a_leader_takes_into_a_hand_stays_a_choice(leader):
    table = gwent(f"""
        anna  {leader}   discard: Ves, Zoltan
        ben   Invader    discard: Ves, Zoltan
    """)
    table.anna.uses_leader()
    assert table.waits_for == ["anna: take"]
