"""The ticket store, and its port."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec

from services.chassis.errors import AnpaiError
from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.calls import Call
from services.matchmaking.party import LARGEST, PartyChange
from services.matchmaking.tables import record_of
from services.matchmaking.ticket import Assignment, State, Ticket
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings, wall_clock

Change = tuple[Ticket, Ticket]
"""A ticket as it was read, and what it is to become."""

# A short queue is read at once, without asking first who is in it.
FEW = 64
MANY = 500

NOBODY: Mapping[str, Ticket] = MappingProxyType({})

Note = Callable[[Sequence[Change]], None]


def ignore(changes: Sequence[Change]) -> None:
    pass


class Length(NamedTuple):
    """Of a queue; `since_ms` is when its oldest ticket was made, None if empty."""

    tickets: int
    players: int
    since_ms: int | None


class Tickets(Protocol):
    """Keeps tickets until nobody cares. Every write happens whole or not at all."""

    async def create(
        self, ticket: Ticket, party: PartyChange | None = None
    ) -> Ticket | None:
        """The ticket, or the one made before under its id; None if its party is not any
        more as it was. TOO_MANY."""

    async def get(self, ticket_id: str) -> Ticket | None:
        """As time has made it; None for one that never was, or is long over."""

    async def mates(self, ticket: Ticket) -> list[Ticket]:
        """All tickets of its reservation; without one, the ticket alone."""

    async def touch(self, ticket: Ticket) -> None:
        """Its player still cares. Nothing happens to a ticket that is gone."""

    async def change(self, changes: Sequence[Change]) -> bool:
        """All or none. False if one of them is not any more as it was."""

    async def seat(self, changes: Sequence[Change], calls: Sequence[Call]) -> bool:
        """As `change`, to ASSIGNED; lists the players' seats and calls the bots."""

    async def pools(self) -> dict[str, int]:
        """Each pool whose queue is not empty, with the number of its last change."""

    async def length(self, pool: str) -> Length:
        """Of the pool's queue."""

    async def queue(
        self, pool: str, at_most: int, known: Mapping[str, Ticket] = NOBODY
    ) -> list[Ticket]:
        """The oldest tickets of the pool's queue, oldest first; those that are known
        need not be read again, and may have changed."""

    async def settle(self) -> list[Ticket]:
        """Let time have its way with all that is due; what has changed by it."""

    async def seats_of(self, player: str) -> list[Assignment]:
        """Where the player was seated of late, newest first."""


def ticket_id(player: str, request_id: str) -> str:
    """The same for the same request, so that a repeat finds the ticket made before."""
    named = f"{player}/{request_id}".encode()
    return f"k-{hashlib.sha256(named).hexdigest()[:20]}"


class RedisTickets:
    """In Redis or Valkey, under one hash tag: see "Why" in the README.

    What time has changed is noted, once by whoever writes it down."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        now: Callable[[], int] = wall_clock,
        note: Note = ignore,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._limits = limits
        self._now = now
        self._note = note

    async def create(
        self, ticket: Ticket, party: PartyChange | None = None
    ) -> Ticket | None:
        reply = await self._call(
            scripts.CREATE,
            self._keys_to_create(ticket),
            [*self._args_to_create(ticket), *self._args_of_party(party)],
        )
        if reply[0] == b"NEW":
            return ticket
        if reply[0] == b"MADE":
            return await self.get(ticket.id) or ticket.closed("expired")
        if reply[0] == b"PARTY":
            return None
        raise too_many("tickets", reply[1] if reply[0] == b"RATE" else 5000)

    def _keys_to_create(self, ticket: Ticket) -> list[str]:
        pool = ticket.wish.pool
        return [
            keys.ticket(ticket.id),
            keys.ticket_rate(ticket.player),
            *(keys.queue(pool), keys.crowd(pool)),
            *(keys.DUE, keys.POOLS, keys.CHANGES),
            keys.party(ticket.party),
            *map(keys.open_tickets, ticket.players),
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
            ticket.size,
        ]

    def _args_of_party(self, party: PartyChange | None) -> list[Any]:
        if party is None:
            return ["", "", "", ""]
        before, after = party
        body = msgspec.json.encode(after)
        return [before.version, after.version, body, self._timings.party]

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

    async def _read_many(self, ids: Sequence[str]) -> list[Ticket | None]:
        """A few hundred at a time, so that nobody else waits long for the store."""
        found: list[Ticket | None] = []
        for first in range(0, len(ids), MANY):
            found += await self._read(ids[first : first + MANY])
        return found

    async def touch(self, ticket: Ticket) -> None:
        pool = ticket.wish.pool
        touched = [
            keys.ticket(ticket.id),
            *(keys.queue(pool), keys.crowd(pool)),
            *(keys.DUE, keys.POOLS, keys.CHANGES),
            *map(keys.open_tickets, ticket.players),
        ]
        timings = self._timings
        fresh = self._now() + timings.fresh
        ttl = timings.fresh + timings.kept
        await self._call(scripts.TOUCH, touched, [ticket.id, fresh, ttl, timings.lists])

    async def change(self, changes: Sequence[Change]) -> bool:
        swapped = keys_to_swap(changes), swap_args(changes, self._timings)
        return bool(await self._call(scripts.SWAP, *swapped))

    async def seat(self, changes: Sequence[Change], calls: Sequence[Call]) -> bool:
        seated = [after for _, after in changes]
        table = keys.table(record_of(seated).id)
        seats = [keys.seats(player) for each in seated for player in each.players]
        called = [keys.call(call.id) for call in calls]
        queue = [keys.calls(calls[0].assignment.game)] if calls else []
        return bool(
            await self._call(
                scripts.SEAT,
                [*keys_to_swap(changes), table, *seats, *queue, *called],
                [
                    *swap_args(changes, self._timings),
                    *self._args_to_seat(seated, calls),
                ],
            )
        )

    def _args_to_seat(
        self, seated: Sequence[Ticket], calls: Sequence[Call]
    ) -> list[Any]:
        seats = [
            msgspec.json.encode(ticket.seat_of(player))
            for ticket in seated
            for player in ticket.players
        ]
        table = msgspec.json.encode(record_of(seated))
        lists = [table, len(seats), self._now(), self._limits.seats_listed]
        bodies = [
            part for call in calls for part in (call.id, msgspec.json.encode(call))
        ]
        return [*lists, self._timings.seats, *seats, self._timings.call, *bodies]

    async def pools(self) -> dict[str, int]:
        found = await self._call(scripts.POOLS, [keys.POOLS])
        pairs = zip(found[::2], found[1::2], strict=True)
        return {pool.decode(): int(changed) for pool, changed in pairs}

    async def length(self, pool: str) -> Length:
        lists = [keys.queue(pool), keys.crowd(pool)]
        tickets, players, since = await self._call(scripts.DEPTH, lists)
        return Length(tickets, players, None if since is None else int(since))

    async def queue(
        self, pool: str, at_most: int, known: Mapping[str, Ticket] = NOBODY
    ) -> list[Ticket]:
        oldest, *read_along = await self._call(
            scripts.QUEUE,
            [keys.queue(pool), keys.POOLS],
            [at_most, pool, FEW, keys.ticket("")],
        )
        ids = [each.decode() for each in oldest]
        if read_along:
            unknown, tickets = ids, [ticket_in(*each) for each in read_along[0]]
        else:
            unknown = [each for each in ids if each not in known]
            tickets = await self._read_many(unknown)
        await self._forget(unknown, tickets, keys.queue(pool), keys.crowd(pool))
        read = {each.id: each for each in tickets if each is not None}
        # Another server may have reserved some since the queue was read.
        found = (read.get(each) or known.get(each) for each in ids)
        return [each for each in found if each and each.state is State.QUEUED]

    async def _forget(
        self, ids: Sequence[str], tickets: Sequence[Ticket | None], *lists: str
    ) -> None:
        """Take those whose keys have run out (no server was there) off the lists."""
        for each, ticket in zip(ids, tickets, strict=True):
            if ticket is None:
                others = [f"{each}/{number}" for number in range(1, LARGEST)]
                forgotten = [each, *others]
                await self._call(scripts.FORGET, [keys.ticket(each), *lists], forgotten)

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
        if not (changes and await self.change(changes)):
            return []
        self._note(changes)
        return [after for _, after in changes]

    async def seats_of(self, player: str) -> list[Assignment]:
        found = await self._call(scripts.NEWEST, [keys.seats(player)])
        return [msgspec.json.decode(each, type=Assignment) for each in found]


def keys_to_swap(changes: Sequence[Change]) -> list[str]:
    swapped = [keys.DUE, keys.POOLS, keys.CHANGES]
    for ticket, _ in changes:
        pool = ticket.wish.pool
        swapped += [keys.ticket(ticket.id), keys.queue(pool), keys.crowd(pool)]
        swapped += map(keys.open_tickets, ticket.players)
    return swapped


def swap_args(changes: Sequence[Change], timings: Timings) -> list[Any]:
    args: list[Any] = [keys.CHANNEL, timings.lists, len(changes)]
    for before, after in changes:
        args += [
            *(after.id, before.version, after.version, msgspec.json.encode(after)),
            ttl_of(after, timings),
            after.created_ms if after.state is State.QUEUED else "",
            "" if after.due_ms is None else after.due_ms,
            int(after.is_open),
            *(after.wish.pool, after.size),
        ]
    return args


def ttl_of(ticket: Ticket, timings: Timings) -> int:
    if ticket.is_open:
        return timings.fresh + timings.ready + timings.lease + timings.kept
    return timings.kept


async def changes_without(
    tickets: Tickets, ticket: Ticket, closed: Ticket
) -> list[Change]:
    """It is closed, and the others of its reservation go back to the queue, with their
    age."""
    mates = await tickets.mates(ticket)
    others = [(mate, mate.released()) for mate in mates if mate.id != ticket.id]
    return [(ticket, closed), *others]


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
