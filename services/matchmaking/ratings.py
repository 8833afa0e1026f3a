"""The store of ratings, and its port: for each variant of a game, apart.

A table is rated once: one script looks at its mark, at the versions of all ratings that
were read, and writes all of them, or nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from services.chassis.stores import Pipeline
from services.matchmaking import keys, result_scripts
from services.matchmaking.rating import Rating, TableOver, rated
from services.matchmaking.timings import TIMINGS, Timings, wall_clock

Versioned = tuple[str, Rating]
"""A rating with the version it was read at; "" for one that is not kept yet."""


class Ratings(Protocol):
    """Who has not played yet has the rating everybody begins with."""

    async def of(self, player: str, game: str, variant: str) -> Rating:
        """A player's rating; the variant by its name."""

    async def strength_of(self, player: str, game: str, variant: str) -> float:
        """How strong he is, most likely."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating on its board; `rank` 0 is for one that is not there. `points` are those
    the board goes by."""

    player: str
    rank: int
    points: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a board, behind which a page begins."""

    points: int
    player: str


class StoredRatings:
    """In Redis or Valkey, a hash tag for each variant."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._now = now

    async def of(self, player: str, game: str, variant: str) -> Rating:
        [(_, rating)] = await self._read(name_of(game, variant), [player])
        return rating

    async def strength_of(self, player: str, game: str, variant: str) -> float:
        return (await self.of(player, game, variant)).mean

    async def standing(self, player: str, game: str, variant: str) -> Standing:
        """A player's rating, and where it stands."""
        rating = await self.of(player, game, variant)
        board = keys.board(name_of(game, variant))
        above = await self._call(result_scripts.RANK, [board], [player])
        rank = 0 if above is None else above + 1
        return Standing(player, rank, rating.points, rating)

    async def page(
        self, game: str, variant: str, size: int, behind: Place | None
    ) -> list[Standing]:
        """The best players behind a place, the best first; equals share a rank."""
        named = name_of(game, variant)
        last = (behind.points, behind.player) if behind else ("", "")
        first, above, *found = await self._call(
            result_scripts.BOARD, [keys.board(named)], [size, *last]
        )
        players = [each.decode() for each in found[::2]]
        points = [int(each) for each in found[1::2]]
        read = await self._read(named, players)
        ranks = ranks_of(points, first, above)
        return [
            Standing(player, rank, has, rating)
            for player, rank, has, (_, rating) in zip(
                players, ranks, points, read, strict=True
            )
        ]

    async def rate(self, over: TableOver) -> bool:
        """Let a table move the ratings of those who sat there; False if it has.

        Tried again while other tables move them: each time one of those is done."""
        named = name_of(over.game, over.variant)
        players = [seat.player for seat in over.seats]
        while True:
            read = dict(zip(players, await self._read(named, players), strict=True))
            before = {player: rating for player, (_, rating) in read.items()}
            done = await self._write(named, over.table, read, rated(over, before))
            if done != 0:
                return done == 1

    async def _read(self, named: str, players: Sequence[str]) -> list[Versioned]:
        if not players:
            return []
        ratings = [keys.rating(named, player) for player in players]
        found = await self._call(result_scripts.READ_RATINGS, ratings)
        return [versioned(version, body) for version, body in found]

    async def _write(
        self,
        named: str,
        table: str,
        read: Mapping[str, Versioned],
        after: Mapping[str, Rating],
    ) -> int:
        written = [
            keys.rated_table(named, table),
            keys.board(named),
            keys.last_rated(named),
            *(keys.rating(named, player) for player in read),
        ]
        args: list[Any] = [self._timings.rated, self._timings.rating, self._now()]
        for player, (version, _) in read.items():
            body = msgspec.json.encode(after[player])
            args += [player, version, body, after[player].points]
        return int(await self._call(result_scripts.RATE, written, args))


def name_of(game: str, variant: str) -> str:
    return f"{game}:{variant}"


def versioned(version: bytes | None, body: bytes | None) -> Versioned:
    if version is None or body is None:
        return "", Rating()
    return version.decode(), msgspec.json.decode(body, type=Rating)


def ranks_of(points: Sequence[int], first: int, above: int) -> list[int]:
    """Of a page that begins at a place; the first may share its rank with others on the
    page before, where `above` tells how many have more. Equals share."""
    ranks: list[int] = []
    for number, has in enumerate(points):
        if ranks and points[number - 1] == has:
            ranks.append(ranks[-1])
        else:
            ranks.append(first + number + 1 if ranks else above + 1)
    return ranks
