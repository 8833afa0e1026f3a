"""What a duel is worth between two rounds: the chance to win it from there.

The weights were fitted (logistic regression) to matches of `steady` against itself;
`Weights` says what each stands for.
"""

from math import exp
from typing import NamedTuple

from clients.bots.gwent.reading import Board, board_of
from clients.bots.gwent.weighing import worth
from clients.bots.sharp.gwent.policy import told_at
from clients.bots.strategy import Faces
from services.local.rollout import Table


class Weights(NamedTuple):
    """What it is worth to be ahead in gems, and for each one more than the other has:
    a card in hand, a point of what those are worth, a point on the table, the start of
    the round, a leader to use."""

    ahead: float
    cards: float
    worth: float
    total: float
    start: float
    leader: float


EVEN = Weights(0.0, 0.62, 0.041, 0.143, 0.13, 0.21)
AHEAD = Weights(0.38, 0.44, 0.047, 0.079, 0.38, 0.47)


def chances(table: Table, seat: int, faces: Faces) -> float:
    """How likely a seat is to win a duel whose next round begins."""
    own, other = Has.at(table, seat, faces), Has.at(table, 1 - seat, faces)
    if own.gems < other.gems:
        return 1 - _chance(other, own, AHEAD)
    return _chance(own, other, AHEAD if own.gems > other.gems else EVEN)


class Has(NamedTuple):
    """What one seat has."""

    gems: int
    cards: int
    worth: float
    total: int
    starts: bool
    leader: bool

    @classmethod
    def at(cls, table: Table, seat: int, faces: Faces) -> "Has":
        """As it stands on a table."""
        board = board_of(told_at(table, seat, faces), seat, faces)
        used = board.told.marked("used", "cancelled")
        leaders = board.told.lying.get(f"leader:{seat}", ())
        return cls(
            gems=board.own.gems,
            cards=board.hand_size(seat),
            worth=_worth_of_hand(board),
            total=table.counter("total", seat),
            starts=table.marker("starts", seat) is not None,
            leader=any(one.handle not in used for one in leaders),
        )


def _worth_of_hand(board: Board) -> float:
    return sum(worth(board, piece) for piece in board.hand)


def _chance(one: Has, other: Has, by: Weights) -> float:
    score = (
        by.ahead
        + by.cards * (one.cards - other.cards)
        + by.worth * (one.worth - other.worth)
        + by.total * (one.total - other.total)
        + by.start * (one.starts - other.starts)
        + by.leader * (one.leader - other.leader)
    )
    return 1 / (1 + exp(-score))
