"""How far apart in rating two may be who play together, by how long they wait. Pure.

By the shorter wait alone some would starve, by the longer alone newcomers would pay for
another's patience. So both count: what two have waited allows more than what one has.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import inf

from services.matchmaking.ticket import Ticket
from services.matchmaking.timings import SECOND


@dataclass(frozen=True, slots=True)
class Bracket:
    """From this wait on: the gap allowed where both have waited so long, or one has."""

    waited_ms: int
    both: float
    one: float


BRACKETS = (
    Bracket(0, both=3.0, one=3.0),
    Bracket(5 * SECOND, both=6.0, one=4.0),
    Bracket(10 * SECOND, both=12.0, one=6.0),
    Bracket(20 * SECOND, both=25.0, one=9.0),
    Bracket(30 * SECOND, both=inf, one=12.0),
    Bracket(60 * SECOND, both=inf, one=inf),
)

# Another number of seats that is wished for second will do after this.
OTHER_SEATS_MS = 15 * SECOND

STARTS = [each.waited_ms for each in BRACKETS]


def bracket_of(waited_ms: int) -> Bracket:
    return BRACKETS[max(0, bisect_right(STARTS, waited_ms) - 1)]


def width(one_ms: int, other_ms: int) -> float:
    """The gap allowed between two that have waited so long."""
    shorter, longer = sorted((one_ms, other_ms))
    return max(bracket_of(shorter).both, bracket_of(longer).one)


def widest(ticket: Ticket, now_ms: int) -> float:
    """The gap it is allowed to anybody that has waited no longer than itself."""
    return bracket_of(now_ms - ticket.created_ms).both


def may_meet(one: Ticket, other: Ticket, now_ms: int) -> bool:
    """In a room everybody may: its people have chosen each other."""
    if one.wish.room:
        return True
    waited = now_ms - one.created_ms, now_ms - other.created_ms
    return abs(one.rating - other.rating) <= width(*waited)


def seats_for(ticket: Ticket, now_ms: int) -> tuple[int, ...]:
    """How many seats its table may have by now, the most wished for first."""
    wish = ticket.wish
    if now_ms - ticket.created_ms < OTHER_SEATS_MS:
        return (wish.seats,)
    return (wish.seats, *wish.also)


def takes_bots(ticket: Ticket, now_ms: int) -> bool:
    """Whether bots may take seats by now for which no people are there."""
    after = ticket.wish.bots_after_ms
    if after is None:
        return False
    return ticket.takes_bots or now_ms - ticket.created_ms >= after


def widens_at(ticket: Ticket, now_ms: int) -> int | None:
    """When it next may do what it may not now; None for never."""
    wish = ticket.wish
    marks = [] if wish.room else STARTS[1:]
    later = [*marks, *([OTHER_SEATS_MS] if wish.also else [])]
    if wish.bots_after_ms is not None and not ticket.takes_bots:
        later.append(wish.bots_after_ms)
    moments = (ticket.created_ms + each for each in later)
    return min((each for each in moments if each > now_ms), default=None)
