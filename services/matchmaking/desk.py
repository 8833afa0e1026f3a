"""What players ask for: tickets and rooms, each their own only."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Protocol

from services.chassis.decks import Decks
from services.chassis.errors import AnpaiError, invalid
from services.chassis.tokens import Caller, Kind
from services.matchmaking import wishes
from services.matchmaking.games import Games
from services.matchmaking.party import Party
from services.matchmaking.party_desk import PartyDesk, person
from services.matchmaking.ready import Check, ReadyChecks
from services.matchmaking.rooms import Room, Rooms
from services.matchmaking.ticket import (
    USUAL_RATING,
    Assignment,
    Person,
    State,
    Ticket,
    Wish,
)
from services.matchmaking.tickets import Tickets, changes_without, ticket_id
from services.matchmaking.timings import TIMINGS, Timings, wall_clock
from services.matchmaking.wakeups import Wakeups


@dataclass(frozen=True, slots=True)
class Sight:
    """A ticket as one of its players sees it; `waiting` counts the queue while it is
    QUEUED, `check` is the ready check it is in."""

    ticket: Ticket
    player: str
    waiting: int = 0
    check: Check | None = None

    def shows_the_same_as(self, other: "Sight | None") -> bool:
        if other is None:
            return False
        here, there = (
            (each.ticket.version, each.waiting, each.check) for each in (self, other)
        )
        return here == there


class JudgesDecks(Protocol):
    """Whether a player may bring these decks to what he wishes to play."""

    async def __call__(self, wish: Wish, decks: Decks) -> None:
        """DECK_ILLEGAL, INVALID_FIELD; PART_UNAVAILABLE while nobody knows."""


class RatesPlayers(Protocol):
    """How strong a player is at a variant, on the scale of `USUAL_RATING`."""

    async def __call__(self, player: str, game: str, variant: str) -> float:
        """Of somebody of whom nothing is known, the usual."""


async def as_usual(player: str, game: str, variant: str) -> float:
    return USUAL_RATING


class Desk:
    def __init__(
        self,
        tickets: Tickets,
        rooms: Rooms,
        games: Games,
        wakeups: Wakeups,
        parties: PartyDesk,
        checks: ReadyChecks,
        judge_decks: JudgesDecks,
        rating_of: RatesPlayers = as_usual,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._rooms = rooms
        self._games = games
        self._wakeups = wakeups
        self._parties = parties
        self._checks = checks
        self._judge_decks = judge_decks
        self._rating_of = rating_of
        self._timings = timings
        self._now = now

    async def create_ticket(
        self,
        who: Caller,
        request_id: str,
        wish: Wish,
        decks: Decks = (),
        party_code: str = "",
    ) -> Sight:
        """A ticket, or the one made before for the same request, whatever it wishes."""
        return await self.make_ticket(
            who, request_id, partial(self._made_good, wish), decks, party_code
        )

    async def make_ticket(
        self,
        who: Caller,
        request_id: str,
        good_wish: Callable[[], Awaitable[Wish]],
        decks: Decks,
        party_code: str = "",
    ) -> Sight:
        """The same for a wish that is found out only where a ticket is to be made.

        Decks are judged and forgotten: whoever is to shuffle them gets them himself.
        """
        named = ticket_id(who.id, wishes.request_id(request_id))
        try:
            good = await good_wish()
            if decks:
                await self._judge_decks(good, decks)
            ticket = await self._create(named, who, good, party_code)
        except AnpaiError:
            made = await self._tickets.get(named)
            if made is None:
                raise
            ticket = made
        return await self._seen(who, ticket)

    async def _create(
        self, named: str, who: Caller, wish: Wish, party_code: str
    ) -> Ticket:
        """For a party tried again while somebody joins or leaves."""
        while True:
            party = await self._party_of(who, party_code, wish)
            new = await self._new_ticket(named, who, wish, party)
            change = None if party is None else (party, party.playing(named))
            made = await self._tickets.create(new, change)
            if made is not None:
                return made

    async def _party_of(self, who: Caller, code: str, wish: Wish) -> Party | None:
        if not code:
            return None
        party = await self._parties.led_by(who, code, wish.people)
        if wish.chairs and not all(each.id in wish.chairs for each in party.members):
            raise invalid("party_code", "a party of those who sat there")
        return party

    async def _new_ticket(
        self, named: str, who: Caller, wish: Wish, party: Party | None
    ) -> Ticket:
        people = (person(who),) if party is None else party.members
        rating = await self._rating_for(people, wish)
        asks = wish.ready_check and not all(each.bot for each in people)
        now = self._now()
        return Ticket(
            id=named,
            nonce=secrets.token_hex(8),
            player=who.id,
            name=who.name,
            wish=replace(wish, ready_check=asks),
            created_ms=now,
            fresh_until_ms=now + self._timings.fresh,
            bot=who.kind is Kind.BOT,
            others=people[1:],
            party="" if party is None else party.code,
            rating=rating,
        )

    async def _rating_for(self, people: Sequence[Person], wish: Wish) -> float:
        """A party is as strong as its members on average; in a room it is all one."""
        if wish.room:
            return USUAL_RATING
        ratings = (self._rating_of(each.id, wish.game, wish.variant) for each in people)
        return fmean(await asyncio.gather(*ratings))

    async def _made_good(self, wish: Wish) -> Wish:
        """The room's wish, or this one made good."""
        if wish.room:
            return (await self._rooms.find(wish.room)).wish
        wish = wishes.for_the_queue(wish)
        return wishes.made_good(wish, await self._games.find(wish.game))

    async def get_ticket(self, who: Caller, named: str) -> Sight:
        """To look is to care: it does not expire while it is looked at."""
        ticket = await self._own(who, named)
        patience = ticket.fresh_until_ms - self._now()
        is_usual = abs(patience - self._timings.fresh) <= self._timings.touch
        if ticket.is_open and not is_usual:
            await self._tickets.touch(ticket)
        return await self._seen(who, ticket)

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
                return Sight(ticket, who.id)
            if ticket.state is State.ASSIGNED:
                raise too_late(ticket)
            closed = ticket.closed("cancelled")
            changes = await changes_without(self._tickets, ticket, closed)
            if await self._tickets.change(changes):
                return Sight(closed, who.id)

    async def confirm_ready(self, who: Caller, named: str, check: str) -> Sight:
        """Tried again while others say the same."""
        while True:
            ticket = await self._own(who, named)
            if who.id in ticket.here:
                return await self._seen(who, ticket)
            confirmed = await self._checks.confirm(ticket, who.id, check)
            if confirmed is not None:
                return await self._seen(who, confirmed)

    async def create_room(self, who: Caller, request_id: str, wish: Wish) -> Room:
        """A room, or the one made before for the same request."""
        named = wishes.request_id(request_id)
        if wish.room:
            raise invalid("room_code", "")
        wish = wishes.for_a_room(wish)
        good = wishes.made_good(wish, await self._games.find(wish.game))
        return await self._rooms.create(who.id, named, good)

    async def seats_of(self, who: Caller) -> list[Assignment]:
        return await self._tickets.seats_of(who.id)

    async def _own(self, who: Caller, named: str) -> Ticket:
        ticket = await self._tickets.get(named)
        if ticket is None or who.id not in ticket.players:
            raise AnpaiError(
                "TICKET_NOT_FOUND", "You have no such ticket.", ticket=named[:64]
            )
        return ticket

    async def _seen(self, who: Caller, ticket: Ticket) -> Sight:
        waiting = 0
        if ticket.state is State.QUEUED:
            waiting = (await self._tickets.length(ticket.wish.pool)).players
        return Sight(ticket, who.id, waiting, await self._checks.of(ticket))


def too_late(ticket: Ticket) -> AnpaiError:
    return AnpaiError(
        "TICKET_SETTLED",
        "Your seat is assigned already.",
        ticket=ticket.id,
        state=ticket.state.value,
    )
