"""RULES 8, 16: what a seat's own leader does against the automaton."""

import pytest

from tests.rules.gwent.layout import solo


@pytest.mark.rule("GW-8.1", "GW-16.2")
def test_a_seat_alone_uses_its_leader_once_instead_of_a_card():
    table = solo("""
        anna  Siegemaster   siege: Ballista   hand: Ves
        automaton  Monsters   pile: Fiend
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  Siegemaster {used}   siege: Ballista 12
        automaton  melee: Fiend 6
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.2", "GW-8.13", "GW-16.2")
def test_the_automaton_has_no_hand_to_look_at():
    table = solo("""
        anna  Emperor of Nilfgaard   hand: Ves
        automaton  Monsters   pile: 3 Nekker
    """)
    assert table.anna.options == ["Ves to melee"]


@pytest.mark.rule("GW-8.5", "GW-8.25")
def test_a_seats_leader_scorches_the_automatons_row():
    table = solo("""
        anna  Queen of Dol   melee: Ves
        automaton  Monsters   melee: Draug, Fiend, Griffin
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  melee: Ves
        automaton  melee: Draug, Griffin   discard: Fiend
    """)


@pytest.mark.rule("GW-8.15", "GW-4.6")
def test_the_relentless_takes_of_the_automatons_discard():
    table = solo("""
        anna  Relentless   hand: Ves   discard: Cow
        automaton  Monsters   discard: Draug, Fiend, Griffin
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["Fiend", "Griffin"]
    table.anna.chooses("Griffin")
    table.shows("anna  hand: Ves, Griffin\nautomaton  discard: Draug, Fiend")


@pytest.mark.rule("GW-8.27", "GW-4.17")
def test_crach_shuffles_the_automatons_discard_into_its_pile():
    table = solo("""
        anna  Crach   discard: Hjalmar   pile: nothing
        automaton  Monsters   discard: Griffin, Bovine   side deck: nothing
              pile: Fiend, Nekker
    """)
    table.anna.uses_leader()
    table.shows("""
        anna  pile: Hjalmar   discard: nothing
        automaton  discard: nothing   side deck: Bovine   pile: 2 cards   melee: Fiend
    """)


@pytest.mark.rule("GW-8.28", "GW-8.21")
@pytest.mark.parametrize(
    ("leader", "own", "automatons"),
    [
        ("King Bran", "melee: Vesemir 3", "melee: Fiend 1"),
        ("Treacherous", "melee: Vesemir 1", "melee: Fiend 1"),
    ],
)
def test_a_passive_leader_works_alone_too(leader, own, automatons):
    table = solo(f"""
        anna  {leader}   {own}
        automaton  Monsters   {automatons}
        weather: Biting Frost
    """)
    table.shows(f"anna  {own}\nautomaton  {automatons}\nweather: Biting Frost")


@pytest.mark.rule("GW-8.21", "GW-16.10")
def test_the_treacherous_doubles_spies_on_the_automatons_side():
    table = solo("""
        anna  Treacherous
        automaton  Nilfgaard   melee: Vattier
    """)
    table.shows("automaton  melee: Vattier 8")


@pytest.mark.rule("GW-8.16", "GW-16.11")
@pytest.mark.note(33)
def test_the_invader_draws_lots_for_the_seat_alone():
    table = solo("""
        anna  Invader   hand: Birna, Cow   discard: Ves, Zoltan
        automaton  Monsters   pile: Fiend
        lots: 1
    """)
    table.anna.plays("Birna")
    table.shows("anna  melee: Birna, Zoltan   discard: Ves")


@pytest.mark.rule("GW-8.16", "GW-16.11")
@pytest.mark.note(33)
@pytest.mark.parametrize(
    ("leader", "came"), [("Invader", "Zoltan"), ("Siegemaster", "Fiend")]
)
def test_the_invader_draws_lots_for_the_automatons_medic_too(leader, came):
    table = solo(f"""
        anna  {leader}   hand: Ves, Cow
        automaton  Nilfgaard   pile: Etolian   discard: Zoltan, Fiend
        lots: 0
    """)
    table.anna.plays("Ves")
    table.shows(f"automaton  ranged: Etolian   melee: {came}   discard: 1 card")
