"""How fast games are played: whole random games on one core.

Two figures, since they answer two questions. The first is of `LocalTable`: what a table
costs, journal, ledger and all hashing included. The second is of rules and cards alone,
with nothing to prove: what thinking ahead can do.
"""

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypedDict

from services.engine.kernel.game import Game
from services.local.rollout import at_random, rollout
from services.local.table import LocalTable


class Speed(TypedDict):
    """Whole games and answers a second, and of how many games it was measured.

    `games`, `games_per_s` and `answers_per_s` are of `LocalTable`.
    """

    game: str
    games: int
    games_per_s: float
    answers_per_s: float
    rules_games: int
    rules_games_per_s: float
    rules_answers_per_s: float


def playouts(
    game: Game,
    *,
    seats: int = 2,
    variant: str = "",
    seconds: float = 5.0,
    seed: int = 0,
) -> Speed:
    """Play random games for some seconds, half of them proven, half rules alone."""

    def proven(number: int) -> int:
        table = LocalTable(game, seats, variant, seed=seed + number)
        return play_out(table, random.Random(seed + number))

    def bare(number: int) -> int:
        return rollout(game, seats, variant, random.Random(seed + number))[1]

    games, games_per_s, answers_per_s = measured(proven, seconds / 2)
    bare_games, bare_per_s, bare_answers = measured(bare, seconds / 2)
    return Speed(
        game=game.name,
        games=games,
        games_per_s=games_per_s,
        answers_per_s=answers_per_s,
        rules_games=bare_games,
        rules_games_per_s=bare_per_s,
        rules_answers_per_s=bare_answers,
    )


def measured(play: Callable[[int], int], seconds: float) -> tuple[int, float, float]:
    """Games, games a second and answers a second; `play` gives a game's answers."""
    games = answers = 0
    with collecting_seldom():
        started = perf_counter()
        while (took := perf_counter() - started) < seconds or not games:
            answers += play(games)
            games += 1
    return games, games / took, answers / took


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """What is loaded stays: the collector need not look at it again and again."""
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5, 1_000_000_000)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def play_out(table: LocalTable, dice: random.Random) -> int:
    """Answer at random, `least` to `most` options each time, until the outcome."""
    answers, play = 0, table.play
    while play.outcome is None:
        seat = play.open_seats[0]
        question = play.asked(seat)
        assert question is not None
        table.answer(seat, at_random(question, dice))
        answers += 1
    return answers
