"""Reservations on their way to a table.

Whatever dies, and wherever, each ticket is assigned or back in the queue when its lease
has run out; and a repeat asks for the same table.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import structlog

from services.chassis.errors import AnpaiError, is_refusal
from services.chassis.stores import StoreUnavailable
from services.chassis.telemetry import Metrics, passage_of
from services.chassis.traces import traces
from services.matchmaking.calls import Call
from services.matchmaking.match import Match, digest
from services.matchmaking.rests import Rests
from services.matchmaking.seating import OpenedTable
from services.matchmaking.ticket import Assignment, Lease, Ticket
from services.matchmaking.tickets import Change, Tickets
from services.matchmaking.timings import (
    LIMITS,
    SECOND,
    TIMINGS,
    Limits,
    Timings,
    wall_clock,
)

log = structlog.get_logger()

T = TypeVar("T")


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
        self._running: set[asyncio.Task[Any]] = set()
        self.rests = Rests(timings, now)

    @property
    def free(self) -> int:
        return self._limits.openings - len(self._running)

    async def room(self) -> None:
        """Wait until another table can be opened."""
        while self.free <= 0 and self._running:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)

    async def begin(self, found: Sequence[Match]) -> tuple[int, list[Match]]:
        """Reserve no more than can be opened at once: the rest waits unleased. Returns
        how many it tried, and those that another was faster with or somebody has left.
        """
        chosen = found[: max(0, self.free)]
        reserved = await asyncio.gather(
            *(self.step(*self._reservation(match)) for match in chosen)
        )
        tried = list(zip(chosen, reserved, strict=True))
        return len(chosen), [match for match, is_reserved in tried if not is_reserved]

    def step(
        self, changes: Sequence[Change], reserved: Match | None
    ) -> "asyncio.Future[bool]":
        """Change tickets; open the table if it is the step that reserves them. It is
        done whole although whoever waits for it is stopped, or has gone."""
        return asyncio.shield(self._begun(self._step(changes, reserved)))

    async def _step(self, changes: Sequence[Change], reserved: Match | None) -> bool:
        is_done = await self._tickets.change(changes)
        if is_done and reserved is not None:
            self._begun(self._seat(reserved))
        return is_done

    def _begun(self, step: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(step)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def finish(self) -> None:
        """Wait for what has begun, and what that begins."""
        while self._running:
            await asyncio.wait(self._running)

    def _reservation(self, match: Match) -> tuple[list[Change], Match | None]:
        """A table of strangers is not opened before they have said that they are there,
        if one of them wishes it so."""
        now = self._now()
        if len(match.tickets) > 1 and any(each.must_ask(now) for each in match.tickets):
            lease = self._lease(match, self._timings.ready)
            asking = [(each, each.asking(lease, now)) for each in match.tickets]
            return asking, None
        reserved = self._reserved(match)
        return list(zip(match.tickets, reserved.tickets, strict=True)), reserved

    def _reserved(self, match: Match) -> Match:
        lease = self._lease(match, self._timings.lease)
        return replace(match, tickets=tuple(t.reserved(lease) for t in match.tickets))

    def _lease(self, match: Match, lasts: int) -> Lease:
        ids = tuple(ticket.id for ticket in match.tickets)
        until = self._now() + lasts
        return Lease(secrets.token_hex(8), until, ids, match.more_bots)

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
        assigned = [seated(ticket, seats) for ticket in match.tickets]
        changes = list(zip(match.tickets, assigned, strict=True))
        return await self._tickets.seat(changes, calls(match, seats))

    async def _release(self, match: Match) -> None:
        """All together, so that they meet again. Whoever has ended the reservation has
        released them already; and if this fails, the end of the lease does it."""
        changes = [(ticket, ticket.released()) for ticket in match.tickets]
        with suppress(StoreUnavailable):
            await self._tickets.change(changes)

    def _note_failed(self, match: Match, error: Exception) -> None:
        self.rests.rest(match.wish.family)
        self._metrics.openings.labels(outcome_of(error)).inc()
        why = error.reason if isinstance(error, AnpaiError) else passage_of(error)
        log.warning("no table opened", game=match.wish.game, why=why)

    def _note_opened(self, match: Match, is_assigned: bool) -> None:
        self.rests.end(match.wish.family)
        self._metrics.openings.labels("opened" if is_assigned else "left").inc()
        if is_assigned:
            self._note_assigned(match)

    def _note_assigned(self, match: Match) -> None:
        game, metrics, now = match.wish.game, self._metrics, self._now()
        metrics.assignments.labels(game).inc(match.seats - match.bots)
        metrics.bot_seats.labels(game).inc(match.bots)
        asked = sum(t.wish.ready_check and bool(t.here) for t in match.tickets)
        metrics.ready_checks.labels("kept").inc(asked)
        for ticket in match.tickets:
            waited = (now - ticket.created_ms) / SECOND
            metrics.ticket_wait.labels(game).observe(waited)
        if len(match.tickets) > 1 and not match.wish.room:
            metrics.rating_gap.labels(game).observe(match.gap)


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
        seats=match.seats,
        rated=match.rated,
    )
    return {
        sitter.player: replace(first, seat=seat)
        for seat, sitter in enumerate(match.sitters())
    }


def seated(ticket: Ticket, seats: dict[str, Assignment]) -> Ticket:
    others = (seats[player].seat for player in ticket.players[1:])
    return ticket.assigned(seats[ticket.player], others)


def calls(match: Match, seats: dict[str, Assignment]) -> list[Call]:
    """One for each bot."""
    request_id, strategy = match.request_id, match.strategy
    return [
        Call(
            id=f"c-{digest(request_id, sitter.player)[:20]}",
            player=sitter.player,
            name=sitter.name,
            assignment=seats[sitter.player],
            strategy=strategy,
        )
        for sitter in match.sitters()
        if sitter.called
    ]
