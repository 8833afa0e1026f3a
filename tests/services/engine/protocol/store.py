"""The engine's store, simulated: what its scripts promise, written once more.

A change is in the primary at once and in the replica when somebody waits for it. A
failover makes the replica the primary, with whatever else had just arrived there.
`broken` names rules to leave out, so that a test can show what they are for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from services.engine.journal import Epoch, Flagged, Owned, Taken, Taking, Worker
from services.engine.kernel.entry import Entry
from services.engine.news import News, Piece

T = TypeVar("T")
LEASE = 2.0
NOBODY = Worker("", "")


@dataclass(frozen=True)
class Kept:
    """One table in the store."""

    entries: tuple[Entry, ...]
    epoch: int = 0
    token: str = ""
    worker: Worker = NOBODY
    until: float = 0.0
    alive: float = 0.0
    released: bool = True
    owed: int = 0
    flag: str = ""
    disclosed: bool = False

    @property
    def last(self) -> Entry:
        return self.entries[-1]


@dataclass(frozen=True)
class State:
    """All of the store at one moment."""

    tables: Mapping[str, Kept] = field(default_factory=dict)
    requests: Mapping[str, str] = field(default_factory=dict)
    deadlines: Mapping[str, int] = field(default_factory=dict)
    news: tuple[News, ...] = ()


class StoreTwin:
    """The store; `now` is its clock."""

    def __init__(self, now: Callable[[], float], broken: frozenset[str]) -> None:
        self.primary = State()
        self.replica = State()
        self.arriving: list[State] = []
        self._now = now
        self._broken = broken
        self.takeovers = 0

    # -- replication --------------------------------------------------------------

    def wait(self) -> None:
        """All that was written is in the replica."""
        self.replica, self.arriving = self.primary, []

    def failover(self, arrived: int = 0) -> None:
        """The replica takes over, with this much of what nobody had waited for."""
        candidates = [self.replica, *self.arriving]
        self.primary = self.replica = candidates[min(arrived, len(candidates) - 1)]
        self.arriving = []

    def _write(self, state: State) -> None:
        self.primary = state
        self.arriving.append(state)

    def _put(self, table_id: str, kept: Kept) -> None:
        tables = {**self.primary.tables, table_id: kept}
        self._write(replace(self.primary, tables=tables))

    # -- what the scripts do ------------------------------------------------------

    def claim(self, request_id: str, table_id: str) -> str:
        if request_id not in self.primary.requests:
            requests = {**self.primary.requests, request_id: table_id}
            self._write(replace(self.primary, requests=requests))
        return self.primary.requests[request_id]

    def create(self, table_id: str, opening: Entry) -> bool:
        if table_id in self.primary.tables:
            return False
        self._put(table_id, Kept((opening,), alive=self._now()))
        return True

    def read(self, table_id: str, first: int, last: int) -> list[Entry]:
        kept = self.primary.tables.get(table_id)
        return list(kept.entries[first - 1 : last]) if kept else []

    def owner(self, table_id: str) -> str:
        """Where it is called, if its lease lives."""
        kept = self.primary.tables.get(table_id)
        return kept.worker.address if kept and kept.until > self._now() else ""

    def take_over(self, worker: Worker, table_id: str, hint: int) -> Taking:
        kept, now = self.primary.tables.get(table_id), self._now()
        if kept is None:
            return None
        if kept.flag:
            return Flagged(kept.flag)
        lives = kept.until > now and "no lease" not in self._broken
        if lives and kept.worker != worker:
            return Owned(kept.worker.address)
        away = 0 if lives or kept.released else round((now - kept.alive) * 1000)
        self.takeovers += 1
        number = max(kept.epoch, hint) + 1
        token = f"{number}" if "no token" in self._broken else f"t{self.takeovers}"
        if "same epoch again" in self._broken and kept.worker == worker and lives:
            number, token = kept.epoch, kept.token
        taken = replace(
            kept,
            epoch=number,
            token=token,
            worker=worker,
            until=now + LEASE,
            alive=now,
            released=False,
            owed=kept.owed + away,
        )
        self._put(table_id, taken)
        last = kept.last
        where = (len(kept.entries), last.hash, last.head)
        return Taken(Epoch(number, token), *where, taken.owed, kept.disclosed)

    def append(
        self, table_id: str, epoch: Epoch, before: str, entry: Entry, paid: int
    ) -> bool:
        kept = self.primary.tables.get(table_id)
        if kept is None or kept.token != epoch.token:
            return False
        matches = kept.last.hash == before
        if "position for hash" in self._broken:
            matches = len(kept.entries) == entry.position - 1
        if not matches:
            return False
        now = self._now()
        longer = replace(
            kept,
            entries=(*kept.entries, entry),
            until=now + LEASE,
            alive=now,
            owed=kept.owed - paid,
        )
        self._put(table_id, longer)
        return True

    def confirm(self, table_id: str, epoch: Epoch, last: str) -> bool:
        kept = self.primary.tables.get(table_id)
        return bool(kept and kept.token == epoch.token and kept.last.hash == last)

    def change(self, table_id: str, epoch: Epoch, **what: object) -> bool:
        """Renew, release, flag, retire: under the epoch in force."""
        kept = self.primary.tables.get(table_id)
        if kept is None or kept.token != epoch.token:
            return False
        self._put(table_id, replace(kept, **what))  # type: ignore[arg-type]
        return True

    # -- deadlines ----------------------------------------------------------------

    def arm(self, table_id: str, due: int, anew: bool) -> int:
        stands = self.primary.deadlines.get(table_id)
        due = due if stands is None else min(due, stands)
        return self._score(table_id, due - anew)

    def served(self, table_id: str, due: int, next_due: int | None) -> bool:
        if self.primary.deadlines.get(table_id) != due:
            return False
        self._score(table_id, next_due)
        return True

    def pop(self, table_id: str) -> None:
        """What a simpler service would do before it serves a table."""
        self._score(table_id, None)

    def _score(self, table_id: str, due: int | None) -> int:
        deadlines = {**self.primary.deadlines}
        deadlines.pop(table_id, None)
        if due is not None:
            deadlines[table_id] = due
        self._write(replace(self.primary, deadlines=deadlines))
        return due or 0

    # -- news ---------------------------------------------------------------------

    def put_up(self, news: News) -> None:
        if news.mark not in [one.mark for one in self.primary.news]:
            self._write(replace(self.primary, news=(*self.primary.news, news)))

    def news_after(self, id: str) -> list[Piece]:
        pieces = [Piece(f"{at}-1", one) for at, one in enumerate(self.primary.news, 1)]
        return pieces[int(id.partition("-")[0] or 0) :]
