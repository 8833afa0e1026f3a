"""Random games, and the same games again: what the laws are stated over."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from services.engine.games import GAMES
from services.engine.kernel import Game, IllegalAnswer, Question
from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Entry, EntryKind
from services.engine.kernel.play import Batch
from services.engine.kernel.waiting import StaleQuestion
from services.local.table import LocalTable
from tests.laws.bringing import brought_to


class Case:
    """One game, one variant, one number of seats."""

    def __init__(self, game: Game, variant: str, seats: int) -> None:
        self.game, self.variant, self.seats = game, variant, seats

    def __repr__(self) -> str:
        return f"{self.game.name}-{self.variant}-{self.seats}"

    @property
    def brings(self) -> bool:
        """Whether seats may bring decks."""
        played = self.game.variant(self.variant)
        return played is not None and played.decks > 0

    def table(self, seed: int, **more: object) -> "TracedTable":
        """Opened, with the decks that go with the seed."""
        decks = brought_to(self.game, self.variant, self.seats, seed)
        return TracedTable(
            self.game, self.seats, self.variant, seed=seed, decks=decks, **more
        )


CASES = [
    Case(game, variant.name, seats)
    for game in GAMES.values()
    for variant in game.variants
    for seats in variant.seats
]


class TracedTable(LocalTable):
    """A local table that remembers which physical card every handle ever named."""

    def __init__(self, *args, **more):
        self.number_of: dict[str, int] = {}
        self.seed = more["seed"]
        super().__init__(*args, **more)

    def _resolve(self, batch: Batch) -> Results:
        results = super()._resolve(batch)
        for result in results:
            for dealt in result.cards:
                if dealt.handle not in self.number_of:  # it may be gone by now
                    number = self.card_number(dealt.handle)
                    self.number_of[dealt.handle] = number
        return results

    def builds(self) -> list[tuple[str, dict[int, str]]]:
        """Each deck that was built: its place, and its physical cards with their faces,
        before any was given another."""
        found: list[tuple[str, dict[int, str]]] = []
        for operation in self.operations():
            if operation[-1] == "build":
                first = sum(len(cards) for _, cards in found)
                found.append((operation[0], dict(enumerate(operation[1], first))))
        return found

    def operations(self) -> list[Any]:
        """All that the vault has done, in order."""
        return [one for record in self.ledger for one in record.operations]


@dataclass
class Script:
    """What moved a table, step by step, so that another can be moved alike."""

    steps: list[tuple[EntryKind, int, tuple[str, ...]]] = field(default_factory=list)

    def onto(self, table: LocalTable) -> Iterator[Entry]:
        """Do the same at another table; `Refused` where it is not possible there."""
        for kind, seat, choice in self.steps:
            try:
                yield take(table, kind, seat, choice)
            except (IllegalAnswer, StaleQuestion) as refusal:
                raise Refused(kind, seat) from refusal


class Refused(Exception):
    """A step of a script that this table does not take."""

    def __init__(self, kind: EntryKind, seat: int) -> None:
        super().__init__(f"{kind.value} of seat {seat}")
        self.seat = seat


def take(table: LocalTable, kind: EntryKind, seat: int, choice: tuple[str, ...]):
    if kind is EntryKind.ANSWER:
        return table.answer(seat, choice)
    if kind is EntryKind.DEFAULT:
        return table.default(seat)
    return table.concede(seat)


Chooses = Callable[[Question, random.Random], tuple[str, ...]]
EAGER = 0.8


def a_choice(question: Question, chance: random.Random) -> tuple[str, ...]:
    """A random answer: mostly as many options as may be, fewer now and then."""
    number = question.most
    if chance.random() > EAGER:
        number = chance.randint(question.least, question.most)
    return tuple(chance.sample(question.ids, number))


def played(
    table: LocalTable,
    chance: random.Random,
    *,
    answers: int | None = None,
    lateness: float = 0.0,
    despair: float = 0.0,
    chooses: Chooses = a_choice,
) -> Script:
    """Play at random, to the end or for some answers; what was done.

    `lateness` is how often time runs out, `despair` how often a seat concedes; else it
    answers what it `chooses`.
    """
    script = Script()
    while table.outcome is None and (answers is None or len(script.steps) < answers):
        seat = chance.choice(table.waiting())
        question = table.question(seat)
        assert question is not None
        step = (EntryKind.ANSWER, seat, chooses(question, chance))
        if chance.random() < lateness:
            step = (EntryKind.DEFAULT, seat, ())
        if chance.random() < despair:
            step = (EntryKind.CONCEDE, seat, ())
        take(table, *step)
        script.steps.append(step)
    return script
