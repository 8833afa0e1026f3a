"""Thinking ahead at gwent: what to think of, in which worlds, and how all play on."""

import random
from collections.abc import Sequence

from anpai import Question, View
from clients.bots.gwent.choosing import price
from clients.bots.gwent.reading import board_of
from clients.bots.gwent.weighing import field_of, gain
from clients.bots.sharp.gwent.judging import chances
from clients.bots.sharp.gwent.policy import GwentPolicy, told_of
from clients.bots.sharp.gwent.worlds import deal, pools_of
from clients.bots.strategy import Choice, Faces
from services.local.position import Position, World
from services.local.rollout import Outcome, Policy, Table

# Of all plays so many are thought of, besides the usual one and a pass.
BREADTH = 5
DUELS = ("duel", "advanced", "tournament")
Counted = tuple[str, int | None]
# What counts the games of a tournament.
GAMES: tuple[Counted, ...] = (
    ("games", 0),
    ("games", 1),
    ("drawn", None),
)


class GwentAhead:
    """One decision of a turn."""

    @classmethod
    def searches(cls, view: View, question: Question) -> bool:
        """At the beginning of a turn."""
        return question.name == "turn" and bool(question.options)

    def __init__(self, position: Position, faces: Faces) -> None:
        self._position = position
        self._faces = faces
        self._pools = pools_of(position, faces)
        self._is_duel = position.variant in DUELS
        self._me = position.viewer
        self._round = position.counters.get(("round", None), 0)
        self._games = {one: position.counters.get(one, 0) for one in GAMES}

    def ways(self, question: Question, usual: Choice) -> Sequence[Choice]:
        """The usual one, a pass, and the plays that look best."""
        told = told_of(self._position, self._faces)
        board = board_of(told, self._me, self._faces)
        now = field_of(board)
        before = now.value
        looks = {
            one.id: gain(board, one, now, before) - price(board, one)
            for one in question.options
        }
        best = sorted(looks, key=lambda id: -looks[id])[:BREADTH]
        return list(dict.fromkeys([usual, (), *((id,) for id in best)]))

    def world(self, chance: random.Random) -> World:
        """Hands and piles dealt anew."""
        return deal(self._position, self._pools, self._faces, chance)

    def policy(self, table: Table) -> Policy:
        """Plain sense at every seat."""
        return GwentPolicy(table, self._faces)

    def is_enough(self, table: Table) -> bool:
        """In a duel, when the round or the game is over; else it is played out."""
        return self._is_duel and (
            table.counter("round") != self._round or self._won(table) is not None
        )

    def judge(self, table: Table) -> float:
        """By who won this game of a tournament, or what is left for the next round."""
        won = self._won(table)
        return chances(table, self._me, self._faces) if won is None else won

    def _won(self, table: Table) -> float | None:
        """Of a tournament's game that ended 1, 0.5 or 0; None while it goes on."""
        now = {name: table.counter(*name) for name in self._games}
        if now == self._games:
            return None
        won, lost = ("games", self._me), ("games", 1 - self._me)
        gained = now[won] - self._games[won] - now[lost] + self._games[lost]
        return (1 + gained) / 2

    def reward(self, outcome: Outcome) -> float:
        """Whom we leave behind, equals counting half; alone, whether we won."""
        own, ranks = outcome.ranks[self._me], outcome.ranks
        if len(ranks) == 1:
            return float(own == 1)
        behind = sum((rank > own) + (rank == own) / 2 for rank in ranks) - 0.5
        return behind / (len(ranks) - 1)
