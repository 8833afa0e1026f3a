"""How strong somebody is, by what he has played: the sums, without any store."""

from dataclasses import replace

import pytest

from services.matchmaking.rating import Rating, SeatOver, TableOver, rated

NEW = Rating()


def a_table(*ranks: int, teams=None, gave_up=(), **more) -> TableOver:
    """Seats p0, p1, ... with these ranks."""
    teams = teams or range(len(ranks))
    seats = tuple(
        SeatOver(f"p{n}", f"P{n}", False, team, rank, n in gave_up)
        for n, (rank, team) in enumerate(zip(ranks, teams, strict=True))
    )
    told = {"rated": True, "reason": "played", "ended_ms": 0, **more}
    return TableOver("t-1", "skirmish", "usual", seats=seats, **told)


def after(over: TableOver, **before: Rating) -> list[Rating]:
    known = {seat.player: before.get(seat.player, NEW) for seat in over.seats}
    moved = rated(over, known)
    return [moved[seat.player] for seat in over.seats]


def test_whoever_is_new_begins_with_a_thousand_points():
    assert (NEW.points, NEW.games, NEW.wins) == (1000, 0, 0)


def test_a_win_raises_and_a_defeat_lowers_and_both_make_surer():
    winner, loser = after(a_table(1, 2))

    assert loser.mean < 25 < winner.mean
    assert winner.deviation == loser.deviation < NEW.deviation
    assert (winner.games, winner.wins, loser.games, loser.wins) == (1, 1, 1, 0)
    assert winner.change == winner.points - 1000 > 0


def test_a_draw_of_equals_moves_nobody_and_is_nobodys_win():
    one, other = after(a_table(1, 1))

    assert one.mean == other.mean == pytest.approx(25)
    assert one.wins == other.wins == 0
    assert one.points > 1000  # surer than before


def test_a_draw_with_somebody_stronger_raises():
    weaker, stronger = after(a_table(1, 1), p1=Rating(mean=32, deviation=3))

    assert weaker.mean > 25
    assert stronger.mean < 32


def test_an_expected_win_brings_little_and_a_surprising_one_much():
    strong = Rating(mean=35, deviation=3)

    expected, _ = after(a_table(1, 2), p0=strong, p1=replace(NEW, deviation=3))
    _, surprising = after(a_table(2, 1), p0=strong, p1=replace(NEW, deviation=3))

    assert expected.mean - 35 < 0.5 < surprising.mean - 25


def test_five_seats_are_rated_in_the_order_they_came_in():
    means = [each.mean for each in after(a_table(3, 1, 5, 2, 4))]

    in_order = [means[1], means[3], means[0], means[4], means[2]]
    assert in_order == sorted(means, reverse=True)
    assert len(set(means)) == 5
    assert sum(means) == pytest.approx(5 * 25, abs=0.01)


def test_equals_among_five_are_rated_alike():
    means = [each.mean for each in after(a_table(2, 2, 1, 4, 4))]

    assert means[0] == pytest.approx(means[1])
    assert means[3] == pytest.approx(means[4])


def test_partners_win_and_lose_together():
    one, other, partner, of_other = after(a_table(1, 2, 1, 2, teams=(0, 1, 0, 1)))

    assert one.mean == partner.mean > 25 > other.mean == of_other.mean
    assert (one.wins, partner.wins, other.wins) == (1, 1, 0)


def test_who_gives_up_goes_with_his_side_but_has_not_won():
    table = a_table(1, 2, 4, 2, teams=(0, 1, 0, 1), gave_up={2}, reason="played")

    stayed, _, left, _ = after(table)

    assert stayed.mean == left.mean > 25
    assert (stayed.wins, left.wins) == (1, 0)


def test_a_partner_less_sure_moves_more():
    table = a_table(1, 2, 1, 2, teams=(0, 1, 0, 1))

    sure, _, unsure, _ = after(table, p0=replace(NEW, deviation=2))

    assert sure.mean - 25 < unsure.mean - 25


@pytest.mark.parametrize(
    "table",
    [
        a_table(1, 2, rated=False),
        a_table(0, 0, reason="abandoned"),
        a_table(1),
        a_table(1, 1, teams=(0, 0)),
    ],
    ids=["not rated", "abandoned", "alone", "all of one side"],
)
def test_what_moves_no_ratings(table):
    assert not table.moves_ratings


def test_a_table_with_a_bot_moves_no_ratings():
    table = a_table(1, 2)
    robot = replace(table.seats[1], bot=True)

    assert table.moves_ratings
    assert not replace(table, seats=(table.seats[0], robot)).moves_ratings
