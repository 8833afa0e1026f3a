"""What every table of a worker works with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.chassis.telemetry import Metrics
from services.engine.chance import Chance
from services.engine.deadlines import Deadlines
from services.engine.journal import Journal, Worker
from services.engine.kernel.game import Game
from services.engine.lease import Leases
from services.engine.news import NewsBoard


@dataclass(frozen=True, slots=True)
class Works:
    """Ports, rules and clock. `games` is by name; `now` gives wall milliseconds.

    A table is abandoned when its seats are not all taken within `seating_ms`.
    """

    worker: Worker
    journal: Journal
    chance: Chance
    deadlines: Deadlines
    leases: Leases
    news: NewsBoard
    games: Mapping[str, Game]
    metrics: Metrics
    now: Callable[[], int]
    seating_ms: int = 120_000
