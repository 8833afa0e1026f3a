"""Decks: who lies where in them only the vault knows. Pure.

A deck is a list of card numbers whose last one lies on top.
"""

from collections.abc import Callable, Sequence

from services.vault.chance import Source
from services.vault.refusal import OperationRefused

Card = int


class Decks:
    """The decks of one table, by name."""

    __slots__ = ("_decks",)

    def __init__(self) -> None:
        self._decks: dict[str, list[Card]] = {}

    def build(self, name: str, cards: list[Card], chance: Source) -> None:
        """A deck of these cards, shuffled: a new one, or one that has run empty."""
        if self._decks.get(name):
            raise OperationRefused(f"there are cards in {name} already")
        self._decks[name] = cards
        chance.shuffle(cards)

    def draw(self, name: str, number: int) -> list[Card]:
        """Cards from the top, the topmost first."""
        deck = self._deck(name)
        if not 0 <= number <= len(deck):
            raise OperationRefused(f"{name} has {len(deck)} cards, not {number}")
        return [deck.pop() for _ in range(number)]

    def find(self, name: str, number: int, fits: Callable[[Card], bool]) -> list[Card]:
        """Up to `number` cards that fit, from the top; the others stay as they lie."""
        deck = self._deck(name)
        found = [card for card in reversed(deck) if fits(card)][:number]
        taken = set(found)
        deck[:] = [card for card in deck if card not in taken]
        return found

    def shuffle(self, name: str, cards: Sequence[Card], chance: Source) -> None:
        """Put cards in and shuffle all."""
        deck = self._deck(name)
        deck.extend(cards)
        chance.shuffle(deck)

    def stack(self, name: str, cards: Sequence[Card], *, under: bool) -> None:
        """Lay cards on a deck, or under it; the first one comes to lie outermost."""
        deck = self._deck(name)
        if under:
            deck[:0] = cards
        else:
            deck.extend(reversed(cards))

    def _deck(self, name: str) -> list[Card]:
        try:
            return self._decks[name]
        except KeyError:
            raise OperationRefused(f"there is no deck {name}") from None
