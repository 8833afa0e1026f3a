"""Every message a client is sent, as the bytes it came in, before anybody reads it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from anpai import House


class Sent(NamedTuple):
    """One message from a server."""

    path: str
    raw: bytes
    message: Any


@dataclass
class Tap:
    """What one client was sent, in order."""

    sent: list[Sent] = field(default_factory=list)

    def reading(self, path: str, read: Callable[[bytes], Any]) -> Callable[..., Any]:
        def read_and_keep(raw: bytes) -> Any:
            message = read(raw)
            self.sent.append(Sent(path, raw, message))
            return message

        return read_and_keep


SHAPES = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")


class TappedChannel:
    """A channel all of whose replies pass the tap."""

    def __init__(self, channel: Any, tap: Tap) -> None:
        self._channel = channel
        self._tap = tap

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._channel, name)
        if name not in SHAPES:
            return real

        def method(path: str, **how: Any) -> Any:
            how["response_deserializer"] = self._tap.reading(
                path, how["response_deserializer"]
            )
            return real(path, **how)

        return method


def tapped(house: House) -> Tap:
    """The tap of a house that has not been used yet."""
    tap, channels = Tap(), house._services.wire.channels
    dial = channels._dial
    channels._dial = lambda address: TappedChannel(dial(address), tap)  # type: ignore
    return tap
