"""Small messages that views and events share."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from anpai.engine.v1 import table_pb2
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.places import Place

Viewer = int | None


def told_place(place: Place) -> table_pb2.Place:
    return table_pb2.Place(name=place.name, seat=place.seat)


def told_face(game: str, face: str | None) -> str | None:
    return None if face is None else f"{game}/{face}"


def told_counter(name: str, seat: int | None, value: int) -> table_pb2.Counter:
    return table_pb2.Counter(name=name, seat=seat, value=value)


def told_marker(name: str, on: str, value: str) -> table_pb2.Marker:
    return table_pb2.Marker(name=name, on=on, value=value)


def told_outcome(outcome: Outcome) -> table_pb2.Outcome:
    return table_pb2.Outcome(
        ranks=outcome.ranks, scores=outcome.scores, reason=outcome.reason
    )


def told_time(milliseconds: int | None) -> Timestamp | None:
    if not milliseconds:
        return None
    return Timestamp(
        seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000
    )


def told_span(milliseconds: int) -> Duration:
    return Duration(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def parted(place: str) -> tuple[str, int | None]:
    name, _, seat = place.partition(":")
    return name, int(seat) if seat else None
