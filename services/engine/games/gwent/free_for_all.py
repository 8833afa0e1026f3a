"""Three to five seats, each for itself: points instead of gems (GW-15)."""

from services.engine.games.gwent.board import (
    is_of,
    seat_with,
    side_of,
    total_of,
)
from services.engine.games.gwent.leading import can_act
from services.engine.games.gwent.pieces import Faction
from services.engine.games.gwent.scoring import Scored
from services.engine.kernel import Outcome, Table, ranked

ABOVE_TO_DRAW = 2


def score(table: Table) -> Scored:
    """A point for each opponent beaten, and what follows (GW-15.3, GW-15.5)."""
    points = {seat: len(beaten_by(table, seat)) for seat in table.seats}
    for seat, gained in points.items():
        table.gain("points", gained, seat)
        table.declare("scores", seat, number=gained)
    drawing = [seat for seat in table.seats if above(table, seat) >= ABOVE_TO_DRAW]
    return Scored(is_over(table, points), starter_after(table, points), tuple(drawing))


def beaten_by(table: Table, seat: int) -> list[int]:
    """The opponents with a lower total (GW-15.3)."""
    return [other for other in table.seats if beats(table, seat, other)]


def beats(table: Table, seat: int, other: int) -> bool:
    """More beats less; of two tied Nilfgaard beats another faction (GW-15.4)."""
    own, theirs = side_of(table, seat), side_of(table, other)
    if total_of(table, own) != total_of(table, theirs):
        return total_of(table, own) > total_of(table, theirs)
    nilfgaard = Faction.NILFGAARD
    return is_of(table, own, nilfgaard) and not is_of(table, theirs, nilfgaard)


def above(table: Table, seat: int) -> int:
    """How many others have a lower total (GW-15.5)."""
    totals = [total_of(table, side_of(table, one)) for one in table.seats]
    return sum(total < totals[seat] for total in totals)


def starter_after(table: Table, points: dict[int, int]) -> int:
    """Who scored most; of several the first, going round from the last (GW-15.6)."""
    most = max(points.values())
    order = table.seats_from(seat_with(table, "starts"))
    return next(seat for seat in order if points[seat] == most)


def is_over(table: Table, points: dict[int, int]) -> bool:
    """One more point than players; or nobody did or scored (GW-15.7, GW-15.8)."""
    target = len(table.seats) + 1
    if any(table.counter("points", seat) >= target for seat in table.seats):
        return True
    return table.marker("acted") is None and not any(points.values())


def is_spent(table: Table) -> bool:
    """Whether nobody has a card or a leader left for another round (GW-15.8)."""
    return not any(can_act(table, seat) for seat in table.seats)


def outcome(table: Table) -> Outcome:
    """The most points win, equals share (GW-15.7)."""
    return ranked(tuple(table.counter("points", seat) for seat in table.seats))
