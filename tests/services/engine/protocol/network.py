"""What may become of a message, and the ports of a simulated worker.

Every await on a port is a call through here. `Plan` says what becomes of which call;
all others arrive, after a short time that depends on the seed alone.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from services.chassis.errors import AnpaiError
from services.chassis.stores import StoreUnavailable
from services.engine.chance import LedgerTaken, Opened, Recorded, vault_away
from services.engine.journal import Epoch, Taking
from services.engine.kernel.chance import Results
from services.engine.kernel.entry import Entry
from services.engine.kernel.play import Batch
from services.engine.news import News, Piece
from tests.services.engine.protocol.store import LEASE, StoreTwin
from tests.services.engine.protocol.vault import VaultTwin

if TYPE_CHECKING:
    from tests.services.engine.protocol.world import WorkerTwin, World

T = TypeVar("T")

PATIENCE = 0.4
DELAYS = (0.001, 0.002, 0.005, 0.01, 0.05)


class Fate(Enum):
    """What becomes of a call."""

    ARRIVES = "arrives"
    LOST = "lost"
    REPLY_LOST = "its reply is lost"
    LATE = "arrives when nobody waits any more"
    REPEATED = "arrives once more, later"
    CRASH_BEFORE = "the worker dies before it"
    CRASH_AFTER = "the worker dies when it has arrived"
    PAUSE_BEFORE = "the worker is paused before it"
    PAUSE_AFTER = "the worker is paused when it has arrived"
    UNREPLICATED = "arrives and is not replicated in time"
    FAILOVER_BEFORE = "the store fails over before it"
    FAILOVER_AFTER = "arrives, and the store fails over before it is replicated"
    VAULT_ROLLS_BACK = "the vault's store loses its last changes before it"
    HAND_OVER = "arrives, and the table is to be handed over"


class Misfortune(NamedTuple):
    """The `nth` call of a kind ("" for any) meets a fate; `size`: how late, how far."""

    kind: str
    nth: int
    fate: Fate
    size: int = 1


@dataclass
class Plan:
    """What becomes of which call."""

    misfortunes: Sequence[Misfortune] = ()
    counts: dict[str, int] = field(default_factory=dict)

    def fate(self, kind: str) -> tuple[Fate, int]:
        for name in (kind, ""):
            nth = self.counts[name] = self.counts.get(name, 0) + 1
            for one in self.misfortunes:
                if one.kind == name and one.nth == nth:
                    return one.fate, one.size
        return Fate.ARRIVES, 1


class Network:
    """Carries calls between workers and the two stores."""

    def __init__(self, world: "World", plan: Plan, chance: random.Random) -> None:
        self.world = world
        self.plan = plan
        self.chance = chance
        self.calm = False
        self.busy = 0

    async def call(
        self,
        worker: "WorkerTwin",
        kind: str,
        do: Callable[[], T],
        lost: Callable[[], AnpaiError],
        waits: bool = True,
    ) -> T:
        fate, size = (Fate.ARRIVES, 1) if self.calm else self.plan.fate(kind)
        self._note(worker, kind, fate)
        await self._before(worker, fate, size)
        await asyncio.sleep(self.chance.choice(DELAYS))
        if fate in (Fate.LOST, Fate.LATE):
            if fate is Fate.LATE:
                self.later(size * 1.0, do)
            await asyncio.sleep(PATIENCE)
            await worker.awake()
            raise lost()
        if fate is Fate.REPEATED:
            self.later(size * 1.0, do)
        try:
            result = do()
        except AnpaiError as error:
            await self._after(worker, fate, size, lost)
            raise error
        if waits and fate not in (Fate.UNREPLICATED, Fate.FAILOVER_AFTER):
            self.world.store.wait()
        await self._after(worker, fate, size, lost)
        return result

    async def _before(self, worker: "WorkerTwin", fate: Fate, size: int) -> None:
        if fate is Fate.CRASH_BEFORE:
            worker.crash()
        if fate is Fate.PAUSE_BEFORE:
            worker.pause(LEASE * size)
        if fate is Fate.FAILOVER_BEFORE and self.world.has_replicas:
            self.world.store.failover(size - 1)
        if fate is Fate.VAULT_ROLLS_BACK:
            self.world.vault.roll_back(size)
        await worker.awake()

    async def _after(
        self,
        worker: "WorkerTwin",
        fate: Fate,
        size: int,
        lost: Callable[[], AnpaiError],
    ) -> None:
        if fate is Fate.CRASH_AFTER:
            worker.crash()
        if fate is Fate.PAUSE_AFTER:
            worker.pause(LEASE * size)
        if fate is Fate.FAILOVER_AFTER:
            self.world.store.failover(size - 1)
        if fate is Fate.HAND_OVER:
            worker.hand_over_soon()
        unconfirmed = (Fate.REPLY_LOST, Fate.UNREPLICATED, Fate.FAILOVER_AFTER)
        await asyncio.sleep(
            PATIENCE if fate in unconfirmed else self.chance.choice(DELAYS)
        )
        await worker.awake()
        if fate in unconfirmed:
            raise lost()

    def later(self, seconds: float, do: Callable[[], Any]) -> None:
        """It arrives after all, and nobody hears what came of it."""

        def arrive() -> None:
            try:
                do()
            except AnpaiError:
                return

        asyncio.get_running_loop().call_later(seconds, arrive)

    def _note(self, worker: "WorkerTwin", kind: str, fate: Fate) -> None:
        told = "" if fate is Fate.ARRIVES else f": {fate.value}"
        self.world.note(f"{worker.name} {kind}{told}")


class JournalPort:
    """`Journal` as one simulated worker has it."""

    def __init__(self, worker: "WorkerTwin", store: StoreTwin) -> None:
        self._worker = worker
        self._store = store

    async def _ask(self, kind: str, do: Callable[[], T], waits: bool = True) -> T:
        world = self._worker.world
        waits = waits and (
            kind == "append" or "wait for commits only" not in world.broken
        )
        return await world.network.call(self._worker, kind, do, StoreUnavailable, waits)

    async def claim(self, request_id: str, table_id: str) -> str:
        return await self._ask("claim", lambda: self._store.claim(request_id, table_id))

    async def create(self, table_id: str, opening: Entry) -> bool:
        return await self._ask("create", lambda: self._store.create(table_id, opening))

    async def opening(self, table_id: str) -> Entry | None:
        first = await self.read(table_id, 1, 1)
        return first[0] if first else None

    async def read(self, table_id: str, first: int, last: int) -> list[Entry]:
        read = self._store.read
        return await self._ask("read", lambda: read(table_id, first, last), waits=False)

    async def take_over(self, table_id: str, hint: int) -> Taking:
        me, take = self._worker.identity, self._store.take_over
        return await self._ask("take over", lambda: take(me, table_id, hint))

    async def append(
        self, table_id: str, epoch: Epoch, before: str, entry: Entry, paid: int = 0
    ) -> bool:
        def append() -> bool:
            done = self._store.append(table_id, epoch, before, entry, paid)
            self._worker.world.check.ledger_reaches_journal(table_id)
            return done

        return await self._ask("append", append)

    async def confirm(self, table_id: str, epoch: Epoch, last: str) -> bool:
        confirm = self._store.confirm
        return await self._ask("confirm", lambda: confirm(table_id, epoch, last))

    async def renew(self, table_id: str, epoch: Epoch) -> bool:
        now = asyncio.get_running_loop().time
        return await self._change(
            "renew", table_id, epoch, lambda: {"until": now() + LEASE, "alive": now()}
        )

    async def release(self, table_id: str, epoch: Epoch) -> bool:
        now = asyncio.get_running_loop().time
        return await self._change(
            "release",
            table_id,
            epoch,
            lambda: {"until": 0.0, "released": True, "alive": now()},
        )

    async def flag(self, table_id: str, epoch: Epoch, reason: str) -> bool:
        what = {"flag": reason, "token": "", "until": 0.0}
        return await self._change("flag", table_id, epoch, lambda: what)

    async def retire(self, table_id: str, epoch: Epoch) -> bool:
        return await self._change(
            "retire", table_id, epoch, lambda: {"disclosed": True}
        )

    async def elsewhere(self, table_id: str, rules: str) -> str | None:
        def elsewhere() -> str | None:
            workers = [one for one in self._worker.world.workers if not one.is_dead]
            having = [one.name for one in workers if rules in one.rules]
            return self._store.owner(table_id) or next(iter(having), None)

        return await self._ask("elsewhere", elsewhere, waits=False)

    async def beat(self) -> None:
        """The twin knows no outages of the whole service."""

    async def _change(
        self,
        kind: str,
        table_id: str,
        epoch: Epoch,
        what: Callable[[], Mapping[str, object]],
    ) -> bool:
        change = self._store.change
        return await self._ask(kind, lambda: change(table_id, epoch, **what()))


class DeadlinesPort:
    """`Deadlines` as one simulated worker has it."""

    def __init__(self, worker: "WorkerTwin", store: StoreTwin) -> None:
        self._worker = worker
        self._store = store

    async def _ask(self, kind: str, do: Callable[[], T], waits: bool = True) -> T:
        world = self._worker.world
        waits = waits and "wait for commits only" not in world.broken
        return await world.network.call(self._worker, kind, do, StoreUnavailable, waits)

    async def arm(self, table_id: str, due: int, anew: bool = False) -> int:
        return await self._ask("arm", lambda: self._store.arm(table_id, due, anew))

    async def served(self, table_id: str, due: int, next_due: int | None) -> bool:
        served = self._store.served
        return await self._ask("served", lambda: served(table_id, due, next_due))

    async def due(self, at: int, count: int) -> list[tuple[str, int]]:
        def look() -> list[tuple[str, int]]:
            deadlines = self._store.primary.deadlines
            found = [(table, due) for table, due in deadlines.items() if due <= at]
            if "popped timers" in self._worker.world.broken:
                for table, _ in found:
                    self._store.pop(table)
            return found[:count]

        return await self._ask("due", look, waits=False)


class NewsPort:
    """`NewsBoard` as one simulated worker has it."""

    def __init__(self, worker: "WorkerTwin", store: StoreTwin) -> None:
        self._worker = worker
        self._store = store

    async def _ask(self, kind: str, do: Callable[[], T], waits: bool = True) -> T:
        call = self._worker.world.network.call
        return await call(self._worker, kind, do, StoreUnavailable, waits)

    async def put_up(self, news: News) -> None:
        def put_up() -> None:
            self._worker.world.check.put_up(news)
            self._store.put_up(news)

        await self._ask("put up", put_up)

    async def after(self, id: str) -> list[Piece]:
        after = self._store.news_after
        return await self._ask("news", lambda: after(id), waits=False)


class ChancePort:
    """`Chance` as one simulated worker has it."""

    def __init__(self, worker: "WorkerTwin", vault: VaultTwin) -> None:
        self._worker = worker
        self._vault = vault

    async def _ask(self, kind: str, do: Callable[[], T]) -> T:
        network = self._worker.world.network
        return await network.call(self._worker, kind, do, vault_away, waits=False)

    async def open_table(self, table_id: str, game: str) -> Opened:
        return await self._ask("open", lambda: self._vault.open_table(table_id))

    async def take_over(self, table_id: str, epoch: Epoch, head: str) -> LedgerTaken:
        def take() -> LedgerTaken:
            taken = self._vault.take_over(table_id, epoch, head)
            self._worker.world.check.ledger_reaches_journal(table_id)
            return taken

        return await self._ask("take ledger", take)

    async def read_ledger(self, table_id: str, epoch: Epoch) -> list[Recorded]:
        read = self._vault.read_ledger
        return await self._ask("read ledger", lambda: read(table_id, epoch))

    async def resolve(
        self, table_id: str, epoch: Epoch, batch: Batch, committed: str
    ) -> Results:
        resolve = self._vault.resolve
        return await self._ask(
            "resolve", lambda: resolve(table_id, epoch, batch, committed)
        )

    async def disclose(
        self,
        table_id: str,
        epoch: Epoch,
        head: str,
        journal: Sequence[str],
        events: Sequence[str],
    ) -> None:
        def disclose() -> None:
            self._vault.disclose(table_id, epoch, head)
            self._worker.world.check.disclosed(table_id, head)

        await self._ask("disclose", disclose)

    async def stop_table(self, table_id: str) -> None:
        await self._ask("stop", lambda: self._worker.world.check.stopped(table_id))
