"""`python -m clients.bots.strength`: bot against bot in this process; who wins?

Two seats, changed from one game to the next; at gwent both play ready decks, chosen by
lot. `sharp` counts its rollouts here, not seconds, so that figures mean the same on
every machine. Exit 1 where the better one wins too little.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple

from anpai import Face, question_of
from clients.bots.sharp import sharp_with
from clients.bots.strategies import STRATEGIES
from clients.bots.strategy import Faces, Strategy
from services.local import GAMES, LocalTable
from services.local.seeing import view_of

ITERATIONS = 40


class Contest(NamedTuple):
    """Two bots at one game: `better` is to win this share at least."""

    game: str
    better: str
    worse: str
    games: int
    enough: float


# What is promised.
CONTESTS = (
    Contest("skirmish", "steady", "random", 500, 0.70),
    Contest("gwent", "steady", "random", 500, 0.80),
    Contest("skirmish", "sharp", "steady", 100, 0.50),
    Contest("gwent", "sharp", "steady", 200, 0.60),
)
USUAL_ENOUGH = 0.5


class Played(NamedTuple):
    """One game as the better one saw it: 1 for a win, 0.5 shared; and its lead."""

    result: float
    lead: int


@dataclass(frozen=True, slots=True)
class Strength:
    """How often `better` won of its games; a shared win counts half."""

    game: str
    variant: str
    better: str
    worse: str
    iterations: int
    games: int
    wins: int
    shared: int
    lead: float
    enough: float
    seconds: float

    @property
    def share(self) -> float:
        return (self.wins + self.shared / 2) / self.games

    @property
    def is_enough(self) -> bool:
        return self.share >= self.enough


def measure(
    game: str,
    games: int,
    better: str = "steady",
    worse: str = "random",
    seed: int = 0,
    *,
    variant: str = "",
    iterations: int = ITERATIONS,
    enough: float = USUAL_ENOUGH,
    jobs: int = 1,
) -> Strength:
    """Play two-seat games, the seats changed from one to the next."""
    started = perf_counter()
    one = partial(play_one, game, variant, better, worse, iterations, seed)
    played = [*_each(one, games, jobs)]
    return Strength(
        game=game,
        variant=variant or GAMES[game].variants[0].name,
        better=better,
        worse=worse,
        iterations=iterations if "sharp" in (better, worse) else 0,
        games=games,
        wins=sum(one.result == 1 for one in played),
        shared=sum(one.result == 0.5 for one in played),
        lead=sum(one.lead for one in played) / games,
        enough=enough,
        seconds=round(perf_counter() - started, 2),
    )


def play_one(
    game: str,
    variant: str,
    better: str,
    worse: str,
    iterations: int,
    seed: int,
    number: int,
) -> Played:
    """The game of this number."""
    own = number % 2
    seats = [strategy_of(worse, iterations)] * 2
    seats[own] = strategy_of(better, iterations)
    ranks, scores = play(game, seats, local_faces(game), seed + number, variant)
    result = 0.5 if ranks[0] == ranks[1] else float(ranks[own] < ranks[1 - own])
    return Played(result, scores[own] - scores[1 - own])


def strategy_of(name: str, iterations: int) -> Strategy:
    """A strategy to be measured: `sharp` with so many rollouts a decision."""
    return sharp_with(iterations) if name == "sharp" else STRATEGIES[name]


def local_faces(game: str) -> Faces:
    """What is printed on every card, as a catalogue would tell it."""
    if game not in _FACES:
        faces = GAMES[game].catalog.faces.values()
        told = {f"{game}/{one.id}": _face(one.kind, one.attributes) for one in faces}
        _FACES[game] = told
    return _FACES[game]


_FACES: dict[str, Faces] = {}


def _face(kind: str, attributes: Mapping[str, str | int]) -> Face:
    return Face(kind=kind, attributes={k: str(v) for k, v in attributes.items()})


def play(
    game: str,
    seats: Sequence[Strategy],
    faces: Faces,
    seed: int,
    variant: str = "",
) -> tuple[Sequence[int], Sequence[int]]:
    """One game; ranks and scores by seat. Each sees its own view and nothing else."""
    table = LocalTable(GAMES[game], len(seats), variant, seed=seed)
    chance = random.Random(seed)
    while table.outcome is None:
        seat = table.waiting()[0]
        view = view_of(table, seat)
        choice = seats[seat](view, question_of(view.question), faces, chance)
        table.answer(seat, choice)
    return table.outcome.ranks, table.outcome.scores


# -- on the command line -------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 1 where the better one wins too little."""
    told = _parser().parse_args(arguments)
    found = [
        measure(
            one.game,
            told.games or one.games,
            one.better,
            one.worse,
            told.seed,
            variant=told.variant,
            iterations=told.iterations,
            enough=one.enough,
            jobs=told.jobs,
        )
        for one in contests(told.game, told.better, told.worse)
    ]
    if told.json:
        print(json.dumps([asdict(one) | {"share": one.share} for one in found]))
    else:
        print_table(found)
    return 0 if all(one.is_enough for one in found) else 1


def contests(games: Sequence[str], better: str, worse: str) -> list[Contest]:
    """Those promised that fit; where none does, the one that was asked for."""
    fits = [
        one
        for one in CONTESTS
        if one.game in (games or GAMES)
        and better in ("", one.better)
        and worse in ("", one.worse)
    ]
    return fits or [
        Contest(game, better or "steady", worse or "random", 100, USUAL_ENOUGH)
        for game in games or GAMES
    ]


def _each(play_number: partial[Played], games: int, jobs: int) -> Sequence[Played]:
    """All of them, in this process or in several; how far it is goes to stderr."""
    if jobs <= 1:
        return [_told(play_number(number), number, games) for number in range(games)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        played = pool.map(play_number, range(games))
        return [_told(one, number, games) for number, one in enumerate(played)]


def _told(played: Played, number: int, games: int) -> Played:
    """A line that stays where it is, on a terminal alone."""
    if sys.stderr.isatty():
        end = "\n" if number + 1 == games else ""
        print(f"\r{number + 1} of {games} games", end=end, file=sys.stderr, flush=True)
    return played


def print_table(found: Sequence[Strength]) -> None:
    print(f"{'game':<12}{'games':>7}{'won':>7}{'shared':>8}{'share':>8}{'lead':>8}")
    for one in found:
        rollouts = f", {one.iterations} rollouts a move" if one.iterations else ""
        print(
            f"{one.game:<12}{one.games:>7}{one.wins:>7}{one.shared:>8}"
            f"{one.share:>8.1%}{one.lead:>8.1f}   "
            f"{one.better} against {one.worse}{rollouts}, {one.seconds:.0f} s"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("strength", description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="as many as promised")
    parser.add_argument("--game", action="append", default=[], choices=sorted(GAMES))
    parser.add_argument("--variant", default="", help="the usual one")
    parser.add_argument("--better", default="", choices=sorted(STRATEGIES))
    parser.add_argument("--worse", default="", choices=sorted(STRATEGIES))
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
