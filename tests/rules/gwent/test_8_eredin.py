"""RULES 8: what each Eredin does that others do not."""

import pytest

from services.engine.kernel.ask import IllegalAnswer
from tests.rules.gwent.layout import gwent, stands

# -- King of the Wild Hunt -----------------------------------------------------------

SKY = "Biting Frost, Impenetrable Fog, Torrential Rain, Skellige Storm, Clear Weather"


@pytest.mark.rule("GW-8.17", "GW-8.6")
@pytest.mark.case(61)
def test_the_king_of_the_wild_hunt_plays_any_weather_of_his_pile():
    table = gwent(f"""
        anna  Wild Hunt   pile: Fiend, {SKY}
        ben   ranged: Milva
    """)
    table.anna.uses_leader()
    assert table.waits_for == ["anna: take"]
    assert table.anna.options == sorted(SKY.split(", "))
    table.anna.chooses("Skellige Storm")
    table.shows("""
        anna  Wild Hunt {used}   discard: nothing
              pile: Fiend, Biting Frost, Impenetrable Fog, Torrential, Clear Weather
        ben   ranged: Milva 1
        weather: Skellige Storm
    """)
    assert table.shuffled == ["anna's pile"]


@pytest.mark.rule("GW-8.17", "GW-7.4")
def test_clear_weather_of_his_pile_clears():
    table = gwent("""
        anna  Wild Hunt   pile: Clear Weather
        ben   melee: Ves 1
        weather: Biting Frost {by ben}
    """)
    table.anna.uses_leader()
    table.anna.chooses("Clear Weather")
    table.shows("""
        anna  discard: Clear Weather   pile: nothing
        ben   discard: Biting Frost    melee: Ves 5
    """)


@pytest.mark.rule("GW-8.17", "GW-1.9")
@pytest.mark.note(110)
def test_what_he_looks_through_nobody_else_sees():
    table = gwent("anna  Wild Hunt   pile: Fiend, Biting Frost, Skellige Storm")
    table.anna.uses_leader()
    assert table.anna.sees("Fiend")
    assert not table.ben.sees("Fiend")
    assert not table.ben.sees("Biting Frost")


@pytest.mark.rule("GW-8.17", "GW-8.2")
def test_with_no_weather_in_the_pile_he_is_not_offered():
    table = gwent("anna  Wild Hunt   pile: Fiend   hand: Griffin, Biting Frost")
    assert table.anna.playable == ["Biting Frost", "Griffin"]


# -- Destroyer of Worlds -------------------------------------------------------------


@pytest.mark.rule("GW-8.19")
@pytest.mark.case(7, 61, 65)
def test_the_destroyer_discards_two_cards_and_takes_one_of_the_pile():
    table = gwent("""
        anna  Destroyer   hand: Nekker, Griffin, Decoy   pile: Draug, Fiend, Scorch
    """)
    table.anna.uses_leader()
    table.anna.chooses("Decoy", "Nekker", of="discard_two")
    assert table.anna.options == ["Draug", "Fiend", "Scorch"]
    table.anna.chooses("Scorch", of="take")
    table.shows("""
        anna  hand: Griffin, Scorch   discard: Decoy, Nekker   pile: Draug, Fiend
    """)
    assert table.shuffled == ["anna's pile"]
    assert table.waits_for == ["ben: turn"]


@pytest.mark.rule("GW-8.19")
@pytest.mark.case(7, 65)
@pytest.mark.note(111)
def test_the_two_cards_are_two_of_a_name_or_different_but_never_one_card():
    table = gwent("anna  Destroyer   hand: 2 Nekker, Ves   pile: Fiend")
    table.anna.uses_leader()
    question = table.anna.question
    with pytest.raises(IllegalAnswer, match="chosen twice"):
        question.judge([question.ids[0]] * 2)
    table.anna.chooses("Nekker", "Nekker")
    table.shows("anna  discard: 2 Nekker")


@pytest.mark.rule("GW-8.19")
@pytest.mark.case(65)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_destroyer_discards_neither_more_nor_fewer_than_two(number):
    table = gwent("anna  Destroyer   hand: Nekker, Ves, Fiend   pile: Fiend")
    table.anna.uses_leader()
    question = table.anna.question
    with pytest.raises(IllegalAnswer, match="exactly 2"):
        question.judge(question.ids[:number])


@pytest.mark.rule("GW-8.19", "GW-8.2")
@pytest.mark.parametrize(
    ("hand", "pile"), [("Ves", "Fiend"), ("Ves, Zoltan", "nothing")]
)
def test_the_destroyer_needs_two_cards_and_a_pile(hand, pile):
    table = gwent(f"anna  Destroyer   hand: {hand}   pile: {pile}")
    assert "Destroyer" not in " ".join(table.anna.options)


@pytest.mark.rule("GW-8.19", "GW-4.16")
@pytest.mark.note(46)
def test_a_cow_discarded_from_the_hand_calls_nobody():
    table = gwent("anna  Destroyer   hand: Cow, Kambi   pile: Fiend")
    table.anna.uses_leader()
    table.anna.chooses("Cow", "Kambi")
    table.anna.chooses("Fiend")
    table.shows("anna  discard: Cow, Kambi   side deck: Bovine   hand: Fiend")


@pytest.mark.rule("GW-8.19", "GW-1.9")
@pytest.mark.note(110)
def test_what_the_destroyer_takes_nobody_else_sees():
    table = gwent("anna  Destroyer   hand: Cow, Ves   pile: Fiend, Draug")
    table.anna.uses_leader()
    table.anna.chooses("Cow", "Ves")
    table.anna.chooses("Draug")
    assert table.anna.sees("Draug")
    assert not table.ben.sees("Draug")


@pytest.mark.rule("GW-8.19", "GW-1.10")
def test_chance_chooses_for_the_destroyer_when_time_runs_out():
    table = gwent("""
        anna  Destroyer   hand: Cow, Ves, Zoltan   pile: Fiend, Draug
        lots: 2, 0, 1
    """)
    table.anna.uses_leader()
    table.anna.runs_out_of_time()
    table.anna.runs_out_of_time()
    table.shows("anna  discard: Cow, Zoltan   hand: Ves, Draug   pile: Fiend")


# -- Bringer of Death ----------------------------------------------------------------


@pytest.mark.rule("GW-8.20")
@pytest.mark.case(61)
def test_the_bringer_takes_a_unit_of_the_own_discard_into_the_hand():
    table = gwent("""
        anna  Bringer   discard: Draug, Fiend, Decoy, Griffin   hand: Nekker
        ben   discard: Zoltan
    """)
    table.anna.uses_leader()
    assert table.anna.options == ["Fiend", "Griffin"]
    table.anna.chooses("Griffin", of="take")
    table.shows("""
        anna  Bringer {used}   hand: Nekker, Griffin   discard: Draug, Fiend, Decoy
        ben   discard: Zoltan
    """)


@pytest.mark.rule("GW-8.20")
def test_what_the_bringer_took_is_played_in_a_later_turn_with_all_it_does():
    table = gwent("""
        anna  Bringer   discard: Ghoul   hand: 2 Ghoul
        ben   hand: 2 Zoltan
    """)
    table.anna.uses_leader()
    table.ben.plays("Zoltan")
    table.anna.plays("Ghoul")
    table.shows("anna  melee: 3 Ghoul 1   hand: nothing   discard: nothing")


@pytest.mark.rule("GW-8.20", "GW-8.2")
@pytest.mark.case(60)
@pytest.mark.parametrize("discard", ["nothing", "Draug", "Decoy, Biting Frost"])
def test_with_no_unit_in_the_discard_the_bringer_is_not_offered(discard):
    table = gwent(f"anna  Bringer   discard: {discard}   hand: Ves")
    assert table.anna.options == ["Ves to melee"]
    table.anna.plays("Ves")
    assert table.waits_for == ["ben: turn"]


# -- The Treacherous -----------------------------------------------------------------


@pytest.mark.rule("GW-8.21", "GW-5.3")
@pytest.mark.note(1)
@pytest.mark.case(61)
def test_the_treacherous_doubles_spies_on_every_side():
    stands("""
        anna  Treacherous   melee: Vattier 8 {by ben}, Fiend 6
        ben   melee: Shilard 14 {by anna}, Ves 5
    """)


@pytest.mark.rule("GW-8.21", "GW-5.3")
def test_a_spy_in_the_frost_counts_two_and_four_with_a_horn():
    stands("""
        anna  Treacherous   melee: Vattier 2 {by ben}
        ben   melee: Vattier 4 {by anna}   melee slot: Commander's Horn
        weather: Biting Frost
    """)


@pytest.mark.rule("GW-8.21", "GW-5.3")
def test_the_doubled_spy_gains_no_more_than_one_by_morale():
    stands("anna  Treacherous   melee: Vattier 9 {by ben}, Olgierd 6")


@pytest.mark.rule("GW-8.21", "GW-4.22")
def test_a_hero_that_spies_stays_as_he_is():
    stands("anna  Treacherous   melee: Mysterious 0 {by ben}, Draug 10")


@pytest.mark.rule("GW-8.21")
def test_two_treacherous_do_not_make_four():
    stands("""
        anna  Treacherous   melee: Vattier 8 {by ben}
        ben   Treacherous   melee: Vattier 8 {by anna}
    """)
