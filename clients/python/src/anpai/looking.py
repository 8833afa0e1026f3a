"""Finding things in a view, or in a list of games; nothing that is not told there."""

from collections.abc import Iterator

from anpai.engine.v1.catalog_pb2 import GameInfo, Variant
from anpai.engine.v1.table_pb2 import Card, PlaceView, View


def place_in(view: View, name: str, seat: int | None = None) -> PlaceView:
    """What lies in a place; an empty one where it was never used."""
    for known in view.places:
        owner = known.place.seat if known.place.HasField("seat") else None
        if known.place.name == name and owner == seat:
            return known
    empty = PlaceView()
    empty.place.name = name
    if seat is not None:
        empty.place.seat = seat
    return empty


def cards_in(view: View, name: str, seat: int | None = None) -> list[Card]:
    """The cards of a place that the viewer can tell apart, in order."""
    return list(place_in(view, name, seat).cards)


def card_in(view: View, handle: str) -> Card | None:
    """The card that has this handle now, if the viewer can tell it apart."""
    found = place_of(view, handle)
    return None if found is None else found[1]


def place_of(view: View, handle: str) -> tuple[PlaceView, Card] | None:
    """Where the card with this handle lies, and the card."""
    for place in view.places:
        for card in place.cards:
            if card.handle == handle:
                return place, card
    return None


def counter_in(view: View, name: str, seat: int | None = None) -> int:
    """Where a counter stands; 0 where it never was set."""
    for counter in view.counters:
        owner = counter.seat if counter.HasField("seat") else None
        if counter.name == name and owner == seat:
            return counter.value
    return 0


def markers_on(view: View, on: str) -> Iterator[tuple[str, str]]:
    """Name and value of each marker lying on something: a handle, a place, a seat."""
    for marker in view.markers:
        if marker.on == on:
            yield marker.name, marker.value


def variant_in(game: GameInfo, name: str = "") -> Variant | None:
    """The variant of this name; the usual one for "", None where there is no such."""
    if not name:
        return game.variants[0]
    return next((one for one in game.variants if one.name == name), None)
