"""`python -m clients.bots.strength`: bot against bot in this process; who wins?"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

from anpai import Face, question_of
from clients.bots.steady import BY_GAME
from clients.bots.strategies import STRATEGIES
from clients.bots.strategy import Faces, Strategy
from services.local import GAMES, LocalTable
from services.local.seeing import view_of

ENOUGH = 0.70


@dataclass(frozen=True, slots=True)
class Strength:
    """How often `better` won of its games; a shared win counts half."""

    game: str
    better: str
    worse: str
    games: int
    wins: int
    shared: int
    lead: float
    seconds: float

    @property
    def share(self) -> float:
        return (self.wins + self.shared / 2) / self.games

    @property
    def is_enough(self) -> bool:
        return self.share >= ENOUGH


def measure(
    game: str, games: int, better: str = "steady", worse: str = "random", seed: int = 0
) -> Strength:
    """Play two-seat games, the seats changed from one to the next."""
    faces, started = local_faces(game), perf_counter()
    wins = shared = lead = 0
    for number in range(games):
        own = number % 2
        seats = [STRATEGIES[worse], STRATEGIES[worse]]
        seats[own] = STRATEGIES[better]
        ranks, scores = play(game, seats, faces, seed + number)
        wins += ranks[own] < ranks[1 - own]
        shared += ranks[own] == ranks[1 - own]
        lead += scores[own] - scores[1 - own]
    took = round(perf_counter() - started, 2)
    return Strength(game, better, worse, games, wins, shared, lead / games, took)


def local_faces(game: str) -> Faces:
    """What is printed on every card, as a catalogue would tell it."""
    faces = GAMES[game].catalog.faces.values()
    return {f"{game}/{one.id}": _face(one.kind, one.attributes) for one in faces}


def _face(kind: str, attributes: Mapping[str, str | int]) -> Face:
    return Face(kind=kind, attributes={k: str(v) for k, v in attributes.items()})


def play(
    game: str, seats: Sequence[Strategy], faces: Faces, seed: int
) -> tuple[Sequence[int], Sequence[int]]:
    """One game; ranks and scores by seat. Each sees its own view and nothing else."""
    table, chance = LocalTable(GAMES[game], len(seats), seed=seed), random.Random(seed)
    while table.outcome is None:
        seat = table.waiting()[0]
        view = view_of(table, seat)
        choice = seats[seat](view, question_of(view.question), faces, chance)
        table.answer(seat, choice)
    return table.outcome.ranks, table.outcome.scores


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 1 where the better one wins too little."""
    told = _parser().parse_args(arguments)
    found = [
        measure(name, told.games, told.better, told.worse, told.seed)
        for name in told.game or sorted(BY_GAME)
    ]
    if told.json:
        print(json.dumps([asdict(one) | {"share": one.share} for one in found]))
    else:
        print_table(found)
    return 0 if all(one.is_enough for one in found) else 1


def print_table(found: Sequence[Strength]) -> None:
    print(f"{'game':<12}{'games':>7}{'won':>7}{'shared':>8}{'share':>8}{'lead':>8}")
    for one in found:
        print(
            f"{one.game:<12}{one.games:>7}{one.wins:>7}{one.shared:>8}"
            f"{one.share:>8.1%}{one.lead:>8.1f}   "
            f"{one.better} against {one.worse}, {one.seconds:.0f} s"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("strength", description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--game", action="append", choices=sorted(GAMES))
    parser.add_argument("--better", default="steady", choices=sorted(STRATEGIES))
    parser.add_argument("--worse", default="random", choices=sorted(STRATEGIES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
