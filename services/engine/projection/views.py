"""The table as one viewer may see it."""

from anpai.engine.v1 import table_pb2
from services.engine.kernel.places import Card, Place
from services.engine.kernel.play import Play
from services.engine.kernel.sight import sees
from services.engine.projection.nouns import (
    Viewer,
    told_counter,
    told_face,
    told_marker,
    told_outcome,
    told_place,
    told_span,
)
from services.engine.projection.questions import asked, question_for


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
        seats=[told_seat(play, seat) for seat in table.seats],
        places=[_place_view(play, place, viewer) for place in table.places()],
        counters=[told_counter(*key, value) for key, value in table.counters.items()],
        markers=[told_marker(*key, value) for key, value in table.markers.items()],
        asked=_still_asked(play),
        banks=map(told_span, play.banks),
    )
    if viewer is not None and play.question(viewer) is not None:
        assert play.asking is not None
        view.question.CopyFrom(question_for(play.asking, viewer))
    if play.outcome is not None:
        view.outcome.CopyFrom(told_outcome(play.outcome))
    return view


def told_seat(play: Play, seat: int) -> table_pb2.Seat:
    opening, sitter = play.opening, play.sitters.get(seat)
    if sitter is None:
        return table_pb2.Seat(
            number=seat,
            name=opening.names[seat] if opening.names else "",
            bot=bool(opening.bots) and opening.bots[seat],
            conceded=seat in play.conceded,
        )
    stand_in = play.away.get(seat)
    return table_pb2.Seat(
        number=seat,
        name=sitter.name,
        bot=sitter.bot,
        taken=True,
        conceded=seat in play.conceded,
        nonce=sitter.nonce,
        away=seat in play.away,
        stand_in=stand_in.name if stand_in else "",
    )


def _place_view(play: Play, place: Place, viewer: Viewer) -> table_pb2.PlaceView:
    table = play.table
    cards = [c for c in table.cards(place) if sees(table.traced(c), viewer)]
    if not table.sight(place).apart:  # their order says nothing, so it has none
        cards.sort(key=lambda card: card.handle)
    return table_pb2.PlaceView(
        place=told_place(place),
        count=table.count(place),
        apart=table.sight(place).apart,
        cards=[_card_in_view(play, card, viewer) for card in cards],
    )


def _card_in_view(play: Play, card: Card, viewer: Viewer) -> table_pb2.Card:
    return table_pb2.Card(
        handle=card.handle,
        face=told_face(
            play.game.name, card.face if sees(play.table.seers(card), viewer) else None
        ),
        face_up=card.face_up,
        bringer=card.bringer,
    )


def _still_asked(play: Play) -> list[table_pb2.Asked]:
    """A secret question lists all it was put to until it settles."""
    asking = play.asking
    if asking is None:
        return []
    waiting = asking.asked if asking.secret else play.open_seats
    return [one for one in asked(asking) if one.seat in waiting]
