"""The pairing loop: goes through the queues and begins every table that is full.

Several may run at once without harm: a ticket is reserved by one of them only.
"""

import asyncio
import time
from collections.abc import Callable, Iterable

from services.chassis.telemetry import Metrics
from services.matchmaking.depth import Depth
from services.matchmaking.lead import Lead
from services.matchmaking.openings import Openings
from services.matchmaking.pairing import Crowd
from services.matchmaking.rounds import Family, Rounds
from services.matchmaking.ticket import Ticket, family_of
from services.matchmaking.tickets import Tickets
from services.matchmaking.timings import (
    LIMITS,
    SECOND,
    TIMINGS,
    Limits,
    Timings,
    wall_clock,
)
from services.matchmaking.wakeups import QUEUE, Wakeups

STUCK_SECONDS = 30.0


class Matcher:
    """`_known` has by family the tickets that were seen to wait: those that stay are
    not read again. One that has changed unseen cannot be reserved, and is read anew."""

    def __init__(
        self,
        tickets: Tickets,
        openings: Openings,
        lead: Lead,
        metrics: Metrics,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        now: Callable[[], int] = wall_clock,
    ):
        self._tickets = tickets
        self._openings = openings
        self._lead = lead
        self._depth = Depth(tickets, metrics, timings, now)
        self._metrics = metrics
        self._timings = timings
        self._limits = limits
        self._now = now
        self._settled_ms = 0
        self._forget()

    def _forget(self) -> None:
        self._rounds = Rounds(self._now)
        self._known: dict[str, dict[str, Ticket]] = {}

    async def run(self, wakeups: Wakeups) -> None:
        """For ever; a pass that hangs is an error, so that the loop is begun again.

        A store that was away may have failed over and count its changes from before: by
        what was seen then nobody can tell what is new."""
        self._forget()
        with wakeups.bell(QUEUE) as bell:
            while True:
                async with asyncio.timeout(STUCK_SECONDS):
                    leads = await self._lead.is_ours()
                    is_all = leads and await self.go_through()
                if leads:
                    self._metrics.last_pass.set(time.time())
                if is_all:
                    await bell.wait(self._timings.tick)
                elif leads:
                    await self._openings.room()
                else:
                    await self._stand_by()

    async def _stand_by(self) -> None:
        self._depth.forget()
        await asyncio.sleep(self._timings.tick / SECOND)

    async def go_through(self) -> bool:
        """One pass: what is due is settled, and every table that is full is begun, as
        far as there is room for it; False if another pass is worth while at once."""
        await self._settle()
        pools = await self._tickets.pools()
        await self._depth.measure(pools)
        due = self._rounds.due(pools)
        self._forget_all_but(pools)
        ready = self._rested(due)
        urgent = await self._most_urgent(ready)
        begun = await asyncio.gather(*map(self._begin, urgent))
        return all(begun) and len(urgent) == len(ready)

    async def _settle(self) -> None:
        """No more often than the loop turns when nobody comes."""
        now = self._now()
        if not 0 <= now - self._settled_ms < self._timings.tick:
            self._settled_ms = now
            await self._tickets.settle()

    def _rested(self, due: Iterable[Family]) -> list[Family]:
        rests = self._openings.rests
        rests.tidy()
        return [family for family in due if not rests.is_resting(family.name)]

    async def _most_urgent(self, ready: list[Family]) -> list[Family]:
        """No more than there is room for tables, those that wait longest."""
        room = self._openings.free
        if len(ready) <= room:
            return ready
        since = await asyncio.gather(*map(self._waits_since, ready))
        by_age = sorted(zip(since, ready, strict=True), key=lambda pair: pair[0])
        return [family for _, family in by_age[:room]]

    async def _waits_since(self, family: Family) -> int:
        lengths = await asyncio.gather(*map(self._tickets.length, family.pools))
        return min(each.since_ms or 0 for each in lengths)

    async def _begin(self, family: Family) -> bool:
        """False if not all tables of the family could be begun: there was too little
        room, or another server was faster with some of their tickets."""
        crowd = Crowd(await self._crowd_of(family), self._now())
        found = crowd.matches()
        begun, missed = await self._openings.begin(found)
        for match in missed:
            for ticket in match.tickets:
                self._known[family.name].pop(ticket.id)
        is_all = begun == len(found) and not missed
        if is_all:
            self._rounds.note(family, crowd.changes_at())
        return is_all

    async def _crowd_of(self, family: Family) -> list[Ticket]:
        known = self._known.get(family.name, {})
        most = self._limits.considered
        queues = await asyncio.gather(
            *(self._tickets.queue(pool, most, known) for pool in family.pools)
        )
        tickets = [ticket for queue in queues for ticket in queue]
        self._known[family.name] = {ticket.id: ticket for ticket in tickets}
        return tickets

    def _forget_all_but(self, pools: Iterable[str]) -> None:
        """Rooms come and go; what nobody waits for any more need not be known."""
        families = set(map(family_of, pools))
        known = self._known
        self._known = {name: known[name] for name in known if name in families}
