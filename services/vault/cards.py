"""The cards of a table: what is printed on each, and the handle it goes by. Pure.

Cards are numbered in the order in which decks are built. A card in a deck has no
handle.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from services.vault.chance import Source
from services.vault.grants import Grants
from services.vault.refusal import OperationRefused


class Dealt(NamedTuple):
    """A card as the vault names it: its handle; its face if any seat may see it."""

    handle: str
    face: str | None


class Cards:
    """Faces, handles and grants of one table's cards.

    `reface` gives cards (by number) another face than the deck was built with, and
    changes nothing else: the laws use it to deal anew what a seat cannot know.
    """

    __slots__ = ("_by_handle", "_faces", "_given", "_grants", "_reface")

    def __init__(self, reface: Mapping[int, str] | None = None) -> None:
        self._faces: list[str] = []
        self._by_handle: dict[str, int] = {}
        self._given: set[str] = set()
        self._grants = Grants()
        self._reface = reface or {}

    def make(self, faces: Sequence[str]) -> list[int]:
        """New cards with these faces; their numbers."""
        first = len(self._faces)
        for number, face in enumerate(faces, first):
            self._faces.append(self._reface.get(number, face))
        return list(range(first, len(self._faces)))

    def face(self, card: int) -> str:
        """What is printed on a card."""
        return self._faces[card]

    def number(self, handle: str) -> int:
        """The card that goes by a handle."""
        try:
            return self._by_handle[handle]
        except KeyError:
            raise OperationRefused(f"no card goes by {handle[:40]!r}") from None

    def name(
        self, cards: Iterable[int], seats: Sequence[int], chance: Source
    ) -> tuple[Dealt, ...]:
        """Give cards handles nobody has heard before; `seats` know them."""
        return tuple([self._name(card, seats, chance) for card in cards])

    def forget(self, handles: Sequence[str]) -> list[int]:
        """End handles; the cards that went by them."""
        cards = [self.number(handle) for handle in handles]
        for handle in handles:
            if self._by_handle.pop(handle, None) is None:
                raise OperationRefused(f"{handle!r} is named twice")
            self._grants.end(handle)
        return cards

    def show(self, handles: Sequence[str], seats: Sequence[int]) -> tuple[Dealt, ...]:
        """Let seats see cards; handles stay."""
        for handle in handles:
            self.number(handle)
            self._grants.grant(handle, seats)
        return tuple(self._dealt(handle) for handle in handles)

    def _name(self, card: int, seats: Sequence[int], chance: Source) -> Dealt:
        handle = chance.handle()
        while handle in self._given:
            handle = chance.handle()
        self._given.add(handle)
        self._by_handle[handle] = card
        self._grants.begin(handle, seats)
        return Dealt(handle, self._faces[card] if seats else None)

    def _dealt(self, handle: str) -> Dealt:
        seen = self._grants.any(handle)
        face = self._faces[self._by_handle[handle]] if seen else None
        return Dealt(handle, face)
