"""What happened, as one viewer may see it."""

from collections.abc import Callable
from typing import Any

from anpai.engine.v1 import event_pb2
from services.engine.kernel import event as happened
from services.engine.kernel.sight import sees
from services.engine.projection.nouns import (
    Viewer,
    parted,
    tell_counter,
    tell_marker,
    tell_outcome,
    tell_place,
    tell_span,
    tell_time,
)
from services.engine.projection.questions import tell_asked, tell_question


def event_for(
    event: happened.Event, revision: int, viewer: Viewer, game: str
) -> event_pb2.Event:
    """An event as a viewer may see it; `game` is the game's name, for faces."""
    field, tell = _EVENTS[type(event)]
    told = event_pb2.Event(revision=revision)
    verb = getattr(told, field)
    verb.SetInParent()
    tell(verb, event, viewer, game)
    return told


def eyes_for(event: happened.Event, viewer: Viewer) -> Viewer:
    """With whose eyes a viewer sees this event: the public's, where it sees no more.

    One copy serves all who see with the same eyes.
    """
    if isinstance(event, happened.Asked):
        return viewer if viewer in event.asking.asked else None
    return viewer if isinstance(event, _CARDS_SHOWN) else None


_CARDS_SHOWN = (happened.CardsMoved, happened.CardsTurnedUp, happened.CardsPeeked)


# Each fills its message in where it stands: a message put into another is copied, and
# these are made for every answer.


def _seat_taken(
    told: event_pb2.SeatTaken, event: happened.SeatTaken, viewer: Viewer, game: str
) -> None:
    told.seat.number, told.seat.name, told.seat.bot = event.seat, event.name, event.bot
    told.seat.taken, told.seat.nonce = True, event.nonce


def _deck_built(
    told: event_pb2.DeckBuilt, event: happened.DeckBuilt, viewer: Viewer, game: str
) -> None:
    tell_place(told.deck, event.deck)
    told.count = event.size


def _cards_moved(
    told: event_pb2.CardsMoved, event: happened.CardsMoved, viewer: Viewer, game: str
) -> None:
    for move in event.cards:
        _card_move(told.moves.add(), move, viewer, game)


def _card_move(
    told: event_pb2.CardMove, move: happened.CardMoved, viewer: Viewer, game: str
) -> None:
    tell_place(getattr(told, "from"), move.origin)
    tell_place(told.to, move.to)
    told.apart, told.keeps_markers = move.apart, move.keeps_markers
    if move.old_handle and sees(move.traced_from, viewer):
        told.old_handle = move.old_handle
    if sees(move.traced_to, viewer):
        card = told.card
        card.handle, card.face_up = move.handle, move.face_up
        if move.bringer is not None:
            card.bringer = move.bringer
        if move.face is not None and sees(move.seers, viewer):
            card.face = f"{game}/{move.face}"
    elif move.face is not None and sees(move.knew, viewer):
        told.face = f"{game}/{move.face}"


def _deck_shuffled(
    told: event_pb2.DeckShuffled,
    event: happened.DeckShuffled,
    viewer: Viewer,
    game: str,
) -> None:
    tell_place(told.deck, event.deck)
    told.count = event.size


def _cards_mixed(
    told: event_pb2.CardsMixed, event: happened.CardsMixed, viewer: Viewer, game: str
) -> None:
    tell_place(told.place, event.place)
    told.handles.extend(event.handles)


def _turned_up(
    told: event_pb2.CardsTurnedUp,
    event: happened.CardsTurnedUp,
    viewer: Viewer,
    game: str,
) -> None:
    for card in event.cards:
        _card_shown(told.cards.add(), card, viewer, game)


def _peeked(
    told: event_pb2.CardsPeeked, event: happened.CardsPeeked, viewer: Viewer, game: str
) -> None:
    told.seat = event.seat
    for card in event.cards:
        _card_shown(told.cards.add(), card, viewer, game)


def _card_shown(
    told: event_pb2.CardShown, card: happened.CardShown, viewer: Viewer, game: str
) -> None:
    tell_place(told.place, card.place)
    if sees(card.traced, viewer):
        told.handle = card.handle
    if card.face is not None and sees(card.seers, viewer):
        told.face = f"{game}/{card.face}"


def _rolled(
    told: event_pb2.Rolled, event: happened.Rolled, viewer: Viewer, game: str
) -> None:
    told.name, told.sides = event.name, event.sides
    told.numbers.extend(event.numbers)


def _counter_set(
    told: event_pb2.CounterSet, event: happened.CounterSet, viewer: Viewer, game: str
) -> None:
    tell_counter(told.counter, event.name, event.seat, event.value)


def _marker_put(
    told: event_pb2.MarkerPut, event: happened.MarkerPut, viewer: Viewer, game: str
) -> None:
    tell_marker(told.marker, event.name, event.on, event.value)


def _markers_put(
    told: event_pb2.MarkersPut, event: happened.MarkersPut, viewer: Viewer, game: str
) -> None:
    for on, value in event.marks:
        tell_marker(told.markers.add(), event.name, on, value)


def _marker_taken(
    told: event_pb2.MarkerTaken, event: happened.MarkerTaken, viewer: Viewer, game: str
) -> None:
    told.name, told.on = event.name, event.on


def _declared(
    told: event_pb2.Declared, event: happened.Declared, viewer: Viewer, game: str
) -> None:
    told.name = event.name
    if event.seat is not None:
        told.seat = event.seat
    if event.number is not None:
        told.number = event.number
    told.cards.extend(event.cards)
    told.words.extend(event.words)
    for one in event.places:
        name, seat = parted(one)
        told.places.add(name=name, seat=seat)


def _questions_asked(
    told: event_pb2.QuestionsAsked, event: happened.Asked, viewer: Viewer, game: str
) -> None:
    asking = event.asking
    for seat in asking.asked:
        tell_asked(told.asked.add(), asking, seat)
    if viewer is not None and viewer in asking.asked:
        tell_question(told.question, asking, viewer)


def _questions_answered(
    told: event_pb2.QuestionsAnswered,
    event: happened.Answered,
    viewer: Viewer,
    game: str,
) -> None:
    told.seats.extend(event.seats)
    told.by_default.extend(event.by_default)


def _seat_alone(
    told: Any,
    event: happened.Conceded | happened.SeatAway | happened.SeatBack,
    viewer: Viewer,
    game: str,
) -> None:
    told.seat = event.seat


def _stood_in(
    told: event_pb2.StoodIn, event: happened.StoodIn, viewer: Viewer, game: str
) -> None:
    told.seat, told.name = event.seat, event.name


def _bank_drawn(
    told: event_pb2.BankDrawn, event: happened.BankDrawn, viewer: Viewer, game: str
) -> None:
    told.seat = event.seat
    tell_span(told.left, event.left)


def _clock_moved(
    told: event_pb2.ClockMoved, event: happened.ClockMoved, viewer: Viewer, game: str
) -> None:
    told.by.FromMilliseconds(event.milliseconds)
    banked = dict(event.banked)
    for seat, at in event.deadlines:
        asked = told.asked.add(seat=seat)
        tell_time(asked, "deadline", at)
        tell_time(asked, "bank_from", banked.get(seat))


def _ended(
    told: event_pb2.Ended, event: happened.Ended, viewer: Viewer, game: str
) -> None:
    tell_outcome(told.outcome, event.outcome)


_EVENTS: dict[type, tuple[str, Callable[[Any, Any, Viewer, str], None]]] = {
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
    happened.Conceded: ("conceded", _seat_alone),
    happened.SeatAway: ("seat_away", _seat_alone),
    happened.StoodIn: ("stood_in", _stood_in),
    happened.SeatBack: ("seat_back", _seat_alone),
    happened.BankDrawn: ("bank_drawn", _bank_drawn),
    happened.ClockMoved: ("clock_moved", _clock_moved),
    happened.Ended: ("ended", _ended),
}
