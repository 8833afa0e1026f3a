"""The numbers and handles of one batch, drawn without bias from the batch's key. Pure.

Two streams that know nothing of one another: numbers never shift because a handle was
given, nor handles because a die was thrown.
"""

import hmac
import struct
from collections.abc import Iterator
from itertools import count
from typing import Protocol, TypeVar

T = TypeVar("T")

_WORDS = struct.Struct(">8I")
_SPAN = 2**32
HANDLE_LENGTH = 12


class Source(Protocol):
    """Where operations get their chance from."""

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound`, all alike."""

    def shuffle(self, cards: list[T]) -> None:
        """Bring cards into an order of which all are alike."""

    def sample(self, total: int, number: int) -> tuple[int, ...]:
        """Different numbers below `total`, in the order drawn."""

    def handle(self) -> str:
        """A handle that means nothing."""


class Chance:
    """One batch's source of chance: the same key gives the same, in the same order."""

    __slots__ = ("_handles", "_words")

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)
        self._handles = _handles(key)

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound` (1 to 2**32), all alike."""
        limit = _SPAN - _SPAN % bound
        for word in self._words:
            if word < limit:
                return word % bound
        raise AssertionError  # the stream has no end

    def shuffle(self, cards: list[T]) -> None:
        """Bring cards into an order of which all are alike (Fisher and Yates)."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def sample(self, total: int, number: int) -> tuple[int, ...]:
        """Different numbers below `total`, in the order drawn."""
        lots = list(range(total))
        for drawn in range(number):
            other = drawn + self.below(total - drawn)
            lots[drawn], lots[other] = lots[other], lots[drawn]
        return tuple(lots[:number])

    def handle(self) -> str:
        """The next handle: twelve hex digits that mean nothing."""
        return next(self._handles)


def _words(key: bytes) -> Iterator[int]:
    """Eight big-endian 32-bit numbers from each block."""
    for number in count():
        yield from _WORDS.unpack(_block(key, b"anpai/draw", number))


def _handles(key: bytes) -> Iterator[str]:
    """Five handles from each block: its first 30 bytes, in hex, cut in pieces."""
    for number in count():
        text = _block(key, b"anpai/handle", number).hex()
        for start in range(0, 60, HANDLE_LENGTH):
            yield text[start : start + HANDLE_LENGTH]


def _block(key: bytes, label: bytes, number: int) -> bytes:
    return hmac.digest(key, label + number.to_bytes(4, "big"), "sha256")
