"""Who is at a table: the streams of each player, and since when there are none."""

from collections.abc import Callable
from time import monotonic

from services.engine.watching import Watcher


class Presence:
    """Counted anew where the table comes to another worker."""

    def __init__(self) -> None:
        self._came = monotonic()
        self._seen: dict[str, float] = {}
        self._streams: dict[str, set[Watcher]] = {}

    def is_here(self, player: str) -> bool:
        """Whether a stream of the player's is open."""
        return player in self._streams

    def streams_of(self, player: str) -> tuple[Watcher, ...]:
        return tuple(self._streams.get(player, ()))

    def gone_for(self, player: str) -> float:
        """For how many seconds nothing was seen of them; 0 while a stream is open."""
        if player in self._streams:
            return 0.0
        return monotonic() - self._seen.get(player, self._came)

    def has_others(self, seat_of: Callable[[str], int | None]) -> bool:
        """Whether somebody looks on who has no seat."""
        return any(seat_of(player) is None for player in self._streams)

    def touch(self, player: str) -> None:
        """They have called, if only once."""
        self._seen[player] = monotonic()

    def come(self, player: str, stream: Watcher) -> None:
        self._streams.setdefault(player, set()).add(stream)

    def go(self, player: str, stream: Watcher) -> None:
        streams = self._streams[player]
        streams.discard(stream)
        if not streams:
            del self._streams[player]
