"""Thinking ahead at skirmish: which card to lay next."""

import random
from collections.abc import Sequence
from math import exp

from anpai import Option, Question, View
from clients.bots.sharp.skirmish.policy import SkirmishPolicy, told_of
from clients.bots.sharp.skirmish.worlds import deal
from clients.bots.skirmish.placing import LATER, tactic_gain
from clients.bots.skirmish.reading import Board, board_of
from clients.bots.skirmish.reckoning import Field
from clients.bots.strategy import Choice, Faces
from services.local.position import Position, World
from services.local.rollout import Outcome, Policy, Table

# Of all placings so many are thought of, besides the usual one and to stop.
BREADTH = 6
A_POINT = 0.12  # of lead, as the logarithm of the odds to win
TACTIC_LATER = 1.5
SOLDIERS_A_ROUND = 3


class SkirmishAhead:
    """One decision of the placing."""

    @classmethod
    def searches(cls, view: View, question: Question) -> bool:
        """While cards are laid."""
        return question.name == "place" and bool(question.options)

    def __init__(self, position: Position, faces: Faces) -> None:
        self._position = position
        self._faces = faces
        self._round = position.counters.get(("round", None), 0)

    def ways(self, question: Question, usual: Choice) -> Sequence[Choice]:
        """The usual one, to stop, and the placings that look best."""
        me = self._position.viewer
        board = board_of(told_of(self._position), me, self._faces)
        looks = {one.id: looks_of(board, one) for one in question.options}
        best = sorted(looks, key=lambda id: -looks[id])[:BREADTH]
        stop: list[Choice] = [()] if question.may_decline else []
        return list(dict.fromkeys([usual, *stop, *((id,) for id in best)]))

    def world(self, chance: random.Random) -> World:
        """Everything face down dealt anew."""
        return deal(self._position, self._faces, chance)

    def policy(self, table: Table) -> Policy:
        """Plain sense at every seat."""
        return SkirmishPolicy(table, self._faces)

    def is_enough(self, table: Table) -> bool:
        """When the round is over."""
        return table.counter("round") > self._round

    def judge(self, table: Table) -> float:
        """By the lead, cards in hand counting for what they will bring."""
        values = [standing(table, seat, self._faces) for seat in table.seats]
        return self._odds(values)

    def reward(self, outcome: Outcome) -> float:
        """By the lead it ended with: it is the same game."""
        return self._odds(list(outcome.scores))

    def _odds(self, values: Sequence[float]) -> float:
        me = self._position.viewer
        best = max(value for seat, value in enumerate(values) if seat != me)
        return 1 / (1 + exp(-A_POINT * (values[me] - best)))


def looks_of(board: Board, option: Option) -> float:
    """What a placing brings, beside what the card is worth kept."""
    assert option.card is not None
    if option.place == "tactic":
        return tactic_gain(board, board.tactic(option.card)) - TACTIC_LATER
    piece = board.soldier(option.card, option.place or "")
    if option.seat != board.me:
        return 3.0
    field = Field(board, board.me)
    gained = field.points([*board.own, piece]) - field.points(board.own)
    return gained - LATER * piece.attack


def standing(table: Table, seat: int, faces: Faces) -> float:
    """The total, and what the hand will bring in the rounds that are left."""
    policy = SkirmishPolicy(table, faces)
    board = policy.board(seat)
    attacks = sorted(
        (board.soldier(card.handle).attack for card in board.lying("soldiers", seat)),
        reverse=True,
    )
    shortest = min(board.count("soldiers", one) for one in table.seats)
    laid = SOLDIERS_A_ROUND * -(-shortest // SOLDIERS_A_ROUND)
    soldiers = sum(attacks[:laid]) + len(attacks[laid:])
    tactics = TACTIC_LATER * board.count("tactics", seat)
    return table.counter("total", seat) + soldiers + tactics
