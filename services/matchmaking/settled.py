"""What time has made of tickets, for operators: counted where it is written down, for
it may be the matcher that finds out or whoever looks at a ticket."""

from collections.abc import Callable, Sequence

from services.chassis.telemetry import Metrics
from services.matchmaking.ticket import State
from services.matchmaking.tickets import Change


def counting(metrics: Metrics) -> Callable[[Sequence[Change]], None]:
    """Counts changes that belong together: of one reservation, or of one ticket."""

    def count(changes: Sequence[Change]) -> None:
        before, _ = changes[0]
        if before.state is State.RESERVED:
            metrics.leases_lapsed.inc()
        for _, after in changes:
            if after.closed_because == "absent":
                metrics.ready_checks.labels("missed").inc()
            elif after.closed_because == "expired":
                metrics.tickets_expired.inc()

    return count
