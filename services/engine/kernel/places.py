"""Places, and the cards that lie in them."""

from functools import cache
from typing import NamedTuple

from services.engine.kernel.sight import Seers


class Place(NamedTuple):
    """Where cards lie: a name that the sight table knows, and whose it is, if any's."""

    name: str
    seat: int | None = None

    @property
    def id(self) -> str:
        """`name` or `name:seat`, as contract and journal write it."""
        return _place_id(self)


@cache
def _place_id(place: Place) -> str:
    return place.name if place.seat is None else f"{place.name}:{place.seat}"


class Card:
    """A physical card at the table, as the referee knows it.

    `face` is the catalogue's id without the game, None while nobody at the table knows
    it. `handle` is its name outside and changes when it goes out of somebody's sight.
    Rules read cards; only the table's verbs change them.
    """

    __slots__ = ("bringer", "face", "face_up", "granted", "handle", "place", "seers")

    def __init__(self, handle: str, face: str | None, place: Place) -> None:
        self.handle = handle
        self.face = face
        self.place = place
        self.face_up = False
        self.bringer: int | None = None
        self.granted = Seers(0)
        self.seers = Seers(0)

    def __repr__(self) -> str:  # a handle only: a log line holds no face
        return f"Card({self.handle})"
