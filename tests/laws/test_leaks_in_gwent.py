"""The laws can fail for gwent: a leak of each kind is planted and must be seen."""

import random
from dataclasses import replace

import pytest

from services.engine.games import GAMES
from services.engine.games.gwent import automaton, play, set_up, team
from services.engine.games.gwent.board import (
    ASIDE,
    AUTOMATON_PILE,
    HAND,
    PILE,
    SEARCH,
    opponents,
    printed,
)
from services.engine.games.gwent.leading import deck_of
from services.engine.games.gwent.pieces import FACES
from services.engine.kernel import everyone
from tests.laws.playing import Case, a_choice, played
from tests.laws.seeing import dealt_anew, faces_of
from tests.laws.test_decks import same_whatever_was_brought
from tests.laws.test_leaders import Led, leads
from tests.laws.test_secrets import seen_otherwise
from tests.laws.test_sight import played_in_part, same_to

GWENT = GAMES["gwent"]
WORLDS = 3


def holds(case, viewer, *, chooses=a_choice, games=8):
    """The swap law for one viewer, over some games and worlds."""
    chance = random.Random(11)
    for seed in range(games):
        table = case.table(seed)
        script = played(table, random.Random(seed), answers=40, chooses=chooses)
        for _ in range(WORLDS):
            other = dealt_anew(table, viewer, faces_of(table), 40, chance)
            same_to(viewer, table, script, case.table(seed, reface=other))


def caught(case, viewer, **more):
    with pytest.raises(AssertionError):
        holds(case, viewer, **more)


def heroes(cards):
    return sum(printed(card).is_hero for card in cards)


DUEL, TEAM = Case(GWENT, "duel", 2), Case(GWENT, "team", 4)
SOLO = Case(GWENT, "solo", 1)


def test_honest_games_pass():
    holds(DUEL, 1)
    holds(TEAM, None)
    holds(SOLO, 0)


# -- hands ---------------------------------------------------------------------------


def test_a_pass_that_tells_of_the_hand(monkeypatch):
    def passes(table, seat):
        table.declare("passes", seat, number=heroes(table.cards(HAND[seat])))
        table.mark("passed", seat)

    monkeypatch.setattr(play, "pass_round", passes)

    caught(DUEL, 1)
    caught(TEAM, None)


def test_a_seat_that_is_asked_only_if_it_holds_a_hero(monkeypatch):
    usual = play.can_act

    def can_act(table, seat):
        return usual(table, seat) and heroes(table.cards(HAND[seat])) > 0

    monkeypatch.setattr(play, "can_act", can_act)

    caught(DUEL, 1)


def test_an_exchange_that_tells_what_was_set_aside(monkeypatch):
    usual = set_up.exchange_question

    def exchange_question(table, seat):
        table.mark("aside", seat, str(heroes(table.cards(ASIDE[seat]))))
        return usual(table, seat)

    monkeypatch.setattr(set_up, "exchange_question", exchange_question)

    caught(DUEL, 1)


def test_partners_who_are_asked_by_what_they_hold(monkeypatch):
    """Their own hands they know: to them it is no leak, to the others it is."""
    usual = team.name_lead

    async def name_lead(table, one):
        strong = max(one.seats, key=lambda seat: heroes(table.cards(HAND[seat])))
        table.declare("strong", strong)
        return await usual(table, one)

    monkeypatch.setattr(team, "name_lead", name_lead)

    caught(TEAM, 1)
    caught(TEAM, None)


# -- piles ---------------------------------------------------------------------------


def test_a_round_that_tells_what_is_left_in_a_pile(monkeypatch):
    usual = play.clear_table

    async def clear_table(table, kept):
        top = await table.draw(PILE[0], 1, SEARCH[0])
        table.set_counter("top", sum(printed(card).strength for card in top))
        await table.stack(PILE[0], top)
        await usual(table, kept)

    monkeypatch.setattr(play, "clear_table", clear_table)

    caught(DUEL, 1)


def leading(monkeypatch, leader, effect):
    """All games of a duel in which this leader does something else."""
    monkeypatch.setitem(FACES, leader, replace(FACES[leader], effect=effect))
    return Led("duel", 2, leader)


def test_a_search_that_tells_what_it_passes_over(monkeypatch):
    async def search(table, seat):
        drawn = await table.draw(PILE[seat], table.count(PILE[seat]), SEARCH[seat])
        table.declare("passes_over", seat, number=heroes(drawn[:3]))
        await table.shuffle(PILE[seat], drawn)

    case = leading(monkeypatch, "eredin_destroyer", search)

    caught(case, 0, chooses=leads)
    caught(case, None, chooses=leads)


def test_a_look_at_the_strongest_instead_of_any(monkeypatch):
    async def looks(table, seat):
        (other,) = opponents(table, seat)
        hand = table.cards(HAND[other.seat])
        await table.peek(seat, *sorted(hand, key=lambda one: printed(one).strength)[:3])

    case = leading(monkeypatch, "emhyr_emperor", looks)

    caught(case, 0, chooses=leads)


def test_a_look_that_the_others_hear_of(monkeypatch):
    async def looks(table, seat):
        (other,) = opponents(table, seat)
        cards = await table.pick(table.cards(HAND[other.seat]), 3)
        await table.peek(seat, *cards)
        table.declare("saw", seat, words=[printed(card).id for card in cards])

    case = leading(monkeypatch, "emhyr_emperor", looks)

    caught(case, None, chooses=leads)


# -- decks ---------------------------------------------------------------------------


def test_a_deck_that_is_counted_aloud(monkeypatch):
    usual = play.lay_out

    async def lay_out(table, seat):
        await usual(table, seat)
        strength = sum(FACES[face].strength for face in deck_of(table, seat))
        table.set_counter("strength", strength, seat)

    monkeypatch.setattr(play, "lay_out", lay_out)

    def holds_for_decks():
        for seed in range(1, 20, 2):
            table, script = played_in_part(DUEL, seed, 0.5)
            same_whatever_was_brought(DUEL, 1, table, script, random.Random(seed))

    with pytest.raises(AssertionError):
        holds_for_decks()


# -- the automaton -------------------------------------------------------------------


def test_an_automaton_that_tells_what_it_will_turn_up(monkeypatch):
    usual = automaton.play_next

    async def play_next(table):
        await usual(table)
        top = await table.draw(AUTOMATON_PILE, 5, SEARCH[0])
        table.set_counter("next", heroes(top))
        await table.stack(AUTOMATON_PILE, top)

    monkeypatch.setattr(automaton, "play_next", play_next)

    caught(SOLO, None)


# -- sight ---------------------------------------------------------------------------


PLACES = {
    "hand": DUEL,
    "aside": DUEL,
    "search": DUEL,
    "put_away": Case(GWENT, "tournament", 2),
    "automaton_under": SOLO,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_all_can_look_into(place):
    """What the vault has told nobody no rule can tell; but sight could be wrong."""
    usual, seen = PLACES[place], set()
    open_to_all = replace(GWENT, sight={**GWENT.sight, place: everyone})
    case = Case(open_to_all, usual.variant, usual.seats)

    for seed in range(12):
        table = case.table(seed)
        played(table, random.Random(seed))
        seen |= {move.to.name for move in seen_otherwise(table)}

    assert seen == {place}
