"""A question's options, whatever they are, read alike."""

import pytest

from anpai import Option, question_of
from anpai.engine.v1 import question_pb2 as pb

CARDS = pb.ChooseCards(options=[pb.CardOption(id="h1", handle="h1")])
MOVES = pb.ChooseMoves(
    options=[
        pb.MoveOption(id="h1>row:0", handle="h1", place="row", place_seat=0),
        pb.MoveOption(id="h1>discard", handle="h1", place="discard"),
    ]
)
PLACES = pb.ChoosePlaces(
    options=[pb.PlaceOption(id="row:1", place="row", place_seat=1)]
)
SEATS = pb.ChooseSeats(options=[pb.SeatOption(id="seat:0", seat=0)])
WORDS = pb.ChooseWords(options=[pb.WordOption(id="rock")])


@pytest.mark.parametrize(
    ("kind", "options", "read"),
    [
        ("cards", CARDS, [Option("h1", card="h1")]),
        (
            "moves",
            MOVES,
            [
                Option("h1>row:0", card="h1", place="row", seat=0),
                Option("h1>discard", card="h1", place="discard"),
            ],
        ),
        ("places", PLACES, [Option("row:1", place="row", seat=1)]),
        ("seats", SEATS, [Option("seat:0", seat=0)]),
        ("words", WORDS, [Option("rock", word="rock")]),
    ],
)
def test_options_say_what_they_are(kind, options, read):
    question = question_of(pb.Question(min=1, max=1, **{kind: options}))

    assert question.kind == kind
    assert list(question.options) == read
    assert question.option(read[0].id) == read[0]


def test_a_question_that_wants_nothing_may_be_declined():
    assert question_of(pb.Question(min=0, max=2, words=WORDS)).may_decline
    assert not question_of(pb.Question(min=1, max=2, words=WORDS)).may_decline


def test_at_a_table_without_clocks_there_is_no_deadline():
    assert question_of(pb.Question(words=WORDS)).deadline is None


def test_a_deadline_is_in_seconds():
    question = pb.Question(words=WORDS)
    question.deadline.FromMilliseconds(12_345)

    assert question_of(question).deadline == 12.345
