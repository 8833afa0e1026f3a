"""How a game ended."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: a rank (1 is best, ties share) and a score for each seat.

    Who has lost to the game itself, playing alone, has rank 2.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str = "played"

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats ranked first; nobody where no seat has won."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def ranked(scores: tuple[int, ...]) -> Outcome:
    """The outcome in which more points rank higher and equals share a rank."""
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(ranks, scores)
