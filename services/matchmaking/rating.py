"""How strong a player is at a variant, and what a game changes in that. Pure.

openskill's Plackett-Luce model: any number of sides, of any number of players, equals
included. A side is as good as the best of its seats: who gives up in a team goes with
it. Points are what the player is at least, most likely: 20 for each unit of the model,
and 1000 for whoever is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
START = MODEL.rating()

NEW_PLAYER = 1000
POINTS_A_UNIT = 20

# Whatever else has ended a table, nobody has won or lost by it.
ENDINGS = ("played", "conceded")


@dataclass(frozen=True, slots=True)
class Rating:
    """`table` is the last rated one, and `change` what it brought in points."""

    mean: float = START.mu
    deviation: float = START.sigma
    games: int = 0
    wins: int = 0
    name: str = ""
    table: str = ""
    change: int = 0

    @property
    def points(self) -> int:
        """What boards go by."""
        return NEW_PLAYER + round(POINTS_A_UNIT * (self.mean - 3 * self.deviation))


@dataclass(frozen=True, slots=True)
class SeatOver:
    """What became of a seat; `rank` 1 is best, equals share."""

    player: str
    name: str
    bot: bool
    team: int
    rank: int
    conceded: bool


@dataclass(frozen=True, slots=True)
class TableOver:
    """A table that is over."""

    table: str
    game: str
    variant: str
    rated: bool
    reason: str
    seats: tuple[SeatOver, ...]
    ended_ms: int

    @property
    def moves_ratings(self) -> bool:
        """People only, two sides at least, and a game that was played to some end."""
        sides = {seat.team for seat in self.seats}
        people = not any(seat.bot for seat in self.seats)
        return self.rated and people and len(sides) > 1 and self.reason in ENDINGS

    def was_won_by(self, seat: SeatOver) -> bool:
        """Where all are equal nobody has won."""
        return seat.rank == 1 and any(other.rank > 1 for other in self.seats)


def rated(over: TableOver, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings after a game; `before` has those of all who sat there."""
    sides = sides_of(over.seats)
    after = MODEL.rate(
        [[as_openskill(before[seat.player]) for seat in side] for side in sides],
        ranks=[float(best_of(side)) for side in sides],
    )
    moved: dict[str, Rating] = {}
    for side, ratings in zip(sides, after, strict=True):
        for seat, new in zip(side, ratings, strict=True):
            old = before[seat.player]
            counted = replace(old, mean=new.mu, deviation=new.sigma)
            moved[seat.player] = replace(
                counted,
                games=old.games + 1,
                wins=old.wins + over.was_won_by(seat),
                name=seat.name,
                table=over.table,
                change=counted.points - old.points,
            )
    return moved


def sides_of(seats: Sequence[SeatOver]) -> list[list[SeatOver]]:
    """Those who have played together, by side."""
    sides: dict[int, list[SeatOver]] = {}
    for seat in seats:
        sides.setdefault(seat.team, []).append(seat)
    return list(sides.values())


def best_of(side: Sequence[SeatOver]) -> int:
    return min(seat.rank for seat in side)


def as_openskill(rating: Rating) -> Any:
    return MODEL.rating(mu=rating.mean, sigma=rating.deviation)
