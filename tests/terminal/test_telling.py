"""What happened, in sentences; and nothing a viewer may not know."""

import pytest

from anpai import Event, Outcome, Place
from clients.terminal.screen.sides import seat_name
from clients.terminal.screen.telling import tell, tell_all
from tests.terminal.scenes import card, moments, played, reader, second_round


def told(event, language="en"):
    view = second_round()
    return tell_all(event, view, view, reader(language))


def laid_by(seat, shown):
    event = Event(revision=88)
    move = event.cards_moved.moves.add(to=Place(name="scout", seat=seat), card=shown)
    getattr(move, "from").CopyFrom(Place(name="soldiers", seat=seat))
    return event


def test_a_card_laid_face_down_is_a_card():
    event = laid_by(1, card("x", bringer=1))
    assert told(event) == ["陈晨 lays a card (Scout row)."]
    assert told(event, "zh") == ["陈晨放置一张牌（侦察位）。"]


def test_ones_own_card_laid_face_down_has_its_name():
    event = laid_by(0, card("x", "scout_2", bringer=0))
    assert told(event) == ["Anna lays Spy (Scout row)."]


def test_cards_drawn_are_named_for_whoever_draws_and_counted_for_others():
    event = Event(revision=88)
    for seat in (0, 1, 1):
        shown = card("x", "scout_4") if seat == 0 else None
        move = event.cards_moved.moves.add(to=Place(name="soldiers", seat=seat))
        getattr(move, "from").CopyFrom(Place(name="soldier_deck"))
        if shown:
            move.card.CopyFrom(shown)
    assert told(event) == [
        "Anna draws Band of Brothers (Soldier deck).",
        "陈晨 draws 2 cards (Soldier deck).",
    ]


def test_a_card_taken_from_a_hand_says_whose():
    event = Event(revision=88)
    move = event.cards_moved.moves.add(to=Place(name="soldiers", seat=0))
    getattr(move, "from").CopyFrom(Place(name="soldiers", seat=1))
    assert told(event) == ["Anna takes a card (陈晨's Soldiers in hand)."]


def test_what_goes_to_a_common_pile_from_anywhere_is_one_sentence():
    event = Event(revision=88)
    for name, seat, handle in (("scout", 1, "s1"), ("sniper", 0, "n1")):
        move = event.cards_moved.moves.add(
            to=Place(name="discard"), old_handle=handle, card=card(handle)
        )
        getattr(move, "from").CopyFrom(Place(name=name, seat=seat))
    assert told(event) == ["Spotter and Sniper God → Discard."]


def test_a_declared_event_speaks_the_catalogues_words():
    event = Event(revision=88)
    event.declared.name, event.declared.seat = "blast", 1
    event.declared.cards.append("s1")
    event.declared.places.add(name="assault", seat=0)
    assert told(event) == ["陈晨 blows up Anna's Assault row with Spotter."]


def test_a_marker_on_nothing_is_told_with_its_value_or_without():
    event = Event(revision=88)
    event.marker_put.marker.name = "storm"
    assert (told(event), told(event, "zh")) == (["storm."], ["storm。"])
    event.marker_put.marker.value = "7"
    assert (told(event), told(event, "zh")) == (["storm: 7."], ["storm：7。"])


def test_an_event_without_words_is_still_told():
    event = Event(revision=88)
    event.declared.name, event.declared.number = "sings", 3
    assert told(event) == ["sings: 3"]


def test_the_end_names_the_winner_and_everybodys_points():
    event = Event(revision=88)
    event.ended.outcome.CopyFrom(Outcome(ranks=[2, 1], scores=[40, 55]))
    assert told(event) == ["陈晨 wins with 55 points.", "陈晨 55, Anna 40"]


def test_a_shared_win_is_shared():
    event = Event(revision=88)
    event.ended.outcome.CopyFrom(Outcome(ranks=[1, 1], scores=[40, 40]))
    assert told(event)[0] == "Anna and 陈晨 share the win with 40 points."


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_event_of_a_game_is_told_in_words_not_names(language):
    words = reader(language)
    for moment in moments(played(3, seed=4), viewer=1):
        for sentence in tell(moment.event, moment.before, moment.after, words):
            assert "{" not in sentence
            assert "skirmish/" not in sentence
            assert "_" not in sentence


def test_t24_who_goes_and_comes_and_what_it_costs_is_told():
    def of(verb, **fields):
        event = Event(revision=88)
        getattr(event, verb).SetInParent()
        for name, value in fields.items():
            setattr(getattr(event, verb), name, value)
        return event

    drawn = of("bank_drawn", seat=1)
    drawn.bank_drawn.left.FromSeconds(125)

    assert told(of("seat_away", seat=1)) == ["陈晨 has gone away."]
    assert told(of("stood_in", seat=1, name="Abacus")) == ["Abacus plays for 陈晨."]
    assert told(of("seat_back", seat=1)) == ["陈晨 is back."]
    assert told(drawn) == ["陈晨 took long; 2:05 of the bank are left."]


def test_whoever_is_away_looks_away():
    view = second_round()
    view.seats[1].away, view.seats[1].stand_in = True, "Abacus"

    assert "陈晨 (bot, away, played by Abacus)" in seat_name(view, reader(), 1)
