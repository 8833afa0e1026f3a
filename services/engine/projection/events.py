"""What happened, as one viewer may see it."""

from collections.abc import Callable
from typing import Any

from anpai.engine.v1 import event_pb2, table_pb2
from services.engine.kernel import event as happened
from services.engine.kernel.sight import sees
from services.engine.projection.nouns import (
    Viewer,
    parted,
    told_counter,
    told_face,
    told_marker,
    told_outcome,
    told_place,
    told_span,
    told_time,
)
from services.engine.projection.questions import asked, question_for


def event_for(
    event: happened.Event, revision: int, viewer: Viewer, game: str
) -> event_pb2.Event:
    """An event as a viewer may see it; `game` is the game's name, for faces."""
    field, project = _EVENTS[type(event)]
    told = event_pb2.Event(revision=revision)
    getattr(told, field).CopyFrom(project(event, viewer, game))
    return told


def eyes_for(event: happened.Event, viewer: Viewer) -> Viewer:
    """With whose eyes a viewer sees this event: the public's, where it sees no more.

    One copy serves all who see with the same eyes.
    """
    if isinstance(event, happened.Asked):
        return viewer if viewer in event.asking.asked else None
    return viewer if isinstance(event, _CARDS_SHOWN) else None


_CARDS_SHOWN = (happened.CardsMoved, happened.CardsTurnedUp, happened.CardsPeeked)


def _seat_taken(
    event: happened.SeatTaken, viewer: Viewer, game: str
) -> event_pb2.SeatTaken:
    return event_pb2.SeatTaken(
        seat=table_pb2.Seat(
            number=event.seat,
            name=event.name,
            bot=event.bot,
            taken=True,
            nonce=event.nonce,
        )
    )


def _deck_built(
    event: happened.DeckBuilt, viewer: Viewer, game: str
) -> event_pb2.DeckBuilt:
    return event_pb2.DeckBuilt(deck=told_place(event.deck), count=event.size)


def _cards_moved(
    event: happened.CardsMoved, viewer: Viewer, game: str
) -> event_pb2.CardsMoved:
    return event_pb2.CardsMoved(
        moves=[_card_move(move, viewer, game) for move in event.cards]
    )


def _card_move(
    move: happened.CardMoved, viewer: Viewer, game: str
) -> event_pb2.CardMove:
    told = event_pb2.CardMove(
        to=told_place(move.to),
        apart=move.apart,
        keeps_markers=move.keeps_markers,
        **_origin(move, viewer),
    )
    if sees(move.traced_to, viewer):
        told.card.handle = move.handle
        told.card.face_up = move.face_up
        if move.bringer is not None:
            told.card.bringer = move.bringer
        if move.face is not None and sees(move.seers, viewer):
            told.card.face = f"{game}/{move.face}"
    elif move.face is not None and sees(move.knew, viewer):
        told.face = f"{game}/{move.face}"
    return told


def _origin(move: happened.CardMoved, viewer: Viewer) -> dict[str, Any]:
    """`from` is a keyword, and the old handle only for those who could tell it."""
    known = move.old_handle if sees(move.traced_from, viewer) else None
    return {"from": told_place(move.origin), "old_handle": known or None}


def _deck_shuffled(
    event: happened.DeckShuffled, viewer: Viewer, game: str
) -> event_pb2.DeckShuffled:
    return event_pb2.DeckShuffled(deck=told_place(event.deck), count=event.size)


def _cards_mixed(
    event: happened.CardsMixed, viewer: Viewer, game: str
) -> event_pb2.CardsMixed:
    return event_pb2.CardsMixed(place=told_place(event.place), handles=event.handles)


def _turned_up(
    event: happened.CardsTurnedUp, viewer: Viewer, game: str
) -> event_pb2.CardsTurnedUp:
    return event_pb2.CardsTurnedUp(
        cards=[_card_shown(card, viewer, game) for card in event.cards]
    )


def _peeked(
    event: happened.CardsPeeked, viewer: Viewer, game: str
) -> event_pb2.CardsPeeked:
    return event_pb2.CardsPeeked(
        seat=event.seat, cards=[_card_shown(card, viewer, game) for card in event.cards]
    )


def _card_shown(
    card: happened.CardShown, viewer: Viewer, game: str
) -> event_pb2.CardShown:
    return event_pb2.CardShown(
        place=told_place(card.place),
        handle=card.handle if sees(card.traced, viewer) else None,
        face=told_face(game, card.face if sees(card.seers, viewer) else None),
    )


def _rolled(event: happened.Rolled, viewer: Viewer, game: str) -> event_pb2.Rolled:
    return event_pb2.Rolled(name=event.name, sides=event.sides, numbers=event.numbers)


def _counter_set(
    event: happened.CounterSet, viewer: Viewer, game: str
) -> event_pb2.CounterSet:
    return event_pb2.CounterSet(
        counter=told_counter(event.name, event.seat, event.value)
    )


def _marker_put(
    event: happened.MarkerPut, viewer: Viewer, game: str
) -> event_pb2.MarkerPut:
    return event_pb2.MarkerPut(marker=told_marker(event.name, event.on, event.value))


def _markers_put(
    event: happened.MarkersPut, viewer: Viewer, game: str
) -> event_pb2.MarkersPut:
    return event_pb2.MarkersPut(
        markers=[told_marker(event.name, on, value) for on, value in event.marks]
    )


def _marker_taken(
    event: happened.MarkerTaken, viewer: Viewer, game: str
) -> event_pb2.MarkerTaken:
    return event_pb2.MarkerTaken(name=event.name, on=event.on)


def _declared(
    event: happened.Declared, viewer: Viewer, game: str
) -> event_pb2.Declared:
    told = event_pb2.Declared(
        name=event.name,
        seat=event.seat,
        cards=event.cards,
        words=event.words,
        number=event.number,
    )
    for one in event.places:
        name, seat = parted(one)
        told.places.add(name=name, seat=seat)
    return told


def _questions_asked(
    event: happened.Asked, viewer: Viewer, game: str
) -> event_pb2.QuestionsAsked:
    asking = event.asking
    told = event_pb2.QuestionsAsked(asked=asked(asking))
    if viewer is not None and viewer in asking.asked:
        told.question.CopyFrom(question_for(asking, viewer))
    return told


def _questions_answered(
    event: happened.Answered, viewer: Viewer, game: str
) -> event_pb2.QuestionsAnswered:
    return event_pb2.QuestionsAnswered(seats=event.seats, by_default=event.by_default)


def _conceded(
    event: happened.Conceded, viewer: Viewer, game: str
) -> event_pb2.Conceded:
    return event_pb2.Conceded(seat=event.seat)


def _seat_away(
    event: happened.SeatAway, viewer: Viewer, game: str
) -> event_pb2.SeatAway:
    return event_pb2.SeatAway(seat=event.seat)


def _stood_in(event: happened.StoodIn, viewer: Viewer, game: str) -> event_pb2.StoodIn:
    return event_pb2.StoodIn(seat=event.seat, name=event.name)


def _seat_back(
    event: happened.SeatBack, viewer: Viewer, game: str
) -> event_pb2.SeatBack:
    return event_pb2.SeatBack(seat=event.seat)


def _bank_drawn(
    event: happened.BankDrawn, viewer: Viewer, game: str
) -> event_pb2.BankDrawn:
    return event_pb2.BankDrawn(seat=event.seat, left=told_span(event.left))


def _clock_moved(
    event: happened.ClockMoved, viewer: Viewer, game: str
) -> event_pb2.ClockMoved:
    told = event_pb2.ClockMoved()
    told.by.FromMilliseconds(event.milliseconds)
    banked = dict(event.banked)
    for seat, at in event.deadlines:
        until, bank_from = told_time(at), told_time(banked.get(seat))
        told.asked.add(seat=seat, deadline=until, bank_from=bank_from)
    return told


def _ended(event: happened.Ended, viewer: Viewer, game: str) -> event_pb2.Ended:
    return event_pb2.Ended(outcome=told_outcome(event.outcome))


_EVENTS: dict[type, tuple[str, Callable[[Any, Viewer, str], Any]]] = {
    happened.SeatTaken: ("seat_taken", _seat_taken),
    happened.DeckBuilt: ("deck_built", _deck_built),
    happened.CardsMoved: ("cards_moved", _cards_moved),
    happened.DeckShuffled: ("deck_shuffled", _deck_shuffled),
    happened.CardsMixed: ("cards_mixed", _cards_mixed),
    happened.CardsTurnedUp: ("cards_turned_up", _turned_up),
    happened.CardsPeeked: ("cards_peeked", _peeked),
    happened.Rolled: ("rolled", _rolled),
    happened.CounterSet: ("counter_set", _counter_set),
    happened.MarkerPut: ("marker_put", _marker_put),
    happened.MarkersPut: ("markers_put", _markers_put),
    happened.MarkerTaken: ("marker_taken", _marker_taken),
    happened.Declared: ("declared", _declared),
    happened.Asked: ("questions_asked", _questions_asked),
    happened.Answered: ("questions_answered", _questions_answered),
    happened.Conceded: ("conceded", _conceded),
    happened.SeatAway: ("seat_away", _seat_away),
    happened.StoodIn: ("stood_in", _stood_in),
    happened.SeatBack: ("seat_back", _seat_back),
    happened.BankDrawn: ("bank_drawn", _bank_drawn),
    happened.ClockMoved: ("clock_moved", _clock_moved),
    happened.Ended: ("ended", _ended),
}
