"""How fast rules, kernel and vault play: random games on one core."""

import random
from time import perf_counter
from typing import TypedDict

from services.engine.kernel.game import Game
from services.local.table import LocalTable


class Speed(TypedDict):
    """Whole games and answers a second, and of how many games it was measured."""

    game: str
    games: int
    games_per_s: float
    answers_per_s: float


def playouts(
    game: Game,
    *,
    seats: int = 2,
    variant: str = "standard",
    seconds: float = 5.0,
    games: int | None = None,
    seed: int = 0,
) -> Speed:
    """Play random games for some seconds, or so many games; hashing and all."""
    played = answers = 0
    started = perf_counter()
    while perf_counter() - started < seconds if games is None else played < games:
        answers += playout(game, seats, variant, seed + played)
        played += 1
    took = perf_counter() - started
    return Speed(
        game=game.name,
        games=played,
        games_per_s=played / took,
        answers_per_s=answers / took,
    )


def playout(game: Game, seats: int, variant: str, seed: int) -> int:
    """One random game; how many answers it took."""
    table = LocalTable(game, seats, variant, seed=seed)
    return play_out(table, random.Random(seed))


def play_out(table: LocalTable, dice: random.Random) -> int:
    """Answer at random, `least` to `most` options each time, until the outcome."""
    answers = 0
    while table.outcome is None:
        seat = table.waiting()[0]
        question = table.question(seat)
        assert question is not None
        count = dice.randint(question.least, question.most)
        table.answer(seat, dice.sample(question.ids, count))
        answers += 1
    return answers
