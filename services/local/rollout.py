"""A whole game at full speed: rules and cards alone, for thinking ahead and measuring.

The same rules, verbs and decks as at any table, with dice of this process in the place
of the chain: no journal, no ledger, and so no proof. `LocalTable` has all of these.
"""

from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, TypeVar, cast

from services.engine.kernel.ask import Asking, AtSeat, Move, Option, Question
from services.engine.kernel.chance import Results
from services.engine.kernel.game import Game
from services.engine.kernel.outcome import Outcome
from services.engine.kernel.places import Card, Place
from services.engine.kernel.table import Table
from services.vault.chain import SEED_BYTES
from services.vault.holdings import Holdings

# What a policy reads: the rules' own nouns.
__all__ = [
    "AtSeat",
    "Card",
    "Dice",
    "Move",
    "Option",
    "Outcome",
    "Place",
    "Policy",
    "Question",
    "Rules",
    "Table",
    "at_random",
    "play_out",
    "play_until",
    "rollout",
]

T = TypeVar("T")
Rules = Coroutine[Any, Any, Outcome]
Policy = Callable[[Question, Random], tuple[Option, ...]]


class Dice:
    """Chance as a batch of the vault has it, from a generator that proves nothing."""

    __slots__ = ("_random",)

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound`."""
        return int(self._random.random() * bound)

    def shuffle(self, cards: list[T]) -> None:
        """Bring cards into another order."""
        self._random.shuffle(cards)

    def sample(self, total: int, number: int) -> tuple[int, ...]:
        """Different numbers below `total`, in the order drawn."""
        return tuple(self._random.sample(range(total), number))

    def handle(self) -> str:
        """Twelve hex digits."""
        return f"{self._random.getrandbits(48):012x}"


def at_random(question: Question, random: Random) -> tuple[Option, ...]:
    """`least` to `most` of the options, any of them."""
    number = question.least
    if question.most > number:
        number += int(random.random() * (question.most - number + 1))
    if number == 1:
        return (question.options[int(random.random() * len(question.options))],)
    return tuple(random.sample(question.options, number))


def rollout(
    game: Game, seats: int, variant: str, random: Random, policy: Policy = at_random
) -> tuple[Outcome, int]:
    """Play one game with every seat's answers from `policy`; outcome and answers."""
    rules = game.play(Table(game, seats, variant))
    return play_out(rules, Holdings("rollout", bytes(SEED_BYTES)), random, policy)


def play_out(
    rules: Rules, cards: Holdings, random: Random, policy: Policy = at_random
) -> tuple[Outcome, int]:
    """Run rules to their end, wherever they begin; outcome and answers."""
    outcome, answers = play_until(rules, cards, random, policy, lambda: False)
    assert outcome is not None
    return outcome, answers


def play_until(
    rules: Rules,
    cards: Holdings,
    random: Random,
    policy: Policy,
    is_enough: Callable[[], bool],
) -> tuple[Outcome | None, int]:
    """The same, but broken off before a question once that is enough; None then."""
    dice = Dice(random)
    value: object = None
    answers = 0
    while True:
        try:
            need = rules.send(value)
        except StopIteration as end:
            return cast(Outcome, end.value), answers
        if isinstance(need, Asking):
            if is_enough():
                rules.close()
                return None, answers
            asked = need.questions[:1] if need.any_one else need.questions
            value = {one.seat: policy(one, random) for one in asked}
            answers += len(asked)
        else:
            value = cast(Results, tuple([cards.do(one, dice) for one in need]))
