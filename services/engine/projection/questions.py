"""Questions: what the asked seat gets, and the little that others learn."""

from collections.abc import Callable

from anpai.engine.v1 import question_pb2, table_pb2
from services.engine.kernel.ask import Asking, Default, Kind, Question
from services.engine.projection.nouns import parted, told_time


def asked(asking: Asking) -> list[table_pb2.Asked]:
    due, banked = dict(asking.deadlines), dict(asking.banked)
    return [
        table_pb2.Asked(
            seat=seat,
            deadline=told_time(due.get(seat)),
            bank_from=told_time(banked.get(seat)),
        )
        for seat in asking.asked
    ]


def question_for(asking: Asking, seat: int) -> question_pb2.Question:
    question = asking.to(seat)
    assert question is not None
    told = question_pb2.Question(
        id=asking.id_of(seat),
        seat=seat,
        name=question.name,
        min=question.least,
        max=question.most,
        deadline=told_time(dict(asking.deadlines).get(seat)),
        hold_until=told_time(asking.held_until),
        rule_path=asking.path,
        secret=asking.secret,
    )
    _set_default(told, question.default)
    _OPTIONS[question.kind](told, question)
    return told


def _set_default(told: question_pb2.Question, default: Default | str) -> None:
    if default is Default.DECLINE:
        told.default_rule = question_pb2.DEFAULT_RULE_DECLINE
    elif default is Default.LOT:
        told.default_rule = question_pb2.DEFAULT_RULE_LOT
    else:
        told.default_option = str(default)


def _offer_cards(told: question_pb2.Question, question: Question) -> None:
    told.cards.SetInParent()
    for option in question.ids:
        told.cards.options.add(id=option, handle=option)


def _offer_moves(told: question_pb2.Question, question: Question) -> None:
    told.moves.SetInParent()
    for option in question.ids:
        handle, _, place = option.partition(">")
        name, seat = parted(place)
        told.moves.options.add(id=option, handle=handle, place=name, place_seat=seat)


def _offer_places(told: question_pb2.Question, question: Question) -> None:
    told.places.SetInParent()
    for option in question.ids:
        name, seat = parted(option)
        told.places.options.add(id=option, place=name, place_seat=seat)


def _offer_seats(told: question_pb2.Question, question: Question) -> None:
    told.seats.SetInParent()
    for option in question.ids:
        told.seats.options.add(id=option, seat=int(option.partition(":")[2]))


def _offer_words(told: question_pb2.Question, question: Question) -> None:
    told.words.SetInParent()
    for option in question.ids:
        told.words.options.add(id=option)


_OPTIONS: dict[Kind, Callable[[question_pb2.Question, Question], None]] = {
    Kind.CARDS: _offer_cards,
    Kind.MOVES: _offer_moves,
    Kind.PLACES: _offer_places,
    Kind.SEATS: _offer_seats,
    Kind.WORDS: _offer_words,
}
