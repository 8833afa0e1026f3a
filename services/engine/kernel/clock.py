"""Time as rules see it: seconds to answer, and a bank for each seat.

Nothing here reads a clock. Milliseconds come in with the drafts, were written down with
the entries, and a replay reads the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from services.engine.kernel.ask import Asking, Question


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds to answer, by question name; a seat's bank serves all its questions.

    A seat whose player has been away for `absent` seconds is played by a bot.
    """

    default: int = 60
    bank: int = 300
    absent: int = 60
    by_name: Mapping[str, int] = field(default_factory=dict)

    def seconds(self, name: str) -> int:
        """The seconds for a question of this name: never for its options."""
        return self.by_name.get(name, self.default)


class Clock:
    """A table's clock: when the open questions were asked, what each bank still has."""

    def __init__(self, clocks: Clocks, seats: int) -> None:
        self._clocks = clocks
        self._bank = [clocks.bank * 1000] * seats
        self._asked_at = 0

    def ask(
        self, asking: Asking, at: int, *, answered: Mapping[int, object], held: bool
    ) -> Asking:
        """The same questions with their deadlines; a held one also settles then."""
        self._asked_at = at
        until = at + asking.hold * 1000 if held else 0
        due = tuple(self._deadlines(asking, answered, until))
        banked = () if asking.secret else self._banked(due)
        return asking._replace(deadlines=due, held_until=until, banked=banked)

    @property
    def banks(self) -> tuple[int, ...]:
        """What each seat's bank still has, as it was last drawn on."""
        return tuple(self._bank)

    def spend(self, question: Question, at: int) -> int:
        """Take from a seat's bank what it used beyond the question's own clock: that
        many milliseconds."""
        over = at - self._asked_at - self._clocks.seconds(question.name) * 1000
        drawn = min(max(0, over), self._bank[question.seat])
        self._bank[question.seat] -= drawn
        return drawn

    def move(self, asking: Asking, by: int) -> Asking:
        """The same questions, due later: nobody was there to be answered."""
        self._asked_at += by
        due = tuple((seat, at + by) for seat, at in asking.deadlines)
        banked = tuple((seat, at + by) for seat, at in asking.banked)
        until = asking.held_until + by if asking.held_until else 0
        return asking._replace(deadlines=due, held_until=until, banked=banked)

    def _banked(self, due: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        bank = self._bank
        return tuple((seat, at - bank[seat]) for seat, at in due if bank[seat])

    def _deadlines(
        self, asking: Asking, answered: Mapping[int, object], until: int
    ) -> Iterator[tuple[int, int]]:
        """A secret asking gives all the same time: waiting tells nothing."""
        for question in asking.questions:
            seat = question.seat
            if seat in answered:
                continue
            clock = self._asked_at + self._clocks.seconds(question.name) * 1000
            if asking.secret:
                yield seat, until or clock
            else:
                yield seat, clock + self._bank[seat]
