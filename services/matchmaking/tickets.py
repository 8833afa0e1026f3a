"""The ticket store, and its port."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Protocol

import msgspec

from services.chassis.errors import AnpaiError
from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.calls import Call
from services.matchmaking.ticket import Assignment, State, Ticket, Wish
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings, wall_clock

Change = tuple[Ticket, Ticket]
"""A ticket as it was read, and what it is to become."""


class Tickets(Protocol):
    """Keeps tickets until nobody cares. Every write happens whole or not at all."""

    async def create(self, ticket: Ticket) -> Ticket:
        """The ticket, or the one made before under its id. TOO_MANY."""

    async def get(self, ticket_id: str) -> Ticket | None:
        """As time has made it; None for one that never was, or is long over."""

    async def mates(self, ticket: Ticket) -> list[Ticket]:
        """All tickets of its reservation; without one, the ticket alone."""

    async def touch(self, ticket: Ticket) -> None:
        """Its player still cares. Nothing happens to a ticket that is gone."""

    async def change(self, changes: Sequence[Change]) -> bool:
        """All or none, in one pool. False if one of them is not any more as it was."""

    async def seat(self, changes: Sequence[Change], calls: Sequence[Call]) -> bool:
        """As `change`, to ASSIGNED; lists the players' seats and calls the bots."""

    async def waiting(self, wish: Wish) -> int:
        """How many tickets are queued with this wish."""

    async def pools(self) -> dict[str, int]:
        """Each pool whose queue is not empty, and how long it is."""

    async def queue(self, pool: str, at_most: int) -> list[Ticket]:
        """The oldest tickets of the pool's queue, oldest first."""

    async def waits_since(self, pool: str) -> int | None:
        """When the oldest ticket of the queue was made, in ms; None if it is empty."""

    async def settle(self) -> list[Ticket]:
        """Let time have its way with all that is due; what has changed by it."""

    async def seats_of(self, player: str) -> list[Assignment]:
        """Where the player was seated of late, newest first."""


def ticket_id(player: str, request_id: str) -> str:
    """The same for the same request, so that a repeat finds the ticket made before."""
    named = f"{player}/{request_id}".encode()
    return f"k-{hashlib.sha256(named).hexdigest()[:20]}"


class RedisTickets:
    """In Redis or Valkey, under one hash tag: see "Why" in the README."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        now: Callable[[], int] = wall_clock,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._limits = limits
        self._now = now

    async def create(self, ticket: Ticket) -> Ticket:
        reply = await self._call(
            scripts.CREATE, self._keys_to_create(ticket), self._args_to_create(ticket)
        )
        if reply[0] == b"NEW":
            return ticket
        if reply[0] == b"MADE":
            return await self.get(ticket.id) or ticket.closed("expired")
        raise too_many("tickets", reply[1] if reply[0] == b"RATE" else 5000)

    def _keys_to_create(self, ticket: Ticket) -> list[str]:
        return [
            keys.ticket(ticket.id),
            keys.open_tickets(ticket.player),
            keys.ticket_rate(ticket.player),
            keys.queue(ticket.wish.pool),
            keys.DUE,
            keys.POOLS,
        ]

    def _args_to_create(self, ticket: Ticket) -> list[Any]:
        timings, limits = self._timings, self._limits
        return [
            ticket.id,
            msgspec.json.encode(ticket),
            ticket.created_ms,
            ticket.fresh_until_ms,
            timings.fresh + timings.kept,
            timings.lists,
            limits.open_tickets,
            limits.tickets_per_window,
            timings.rate_window,
            ticket.wish.pool,
            keys.CHANNEL,
        ]

    async def get(self, ticket_id: str) -> Ticket | None:
        while True:
            [ticket] = await self._read([ticket_id])
            if ticket is None:
                return None
            if ticket.at(self._now()) is ticket:
                return ticket
            await self._pass_time(ticket)

    async def mates(self, ticket: Ticket) -> list[Ticket]:
        if ticket.lease is None:
            return [ticket]
        lease = ticket.lease
        found = await self._read(lease.mates)
        return [
            each for each in found if each is not None and each.is_held_by(lease.id)
        ]

    async def _read(self, ids: Sequence[str]) -> list[Ticket | None]:
        if not ids:
            return []
        found = await self._call(scripts.READ, [keys.ticket(each) for each in ids])
        return [ticket_in(body, fresh) for body, fresh in found]

    async def touch(self, ticket: Ticket) -> None:
        touched = [
            keys.ticket(ticket.id),
            keys.open_tickets(ticket.player),
            keys.queue(ticket.wish.pool),
            keys.DUE,
            keys.POOLS,
        ]
        timings = self._timings
        fresh = self._now() + timings.fresh
        ttl = timings.fresh + timings.kept
        await self._call(scripts.TOUCH, touched, [ticket.id, fresh, ttl, timings.lists])

    async def change(self, changes: Sequence[Change]) -> bool:
        swapped = self._keys_to_swap(changes), self._args_to_swap(changes)
        return bool(await self._call(scripts.SWAP, *swapped))

    async def seat(self, changes: Sequence[Change], calls: Sequence[Call]) -> bool:
        seated = [after for _, after in changes]
        seats = [keys.seats(ticket.player) for ticket in seated]
        called = [keys.call(call.id) for call in calls]
        queue = [keys.calls(calls[0].assignment.game)] if calls else []
        return bool(
            await self._call(
                scripts.SEAT,
                [*self._keys_to_swap(changes), *seats, *queue, *called],
                [*self._args_to_swap(changes), *self._args_to_seat(seated, calls)],
            )
        )

    def _keys_to_swap(self, changes: Sequence[Change]) -> list[str]:
        pool = changes[0][0].wish.pool
        return [keys.queue(pool), keys.DUE, keys.POOLS] + [
            key
            for ticket, _ in changes
            for key in (keys.ticket(ticket.id), keys.open_tickets(ticket.player))
        ]

    def _args_to_swap(self, changes: Sequence[Change]) -> list[Any]:
        pool = changes[0][0].wish.pool
        args: list[Any] = [pool, keys.CHANNEL, self._timings.lists, len(changes)]
        for before, after in changes:
            args += [
                *(after.id, before.version, after.version, msgspec.json.encode(after)),
                self._ttl(after),
                after.created_ms if after.state is State.QUEUED else "",
                "" if after.due_ms is None else after.due_ms,
                int(after.is_open),
            ]
        return args

    def _args_to_seat(
        self, seated: Sequence[Ticket], calls: Sequence[Call]
    ) -> list[Any]:
        seats = [msgspec.json.encode(ticket.assignment) for ticket in seated]
        args = [self._now(), self._limits.seats_listed, self._timings.seats, *seats]
        bodies = [
            part for call in calls for part in (call.id, msgspec.json.encode(call))
        ]
        return [*args, self._timings.call, *bodies]

    def _ttl(self, ticket: Ticket) -> int:
        if ticket.is_open:
            return self._timings.fresh + self._timings.lease + self._timings.kept
        return self._timings.kept

    async def waiting(self, wish: Wish) -> int:
        return int(await self._call(scripts.LENGTH, [keys.queue(wish.pool)]))

    async def pools(self) -> dict[str, int]:
        found = await self._call(scripts.POOLS, [keys.POOLS])
        pairs = zip(found[::2], found[1::2], strict=True)
        return {pool.decode(): int(length) for pool, length in pairs}

    async def queue(self, pool: str, at_most: int) -> list[Ticket]:
        oldest = await self._call(
            scripts.QUEUE, [keys.queue(pool), keys.POOLS], [at_most, pool]
        )
        ids = [each.decode() for each in oldest]
        tickets = await self._read(ids)
        await self._forget(ids, tickets, keys.queue(pool))
        # Another server may have reserved some since the queue was read.
        return [each for each in tickets if each and each.state is State.QUEUED]

    async def waits_since(self, pool: str) -> int | None:
        head = await self._call(scripts.HEAD, [keys.queue(pool)])
        return int(head[1]) if head else None

    async def _forget(
        self, ids: Sequence[str], tickets: Sequence[Ticket | None], *lists: str
    ) -> None:
        """Take those whose keys have run out (no server was there) off the lists."""
        for each, ticket in zip(ids, tickets, strict=True):
            if ticket is None:
                await self._call(scripts.FORGET, [keys.ticket(each), *lists], [each])

    async def settle(self) -> list[Ticket]:
        args = [self._now(), self._limits.due]
        due = await self._call(scripts.DUE, [keys.DUE], args)
        ids = [each.decode() for each in due]
        tickets = await self._read(ids)
        await self._forget(ids, tickets, keys.DUE)
        one_of_each = {
            each.lease.id if each.lease else each.id: each
            for each in tickets
            if each is not None
        }
        settled = await asyncio.gather(*map(self._pass_time, one_of_each.values()))
        return list(chain.from_iterable(settled))

    async def _pass_time(self, ticket: Ticket) -> list[Ticket]:
        """What time has changed. Those of one reservation go back together, so that
        they meet again, and at the same table."""
        now = self._now()
        if ticket.due_ms is None:
            return []
        if now < ticket.due_ms:
            await self._call(scripts.RESCORE, [keys.DUE], [ticket.id, ticket.due_ms])
            return []
        changes = [(each, each.at(now)) for each in await self.mates(ticket)]
        done = bool(changes) and await self.change(changes)
        return [after for _, after in changes] if done else []

    async def seats_of(self, player: str) -> list[Assignment]:
        found = await self._call(scripts.NEWEST, [keys.seats(player)])
        return [msgspec.json.decode(each, type=Assignment) for each in found]


def ticket_in(body: bytes | None, fresh: bytes | None) -> Ticket | None:
    if body is None or fresh is None:
        return None
    ticket = msgspec.json.decode(body, type=Ticket)
    return replace(ticket, fresh_until_ms=int(fresh))


def too_many(limit: str, wait_ms: int) -> AnpaiError:
    return AnpaiError(
        "TOO_MANY",
        f"Too many {limit} of yours; wait a little.",
        retry_after=max(wait_ms, 100) / 1000,
        limit=limit,
    )
