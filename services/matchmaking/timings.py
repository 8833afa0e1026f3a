"""The clock, how long things last, in milliseconds, and how many there may be."""

import time
from dataclasses import dataclass

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Timings:
    # A ticket that nobody looks at expires after this; its key outlives it by `kept`,
    # so that a player who comes back is told what became of it.
    fresh: int = MINUTE
    kept: int = 10 * MINUTE
    # The lists that hold tickets: prolonged with every look at one of them.
    lists: int = HOUR
    # A reservation. Opening the table, with all its attempts, must end well before it.
    lease: int = 8 * SECOND
    opening: int = 6 * SECOND
    attempt: int = 3 * SECOND
    # A pool whose table would not open rests, twice as long each time, up to the last.
    rest: int = SECOND // 2
    longest_rest: int = 8 * SECOND
    # Nothing depends on a wake-up: queues and watched tickets are read this often.
    tick: int = SECOND // 2
    # Of several servers one goes through the queues, until it has not said so for this.
    lead: int = SECOND
    measure: int = 5 * SECOND
    reread: int = 2 * SECOND
    touch: int = 15 * SECOND
    # What is assigned is listed as "my seats".
    seats: int = DAY
    room: int = HOUR
    # A party ends when nobody of it has looked at it for so long.
    party: int = HOUR
    # The seats are taken: whoever is not there by then loses the ticket. Whoever was is
    # trusted for a while, and not asked again if nothing came of it.
    ready: int = 20 * SECOND
    trusted: int = MINUTE
    # A host that has not confirmed a call by then has lost it to another.
    call_confirmed: int = 4 * SECOND
    call: int = 10 * MINUTE
    sign_in: int = DAY
    # How long a sign-in may be renewed before whoever vouches for it is asked again.
    renewable: int = 30 * DAY
    games: int = 30 * SECOND
    # One server reads the news, as long as it says so; each call for it lasts so long,
    # and whoever begins goes back a little: another store's clock may be behind.
    news_lease: int = 6 * SECOND
    news_call: int = 2 * SECOND
    news_again: int = MINUTE
    news_cursor: int = 30 * DAY
    # Longer than the engines keep news, so that no table is rated twice.
    rated: int = 8 * DAY
    # Of whoever plays no rated game for so long nothing is known any more.
    rating: int = 90 * DAY
    # A rematch asked for as the game ends waits so long for the news of it.
    rematch: int = 3 * SECOND
    rate_window: int = MINUTE


@dataclass(frozen=True, slots=True)
class Limits:
    open_tickets: int = 8
    tickets_per_window: int = 120
    rooms_per_window: int = 20
    parties_per_window: int = 20
    seats_listed: int = 100
    # Tables being opened at once; other tickets wait unreserved.
    openings: int = 64
    due: int = 1000
    # Of each queue the oldest are looked at; the others come up to them in time.
    considered: int = 10_000
    bots_at_once: int = 1000


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


TIMINGS = Timings()
LIMITS = Limits()
