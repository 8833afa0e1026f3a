"""One answer of the sharp bot: a search where it pays, else what `steady` says."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import anpai
from anpai import View
from clients.bots.sharp.gwent import GwentAhead
from clients.bots.sharp.search import best_of
from clients.bots.sharp.skirmish import SkirmishAhead
from clients.bots.steady import steady
from clients.bots.strategy import Choice, Faces, Strategy
from services.local.position import (
    GO_ON,
    Position,
    World,
    taken_up,
)
from services.local.rollout import Option, Outcome, Policy, Question, Table, play_until
from services.local.seeing import position_of

SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to think: rollouts at most, seconds at most; 0 for no end."""

    iterations: int = 0
    seconds: float = SECONDS


class Ahead(Protocol):
    """How one game is thought ahead; made for one decision."""

    @classmethod
    def searches(cls, view: View, question: anpai.Question) -> bool:
        """Whether a position can be taken up at this question."""

    def __init__(self, position: Position, faces: Faces) -> None: ...

    def ways(self, question: anpai.Question, usual: Choice) -> Sequence[Choice]:
        """The answers worth thinking of, the usual one first."""

    def world(self, chance: random.Random) -> World:
        """What may be true, one way of many."""

    def policy(self, table: Table) -> Policy:
        """How everybody plays on."""

    def is_enough(self, table: Table) -> bool:
        """Whether a rollout has come far enough to be judged."""

    def judge(self, table: Table) -> float:
        """What a table is worth to us that has come so far, 0 to 1."""

    def reward(self, outcome: Outcome) -> float:
        """What an outcome is worth to us, 0 to 1."""


BY_GAME: Mapping[str, type[Ahead]] = {
    "gwent": GwentAhead,
    "skirmish": SkirmishAhead,
}


def sharp(
    view: View, question: anpai.Question, faces: Faces, chance: random.Random
) -> Choice:
    """Think for a second."""
    return think(view, question, faces, chance, Effort())


def sharp_with(iterations: int) -> Strategy:
    """A sharp bot that counts rollouts and no seconds: the same on every machine."""
    effort = Effort(iterations, 0)

    def think_so_far(
        view: View, question: anpai.Question, faces: Faces, chance: random.Random
    ) -> Choice:
        return think(view, question, faces, chance, effort)

    return think_so_far


def think(
    view: View,
    question: anpai.Question,
    faces: Faces,
    chance: random.Random,
    effort: Effort,
) -> Choice:
    """The best answer that can be found with this effort."""
    until = time.monotonic() + effort.seconds
    usual = steady(view, question, faces, chance)
    ahead = BY_GAME.get(view.game)
    if ahead is None or not ahead.searches(view, question):
        return usual
    position = position_of(view)
    thinker = ahead(position, faces)
    search = Search(thinker, position, chance.getrandbits(64), effort, until)
    return best_of(thinker.ways(question, usual), search.play, search.may_go_on)


class Search:
    """The rollouts of one decision, and how many more there may be."""

    def __init__(
        self,
        ahead: Ahead,
        position: Position,
        seed: int,
        effort: Effort,
        until: float,
    ) -> None:
        self.played = 0
        self._ahead = ahead
        self._position = position
        self._seed = seed
        self._effort = effort
        self._until = until
        self._worlds: list[World] = []

    def may_go_on(self) -> bool:
        """Whether there is a rollout left, and time."""
        effort = self._effort
        if effort.iterations and self.played >= effort.iterations:
            return False
        return not effort.seconds or time.monotonic() < self._until

    def play(self, way: Choice, number: int) -> float:
        """What comes of an answer in the world of this number."""
        self.played += 1
        if number == len(self._worlds):
            chance = random.Random(f"{self._seed}/{number}")
            self._worlds.append(self._ahead.world(chance))
        table, cards = taken_up(self._position, self._worlds[number])
        ahead, seat = self._ahead, self._position.viewer
        outcome, _ = play_until(
            GO_ON[self._position.game](table, seat),
            cards,
            random.Random(f"{self._seed}/{number}/dice"),
            beginning_with(way, ahead.policy(table)),
            lambda: ahead.is_enough(table),
        )
        return ahead.judge(table) if outcome is None else ahead.reward(outcome)


def beginning_with(way: Choice, policy: Policy) -> Policy:
    """First this answer, then as the policy says.

    In a world where it is not offered (a leader that finds nothing) the policy answers.
    """
    is_first = True

    def decide(question: Question, dice: random.Random) -> tuple[Option, ...]:
        nonlocal is_first
        if is_first:
            is_first = False
            if set(way) <= set(question.ids):
                return question.judge(way)
        return policy(question, dice)

    return decide
