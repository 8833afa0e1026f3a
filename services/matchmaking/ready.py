"""Ready checks: is everybody there before a table is opened?"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from services.chassis.errors import AnpaiError
from services.matchmaking.match import Match
from services.matchmaking.openings import Openings
from services.matchmaking.ticket import Lease, State, Ticket
from services.matchmaking.tickets import Tickets
from services.matchmaking.timings import TIMINGS, Timings, wall_clock


@dataclass(frozen=True, slots=True)
class Check:
    """How far one has come: of so many players so many are here."""

    id: str
    until_ms: int
    players: int
    here: int


class ReadyChecks:
    """The server that hears the last word opens the table. If it dies over that the
    lease ends, and nobody is asked again for a while."""

    def __init__(
        self,
        tickets: Tickets,
        openings: Openings,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._openings = openings
        self._timings = timings
        self._now = now

    async def of(self, ticket: Ticket) -> Check | None:
        """None unless it is in one."""
        if ticket.state is not State.ACCEPTING or ticket.lease is None:
            return None
        mates = await self._tickets.mates(ticket)
        players = sum(mate.size for mate in mates)
        here = sum(len(mate.here) for mate in mates)
        return Check(ticket.lease.id, ticket.lease.until_ms, players, here)

    async def confirm(self, ticket: Ticket, player: str, check: str) -> Ticket | None:
        """The ticket with its player's word; None if somebody was faster with another.
        READY_CHECK_OVER."""
        lease = lease_of(ticket, check)
        mates = await self._tickets.mates(ticket)
        if ticket not in mates or len(mates) < len(lease.mates):
            return None
        confirmed = ticket.confirmed(player, self._now() + self._timings.trusted)
        told = [confirmed if mate.id == ticket.id else mate for mate in mates]
        reserved = None
        if all(mate.is_here for mate in told):
            until = self._now() + self._timings.lease
            told = [mate.reserved(replace(lease, until_ms=until)) for mate in told]
            reserved = Match(tuple(told), lease.more_bots)
        changes = list(zip(mates, told, strict=True))
        if not await self._openings.step(changes, reserved):
            return None
        return next(mate for mate in told if mate.id == ticket.id)


def lease_of(ticket: Ticket, check: str) -> Lease:
    lease = ticket.lease
    if ticket.state is not State.ACCEPTING or lease is None or lease.id != check:
        raise over(ticket)
    return lease


def over(ticket: Ticket) -> AnpaiError:
    return AnpaiError("READY_CHECK_OVER", "This ready check is over.", ticket=ticket.id)
