"""What one table may use, so that it cannot take the others' share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """What one table may use; over it, that table alone ends."""

    events: int = 20_000
    cards: int = 2_000
    steps_per_answer: int = 5_000


class OverBudget(Exception):
    """This table uses more than one table may; it ends, and it alone."""
