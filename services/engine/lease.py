"""Leases: a worker keeps its tables by renewing, and lets go in time when it cannot.

Why leases, when epochs alone keep the journal safe: two workers that take over in turn
would refuse each other's commits for ever.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import NamedTuple

from services.chassis.stores import StoreUnavailable
from services.engine.journal import Epoch, Journal

NEVER = Epoch(0, "")


class Lease:
    """This worker's hold on one table; `until` is the time of `now`, the loop's clock.

    `lost` is called once, when it lapses. While a takeover is under way (`moving`) the
    old epoch is refused, which tells nothing.
    """

    def __init__(
        self,
        table_id: str,
        seconds: float,
        lost: Callable[[], None],
        now: Callable[[], float],
    ) -> None:
        self.table_id = table_id
        self.epoch = NEVER
        self.until = 0.0
        self.moving = False
        self._seconds = seconds
        self.lost = lost
        self._now = now
        self._is_lost = False

    @property
    def lives(self) -> bool:
        return not self._is_lost and self._now() < self.until

    def taken(self, epoch: Epoch, asked: float) -> None:
        """A takeover asked for at this time of the loop has succeeded."""
        self.epoch, self.moving = epoch, False
        self.prolonged(asked)

    def prolonged(self, asked: float) -> None:
        """The store prolonged it, at this time of the loop or later."""
        self.until = max(self.until, asked + self._seconds)

    def lapse(self) -> None:
        """It is over; whoever holds on to it is told."""
        if not self._is_lost:
            self._is_lost = True
            self.lost()


class Renewing(NamedTuple):
    """A lease that was asked to be renewed, when, and the reply to that."""

    lease: Lease
    epoch: Epoch
    asked: float
    reply: Awaitable[bool]


class Leases:
    """All leases of a worker; renewed together, a third of their time apart."""

    def __init__(self, journal: Journal, lease_ms: int) -> None:
        self.seconds = lease_ms / 1000
        self._journal = journal
        self._held: set[Lease] = set()
        self._keeping: asyncio.Task[None] | None = None
        self._renewing: asyncio.Task[None] | None = None

    @cached_property
    def now(self) -> Callable[[], float]:
        """The loop's clock."""
        return asyncio.get_running_loop().time

    async def start(self) -> None:
        """Learn how long no worker was there, before any table is taken over."""
        await self._journal.beat()
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        tasks = [task for task in (self._keeping, self._renewing) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def new(self, table_id: str, lost: Callable[[], None]) -> Lease:
        """A lease on nothing yet; it is renewed from its first takeover on."""
        lease = Lease(table_id, self.seconds, lost, self.now)
        self._held.add(lease)
        return lease

    def drop(self, lease: Lease) -> None:
        """It is not renewed any more, and nobody is told when it ends."""
        self._held.discard(lease)
        lease.lost = unheard

    async def _keep(self) -> None:
        while True:
            self._let_go()
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.create_task(self._renew_all())
            await asyncio.sleep(self.seconds / 6)

    def _let_go(self) -> None:
        for lease in [lease for lease in self._held if 0 < lease.until <= self.now()]:
            self._lapse(lease)

    async def _renew_all(self) -> None:
        await asyncio.gather(self._beat(), self._renew_due())

    async def _renew_due(self) -> None:
        """All in one turn of the loop, so that they travel together; a worker has
        thousands, so that a task for each would cost as much as answers do."""
        soon = self.now() + self.seconds * 2 / 3
        due = [lease for lease in self._held if 0 < lease.until < soon]
        for renewing in [self._renewing_of(lease) for lease in due]:
            await self._renew(renewing)

    def _renewing_of(self, lease: Lease) -> Renewing:
        reply = self._journal.renew(lease.table_id, lease.epoch)
        return Renewing(lease, lease.epoch, self.now(), reply)

    async def _beat(self) -> None:
        try:
            await self._journal.beat()
        except StoreUnavailable:
            return  # the next one will tell the gap

    async def _renew(self, renewing: Renewing) -> None:
        lease = renewing.lease
        try:
            is_ours = await renewing.reply
        except StoreUnavailable:
            return  # it lapses by itself if this goes on
        if lease.moving or lease.epoch != renewing.epoch:
            return
        if is_ours:
            lease.prolonged(renewing.asked)
        else:
            self._lapse(lease)

    def _lapse(self, lease: Lease) -> None:
        lease.lapse()
        self.drop(lease)


def unheard() -> None:
    """In place of a callback that would keep alive whoever has gone."""
