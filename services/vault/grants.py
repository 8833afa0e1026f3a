"""Who may see the face of a card, by the handle it goes by. Pure.

Denied by default: a handle nobody was granted shows no face to anybody, and a card that
gets a new handle begins anew.
"""

from collections.abc import Iterable


class Grants:
    """The grants of one table: handle -> seats, of which -1 is all and the public."""

    __slots__ = ("_seats",)

    def __init__(self) -> None:
        self._seats: dict[str, frozenset[int]] = {}

    def begin(self, handle: str, seats: Iterable[int]) -> None:
        """A new handle, seen by these seats."""
        self._seats[handle] = frozenset(seats)

    def grant(self, handle: str, seats: Iterable[int]) -> None:
        """Let these seats see it too, from now on."""
        self._seats[handle] = self.seats(handle).union(seats)

    def end(self, handle: str) -> None:
        """A handle that goes takes its grants along."""
        self._seats.pop(handle, None)

    def seats(self, handle: str) -> frozenset[int]:
        """Who may see it."""
        return self._seats.get(handle, _NOBODY)

    def any(self, handle: str) -> bool:
        """Whether anybody may."""
        return bool(self._seats.get(handle))


_NOBODY: frozenset[int] = frozenset()
