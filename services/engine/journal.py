"""The journal of every table: append an entry once, read a table's entries in order.

It is also where ownership stands: who may append is decided where it is appended, in
one script. `Journal` is the port; `StoredJournal` keeps it in a stream and a hash.
"""

import hashlib
import secrets
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from services.chassis.stores import Script, Store
from services.engine import scripts
from services.engine.kernel.entry import Entry

PAGE = 500
REQUEST_SECONDS = 24 * 3600
OUTAGES_KEPT = 50
DAY_MS = 24 * 3600 * 1000
RULES = "engine:{workers}:rules"


class Epoch(NamedTuple):
    """A right to write: its number grows with every takeover, its token is random."""

    number: int
    token: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A table taken over: where its journal stands.

    `owed` is by how many milliseconds open clocks have to be set back: nobody was
    there, and no RESUME entry says so yet.
    """

    epoch: Epoch
    position: int
    hash: str
    head: str
    owed: int
    disclosed: bool


@dataclass(frozen=True, slots=True)
class Owned:
    """Another worker's lease lives; `address` is where that worker is called."""

    address: str


@dataclass(frozen=True, slots=True)
class Flagged:
    """The table was stopped for good; `reason` is the error's."""

    reason: str


@dataclass(frozen=True, slots=True)
class Worker:
    """One run of one engine process: `id` is never used again, `address` may be."""

    id: str
    address: str


Taking = Taken | Owned | Flagged | None


class Journal(Protocol):
    """Every call may raise `StoreUnavailable`: then it has happened, or it has not."""

    async def claim(self, request_id: str, table_id: str) -> str:
        """The table id first claimed for a request; `table_id` if none was."""

    async def create(self, table_id: str, opening: Entry) -> bool:
        """Begin a journal that nobody owns; False where there is one already."""

    async def opening(self, table_id: str) -> Entry | None:
        """A journal's first entry; None where no table has this id."""

    async def take_over(self, table_id: str, hint: int) -> Taking:
        """Make the table this worker's, in a new epoch above `hint`.

        One's own living lease is no hindrance. None where no table has this id.
        """

    async def read(self, table_id: str, first: int, last: int) -> list[Entry]:
        """Entries by position, both ends included; fewer where it has fewer."""

    async def append(
        self, table_id: str, epoch: Epoch, before: str, entry: Entry, paid: int = 0
    ) -> bool:
        """Append behind the entry that has the hash `before`, and prolong the lease.

        False, and nothing done, where epoch or last hash are others. `paid` is taken
        off what is owed.
        """

    async def confirm(self, table_id: str, epoch: Epoch, last: str) -> bool:
        """Whether epoch and last hash still are these."""

    def renew(self, table_id: str, epoch: Epoch) -> Awaitable[bool]:
        """Prolong the lease; False where the epoch is another's.

        It is on its way before it is awaited: those of many tables travel together.
        """

    async def release(self, table_id: str, epoch: Epoch) -> bool:
        """Hand the table over to whoever calls for it next; False as above."""

    async def flag(self, table_id: str, epoch: Epoch, reason: str) -> bool:
        """Stop the table for good; the journal is kept some weeks. False as above."""

    async def retire(self, table_id: str, epoch: Epoch) -> bool:
        """Note the disclosure; the journal is kept some days more. False as above."""

    async def beat(self) -> None:
        """Say that a worker is here, and with which rules: clocks of tables stop while
        none is."""

    async def elsewhere(self, table_id: str, rules: str) -> str | None:
        """Where a table is to be called that has other rules than this worker: at its
        owner, or at a worker that has them; None where there is none."""


class StoredJournal:
    """The journal in Redis: the stream's field `e` is an entry's text."""

    def __init__(
        self,
        store: Store,
        worker: Worker,
        lease_ms: int,
        kept_days: int = 30,
        stopped_days: int = 90,
        rules: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._worker = worker
        self._lease_ms = lease_ms
        self._kept_ms = kept_days * DAY_MS
        self._stopped_ms = stopped_days * DAY_MS
        self._rules = rules
        self._outages: tuple[int, ...] = ()

    async def claim(self, request_id: str, table_id: str) -> str:
        key = f"engine:request:{request_id}"
        args = (table_id, REQUEST_SECONDS)
        return text(await self._store.pipeline.call(scripts.CLAIM, (key,), args))

    async def create(self, table_id: str, opening: Entry) -> bool:
        args = (opening.text(), opening.hash, opening.head)
        return await self._is_done(scripts.CREATE, table_id, args)

    async def opening(self, table_id: str) -> Entry | None:
        first = await self.read(table_id, 1, 1)
        return first[0] if first else None

    async def take_over(self, table_id: str, hint: int) -> Taking:
        drawn = secrets.token_hex(8)
        args: list[str | int]
        args = [self._worker.id, self._worker.address, self._lease_ms, hint, drawn]
        args += self._outages
        reply = await self._call(scripts.TAKE_OVER, table_id, args)
        match text(reply[0]):
            case "owned":
                return Owned(text(reply[1]))
            case "flagged":
                return Flagged(text(reply[1]))
            case "absent":
                return None
        _, number, token, position, last, head, owed, disclosed = reply
        epoch = Epoch(int(number), text(token))
        where = (int(position), text(last), text(head))
        return Taken(epoch, *where, int(owed), bool(disclosed))

    async def read(self, table_id: str, first: int, last: int) -> list[Entry]:
        entries: list[Entry] = []
        while first + len(entries) <= last:
            args = (first + len(entries), last, PAGE)
            page = await self._call(scripts.READ, table_id, args)
            entries += map(Entry.read, page)
            if len(page) < PAGE:
                break
        return entries

    async def append(
        self, table_id: str, epoch: Epoch, before: str, entry: Entry, paid: int = 0
    ) -> bool:
        args = (
            epoch.token,
            before,
            entry.position,
            entry.hash,
            entry.head,
            entry.text(),
            self._lease_ms,
            paid,
        )
        return await self._is_done(scripts.APPEND, table_id, args)

    async def confirm(self, table_id: str, epoch: Epoch, last: str) -> bool:
        return await self._is_done(scripts.CONFIRM, table_id, (epoch.token, last))

    def renew(self, table_id: str, epoch: Epoch) -> Awaitable[bool]:
        reply: Awaitable[bool]  # of 0 or 1
        reply = self._call(scripts.RENEW, table_id, (epoch.token, self._lease_ms))
        return reply

    async def release(self, table_id: str, epoch: Epoch) -> bool:
        return await self._is_done(scripts.RELEASE, table_id, (epoch.token,))

    async def flag(self, table_id: str, epoch: Epoch, reason: str) -> bool:
        args = (epoch.token, reason, self._stopped_ms)
        return await self._is_done(scripts.FLAG, table_id, args)

    async def retire(self, table_id: str, epoch: Epoch) -> bool:
        args = (epoch.token, self._kept_ms)
        return await self._is_done(scripts.RETIRE, table_id, args)

    async def beat(self) -> None:
        keys = ("engine:{workers}:alive", "engine:{workers}:outages", RULES)
        args: list[str | int] = [2 * self._lease_ms, OUTAGES_KEPT, self._worker.address]
        args += self._rules
        times = await self._store.pipeline.call(scripts.BEAT, keys, args)
        self._outages = tuple(int(time) for time in times)

    async def elsewhere(self, table_id: str, rules: str) -> str | None:
        owner = text(await self._call(scripts.OWNER, table_id, ()))
        return owner or await self._having(table_id, rules)

    async def _having(self, table_id: str, rules: str) -> str | None:
        """Of several the same one for all who ask, so that they meet there."""
        told = await self._store.pipeline.call(scripts.HAVING, (RULES,), ())
        known = [text(one).rpartition(" ") for one in told]
        addresses = [address for theirs, _, address in known if theirs == rules]
        return min(addresses, key=lambda it: sha256(f"{it}/{table_id}"), default=None)

    async def _is_done(
        self, script: Script, table_id: str, args: Sequence[str | int]
    ) -> bool:
        return bool(await self._call(script, table_id, args))

    def _call(self, script: Script, table_id: str, args: Sequence[str | int]) -> Any:
        keys = (f"engine:{{{table_id}}}:state", f"engine:{{{table_id}}}:journal")
        return self._store.pipeline.call(script, keys, args)


def sha256(told: str) -> bytes:
    return hashlib.sha256(told.encode()).digest()


def text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
