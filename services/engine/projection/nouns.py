"""Small messages that views and events share.

Each is filled in where it stands: one put into another message is copied, and these are
made for every answer.
"""

from typing import Any

from google.protobuf.duration_pb2 import Duration

from anpai.engine.v1 import table_pb2
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.places import Place

Viewer = int | None


def tell_place(told: table_pb2.Place, place: Place) -> None:
    told.name = place.name
    if place.seat is not None:
        told.seat = place.seat


def tell_counter(
    told: table_pb2.Counter, name: str, seat: int | None, value: int
) -> None:
    told.name, told.value = name, value
    if seat is not None:
        told.seat = seat


def tell_marker(told: table_pb2.Marker, name: str, on: str, value: str) -> None:
    told.name, told.on, told.value = name, on, value


def tell_outcome(told: table_pb2.Outcome, outcome: Outcome) -> None:
    told.ranks.extend(outcome.ranks)
    told.scores.extend(outcome.scores)
    told.reason = outcome.reason


def tell_time(told: Any, field: str, milliseconds: int | None) -> None:
    """Set a time of a message, where there is one."""
    if milliseconds:
        time = getattr(told, field)
        time.seconds, rest = divmod(milliseconds, 1000)
        time.nanos = rest * 1_000_000


def tell_span(told: Duration, milliseconds: int) -> None:
    told.seconds, rest = divmod(milliseconds, 1000)
    told.nanos = rest * 1_000_000


def parted(place: str) -> tuple[str, int | None]:
    name, _, seat = place.partition(":")
    return name, int(seat) if seat else None
