"""What rows and sides are worth, by chapter 5 of the rulebook."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from clients.bots.gwent.reading import ROWS, Board, Piece, Side


class Sky(NamedTuple):
    """What is the same for all sides: rows in bad weather, and doubled spies."""

    bad: frozenset[str]
    spies_doubled: bool


def sky_of(board: Board) -> Sky:
    """As it is now."""
    return Sky(board.bad, board.spies_doubled)


def points(side: Side, sky: Sky) -> int:
    """A side's total."""
    return sum(sum(strengths(side, row, sky)) for row in ROWS)


def strengths(side: Side, row: str, sky: Sky) -> list[int]:
    """The strength of each card in a row: weather, spies, bond, morale, horn."""
    pieces = side.rows[row]
    bound = Counter(one.face for one in pieces if "tight_bond" in one.abilities)
    boosts = sum("morale_boost" in one.abilities for one in pieces)
    horns = sum("commanders_horn" in one.abilities for one in pieces)
    values = []
    for one in pieces:
        value = one.strength
        if one.is_unit:
            value = _weathered(side, row, sky, value)
            if sky.spies_doubled and "spy" in one.abilities:
                value *= 2
            value *= bound.get(one.face, 1)
            value += boosts - ("morale_boost" in one.abilities)
            others = horns - ("commanders_horn" in one.abilities)
            value *= 2 if row in side.horns or others else 1
        values.append(value)
    return values


def _weathered(side: Side, row: str, sky: Sky, value: int) -> int:
    if row not in sky.bad:
        return value
    return (value + 1) // 2 if side.halved else min(1, value)


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
