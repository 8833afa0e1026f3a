"""Rounds and matches with gems: who wins, who starts next, when it is over (GW-10).

`free_for_all.py` has points in their stead.
"""

from typing import NamedTuple

from services.engine.games.gwent.board import (
    SOLO,
    Side,
    is_of,
    seat_with,
    side_of,
    sides,
    total_of,
)
from services.engine.games.gwent.pieces import Faction
from services.engine.kernel import Outcome, Table, ranked


class Scored(NamedTuple):
    """A round was scored: is the match over, who starts the next, who won it."""

    over: bool
    starter: int | None
    winners: tuple[int | None, ...]


def score(table: Table) -> Scored:
    """The loser loses a gem, on a tie both do (GW-2.1, GW-10.1, GW-11.1)."""
    winner = winner_of(table)
    if winner is None:
        table.declare("round_tied")
    else:
        number = total_of(table, winner)
        table.declare(f"{winner.prefix}round_won", winner.seat, number=number)
    for one in sides(table):
        if one is not winner:
            table.gain(f"{one.prefix}gems", -1, one.seat)
    over = any(gems_of(table, one) == 0 for one in sides(table))
    return Scored(over, starter_after(table, winner), winner.players if winner else ())


def winner_of(table: Table) -> Side | None:
    """The side with the higher total; of a tie Nilfgaard, if one is (GW-9.2)."""
    best = max(total_of(table, one) for one in sides(table))
    first = [one for one in sides(table) if total_of(table, one) == best]
    if len(first) > 1:
        first = [one for one in first if is_of(table, one, Faction.NILFGAARD)]
    return first[0] if len(first) == 1 else None


def gems_of(table: Table, one: Side) -> int:
    """The gems that a side has left."""
    return table.counter(f"{one.prefix}gems", one.seat)


def starter_after(table: Table, winner: Side | None) -> int | None:
    """The winner; after a tie who started the first round (GW-10.4)."""
    if table.variant in SOLO:
        return starter_alone(table, winner)
    if winner is not None:
        return winner.seat
    return seat_with(table, "first")


def starter_alone(table: Table, winner: Side | None) -> int | None:
    """The automaton, but for Scoia'tael that have won (GW-16.3)."""
    elves = winner is not None and is_of(table, winner, Faction.SCOIATAEL)
    return winner.seat if winner and elves else None


def outcome(table: Table) -> Outcome:
    """Who has a gem left has won; if nobody has, a draw (GW-11.1, GW-11.2).

    Who has lost to the automaton is second.
    """
    gems = [gems_of(table, side_of(table, seat)) for seat in table.seats]
    if table.variant in SOLO:
        return Outcome((2 if gems_of(table, side_of(table, None)) else 1,), tuple(gems))
    return ranked(tuple(gems))
