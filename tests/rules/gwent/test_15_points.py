"""RULES 15: who starts the next round of a free-for-all, and how it ends."""

import pytest

from tests.rules.gwent.layout import free_for_all
from tests.rules.gwent.many_seats import all_pass

# -- 15.6: who starts the next -------------------------------------------------------


@pytest.mark.rule("GW-15.6")
@pytest.mark.note(91)
def test_who_scored_most_starts_the_next_round():
    table = free_for_all("anna  melee: Ves\nben\ncleo  melee: Draug")
    assert all_pass(table).turn == "cleo"


@pytest.mark.rule("GW-15.6")
@pytest.mark.note(91)
@pytest.mark.parametrize(
    ("last", "next_one"),
    [("anna", "anna"), ("ben", "cleo"), ("cleo", "cleo"), ("dan", "anna")],
)
def test_of_several_it_is_the_first_from_the_last_starter_on(last, next_one):
    table = free_for_all(f"""
        anna  melee: Ves
        ben
        cleo  melee: Zoltan
        dan
        turn: {last}   starts: {last}
    """)
    assert all_pass(table).turn == next_one


# -- 15.7, 15.8: the end -------------------------------------------------------------


@pytest.mark.rule("GW-15.7")
@pytest.mark.note(90)
@pytest.mark.parametrize(("seats", "target"), [(3, 4), (4, 5), (5, 6)])
@pytest.mark.parametrize("missing", [0, 1])
def test_one_point_more_than_there_are_players_wins_at_once(seats, target, missing):
    others = "\n".join(["ben", "cleo", "dan", "eva"][: seats - 1])
    points = target - (seats - 1) - missing
    table = free_for_all(f"anna  melee: Ves   points: {points}\n{others}")
    all_pass(table)
    assert table.is_over is (missing == 0)
    if table.is_over:
        assert table.winners == ["anna"]
        table.shows("anna  melee: Ves")


@pytest.mark.rule("GW-15.7")
@pytest.mark.note(90)
def test_of_several_at_the_target_the_most_points_win():
    table = free_for_all("""
        anna  melee: Ves     points: 3
        ben   melee: Draug   points: 3
        cleo
    """)
    assert all_pass(table).points == [4, 5, 0]
    assert table.winners == ["ben"]
    assert table.play.outcome.ranks == (2, 1, 3)


@pytest.mark.rule("GW-15.7")
@pytest.mark.note(90)
def test_equals_share_the_win():
    table = free_for_all("""
        anna  melee: Ves      points: 3
        ben   melee: Zoltan   points: 3
        cleo
    """)
    assert all_pass(table).winners == ["anna", "ben"]


@pytest.mark.rule("GW-15.8")
@pytest.mark.note(92)
def test_the_points_decide_when_nobody_has_a_card_or_a_leader():
    table = free_for_all("""
        anna  hand: Ves       points: 1
        ben   hand: nothing
        cleo  hand: nothing   melee: Draug
    """)
    table.anna.plays("Ves")
    assert table.is_over
    assert (table.points, table.winners) == ([2, 0, 2], ["anna", "cleo"])


@pytest.mark.rule("GW-15.8", "GW-9.1")
@pytest.mark.note(92)
def test_what_monsters_keep_scores_no_more_when_nobody_can_act():
    table = free_for_all("""
        anna  Monsters   hand: Griffin
        ben   hand: nothing
        cleo  hand: nothing
    """)
    table.anna.plays("Griffin")
    assert table.is_over
    assert (table.points, table.round) == ([2, 0, 0], 1)


@pytest.mark.rule("GW-15.8", "GW-15.5")
@pytest.mark.note(92)
def test_a_card_that_northern_realms_draw_carries_it_on():
    table = free_for_all("""
        anna  Northern Realms   hand: Ves   pile: Milva
        ben   hand: nothing
        cleo  hand: nothing
    """)
    table.anna.plays("Ves")
    assert (table.round, table.waits_for) == (2, ["anna: turn"])


@pytest.mark.rule("GW-15.8", "GW-8.20")
@pytest.mark.note(92)
def test_a_leader_that_can_be_used_carries_it_on():
    table = free_for_all("""
        anna  Bringer   hand: Ves   melee: Zoltan
        ben   hand: nothing
        cleo  hand: nothing
    """)
    table.anna.plays("Ves")
    assert (table.round, table.waits_for) == (2, ["anna: turn"])


@pytest.mark.rule("GW-15.8")
@pytest.mark.note(92)
def test_it_ends_when_a_round_went_by_without_an_act_or_a_point():
    table = free_for_all("anna  points: 1\nben\ncleo")
    assert all_pass(table).winners == ["anna"]


@pytest.mark.rule("GW-15.8")
@pytest.mark.note(92)
def test_an_act_of_the_round_before_does_not_carry_it_on():
    table = free_for_all("anna  hand: Ves, Cow\nben\ncleo")
    table.anna.plays("Ves")
    assert all_pass(table).points == [2, 0, 0]
    assert table.declared("scores") == ["anna 2", "ben 0", "cleo 0"]
    assert not table.is_over
    assert all_pass(table).winners == ["anna"]


@pytest.mark.rule("GW-15.8")
@pytest.mark.note(92)
def test_there_may_be_more_than_three_rounds():
    table = free_for_all("anna  melee: Ves\nben\ncleo\nround: 3")
    assert all_pass(table).round == 4
