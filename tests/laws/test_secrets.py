"""Who may know a face where it lies hidden, as the rulebooks say it; not as sight does.

The swap law takes for known what the table of sight makes known: were that table wrong,
it would not notice.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.games import GAMES
from services.engine.kernel import event as happened
from services.engine.kernel.sight import EVERYONE, only
from tests.laws.examples import examples
from tests.laws.playing import played

# By game and place: nobody, its owner, who laid the card there, or the owner's team.
HIDDEN = {
    "skirmish": {  # SK-1.6
        **dict.fromkeys(("commander_deck", "soldier_deck", "tactic_deck"), "nobody"),
        **dict.fromkeys(("soldiers", "tactics"), "owner"),
        **dict.fromkeys(("scout", "assault", "sniper", "tactic"), "bringer"),
    },
    "gwent": {  # GW-1.9, GW-13.5, GW-14.3, GW-16.4, GW-16.12, GW-16.15
        **dict.fromkeys(("pile", "box", "automaton_pile", "automaton_box"), "nobody"),
        **dict.fromkeys(("automaton_under", "automaton_leaders"), "nobody"),
        "put_away": "nobody",
        **dict.fromkeys(("aside", "search"), "owner"),
        "hand": "team",
    },
}


@examples(8)
@given(seed=st.integers(0, 2**32))
def test_t05_a_card_that_comes_to_lie_hidden_is_seen_by_whom_the_rulebook_names(
    case, seed
):
    table = case.table(seed)

    played(table, random.Random(seed), lateness=0.05)

    assert seen_otherwise(table) == []


def seen_otherwise(table):
    """Ways of cards whose faces others than the rulebook names come to see."""
    ways = [
        move
        for event in table.events
        if isinstance(event, happened.CardsMoved)
        for move in event.cards
    ]
    return [move for move in ways if not is_lawful(move, allowed(table, move))]


def is_lawful(move, may):
    """All who may see it do, and nobody else but who has seen it already."""
    return may & ~move.seers == 0 and move.seers & ~(may | move.knew) == 0


def allowed(table, move):
    """Those who may see the face where it has come to lie."""
    who = HIDDEN[table.play.game.name].get(move.to.name)
    if who is None or (who == "bringer" and move.face_up):
        return EVERYONE
    if who == "nobody":
        return only()
    seat = move.bringer if who == "bringer" else move.to.seat
    teams = table.play.table.teams
    team = [one for one in table.play.table.seats if teams[one] == teams[seat]]
    return only(*team) if who == "team" else only(seat)


@pytest.mark.parametrize("game", GAMES)
def test_no_place_is_hidden_that_no_rulebook_names(game):
    hidden = {name for name, one in GAMES[game].sight.items() if one.who.name != "ALL"}

    assert hidden <= HIDDEN[game].keys()
