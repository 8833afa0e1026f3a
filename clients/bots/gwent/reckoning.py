"""What rows and sides are worth, by chapter 5 of the rulebook."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from clients.bots.gwent.reading import ROWS, Board, Piece, Printed, Side


class Sky(NamedTuple):
    """What is the same for all sides: rows in bad weather, and doubled spies."""

    bad: frozenset[str]
    spies_doubled: bool


class Over(NamedTuple):
    """What lies over one row: weather, halving only or whole; doubled spies; a horn."""

    weather: bool
    halved: bool
    spies_doubled: bool
    horn: bool


def sky_of(board: Board) -> Sky:
    """As it is now."""
    return Sky(board.bad, board.spies_doubled)


def points(side: Side, sky: Sky) -> int:
    """A side's total."""
    return sum([row_total(side, row, sky) for row in ROWS])


def row_total(side: Side, row: str, sky: Sky) -> int:
    """What one row is worth."""
    pieces = side.rows[row]
    return _counted(_printed(pieces), _over(side, row, sky))[1] if pieces else 0


def strengths(side: Side, row: str, sky: Sky) -> tuple[int, ...]:
    """The strength of each card in a row."""
    return _counted(_printed(side.rows[row]), _over(side, row, sky))[0]


def with_one_more(side: Side, row: str, sky: Sky, piece: Piece) -> int:
    """What a row would be worth with one more card there."""
    more = (*_printed(side.rows[row]), piece.printed)
    return _counted(more, _over(side, row, sky))[1]


def _printed(pieces: Sequence[Piece]) -> tuple[Printed, ...]:
    return tuple([piece.printed for piece in pieces])


def _over(side: Side, row: str, sky: Sky) -> Over:
    return Over(row in sky.bad, side.halved, sky.spies_doubled, row in side.horns)


@lru_cache(maxsize=50_000)
def _counted(row: tuple[Printed, ...], over: Over) -> tuple[tuple[int, ...], int]:
    """Each card's strength, and their sum: weather, spies, bond, morale, horn."""
    bound = Counter(one.face for one in row if "tight_bond" in one.abilities)
    boosts = sum("morale_boost" in one.abilities for one in row)
    horns = sum("commanders_horn" in one.abilities for one in row)
    values = []
    for one in row:
        value = one.strength
        if one.is_unit:
            value = _weathered(value, over)
            value *= 2 if over.spies_doubled and "spy" in one.abilities else 1
            value *= bound.get(one.face, 1)
            value += boosts - ("morale_boost" in one.abilities)
            others = horns - ("commanders_horn" in one.abilities)
            value *= 2 if over.horn or others else 1
        values.append(value)
    return tuple(values), sum(values)


def _weathered(value: int, over: Over) -> int:
    if not over.weather:
        return value
    return (value + 1) // 2 if over.halved else min(1, value)


def by_strength(side: Side, sky: Sky) -> list[tuple[Piece, int]]:
    """Each unit of a side with its strength."""
    return [
        (one, value)
        for row in ROWS
        for one, value in zip(side.rows[row], strengths(side, row, sky), strict=True)
        if one.is_unit
    ]


def burnt(sides: Sequence[Side], sky: Sky) -> list[Piece]:
    """Whom a scorch of these sides would burn."""
    units = [pair for side in sides for pair in by_strength(side, sky)]
    most = max((value for _, value in units), default=0)
    return [one for one, value in units if value == most]


def burnt_in(side: Side, row: str, sky: Sky) -> list[Piece]:
    """Whom a scorch of one row would burn: none where it totals less than 10."""
    values = strengths(side, row, sky)
    units = [
        (one, value)
        for one, value in zip(side.rows[row], values, strict=True)
        if one.is_unit
    ]
    if sum(values) < 10 or not units:
        return []
    most = max(value for _, value in units)
    return [one for one, value in units if value == most]
