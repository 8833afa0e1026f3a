"""One event between two views, and how what it is about is called in a sentence."""

from collections.abc import Iterable

from anpai import CardMove, Place, View, place_of
from clients.terminal.screen.layout import seats_of
from clients.terminal.screen.reader import Reader

Sentences = list[str]


class Telling:
    """One event between two views."""

    def __init__(self, before: View, after: View, reader: Reader):
        self.before = before
        self.after = after
        self.reader = reader
        self.words = reader.words

    def seat(self, number: int) -> str:
        return self.reader.seat(self.after, number)

    def someone(self, number: int | None) -> str:
        """A seat, or who plays without one."""
        return self.words("board.automaton") if number is None else self.seat(number)

    def side(self, name: str, number: int | None) -> str:
        """Whoever shares a place, counter or event of this name with a seat."""
        if number is None:
            return self.someone(None)
        return self.reader.together(self.after, seats_of(self.after, name, number))

    def place(self, place: Place) -> str:
        return self.reader.place(self.after, place)

    def cards(self, faces: Iterable[str | None]) -> str:
        """Names of those that are known; the others counted."""
        known, hidden = [], 0
        for face in faces:
            if face:
                known.append(self.reader.face_name(face))
            else:
                hidden += 1
        return self.words.listed(counted(known) + self._hidden(hidden, bool(known)))

    def _hidden(self, number: int, besides: bool) -> list[str]:
        if number == 0:
            return []
        if number == 1:
            return [self.words("card.hidden" if besides else "card.one")]
        return [self.words("card.some", number=number)]

    def face_of(self, move: CardMove) -> str | None:
        """What the viewer knows of a moved card, from the move or from before."""
        if move.HasField("face"):
            return move.face
        if move.card.HasField("face"):
            return move.card.face
        found = place_of(self.before, move.old_handle) if move.old_handle else None
        return (found[1].face or None) if found else None


def counted(names: list[str]) -> list[str]:
    """Three of a kind as one name: Band of Brothers ×3."""
    numbers = {name: names.count(name) for name in names}
    return [
        f"{name} ×{number}" if number > 1 else name for name, number in numbers.items()
    ]
