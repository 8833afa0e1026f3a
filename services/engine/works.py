"""What every table of a worker works with."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.chassis.telemetry import Metrics
from services.engine.chance import Chance
from services.engine.deadlines import Deadlines
from services.engine.journal import Journal, Worker
from services.engine.kernel.game import Game
from services.engine.lease import Leases
from services.engine.news import NewsBoard
from services.engine.saying import Sayings

# When a worker dies, all its tables are called for at once. Replayed all at once, none
# would come in before the leases of the first ones end, and so on for ever.
TAKEN_OVER_AT_ONCE = 8


def door() -> asyncio.Semaphore:
    return asyncio.Semaphore(TAKEN_OVER_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Works:
    """Ports, rules and clock. `games` is by name; `now` gives wall milliseconds.

    A table is abandoned when its seats are not all taken within `seating_ms`, or when
    all people have been gone for `forsaken_ms`. A player who is away for `absent_ms` is
    stood in for: by the variant, where it is None. Tables are taken over through a
    `door` that is only so wide.
    """

    worker: Worker
    journal: Journal
    chance: Chance
    deadlines: Deadlines
    leases: Leases
    news: NewsBoard
    sayings: Sayings
    games: Mapping[str, Game]
    metrics: Metrics
    now: Callable[[], int]
    seating_ms: int = 120_000
    absent_ms: int | None = None
    forsaken_ms: int = 300_000
    door: asyncio.Semaphore = field(default_factory=door)
