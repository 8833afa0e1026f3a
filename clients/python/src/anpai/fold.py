"""View × Event → View: what a viewer knows after an event. Pure.

`fold` never changes the view it is given. What it returns is, byte for byte, the view
that `GetView` gives at that revision; the tests hold it to that. Lists keep the order
in which things were first put there; a thing that changes keeps its place in its list.
"""

from collections.abc import Callable
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from anpai.engine.v1 import event_pb2 as happened
from anpai.engine.v1.engine_service_pb2 import TableUpdate
from anpai.engine.v1.table_pb2 import Card, Marker, Place, PlaceView, View


def fold(view: View, event: happened.Event) -> View:
    """The view after an event. A verb this release does not know changes nothing."""
    after = View()
    after.CopyFrom(view)
    fold_into(after, event)
    return after


def fold_into(view: View, event: happened.Event) -> None:
    """The same, changing the view itself: for those who keep no other."""
    verb = event.WhichOneof("verb")
    if verb is not None and verb in _VERBS:
        _VERBS[verb](view, getattr(event, verb))
    view.revision = event.revision


def fold_update(view: View, update: TableUpdate) -> View:
    """The view after one step of watching: a new view, events, or a heartbeat."""
    if update.HasField("view"):
        return update.view
    if not update.HasField("events"):
        return view
    after = View()
    after.CopyFrom(view)
    for event in update.events.events:
        fold_into(after, event)
    return after


# ---- the verbs, in the order of the contract -----------------------------------------


def _seat_taken(view: View, verb: happened.SeatTaken) -> None:
    view.seats[verb.seat.number].CopyFrom(verb.seat)


def _deck_built(view: View, verb: happened.DeckBuilt) -> None:
    _lying(view, verb.deck).count = verb.count


def _cards_moved(view: View, verb: happened.CardsMoved) -> None:
    for move in verb.moves:
        _take_away(view, move)
        _lay_down(view, move)


def _take_away(view: View, move: happened.CardMove) -> None:
    origin = _lying(view, getattr(move, "from"))
    origin.count -= 1
    if not move.HasField("old_handle"):
        return
    card = _find(origin, move.old_handle)
    if card is not None:
        origin.cards.remove(card)
    if not move.keeps_markers:
        _strip(view, move.old_handle)


def _lay_down(view: View, move: happened.CardMove) -> None:
    target = _lying(view, move.to)
    target.count += 1
    target.apart = move.apart
    if move.HasField("card"):
        target.cards.append(move.card)
        _arrange(target)


def _deck_shuffled(view: View, verb: happened.DeckShuffled) -> None:
    _lying(view, verb.deck).count = verb.count


def _cards_mixed(view: View, verb: happened.CardsMixed) -> None:
    place = _lying(view, verb.place)
    for card in place.cards:
        _strip(view, card.handle)
    del place.cards[:]
    place.cards.extend(Card(handle=handle) for handle in verb.handles)
    _arrange(place)


def _cards_turned_up(view: View, verb: happened.CardsTurnedUp) -> None:
    for shown in verb.cards:
        if shown.HasField("handle"):
            _turn_up(_lying(view, shown.place), shown)


def _turn_up(place: PlaceView, shown: happened.CardShown) -> None:
    card = _find(place, shown.handle)
    if card is None:  # one of several alike until now
        card = place.cards.add(handle=shown.handle)
    card.face_up = True
    if shown.HasField("face"):
        card.face = shown.face
    _arrange(place)


def _cards_peeked(view: View, verb: happened.CardsPeeked) -> None:
    for shown in verb.cards:
        place = _lying(view, shown.place)
        card = _find(place, shown.handle) if shown.HasField("handle") else None
        if card is not None and shown.HasField("face"):
            card.face = shown.face


def _nothing_to_see(view: View, verb: Any) -> None:
    """Dice and words are heard, not kept."""


def _counter_set(view: View, verb: happened.CounterSet) -> None:
    told = verb.counter
    for counter in view.counters:
        if counter.name == told.name and _owner(counter) == _owner(told):
            counter.value = told.value
            return
    view.counters.append(told)


def _marker_put(view: View, verb: happened.MarkerPut) -> None:
    _lay_marker(view, verb.marker)


def _markers_put(view: View, verb: happened.MarkersPut) -> None:
    for told in verb.markers:
        _lay_marker(view, told)


def _lay_marker(view: View, told: Marker) -> None:
    for marker in view.markers:
        if marker.name == told.name and marker.on == told.on:
            marker.value = told.value
            return
    view.markers.append(told)


def _marker_taken(view: View, verb: happened.MarkerTaken) -> None:
    for index, marker in enumerate(view.markers):
        if marker.name == verb.name and marker.on == verb.on:
            del view.markers[index]
            return


def _questions_asked(view: View, verb: happened.QuestionsAsked) -> None:
    del view.asked[:]
    view.asked.extend(verb.asked)
    view.ClearField("question")
    if verb.HasField("question"):
        view.question.CopyFrom(verb.question)


def _questions_answered(view: View, verb: happened.QuestionsAnswered) -> None:
    done = set(verb.seats)
    waiting = [asked for asked in view.asked if asked.seat not in done]
    del view.asked[:]
    view.asked.extend(waiting)
    if _is_viewer(view, done):
        view.ClearField("question")


def _conceded(view: View, verb: happened.Conceded) -> None:
    view.seats[verb.seat].conceded = True
    if _is_viewer(view, {verb.seat}):
        view.ClearField("question")


def _clock_moved(view: View, verb: happened.ClockMoved) -> None:
    del view.asked[:]
    view.asked.extend(verb.asked)
    if view.HasField("question"):
        for name in ("deadline", "hold_until"):
            if view.question.HasField(name):
                _later(getattr(view.question, name), verb)


def _seat_away(view: View, verb: happened.SeatAway) -> None:
    view.seats[verb.seat].away = True


def _stood_in(view: View, verb: happened.StoodIn) -> None:
    view.seats[verb.seat].stand_in = verb.name


def _seat_back(view: View, verb: happened.SeatBack) -> None:
    view.seats[verb.seat].ClearField("away")
    view.seats[verb.seat].ClearField("stand_in")


def _bank_drawn(view: View, verb: happened.BankDrawn) -> None:
    view.banks[verb.seat].CopyFrom(verb.left)


def _ended(view: View, verb: happened.Ended) -> None:
    view.outcome.CopyFrom(verb.outcome)
    del view.asked[:]
    view.ClearField("question")


_VERBS: dict[str, Callable[[View, Any], None]] = {
    "seat_taken": _seat_taken,
    "deck_built": _deck_built,
    "cards_moved": _cards_moved,
    "deck_shuffled": _deck_shuffled,
    "cards_mixed": _cards_mixed,
    "cards_turned_up": _cards_turned_up,
    "cards_peeked": _cards_peeked,
    "rolled": _nothing_to_see,
    "counter_set": _counter_set,
    "marker_put": _marker_put,
    "markers_put": _markers_put,
    "marker_taken": _marker_taken,
    "declared": _nothing_to_see,
    "questions_asked": _questions_asked,
    "questions_answered": _questions_answered,
    "conceded": _conceded,
    "seat_away": _seat_away,
    "stood_in": _stood_in,
    "seat_back": _seat_back,
    "bank_drawn": _bank_drawn,
    "clock_moved": _clock_moved,
    "ended": _ended,
}


# ---- finding things ------------------------------------------------------------------


def _lying(view: View, place: Place) -> PlaceView:
    """What lies in a place; one not used before comes last."""
    for known in view.places:
        if known.place == place:
            return known
    return view.places.add(place=place)


def _find(place: PlaceView, handle: str) -> Card | None:
    return next((card for card in place.cards if card.handle == handle), None)


def _arrange(place: PlaceView) -> None:
    """In a hand the order means nothing: cards stand by handle."""
    if not place.apart:
        place.cards.sort(key=_handle)


def _handle(card: Card) -> str:
    return card.handle


def _strip(view: View, handle: str) -> None:
    """Markers fall off a card that leaves the table."""
    for index in reversed(range(len(view.markers))):
        if view.markers[index].on == handle:
            del view.markers[index]


def _owner(counter: Any) -> int | None:
    return counter.seat if counter.HasField("seat") else None


def _is_viewer(view: View, seats: set[int]) -> bool:
    return view.HasField("viewer") and view.viewer in seats


def _later(time: Timestamp, verb: happened.ClockMoved) -> None:
    time.FromNanoseconds(time.ToNanoseconds() + verb.by.ToNanoseconds())
