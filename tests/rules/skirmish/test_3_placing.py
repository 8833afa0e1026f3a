"""RULES 3: placing."""

import pytest

from services.engine.kernel import IllegalAnswer
from tests.rules.skirmish.layout import placing, reckoning, turning_up


@pytest.mark.rule("SK-3.1")
def test_seats_place_in_placing_order_one_finishing_before_the_next():
    table = placing("""
        anna  hand: Rookie, Snow
        ben   hand: Lurker, Rain
        cleo  hand: Spotter, Fog
        first: ben
    """)
    table.ben.places("Lurker").is_done()
    assert table.waits_for == ["cleo: place"]
    table.cleo.places("Spotter").is_done()
    assert table.waits_for == ["anna: place"]
    table.anna.places("Rookie").is_done()
    assert table.asked == "bomb"


@pytest.mark.rule("SK-3.2")
def test_a_seat_places_up_to_three_soldiers_and_a_tactic_in_any_order():
    table = placing("""
        anna  hand: Rookie, Cover, Recluse, Hot Blood, Snow, Rain
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Snow", "Cover", "Recluse")
    assert (
        table
        == """
        anna  scout: (Cover)  assault: (Rookie)  sniper: (Recluse)  tactic: (Snow)
    """
    )
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-3.2")
def test_after_three_soldiers_only_a_tactic_is_left():
    table = placing("""
        anna  hand: Rookie, Cover, Recluse, Hot Blood, Snow
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Cover", "Recluse")
    assert table.anna.options == ["Snow to tactic"]
    assert table.anna.may_decline


@pytest.mark.rule("SK-3.2")
def test_a_second_tactic_may_not_be_placed():
    table = placing("""
        anna  hand: Rookie, Snow, Rain
        ben   hand: Lurker
    """)
    table.anna.places("Snow")
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-3.2")
def test_who_has_a_soldier_in_hand_must_place_one():
    table = placing("""
        anna  hand: Rookie, Snow
        ben   hand: Lurker
    """)
    table.anna.places("Snow")
    with pytest.raises(IllegalAnswer, match="exactly 1"):
        table.anna.is_done()


@pytest.mark.rule("SK-3.2")
def test_who_has_no_soldier_places_none_and_may_place_a_tactic():
    table = placing("""
        anna  hand: Snow
        ben   hand: Lurker
    """)
    assert table.anna.options == ["Snow to tactic"]
    table.anna.is_done()
    assert table.declared("done") == ["anna"]


@pytest.mark.rule("SK-3.2")
def test_a_turn_ends_by_itself_when_public_counts_allow_nothing_more():
    table = placing("""
        anna  hand: Rookie
        ben   hand: Lurker, Spotter
    """)
    table.anna.places("Rookie")
    assert table.waits_for == ["ben: place"]
    assert table.declared("done") == []


@pytest.mark.rule("SK-3.2", "SK-2.3")
def test_a_turn_does_not_end_by_itself_for_a_reason_only_the_seat_knows():
    table = placing("""
        anna  hand: Lone Ranger, Cover
        ben   hand: Lurker
    """)
    table.anna.places("Lone Ranger")
    assert table.anna.is_asked == "place"
    assert table.anna.options == []


@pytest.mark.rule("SK-3.3")
def test_a_soldier_goes_to_the_row_of_its_class():
    table = placing("""
        anna  hand: Cover, Rookie, Recluse
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Cover to scout",
        "Recluse to sniper",
        "Rookie to assault",
    ]


@pytest.mark.rule("SK-3.4")
@pytest.mark.parametrize(
    ("card", "second"),
    [
        ("Forced Dispatch 13", "scout"),
        ("Forced Dispatch 15", "scout"),
        ("Forced Dispatch 16", "sniper"),
        ("Forced Dispatch 18", "sniper"),
    ],
)
def test_a_forced_dispatch_may_go_to_a_second_row(card, second):
    table = placing(f"""
        anna  hand: {card}
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Forced Dispatch to assault",
        f"Forced Dispatch to {second}",
    ]


@pytest.mark.rule("SK-3.4")
def test_an_assault_sniper_may_go_to_the_scout_row():
    table = placing("""
        anna  hand: Assault Sniper
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Assault Sniper to scout",
        "Assault Sniper to sniper",
    ]


@pytest.mark.rule("SK-3.4")
@pytest.mark.parametrize(
    ("row", "card", "attack"),
    [
        ("scout", "Forced Dispatch 14", 4),
        ("assault", "Forced Dispatch 14", 5),
        ("sniper", "Forced Dispatch 14", 5),
        ("sniper", "Forced Dispatch 16", 4),
        ("scout", "Forced Dispatch 16", 5),
        ("scout", "Assault Sniper", 6),
        ("sniper", "Assault Sniper", 8),
        ("assault", "Assault Sniper", 8),
    ],
)
def test_the_penalty_holds_in_the_row_the_card_names_and_in_no_other(row, card, attack):
    table = reckoning(f"""
        anna  {row}: {card}
        ben   scout: Lurker
    """)
    assert table.points[0] == attack


@pytest.mark.rule("SK-3.4")
def test_the_penalty_holds_however_it_came_there():
    table = turning_up("""
        anna  tactic: (Coercion)
        ben   scout: Forced Dispatch 14
    """)
    assert table.points == [4, 0]


@pytest.mark.rule("SK-3.8", "SK-6.4")
def test_a_lurker_that_stayed_counts_towards_no_limit():
    table = placing("""
        anna  scout: Lurker {stayed}   hand: Cover, Rookie, Recluse, Hot Blood
        ben   hand: Spotter
    """)
    table.anna.places("Cover", "Rookie", "Recluse")
    assert table.waits_for == ["ben: place"]


@pytest.mark.rule("SK-3.8")
def test_a_lurker_that_stayed_is_otherwise_a_face_up_soldier():
    table = turning_up("""
        anna  sniper: (Quick Draw)
        ben   scout: Lurker {stayed}, Cover   assault: Hot Blood
    """)
    assert table.anna.options == ["Cover", "Hot Blood", "Lurker"]
