"""A disclosure read by one who sees everything."""

import json

import pytest

from clients.terminal.commands.replay import replay
from clients.terminal.disclosed import NoDisclosure, steps
from clients.terminal.say import Trouble, console
from clients.terminal.words import Words
from services.engine.projection import view_for
from tests.terminal.scenes import moments, played


@pytest.fixture(scope="module")
def game():
    return played(3, seed=7)


def disclosure(game):
    return game.disclosure().encode()


def test_every_event_is_there_in_order(game):
    revisions = [step.event.revision for step in steps(disclosure(game))]
    assert revisions == list(range(1, len(game.events) + 1))


def test_what_a_seat_saw_one_who_sees_all_saw_too(game):
    """Faces a seat was shown are the faces that lie there."""
    for step, moment in zip(
        steps(disclosure(game)), moments(game, viewer=0), strict=True
    ):
        everything = faces(step.after)
        for handle, face in faces(moment.after).items():
            assert everything[handle] == face


def faces(view):
    return {
        card.handle: card.face
        for place in view.places
        for card in place.cards
        if card.HasField("face")
    }


def test_the_last_picture_counts_as_the_table_does(game):
    *_, last = steps(disclosure(game))
    public = view_for(game.play, None)
    assert last.after.outcome == public.outcome
    assert counts(last.after) == counts(public)
    assert sorted(map(str, last.after.markers)) == sorted(map(str, public.markers))


def counts(view):
    return {str(place.place): (place.count, place.apart) for place in view.places}


def test_a_game_is_read_again_in_words(game, capsys):
    replay(disclosure(game), Words("en"), console(), stops=False)
    shown = capsys.readouterr().out
    assert "Anna draws 12 cards" not in shown  # every hand is open: they are named
    assert shown.count(" wins with ") + shown.count(" share the win ") == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"game": "skirmish"}'])
def test_what_is_no_disclosure_is_said_to_be_none(text):
    for language, said in (
        ("en", "not a disclosure"),
        ("zh", "不是可以读取的公开记录"),
    ):
        with pytest.raises(Trouble, match=said):
            replay(text.encode(), Words(language), console(), stops=False)


def test_a_verb_nobody_knows_is_no_disclosure(game):
    told = json.loads(game.disclosure())
    told["events"][0][0] = "Sang"
    with pytest.raises(NoDisclosure):
        list(steps(json.dumps(told).encode()))
