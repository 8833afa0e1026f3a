"""RULES 3.7: the spy, who is placed on an enemy's side."""

import pytest

from tests.rules.skirmish.layout import placing, turning_up


@pytest.mark.rule("SK-3.7")
def test_the_spy_goes_to_the_scout_row_of_an_enemy():
    table = placing("""
        anna  hand: Spy
        ben   hand: Lurker
        cleo  hand: Cover
    """)
    assert table.anna.options == ["Spy to ben's scout", "Spy to cleo's scout"]


@pytest.mark.rule("SK-3.7", "SK-3.5")
def test_wolfs_spy_goes_to_any_row_of_an_enemy():
    table = placing("""
        anna  Wolf  hand: Spy
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Spy to ben's assault",
        "Spy to ben's scout",
        "Spy to ben's sniper",
    ]


@pytest.mark.rule("SK-3.7")
def test_the_spy_counts_towards_the_placers_three():
    table = placing("""
        anna  hand: Spy, Rookie, Cover, Recluse
        ben   hand: Lurker, Spotter
    """)
    table.anna.places("Spy to ben's scout", "Rookie", "Cover")
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-3.7")
def test_the_spy_alone_is_enough():
    table = placing("""
        anna  hand: Spy, Rookie
        ben   hand: Lurker, Cover
    """)
    table.anna.places("Spy to ben's scout").is_done()
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-3.7")
def test_the_spy_does_not_count_towards_the_enemys_three():
    table = placing(
        """
        anna  hand: Spy
        ben   hand: Rookie, Cover, Recluse, Hot Blood
        """,
        lots=[3],
    )
    table.anna.places("Spy to ben's scout", "Hot Blood")
    table.ben.places("Rookie", "Cover", "Recluse")
    assert (
        table
        == """
        anna  assault: (Hot Blood)
        ben   scout: (Spy), (Cover)   assault: (Rookie)   sniper: (Recluse)
    """
    )


@pytest.mark.rule("SK-3.7")
def test_the_spy_takes_a_soldier_at_random_which_may_be_placed_at_once():
    table = placing(
        """
        anna  hand: Spy
        ben   hand: Lurker, Hot Blood, Cover, Snow
        """,
        lots=[1],
    )
    table.anna.places("Spy to ben's scout")
    assert table.anna.hand == ["Hot Blood"]
    table.anna.places("Hot Blood")
    assert (
        table
        == """
        anna  assault: (Hot Blood)
        ben   scout: (Spy)   hand: Cover, Lurker, Snow
    """
    )


@pytest.mark.rule("SK-3.7")
def test_the_spy_takes_nothing_from_an_empty_hand():
    table = placing("""
        anna  hand: Spy
        ben   hand: Snow
    """)
    table.anna.places("Spy to ben's scout")
    assert table.anna.hand == []
    assert table.ben.hand == ["Snow"]


@pytest.mark.rule("SK-3.7")
@pytest.mark.parametrize(
    "position",
    [
        "anna  assault: (Call of Duty)   hand: Spy",
        "anna  tactic: (Resurrection)",
    ],
)
def test_a_spy_that_comes_later_is_a_plain_soldier_of_the_own_side(position):
    table = turning_up(f"""
        {position}
        ben   hand: Lurker
        discard: {"Rookie" if "Spy" in position else "Spy"}
    """)
    if table.asked == "call_up":
        assert table.anna.options == ["Spy to scout"]
        table.anna.chooses("Spy")
    assert table.attacks["Spy"] == 2
    assert table.ben.hand == ["Lurker"]


@pytest.mark.rule("SK-3.7")
def test_everybody_knows_that_a_card_laid_on_a_foreign_side_is_the_spy():
    table = placing("""
        anna  hand: Spy
        ben   hand: Lurker
    """)
    table.anna.places("Spy to ben's scout")
    assert table.heard("spy") == ["Spy"]
