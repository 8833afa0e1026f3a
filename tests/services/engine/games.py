"""Games played at random, for tests that need something to have happened."""

import random

from services.engine.games import GAMES
from services.local import LocalTable


def a_game(seed: int = 3, *, steps: int | None = None, seats: int = 2) -> LocalTable:
    """Skirmish, played to its end, or for so many answers."""
    table = LocalTable(GAMES["skirmish"], seats, seed=seed)
    chance = random.Random(seed)
    while table.outcome is None and steps != 0:
        answer_at_random(table, chance)
        steps = steps and steps - 1
    return table


def answer_at_random(table: LocalTable, chance: random.Random) -> None:
    seat = table.waiting()[0]
    question = table.question(seat)
    assert question is not None
    table.answer(seat, chance.sample(question.ids, question.least))
