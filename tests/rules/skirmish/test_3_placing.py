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


@pytest.mark.rule("SK-3.5")
def test_wolf_places_in_any_row_of_the_own_side():
    table = placing("""
        anna  Wolf   hand: Rookie
        ben   hand: Lurker
    """)
    assert table.anna.options == [
        "Rookie to assault",
        "Rookie to scout",
        "Rookie to sniper",
    ]


@pytest.mark.rule("SK-3.5")
def test_wolfs_leave_is_for_soldiers_on_the_own_side():
    table = placing("""
        anna  Wolf   hand: Rookie, Spy, Snow
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Spy to ben's scout", "Snow")
    assert table.heard("leave") == ["Rookie"]


@pytest.mark.rule("SK-3.5")
def test_wolf_calls_up_to_any_row_of_the_own_side():
    table = turning_up("""
        anna  Wolf   assault: (Call of Duty)   hand: Spy
        ben   hand: Lurker
    """)
    assert table.anna.options == ["Spy to assault", "Spy to scout", "Spy to sniper"]


@pytest.mark.rule("SK-3.5")
def test_wolfs_soldiers_bear_no_penalty():
    table = placing("""
        anna  Wolf   hand: Forced Dispatch 13, Assault Sniper, Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Forced Dispatch to scout", "Assault Sniper to scout").is_done()
    table.quiet()
    assert table.attacks["Forced Dispatch"] == 4
    assert table.attacks["Assault Sniper"] == 8


@pytest.mark.rule("SK-3.5")
def test_wolfs_soldier_called_up_bears_no_penalty():
    table = turning_up("""
        anna  Wolf   assault: (Call of Duty)   hand: Assault Sniper
        ben   hand: Lurker
    """)
    table.anna.chooses("Assault Sniper to scout")
    assert table.attacks["Assault Sniper"] == 8


@pytest.mark.rule("SK-3.5")
def test_wolf_raises_only_to_rows_of_the_card_and_with_the_penalty():
    table = turning_up("""
        anna  Wolf   tactic: (Resurrection)
        ben   hand: Lurker
        discard: Assault Sniper
    """)
    assert table.anna.options == [
        "Assault Sniper to scout",
        "Assault Sniper to sniper",
    ]
    table.anna.chooses("Assault Sniper to scout")
    assert table.attacks["Assault Sniper"] == 6


@pytest.mark.rule("SK-3.5")
def test_what_wolf_coerces_keeps_its_penalty():
    table = turning_up("""
        anna  Wolf   tactic: (Coercion)
        ben   scout: Assault Sniper
    """)
    assert table.points == [6, 0]


@pytest.mark.rule("SK-3.5", "SK-2.5")
def test_wolfs_leave_ends_with_the_round():
    table = reckoning("""
        anna  Wolf   scout: Lurker   hand: Rookie
        ben   scout: Cover   hand: Spotter
    """)
    assert table.marker("leave", "Lurker") is None


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_placed_beside_another_nor_another_beside_him():
    table = placing("""
        anna  hand: Lone Ranger, Cover, Rookie, Hot Blood
        ben   hand: Lurker
    """)
    table.anna.places("Rookie", "Cover")
    assert table.anna.options == ["Hot Blood to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_placed_beside_lone_ranger():
    table = placing("""
        anna  hand: Lone Ranger, Cover, Forced Dispatch 13
        ben   hand: Lurker
    """)
    table.anna.places("Lone Ranger")
    assert table.anna.options == ["Forced Dispatch to assault"]


@pytest.mark.rule("SK-3.6")
def test_wolfs_lone_ranger_keeps_whatever_row_he_is_in_to_himself():
    table = placing("""
        anna  Wolf   hand: Lone Ranger, Rookie
        ben   hand: Lurker
    """)
    table.anna.places("Lone Ranger to sniper")
    assert table.anna.options == ["Rookie to assault", "Rookie to scout"]


@pytest.mark.rule("SK-3.6")
def test_placing_beside_lone_ranger_means_the_call_up_too_and_face_down_too():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: (Lone Ranger)   hand: Cover, Rookie
        ben   hand: Lurker
    """)
    table.anna.turns_up("Call of Duty")
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_called_up_beside_lone_ranger():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: Lone Ranger   hand: Cover, Rookie
        ben   hand: Lurker
    """)
    assert table.anna.options == ["Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_called_up_beside_a_soldier_even_a_face_down_one():
    table = turning_up("""
        anna  assault: (Call of Duty)   scout: (Spotter)   hand: Lone Ranger
        ben   hand: Lurker
    """)
    table.anna.turns_up("Call of Duty")
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
def test_nobody_is_raised_beside_lone_ranger_nor_he_beside_another():
    table = turning_up("""
        anna  tactic: (Resurrection)   scout: Lone Ranger
        ben   hand: Lurker
        discard: Cover, Forced Dispatch 13, Rookie
    """)
    assert table.anna.options == ["Forced Dispatch to assault", "Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_is_not_raised_beside_another():
    table = turning_up("""
        anna  tactic: (Resurrection)   scout: Spotter
        ben   hand: Lurker
        discard: Lone Ranger, Cover, Rookie
    """)
    assert table.anna.options == ["Cover to scout", "Rookie to assault"]


@pytest.mark.rule("SK-3.6")
def test_nobody_is_coerced_beside_lone_ranger():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Cover, (Bugle Call)   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6")
def test_a_face_up_lone_ranger_is_not_coerced_beside_another():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Spotter
        ben   scout: Lone Ranger   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6", "SK-2.3")
def test_a_face_down_lone_ranger_may_be_coerced_like_any_body():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Spotter
        ben   scout: (Lone Ranger)   assault: Rookie
    """)
    assert table.anna.options == ["Lone Ranger", "Rookie"]
    table.anna.chooses("Lone Ranger")
    assert table.points == [9, 2]


@pytest.mark.rule("SK-3.6")
@pytest.mark.parametrize("spy", ["Spy {by ben}", "(Spy {by ben})", "Lurker {stayed}"])
def test_a_foreign_spy_and_a_lurker_of_the_last_round_do_not_count(spy):
    table = turning_up(f"""
        anna  assault: (Call of Duty)   scout: {spy}   hand: Lone Ranger
        ben   hand: Rookie
    """)
    if table.asked == "turn_up":
        table.anna.turns_up("Call of Duty")
    assert table.anna.options == ["Lone Ranger to scout"]


@pytest.mark.rule("SK-3.6")
def test_a_lurker_of_this_round_counts():
    table = turning_up("""
        anna  assault: (Call of Duty)   tactic: (Resurrection)   hand: Lone Ranger
        ben   hand: Rookie
        discard: Lurker
    """)
    table.anna.turns_up("Resurrection")
    assert table.anna.is_asked == "call_up"
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
@pytest.mark.parametrize(
    "copy", ["Spy {by ben, as Cover}", "Lurker {stayed, as Cover}"]
)
def test_a_spy_or_lurker_that_became_a_copy_is_what_it_shows(copy):
    table = turning_up(f"""
        anna  assault: (Call of Duty)   scout: {copy}   hand: Lone Ranger
        ben   hand: Rookie
    """)
    assert table.anna.options == []


@pytest.mark.rule("SK-3.6")
def test_a_foreign_spy_and_a_lurker_may_be_coerced_beside_lone_ranger():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Lurker {stayed}, Cover, (Spy {by cleo})
        cleo  hand: Rookie
    """)
    assert table.anna.options == ["Lurker", "Spy"]


@pytest.mark.rule("SK-3.6")
def test_a_spy_coming_home_counts():
    table = turning_up("""
        anna  tactic: (Coercion)   scout: Lone Ranger
        ben   scout: Spy {by anna}   assault: Rookie, Hot Blood
    """)
    assert table.anna.options == ["Hot Blood", "Rookie"]


@pytest.mark.rule("SK-3.6")
def test_lone_ranger_who_shares_a_row_all_the_same_counts_as_ever():
    table = placing("""
        anna  hand: Lone Ranger
        ben   hand: Spy, Rookie
    """)
    table.anna.places("Lone Ranger")
    table.ben.places("Spy to anna's scout").is_done()
    table.quiet()
    assert table.attacks["Lone Ranger"] == 6
    assert table.points == [8, 0]


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
