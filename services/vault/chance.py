"""The numbers and handles of one batch, drawn without bias from the batch's key. Pure.

Two streams that know nothing of one another: numbers never shift because a handle was
given, nor handles because a die was thrown.
"""

import struct
from collections.abc import Iterator
from itertools import count
from typing import Protocol, TypeVar

from services.vault.chain import keyed

T = TypeVar("T")

_WORDS = struct.Struct(">8I")
_SPAN = 2**32


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

    __slots__ = ("_handles", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._words: Iterator[int] | None = None
        self._handles: Iterator[str] | None = None

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound` (1 to 2**32), all alike."""
        if self._words is None:
            self._words = _words(self._key)
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
        if self._handles is None:
            self._handles = _handles(self._key)
        return next(self._handles)


def _words(key: bytes) -> Iterator[int]:
    """Eight big-endian 32-bit numbers from each block."""
    for number in count():
        yield from _WORDS.unpack(_block(key, b"anpai/draw", number))


def _handles(key: bytes) -> Iterator[str]:
    """Five handles from each block: its first 30 bytes, in hex, cut in pieces."""
    for number in count():
        text = _block(key, b"anpai/handle", number).hex()
        yield text[:12]
        yield text[12:24]
        yield text[24:36]
        yield text[36:48]
        yield text[48:60]


def _block(key: bytes, label: bytes, number: int) -> bytes:
    return keyed(key, label + number.to_bytes(4, "big"))
