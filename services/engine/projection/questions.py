"""Questions: what the asked seat gets, and the little that others learn."""

from collections.abc import Callable, Iterable

from anpai.engine.v1 import question_pb2, table_pb2
from services.engine.kernel.ask import Asking, Default, Kind, Question
from services.engine.projection.nouns import parted, tell_time


def tell_asked(told: table_pb2.Asked, asking: Asking, seat: int) -> None:
    told.seat = seat
    tell_time(told, "deadline", at_seat(asking.deadlines, seat))
    tell_time(told, "bank_from", at_seat(asking.banked, seat))


def at_seat(times: Iterable[tuple[int, int]], seat: int) -> int | None:
    return next((at for one, at in times if one == seat), None)


def tell_question(told: question_pb2.Question, asking: Asking, seat: int) -> None:
    question = asking.to(seat)
    assert question is not None
    told.id, told.seat, told.name = asking.id_of(seat), seat, question.name
    told.min, told.max, told.secret = question.least, question.most, asking.secret
    tell_time(told, "deadline", at_seat(asking.deadlines, seat))
    tell_time(told, "hold_until", asking.held_until)
    told.rule_path.extend(asking.path)
    _set_default(told, question.default)
    _OPTIONS[question.kind](told, question)


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
    options = told.moves.options
    for option in question.ids:
        handle, _, place = option.partition(">")
        name, seat = parted(place)
        move = options.add(id=option)
        move.handle, move.place = handle, name
        if seat is not None:
            move.place_seat = seat


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
