"""The swap law can fail: small games that leak in the ways games do leak."""

import random

import pytest

from services.engine.kernel import (
    Catalog,
    Game,
    Place,
    Text,
    Variant,
    Who,
    everyone,
    face_down,
    nobody,
    owner,
    ranked,
)
from tests.laws.playing import Case, played
from tests.laws.seeing import dealt_anew, faces_of
from tests.laws.test_sight import same_to

DECK, DISCARD = Place("deck"), Place("discard")
HAND = [Place("hand", seat) for seat in range(2)]
ROW = [Place("row", seat) for seat in range(2)]
SIGHT = {
    "deck": nobody,
    "hand": owner,
    "row": face_down(Who.BRINGER),
    "discard": everyone,
}


def small(leak=None, sight=SIGHT):
    """Each seat lays two of its three cards face down; then something may leak."""

    async def game(table):
        await table.build(DECK, ["high", "low"] * 8)
        await table.deal(DECK, {HAND[seat]: 3 for seat in table.seats})
        for seat in table.seats:
            for _ in range(2):
                card = await table.ask(seat, "lay", table.cards(HAND[seat]))
                await table.move(card, ROW[seat], bringer=seat)
        if leak is not None:
            await leak(table)
        return ranked((0, 0))

    nothing = Catalog({}, {})
    usual = Variant("usual", (2,), Text("", ""))
    return Game("small", Text("", ""), (usual,), game, sight, nothing, "1")


def holds(game) -> bool:
    """Whether the swap law holds for seat 1 over some games and worlds."""
    case, chance, equal = Case(game, "usual", 2), random.Random(7), 0
    for seed in range(6):
        table = case.table(seed)
        script = played(table, random.Random(seed))
        other = dealt_anew(table, 1, faces_of(table), 30, chance)
        equal += same_to(1, table, script, case.table(seed, reface=other))
    return equal > 0


async def counts_a_hidden_face(table):
    table.set_counter("high", sum(c.face == "high" for c in table.cards(ROW[0])))


async def asks_only_who_holds_it(table):
    if any(card.face == "high" for card in table.cards(HAND[0])):
        await table.ask(0, "discard", table.cards(HAND[0]))


async def offers_by_a_hidden_face(table):
    low = [card for card in table.cards(ROW[0]) if card.face == "low"]
    await table.ask_may(1, "take", low)


async def moves_in_the_order_of_hidden_faces(table):
    for card in sorted(table.cards(ROW[0]), key=lambda card: card.face):
        table.mark("next", card)


async def shows_a_hand_to_nobody_and_goes_on(table):
    await table.peek(0, *table.cards(ROW[0]))


LEAKS = [
    counts_a_hidden_face,
    asks_only_who_holds_it,
    offers_by_a_hidden_face,
    moves_in_the_order_of_hidden_faces,
]


def test_an_honest_game_passes():
    assert holds(small())
    assert holds(small(shows_a_hand_to_nobody_and_goes_on))


@pytest.mark.parametrize("leak", LEAKS)
def test_a_rule_that_leaks_is_caught(leak):
    with pytest.raises(AssertionError):
        holds(small(leak))


def test_a_card_recognised_after_it_went_out_of_sight_is_caught():
    """Were handles kept from the hand, a card once seen could be followed."""
    table = Case(small(), "usual", 2).table(1)
    before = {card.handle for card in table.play.table.cards(HAND[0])}

    played(table, random.Random(1))

    laid = {card.handle for card in table.play.table.cards(ROW[0])}
    assert len(laid) == 2
    assert not laid & before
