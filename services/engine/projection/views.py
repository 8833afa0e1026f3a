"""The table as one viewer may see it."""

from anpai.engine.v1 import table_pb2
from services.engine.kernel.places import Card, Place
from services.engine.kernel.play import Play
from services.engine.kernel.sight import sees
from services.engine.projection.nouns import (
    Viewer,
    tell_counter,
    tell_marker,
    tell_outcome,
    tell_place,
    tell_span,
)
from services.engine.projection.questions import tell_asked, tell_question
from services.engine.projection.spectating import spectating


def view_for(play: Play, viewer: Viewer) -> table_pb2.View:
    """The table as a viewer may see it now."""
    opening, table = play.opening, play.table
    view = table_pb2.View(
        table_id=opening.table,
        game=opening.game,
        variant=opening.variant,
        rules_version=opening.rules_version,
        revision=play.revision,
        commitment=opening.commitment,
        viewer=viewer,
    )
    for seat in table.seats:
        _tell_seat(view.seats.add(), play, seat)
    for place in table.places():
        _tell_lying(view.places.add(), play, place, viewer)
    for counter, value in table.counters.items():
        tell_counter(view.counters.add(), *counter, value)
    for marker, mark in table.markers.items():
        tell_marker(view.markers.add(), *marker, mark)
    for bank in play.banks:
        tell_span(view.banks.add(), bank)
    view.spectating = spectating(opening.spectators)
    view.spectators_behind = max(0, opening.spectators)
    _tell_questions(view, play, viewer)
    if play.outcome is not None:
        tell_outcome(view.outcome, play.outcome)
    return view


def _tell_seat(told: table_pb2.Seat, play: Play, seat: int) -> None:
    opening, sitter = play.opening, play.sitters.get(seat)
    told.number, told.conceded = seat, seat in play.conceded
    if sitter is None:
        told.name = opening.names[seat] if opening.names else ""
        told.bot = bool(opening.bots) and opening.bots[seat]
        return
    told.name, told.bot, told.taken = sitter.name, sitter.bot, True
    told.nonce = sitter.nonce
    told.away = seat in play.away
    if stand_in := play.away.get(seat):
        told.stand_in = stand_in.name


def _tell_lying(
    told: table_pb2.PlaceView, play: Play, place: Place, viewer: Viewer
) -> None:
    table = play.table
    cards = [c for c in table.cards(place) if sees(table.traced(c), viewer)]
    if not table.sight(place).apart:  # their order says nothing, so it has none
        cards.sort(key=lambda card: card.handle)
    tell_place(told.place, place)
    told.count, told.apart = table.count(place), table.sight(place).apart
    for card in cards:
        _tell_card(told.cards.add(), play, card, viewer)


def _tell_card(told: table_pb2.Card, play: Play, card: Card, viewer: Viewer) -> None:
    told.handle, told.face_up = card.handle, card.face_up
    if card.face is not None and sees(play.table.seers(card), viewer):
        told.face = f"{play.game.name}/{card.face}"
    if card.bringer is not None:
        told.bringer = card.bringer


def _tell_questions(view: table_pb2.View, play: Play, viewer: Viewer) -> None:
    """A secret question lists all it was put to until it settles."""
    asking = play.asking
    if asking is None:
        return
    waiting = asking.asked if asking.secret else play.open_seats
    for seat in asking.asked:
        if seat in waiting:
            tell_asked(view.asked.add(), asking, seat)
    if viewer is not None and play.question(viewer) is not None:
        tell_question(view.question, asking, viewer)
