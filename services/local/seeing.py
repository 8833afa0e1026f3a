"""What a seat sees: the very view the engine would send it, and what that tells."""

from collections.abc import Iterator

from anpai.engine.v1.table_pb2 import PlaceView, View
from services.engine.kernel.places import Place
from services.engine.projection import Viewer, view_for
from services.local.position import Lain, Position
from services.local.table import LocalTable


def view_of(table: LocalTable, viewer: Viewer) -> View:
    """The table as a seat may see it now; None for the public."""
    return view_for(table.play, viewer)


def position_of(view: View) -> Position:
    """What a view tells of its table."""
    assert view.HasField("viewer")
    told = [(_place(one), one) for one in view.places]
    return Position(
        game=view.game,
        variant=view.variant,
        seats=len(view.seats),
        viewer=view.viewer,
        cards=tuple([card for place, one in told for card in _cards(place, one)]),
        hidden={place: one.count - len(one.cards) for place, one in told},
        counters={
            (one.name, one.seat if one.HasField("seat") else None): one.value
            for one in view.counters
        },
        markers={(one.name, one.on): one.value for one in view.markers},
    )


def _place(one: PlaceView) -> Place:
    seat = one.place.seat if one.place.HasField("seat") else None
    return Place(one.place.name, seat)


def _cards(place: Place, one: PlaceView) -> Iterator[Lain]:
    for card in one.cards:
        face = card.face.partition("/")[2]
        bringer = card.bringer if card.HasField("bringer") else None
        yield Lain(card.handle, face, place, card.face_up, bringer)
