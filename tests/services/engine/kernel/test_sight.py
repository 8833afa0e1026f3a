"""What a move reveals is computed from who sees what before and after."""

import pytest

from services.engine.kernel.event import CardsMoved, CardsPeeked
from services.engine.kernel.sight import EVERYONE, NO_ONE, only, sees
from services.engine.projection import event_for, view_for
from tests.services.engine.kernel.small import (
    DECK,
    DISCARD,
    HAND,
    ROW,
    SECRET,
    last,
    table_of,
)


def shown(table, event, viewer):
    return event_for(event, 1, viewer, "small")


def test_a_card_drawn_is_known_to_its_holder_alone():
    async def rule(table):
        await table.draw(DECK, 1, HAND[0])

    (move,) = last(table_of(rule), CardsMoved).cards

    assert (move.seers, move.traced_to, move.traced_from) == (only(0), only(0), NO_ONE)


def test_a_card_laid_face_down_from_a_hand_gets_another_handle():
    async def rule(table):
        await table.move(table.cards(HAND[0])[0], ROW[0], bringer=0)

    table = table_of(rule)
    event = last(table, CardsMoved)
    (mine,) = shown(table, event, 0).cards_moved.moves
    (theirs,) = shown(table, event, 1).cards_moved.moves

    assert mine.old_handle != mine.card.handle
    assert mine.card.HasField("face")
    assert theirs.card.handle == mine.card.handle
    assert not theirs.card.HasField("face")
    assert not theirs.HasField("old_handle")


def test_a_card_taken_from_a_hand_is_known_to_thief_and_robbed_alone():
    async def rule(table):
        await table.move(table.cards(HAND[0])[0], HAND[1])

    table = table_of(rule)
    told = [shown(table, last(table, CardsMoved), seat) for seat in (0, 1, 2)]
    robbed, thief, other = [event.cards_moved.moves[0] for event in told]

    assert robbed.HasField("face")
    assert not robbed.HasField("card")
    assert thief.card.HasField("face")
    assert not thief.HasField("old_handle")
    assert not other.HasField("face")
    assert not other.HasField("card")


def test_a_robbed_seat_cannot_follow_the_card_onto_the_table():
    async def rule(table):
        await table.move(card := table.cards(HAND[0])[0], HAND[1])
        await table.move(card, ROW[1], bringer=1)

    table = table_of(rule)
    (move,) = shown(table, last(table, CardsMoved), 0).cards_moved.moves

    assert not move.HasField("old_handle")
    assert not move.card.HasField("face")


def test_a_discard_turns_the_card_up_for_everyone():
    async def rule(table):
        await table.move(table.cards(HAND[0])[0], DISCARD)

    (move,) = last(table_of(rule), CardsMoved).cards

    assert move.seers == EVERYONE
    assert move.face_up


def test_a_peek_on_the_table_lasts_and_in_a_hand_is_one_look():
    async def rule(table):
        await table.move(table.cards(HAND[0])[0], ROW[0], bringer=0)
        await table.peek(1, *table.cards(ROW[0]))
        await table.peek(1, table.cards(HAND[0])[0])

    table = table_of(rule)
    places = {p.place.name: p for p in view_for(table.play, 1).places if p.count == 1}
    told = shown(table, last(table, CardsPeeked), 1).cards_peeked.cards[0]

    assert places["row"].cards[0].HasField("face")
    assert told.HasField("face")
    assert not told.HasField("handle")


def test_mixed_cards_are_told_from_each_other_by_nobody_any_more():
    async def rule(table):
        await table.move(table.cards(HAND[0]), ROW[0], bringer=0)
        table.mark("noted", table.cards(ROW[0])[0])
        before = {card.handle for card in table.cards(ROW[0])}
        await table.mix(ROW[0])
        after = table.cards(ROW[0])
        assert not before & {card.handle for card in after}
        assert all(card.face is None for card in after)
        assert all(card.seers == NO_ONE for card in after)
        assert not table.markers
        await table.turn_up(*after)
        assert all(card.face for card in after)

    assert table_of(rule).outcome is not None


def test_cards_laid_on_a_deck_are_drawn_next_first_one_first():
    async def rule(table):
        cards = table.cards(HAND[0])
        faces = [card.face for card in cards]
        await table.stack(DECK, cards)
        drawn = await table.draw(DECK, 3, HAND[0])
        assert [card.face for card in drawn] == faces

    assert table_of(rule).outcome is not None


def test_what_the_sight_table_omits_nobody_sees():
    async def rule(table):
        await table.move(table.cards(HAND[0])[0], SECRET)

    table = table_of(rule)
    (place,) = [
        p for p in view_for(table.play, 0).places if p.place.name == SECRET.name
    ]

    assert place.count == 1
    assert not place.cards


def test_a_hidden_card_can_be_neither_marked_nor_named():
    async def rule(table):
        card = table.cards(HAND[0])[0]
        with pytest.raises(ValueError, match="not everyone can see"):
            table.mark("noted", card)
        with pytest.raises(ValueError, match="not everyone can see"):
            table.declare("names", 0, cards=[card])

    assert table_of(rule).outcome is not None


def test_a_card_cannot_be_moved_into_a_deck_where_everybody_could_follow_it():
    async def rule(table):
        with pytest.raises(ValueError, match="is a deck"):
            await table.move(table.cards(HAND[0])[0], DECK)

    assert table_of(rule).outcome is not None


def test_the_public_is_among_the_seers_only_where_everyone_is():
    assert sees(EVERYONE, None)
    assert not sees(only(0, 1, 2), None)
