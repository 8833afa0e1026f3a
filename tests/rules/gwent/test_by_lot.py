"""Rules held against counting, in games in which all is decided by lot."""

from itertools import product

import pytest

from services.engine.games.gwent import hope
from services.engine.games.gwent.board import leader_of, pile, printed, side_of, sides
from services.engine.kernel.written import written
from tests.rules.gwent.by_lot import all_turns, begun, turns


@pytest.mark.rule("GW-8.6", "GW-8.17", "GW-8.2")
def test_a_leaders_weather_is_offered_exactly_while_it_is_in_the_pile():
    seen = set()
    for table, seat in all_turns(12):
        leader = leader_of(table.table, seat.seat)
        sought = set(printed(leader).seeks)
        if sought and not marked(table, leader):
            offered = any(move.card == leader for move in seat.question.options)
            holds = not sought.isdisjoint(table.box.decks[pile(seat.seat).id])
            assert offered is holds
            seen.add(offered)
    assert seen == {True, False}


def marked(table, leader):
    """Whether it was used, or undone."""
    return any(table.table.marker(one, leader) == "" for one in ("used", "cancelled"))


@pytest.mark.rule("GW-8.26")
def test_no_other_placing_of_agile_units_is_worth_more_than_hopes():
    gained = 0
    for table, seat in all_turns(8):
        one = side_of(table.table, seat.seat)
        agile = [card for card in table.table.cards(*one.rows[:2]) if is_moved(card)]
        stays = {card: card.place for card in agile}
        moves = {m.card: m.place for m in hope.better_rows(table.table, one)}
        placings = [
            dict(zip(agile, rows, strict=True))
            for rows in product(one.rows[:2], repeat=len(agile))
        ]
        best = max(hope.total_with(table.table, one, at) for at in placings)
        assert hope.total_with(table.table, one, stays | moves) == best
        gained += bool(moves)
    assert gained


def is_moved(card):
    return printed(card).is_agile and printed(card).is_unit


@pytest.mark.rule("GW-5.8")
@pytest.mark.case(25, 42)
def test_no_card_is_lost_and_a_total_is_the_sum_of_what_units_show():
    numbers = {}
    for table, _ in all_turns(4):
        places = table.table.places()
        number = sum(table.table.count(place) for place in places)
        assert numbers.setdefault(table.table, number) == number
        for one in sides(table.table):
            shown = [table.table.marker("strength", c) for c in fighters(table, one)]
            assert table.counter_of(one, "total") == sum(map(int, shown))


def fighters(table, one):
    cards = table.table.cards(*one.rows)
    return [card for card in cards if printed(card).is_fighter]


@pytest.mark.rule("GW-1.9")
@pytest.mark.note(109)
@pytest.mark.parametrize("variant", ["duel", "team", "free-for-all"])
def test_the_same_answers_and_the_same_chance_give_the_same_game(variant):
    def written_game():
        table = begun(variant, 4 if variant == "team" else 2 + (variant != "duel"), 7)
        for _ in turns(table, 7):
            pass
        return [written(event) for event in table.table.events]

    assert written_game() == written_game()
