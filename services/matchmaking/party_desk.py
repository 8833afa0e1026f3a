"""What players ask for about parties: to make one, to join, to leave, to watch."""

from collections.abc import AsyncGenerator, Callable

from services.chassis.errors import AnpaiError, invalid
from services.chassis.tokens import Caller, Kind
from services.matchmaking import keys, wishes
from services.matchmaking.parties import Parties
from services.matchmaking.party import LARGEST, Party
from services.matchmaking.ticket import Person
from services.matchmaking.tickets import Change, Tickets, changes_without
from services.matchmaking.timings import TIMINGS, Timings, wall_clock
from services.matchmaking.wakeups import Wakeups


class PartyDesk:
    """Every change is tried again while others make theirs: all come one by one."""

    def __init__(
        self,
        parties: Parties,
        tickets: Tickets,
        wakeups: Wakeups,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._parties = parties
        self._tickets = tickets
        self._wakeups = wakeups
        self._timings = timings
        self._now = now

    async def create(self, who: Caller, request_id: str) -> Party:
        named = wishes.request_id(request_id)
        return await self._parties.create(person(who), named)

    async def join(self, who: Caller, code: str) -> Party:
        while True:
            party = await self._parties.open_party(code)
            if party.has(who.id):
                return party
            if party.is_full:
                raise full(party)
            if joined := await self._joined(party, person(who)):
                return joined

    async def _joined(self, party: Party, who: Person) -> Party | None:
        """None if the party, its ticket or who joins has changed meanwhile."""
        before = await self._parties.code_of(who.id)
        await self._parties.refuse_member_of_another(who.id, party.code)
        joined, closing = party.joined_by(who), await self._closing_ticket(party)
        done = await self._parties.join((party, joined), who.id, before, closing)
        return joined if done else None

    async def leave(self, who: Caller, code: str) -> None:
        while True:
            party = await self._parties.find(code)
            if party is None or not party.has(who.id):
                return
            change = party, party.left_by(who.id)
            closing = await self._closing_ticket(party)
            if await self._parties.leave(change, who.id, closing):
                return

    async def _closing_ticket(self, party: Party) -> list[Change]:
        """A ticket is for the party as it was made for."""
        ticket = await self._tickets.get(party.ticket) if party.ticket else None
        if ticket is None or not ticket.is_open:
            return []
        closed = ticket.closed("party_changed")
        return await changes_without(self._tickets, ticket, closed)

    async def get(self, who: Caller, code: str) -> Party:
        """The caller's party; "" for whichever that is. To look is to care."""
        party = await self._parties.own(who.id, code)
        await self._parties.touch(party)
        return party

    async def watch(self, who: Caller, code: str) -> AsyncGenerator[Party]:
        """Now and at each change, as long as the caller is in it."""
        code = (await self.get(who, code)).code
        shown, cared_ms = 0, self._now()
        with self._wakeups.bell(keys.party(code)) as bell:
            while (party := await self._parties.find(code)) and party.has(who.id):
                if party.version != shown:
                    yield party
                    shown = party.version
                self._wakeups.refuse_if_closing()
                await bell.wait(self._timings.reread)
                if not 0 <= self._now() - cared_ms < self._timings.touch:
                    await self._parties.touch(party)
                    cared_ms = self._now()

    async def led_by(self, who: Caller, code: str, people: int) -> Party:
        """The party a ticket for so many people is to be made for. PARTY_NOT_FOUND,
        NOT_LEADER, PARTY_WAITING, INVALID_FIELD."""
        party = await self.get(who, code)
        if party.leader.id != who.id:
            raise AnpaiError(
                "NOT_LEADER", "Its leader makes the party's tickets.", code=party.code
            )
        if len(party.members) > people:
            raise invalid("party_code", f"a party of up to {people}")
        if await self._closing_ticket(party):
            raise waiting(party)
        return party


def person(who: Caller) -> Person:
    return Person(who.id, who.name, who.kind is Kind.BOT)


def full(party: Party) -> AnpaiError:
    most = str(LARGEST)
    return AnpaiError("PARTY_FULL", "The party is full.", code=party.code, most=most)


def waiting(party: Party) -> AnpaiError:
    return AnpaiError(
        "PARTY_WAITING",
        "The party waits for a table already.",
        code=party.code,
        ticket=party.ticket,
    )
