"""What players ask for: tickets and rooms, each their own only."""

import secrets
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Protocol

from services.chassis.decks import Decks
from services.chassis.errors import AnpaiError
from services.chassis.tokens import Caller, Kind
from services.matchmaking import wishes
from services.matchmaking.games import Games
from services.matchmaking.rooms import Room, Rooms
from services.matchmaking.ticket import Assignment, State, Ticket, Wish
from services.matchmaking.tickets import Change, Tickets, ticket_id
from services.matchmaking.timings import TIMINGS, Timings, wall_clock
from services.matchmaking.wakeups import Wakeups


@dataclass(frozen=True, slots=True)
class Sight:
    """A ticket as its player sees it; `waiting` counts the queue while it is QUEUED."""

    ticket: Ticket
    waiting: int

    def shows_the_same_as(self, other: "Sight | None") -> bool:
        if other is None:
            return False
        here, there = self.ticket, other.ticket
        return (here.version, self.waiting) == (there.version, other.waiting)


class JudgesDecks(Protocol):
    """Whether a player may bring these decks to what he wishes to play."""

    async def __call__(self, wish: Wish, decks: Decks) -> None:
        """DECK_ILLEGAL, INVALID_FIELD; PART_UNAVAILABLE while nobody knows."""


class Desk:
    def __init__(
        self,
        tickets: Tickets,
        rooms: Rooms,
        games: Games,
        wakeups: Wakeups,
        judge_decks: JudgesDecks,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._rooms = rooms
        self._games = games
        self._wakeups = wakeups
        self._judge_decks = judge_decks
        self._timings = timings
        self._now = now

    async def create_ticket(
        self, who: Caller, request_id: str, wish: Wish, decks: Decks = ()
    ) -> Sight:
        """A ticket, or the one made before for the same request, whatever it wishes.

        Decks are judged and forgotten: whoever is to shuffle them gets them himself.
        """
        named = ticket_id(who.id, wishes.request_id(request_id))
        ticket = await self._tickets.get(named)
        if ticket is None:
            good = await self._made_good(wish)
            if decks:
                await self._judge_decks(good, decks)
            new = self._new_ticket(named, who, good)
            ticket = await self._tickets.create(new)
        return await self._seen(ticket)

    def _new_ticket(self, named: str, who: Caller, wish: Wish) -> Ticket:
        now = self._now()
        return Ticket(
            id=named,
            nonce=secrets.token_hex(8),
            player=who.id,
            name=who.name,
            wish=wish,
            created_ms=now,
            fresh_until_ms=now + self._timings.fresh,
            bot=who.kind is Kind.BOT,
        )

    async def _made_good(self, wish: Wish) -> Wish:
        """The room's wish, or this one made good."""
        if wish.room:
            return (await self._rooms.find(wish.room)).wish
        return wishes.made_good(wish, await self._games.find(wish.game))

    async def get_ticket(self, who: Caller, named: str) -> Sight:
        """To look is to care: it does not expire while it is looked at."""
        ticket = await self._own(who, named)
        patience = ticket.fresh_until_ms - self._now()
        if ticket.is_open and patience < self._timings.fresh - self._timings.touch:
            await self._tickets.touch(ticket)
        return await self._seen(ticket)

    async def watch_ticket(self, who: Caller, named: str) -> AsyncGenerator[Sight]:
        """Now and at each change, until it is ASSIGNED or CLOSED."""
        shown = None
        with self._wakeups.bell(named) as bell:
            while True:
                sight = await self.get_ticket(who, named)
                if not sight.shows_the_same_as(shown):
                    yield sight
                    shown = sight
                if not sight.ticket.is_open:
                    return
                self._wakeups.refuse_if_closing()
                await bell.wait(self._timings.reread)

    async def cancel_ticket(self, who: Caller, named: str) -> Sight:
        """Tried again while others change it; each time somebody has got further."""
        while True:
            ticket = await self._own(who, named)
            if ticket.state is State.CLOSED:
                return Sight(ticket, 0)
            if ticket.state is State.ASSIGNED:
                raise too_late(ticket)
            closed = ticket.closed("cancelled")
            if await self._tickets.change(await self._without(ticket, closed)):
                return Sight(closed, 0)

    async def _without(self, ticket: Ticket, closed: Ticket) -> list[Change]:
        """The others of its reservation go back to the queue, with their age."""
        mates = await self._tickets.mates(ticket)
        others = [(mate, mate.released()) for mate in mates if mate.id != ticket.id]
        return [(ticket, closed), *others]

    async def create_room(self, who: Caller, request_id: str, wish: Wish) -> Room:
        """A room, or the one made before for the same request."""
        named = wishes.request_id(request_id)
        if wish.room:
            raise wishes.invalid("room_code", "")
        good = wishes.made_good(wish, await self._games.find(wish.game))
        return await self._rooms.create(who.id, named, good)

    async def seats_of(self, who: Caller) -> list[Assignment]:
        return await self._tickets.seats_of(who.id)

    async def _own(self, who: Caller, named: str) -> Ticket:
        ticket = await self._tickets.get(named)
        if ticket is None or ticket.player != who.id:
            raise AnpaiError(
                "TICKET_NOT_FOUND", "You have no such ticket.", ticket=named[:64]
            )
        return ticket

    async def _seen(self, ticket: Ticket) -> Sight:
        is_queued = ticket.state is State.QUEUED
        return Sight(
            ticket, await self._tickets.waiting(ticket.wish) if is_queued else 0
        )


def too_late(ticket: Ticket) -> AnpaiError:
    return AnpaiError(
        "TICKET_SETTLED",
        "Your seat is assigned already.",
        ticket=ticket.id,
        state=ticket.state.value,
    )
