"""RULES 4.5 and 4.6: spies."""

import pytest

from tests.rules.gwent.layout import free_for_all, gwent


@pytest.mark.note(24)
@pytest.mark.case(28)
@pytest.mark.rule("GW-4.5")
@pytest.mark.parametrize(("name", "row"), [("Stennis", "melee"), ("Thaler", "siege")])
def test_a_spy_lies_on_its_row_of_the_opponents_side_and_counts_there(name, row):
    table = gwent(f"anna  hand: {name}   pile: Ves, Zoltan, Keira")
    table.anna.plays(name)
    table.shows(f"""
        anna  hand: Ves, Zoltan   pile: Keira   total: 0
        ben   {row}: {name} {{by anna}}
    """)
    assert table.totals[1] == (5 if name == "Stennis" else 1)


@pytest.mark.rule("GW-4.5")
def test_no_spy_can_be_laid_on_the_own_side():
    table = gwent("anna  hand: Stennis, Mysterious Elf")
    assert table.anna.options == [
        "Mysterious Elf to ben's melee",
        "Prince Stennis to ben's melee",
    ]


@pytest.mark.note(29)
@pytest.mark.note(115)
@pytest.mark.case(28)
@pytest.mark.rule("GW-4.5")
@pytest.mark.parametrize("who", ["anna", "ben"])
def test_who_played_the_spy_draws_whichever_seat_it_is(who):
    other = "ben" if who == "anna" else "anna"
    table = gwent(f"""
        {who}  hand: Thaler   pile: Ves, Zoltan
        {other}  hand: Cow    pile: Keira, Yarpen
        turn: {who}
    """)
    table.seat(("anna", "ben").index(who)).plays("Thaler")
    table.shows(f"""
        {who}  hand: Ves, Zoltan   pile: nothing
        {other}  hand: Cow   siege: Thaler   pile: 2 cards
    """)


@pytest.mark.note(24)
@pytest.mark.rule("GW-4.5", "GW-3.6")
@pytest.mark.parametrize("left", [0, 1])
def test_a_spy_draws_what_is_left(left):
    pile = "Ves" if left else "nothing"
    table = gwent(f"anna  hand: Thaler, Cow   pile: {pile}")
    table.anna.plays("Thaler")
    table.shows(f"""
        anna  hand: {1 + left} cards   pile: nothing
        ben   siege: Thaler
    """)


@pytest.mark.case(8)
@pytest.mark.rule("GW-4.5", "GW-3.4")
def test_a_spy_as_the_only_card_of_the_last_round_may_be_played():
    table = gwent("""
        anna  hand: Thaler   gems: 1   pile: nothing
        ben   passed   gems: 1
        round: 3
    """)
    table.anna.plays("Thaler")
    assert table.is_over
    assert table.winners == ["ben"]


@pytest.mark.rule("GW-4.5", "GW-4.22")
def test_a_hero_may_be_a_spy():
    table = gwent("anna  hand: Mysterious Elf   pile: Ves, Zoltan, Keira")
    table.anna.plays("Mysterious Elf")
    table.shows("""
        anna  hand: Ves, Zoltan
        ben   melee: Mysterious Elf 0
    """)


@pytest.mark.note(110)
@pytest.mark.rule("GW-4.5", "GW-1.9")
def test_what_a_spy_draws_the_others_do_not_see():
    table = gwent("anna  hand: Thaler   pile: Ves, Zoltan")
    table.anna.plays("Thaler")
    assert table.anna.sees("Ves")
    assert not table.ben.sees("Ves")


@pytest.mark.note(25)
@pytest.mark.case(70)
@pytest.mark.rule("GW-4.6")
def test_a_spy_goes_to_the_discard_of_the_side_it_lies_on():
    table = gwent("""
        anna  hand: Scorch, Ves
        ben   siege: Thaler {by anna}   melee: Stennis {by anna}
    """)
    table.anna.plays("Scorch")
    table.shows("""
        anna  discard: Scorch
        ben   siege: Thaler   discard: Stennis
    """)
    table.ben.passes()
    table.anna.passes()
    table.shows("""
        anna  discard: Scorch
        ben   discard: Stennis, Thaler
    """)


@pytest.mark.note(19)
@pytest.mark.case(35)
@pytest.mark.rule("GW-4.6", "GW-6.5")
def test_a_decoy_takes_the_opponents_spy_who_is_played_back():
    table = gwent("""
        anna  hand: Decoy, Cow   melee: Stennis {by ben}   pile: Ves, Zoltan, Keira
        ben   passed
    """)
    table.anna.plays("Decoy", "melee")
    table.shows("anna  melee: Decoy   hand: Stennis, Cow")
    table.anna.plays("Stennis")
    table.shows("""
        anna  melee: Decoy   hand: Cow, Ves, Zoltan   pile: Keira
        ben   melee: Stennis {by anna}
    """)


@pytest.mark.note(27)
@pytest.mark.rule("GW-4.6", "GW-9.1")
def test_monsters_may_keep_an_opponents_spy():
    table = gwent("anna  Monsters   siege: Thaler {by ben}")
    table.anna.passes()
    table.ben.passes()
    table.shows("anna  siege: Thaler 1   discard: nothing")


@pytest.mark.note(26)
@pytest.mark.rule("GW-4.6", "GW-4.8")
def test_a_spy_out_of_the_own_discard_goes_to_the_opponent_and_the_reviver_draws():
    table = gwent("""
        anna  hand: Birna   discard: Thaler   pile: Ves, Zoltan, Keira
    """)
    table.anna.plays("Birna")
    table.shows("""
        anna  melee: Birna   hand: Ves, Zoltan   pile: Keira   discard: nothing
        ben   siege: Thaler {by anna}
    """)


@pytest.mark.note(28)
@pytest.mark.rule("GW-4.5", "GW-15.2")
def test_among_several_opponents_its_player_chooses_one():
    table = free_for_all("anna  hand: Thaler   pile: Ves, Zoltan\n cleo  hand: Cow")
    assert table.anna.options == ["Thaler to ben's siege", "Thaler to cleo's siege"]
    table.anna.plays("Thaler", "cleo's siege")
    table.shows("""
        anna  hand: Ves, Zoltan
        ben   hand: 1 card
        cleo  siege: Thaler
    """)
