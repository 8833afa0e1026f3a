"""RULES 11: who has lost the match."""

import pytest

from tests.rules.gwent.layout import gwent


def ended(text):
    """The round is over: both have passed, anna first."""
    table = gwent(text)
    table.anna.passes()
    table.ben.passes()
    return table


@pytest.mark.case(48)
@pytest.mark.rule("GW-11.1")
@pytest.mark.parametrize(
    ("anna", "ben", "winner"), [("Ves", "Cow", "anna"), ("Cow", "Ves", "ben")]
)
def test_a_side_with_no_gem_has_lost_the_match(anna, ben, winner):
    table = ended(f"""
        anna  gems: 1   melee: {anna}
        ben   gems: 1   melee: {ben}
        round: 3
    """)
    assert table.is_over
    assert table.winners == [winner]


@pytest.mark.case(48)
@pytest.mark.rule("GW-11.1")
def test_two_rounds_lost_in_a_row_are_the_match():
    table = ended("anna  hand: 3 cards\n ben  melee: Ves   hand: 3 cards")
    assert not table.is_over
    table.ben.plays("Vesemir")
    table.anna.passes()
    table.ben.passes()
    assert table.gems == [0, 2]
    assert table.winners == ["ben"]
    assert table.round == 2


@pytest.mark.rule("GW-11.1")
def test_the_match_ends_at_once_nothing_is_cleared_and_nobody_comes():
    table = ended("""
        anna  Skellige   gems: 1   melee: Kambi   pile: Cow
        ben   Northern Realms   melee: Ves   hand: Keira   pile: Zoltan
        weather: Torrential Rain
    """)
    assert table.is_over
    table.shows("""
        anna  melee: Kambi   discard: nothing
        ben   melee: Ves   hand: Keira   pile: Zoltan
        weather: Torrential Rain
    """)


@pytest.mark.note(71)
@pytest.mark.case(48)
@pytest.mark.rule("GW-11.2")
def test_if_both_lose_their_last_gem_together_the_match_is_drawn():
    table = ended("""
        anna  gems: 1   melee: Ves
        ben   gems: 1   melee: Zoltan
        round: 3
    """)
    assert table.gems == [0, 0]
    assert table.winners == ["anna", "ben"]


@pytest.mark.note(71)
@pytest.mark.rule("GW-11.2", "GW-9.2")
def test_nilfgaard_wins_the_match_by_a_tie():
    table = ended("""
        anna  gems: 1   melee: Ves
        ben   Nilfgaard   gems: 1   melee: Zoltan
        round: 3
    """)
    assert table.winners == ["ben"]


@pytest.mark.case(52)
@pytest.mark.rule("GW-11.1")
def test_cards_that_are_left_in_hand_do_not_count():
    table = ended("""
        anna  gems: 1   hand: Geralt, Ciri, Olaf
        ben   melee: Cow, Yarpen
    """)
    assert table.winners == ["ben"]


@pytest.mark.rule("GW-11.1")
def test_nobody_is_asked_any_more():
    table = ended("anna  gems: 1   hand: 3 cards\n ben  melee: Ves   hand: 3 cards")
    assert table.waits_for == []
