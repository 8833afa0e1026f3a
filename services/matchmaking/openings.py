"""Reservations on their way to a table.

Whatever dies, and wherever, each ticket is assigned or back in the queue when its lease
has run out; and a repeat asks for the same table.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

import structlog

from services.chassis.errors import AnpaiError, is_refusal
from services.chassis.stores import StoreUnavailable
from services.chassis.telemetry import Metrics, passage_of
from services.chassis.traces import traces
from services.matchmaking.calls import Call
from services.matchmaking.pairing import Match, digest
from services.matchmaking.rests import Rests
from services.matchmaking.seating import OpenedTable
from services.matchmaking.ticket import Assignment, Lease
from services.matchmaking.tickets import Tickets
from services.matchmaking.timings import (
    LIMITS,
    SECOND,
    TIMINGS,
    Limits,
    Timings,
    wall_clock,
)

log = structlog.get_logger()


class OpensTables(Protocol):
    async def open_table(self, match: Match) -> OpenedTable:
        """The table of this match; asked again, the same one. AnpaiError if none."""


class Openings:
    """Reserve, open, assign: each match in a task of its own."""

    def __init__(
        self,
        tickets: Tickets,
        engines: OpensTables,
        metrics: Metrics,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._engines = engines
        self._metrics = metrics
        self._timings = timings
        self._limits = limits
        self._now = now
        self._running: set[asyncio.Task[None]] = set()
        self._reserving = 0
        self.rests = Rests(timings, now)

    @property
    def free(self) -> int:
        return self._limits.openings - len(self._running) - self._reserving

    async def room(self) -> None:
        """Wait until another table can be opened."""
        while self.free <= 0 and self._running:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)

    async def begin(self, found: Sequence[Match]) -> None:
        """Reserve no more than can be opened at once: the rest waits unleased."""
        chosen = found[: max(0, self.free)]
        self._reserving += len(chosen)
        try:
            reserved = await asyncio.gather(*map(self._reserve, chosen))
        finally:
            self._reserving -= len(chosen)
        for match in reserved:
            if match is not None:
                task = asyncio.create_task(self._seat(match))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def finish(self) -> None:
        """Wait for what has begun."""
        if self._running:
            await asyncio.wait(self._running)

    async def _reserve(self, match: Match) -> Match | None:
        """None if another was faster, or somebody has left."""
        ids = tuple(ticket.id for ticket in match.tickets)
        lease = Lease(secrets.token_hex(8), self._now() + self._timings.lease, ids)
        reserved = [ticket.reserved(lease) for ticket in match.tickets]
        changes = list(zip(match.tickets, reserved, strict=True))
        done = await self._tickets.change(changes)
        return Match(tuple(reserved)) if done else None

    async def _seat(self, match: Match) -> None:
        """A failure costs the tickets nothing: they go back to their old place."""
        try:
            with traces().span("seat", number=len(match.tickets), above=""):
                table = await self._engines.open_table(match)
                is_assigned = await self._assign(match, table)
        except Exception as error:
            self._note_failed(match, error)
            await self._release(match)
        else:
            self._note_opened(match, is_assigned)

    async def _assign(self, match: Match, table: OpenedTable) -> bool:
        """False if somebody has left meanwhile: then the others are in the queue again,
        and the table is left to its engine."""
        seats = assignments(match, table)
        assigned = [ticket.assigned(seats[ticket.player]) for ticket in match.tickets]
        changes = list(zip(match.tickets, assigned, strict=True))
        return await self._tickets.seat(changes, calls(match, seats))

    async def _release(self, match: Match) -> None:
        """All together, so that they meet again. Whoever has ended the reservation has
        released them already; and if this fails, the end of the lease does it."""
        changes = [(ticket, ticket.released()) for ticket in match.tickets]
        with suppress(StoreUnavailable):
            await self._tickets.change(changes)

    def _note_failed(self, match: Match, error: Exception) -> None:
        self.rests.rest(match.wish.pool)
        self._metrics.openings.labels(outcome_of(error)).inc()
        why = error.reason if isinstance(error, AnpaiError) else passage_of(error)
        log.warning("no table opened", game=match.wish.game, why=why)

    def _note_opened(self, match: Match, is_assigned: bool) -> None:
        self.rests.end(match.wish.pool)
        self._metrics.openings.labels("opened" if is_assigned else "left").inc()
        if not is_assigned:
            return
        game = match.wish.game
        self._metrics.assignments.labels(game).inc(len(match.tickets))
        self._metrics.bot_seats.labels(game).inc(match.wish.bots)
        for ticket in match.tickets:
            waited = (self._now() - ticket.created_ms) / SECOND
            self._metrics.ticket_wait.labels(game).observe(waited)


def outcome_of(error: Exception) -> str:
    if not is_refusal(error):
        return "failed"
    unavailable = getattr(error, "reason", "") == "PART_UNAVAILABLE"
    return "unavailable" if unavailable else "refused"


def assignments(match: Match, table: OpenedTable) -> dict[str, Assignment]:
    """By player."""
    wish = match.wish
    first = Assignment(
        table=table.id,
        seat=0,
        engine=table.address,
        commitment=table.commitment,
        game=wish.game,
        variant=wish.variant,
        seats=wish.seats,
    )
    return {
        sitter.player: replace(first, seat=seat)
        for seat, sitter in enumerate(match.sitters())
    }


def calls(match: Match, seats: dict[str, Assignment]) -> list[Call]:
    """One for each bot."""
    return [
        Call(
            id=f"c-{digest(match.request_id, sitter.player)[:20]}",
            player=sitter.player,
            name=sitter.name,
            assignment=seats[sitter.player],
            strategy=match.wish.strategy,
        )
        for sitter in match.sitters()
        if sitter.called
    ]
