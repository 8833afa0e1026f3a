"""Workers, a store, a vault and the players, in one loop with virtual time."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from services.chassis.errors import AnpaiError
from services.chassis.telemetry import fresh_metrics
from services.engine.journal import Worker
from services.engine.kernel.entry import Entry
from services.engine.kernel.event import Event
from services.engine.kernel.game import Deck, Game
from services.engine.lease import Leases
from services.engine.live import Assigned, LiveTable, Wanted, open_table, reopen
from services.engine.past import Past
from services.engine.saying import Said
from services.engine.works import Works
from tests.services.engine.protocol.clock import run
from tests.services.engine.protocol.invariants import Check, Violated, hold
from tests.services.engine.protocol.network import (
    ChancePort,
    DeadlinesPort,
    JournalPort,
    Network,
    NewsPort,
    Plan,
)
from tests.services.engine.protocol.store import LEASE, StoreTwin
from tests.services.engine.protocol.toy import TOY
from tests.services.engine.protocol.vault import VaultTwin

METRICS = fresh_metrics()
DOUBT = ("OUTCOME_UNKNOWN", "TABLE_MOVING", "PART_UNAVAILABLE")
FLAGS = ("LEDGER_LOST", "JOURNAL_LOST", "REPLAY_DIVERGED", "OVER_BUDGET")


class Silence:
    """Nobody says anything here."""

    async def say(self, *_: Any) -> tuple[int, bool]:
        raise AssertionError("somebody speaks")

    async def kept(self, table_id: str) -> list[Said]:
        return []


class WorkerTwin:
    """One engine process: the real tables on simulated ports."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name
        self.identity = Worker(name, name)
        self.is_dead = False
        self._paused_until = 0.0
        self._tables: dict[str, LiveTable] = {}
        self._former: dict[str, Past] = {}
        self._coming: dict[str, asyncio.Task[LiveTable]] = {}
        journal = JournalPort(self, world.store)
        self.works = Works(
            worker=self.identity,
            journal=journal,
            chance=ChancePort(self, world.vault),
            deadlines=DeadlinesPort(self, world.store),
            leases=Leases(journal, round(LEASE * 1000)),
            news=NewsPort(self, world.store),
            sayings=Silence(),
            games={world.game.name: world.game},
            metrics=METRICS,
            now=world.wall_ms,
        )

    @property
    def rules(self) -> set[str]:
        """What it has, as workers say it to each other."""
        return {f"{name}/{game.version}" for name, game in self.works.games.items()}

    async def start(self) -> None:
        await self.works.leases.start()
        self.world.spawn(self._serve_timers())

    # -- misfortunes --------------------------------------------------------------

    def crash(self) -> None:
        """Nothing it still does arrives anywhere; another is started in its place."""
        if not self.is_dead:
            self.is_dead = True
            self.world.note(f"{self.name} dies")
            self.world.replace(self)

    def pause(self, seconds: float) -> None:
        self._paused_until = self.world.time() + seconds

    async def awake(self) -> None:
        """Returns when the process runs; never, if it is dead."""
        left = self._paused_until - self.world.time()
        if left > 0:
            await asyncio.sleep(max(left, 0.001))
            await self.awake()
        if self.is_dead:
            await asyncio.get_running_loop().create_future()

    def hand_over_soon(self) -> None:
        for table_id in list(self._tables):
            self.world.spawn(self.hand_over(table_id))

    async def hand_over(self, table_id: str) -> None:
        table = self._tables.pop(table_id, None)
        if table is not None:
            try:
                await table.close(hand_over=True)
            except AnpaiError:
                return

    # -- tables -------------------------------------------------------------------

    async def at(self, table_id: str) -> LiveTable:
        await self.awake()
        if table_id not in self._tables:
            coming = self._coming.get(table_id)
            if coming is None:
                coming = self.world.spawn(self._come(table_id))
                self._coming[table_id] = coming
            return await asyncio.shield(coming)
        return self._tables[table_id]

    async def _come(self, table_id: str) -> LiveTable:
        former = self._former.get(table_id)
        try:
            table = await reopen(self.works, table_id, self._shown, self._lost, former)
        finally:
            del self._coming[table_id]
        if self._former.get(table_id) is not table.past:
            self._tables[table_id] = table
        return table

    def _shown(
        self, table: LiveTable, entry: Entry, first: int, events: Sequence[Event]
    ) -> None:
        self.world.check.told(table.table_id, entry, first, events)

    def _lost(self, table: LiveTable) -> None:
        self._former[table.table_id] = table.past
        if self._tables.get(table.table_id) is table:
            del self._tables[table.table_id]

    async def _serve_timers(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            await self.awake()
            try:
                now = self.world.wall_ms()
                for table_id, due in await self.works.deadlines.due(now, 10):
                    await self._serve(table_id, due)
            except AnpaiError:
                continue

    async def _serve(self, table_id: str, due: int) -> None:
        try:
            table = await self.at(table_id)
            await table.time_out(self.world.wall_ms())
        except AnpaiError as error:
            if error.reason in FLAGS:
                await self.works.deadlines.served(table_id, due, None)
            raise


class World:
    """One run: a table from its opening to its disclosure."""

    def __init__(
        self,
        seed: int = 0,
        plan: Plan | None = None,
        game: Game = TOY,
        workers: int = 2,
        broken: Sequence[str] = (),
        has_replicas: bool = True,
        calm_after: float = 60.0,
        patience: float = 240.0,
        decks: tuple[Deck, ...] = (),
        leaves: float = 0.0,
    ) -> None:
        self.chance = random.Random(seed)
        self.broken = frozenset(broken)
        self.has_replicas = has_replicas
        self.game = game
        self.decks = decks  # of either seat
        self.leaves = leaves  # how often somebody goes away instead of answering
        self.store = StoreTwin(self.time, self.broken)
        self.vault = VaultTwin(self._seed, self.broken)
        self.network = Network(self, plan or Plan(), random.Random(seed + 1))
        self.check = Check(self)
        self.trace: list[str] = []
        self.table_id = ""
        self.flag = ""
        self.workers: list[WorkerTwin] = []
        self._names = 0
        self._wanted = workers
        self._calm_after = calm_after
        self._patience = patience
        self._tasks: set[asyncio.Task[Any]] = set()

    def _seed(self) -> bytes:
        return self.chance.randbytes(32)

    def time(self) -> float:
        return asyncio.get_running_loop().time()

    def wall_ms(self) -> int:
        return 1_000_000 + round(self.time() * 1000)

    def note(self, line: str) -> None:
        self.trace.append(f"{self.time():8.3f} {line}")

    def spawn(self, what: Any) -> "asyncio.Task[Any]":
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, (AnpaiError, Violated)):
            self.note(f"stray: {error!r}")
            self.check.found = self.check.found or Violated(f"stray error {error!r}")

    # -- workers ------------------------------------------------------------------

    async def one_more(self) -> None:
        self._names += 1
        worker = WorkerTwin(self, f"w{self._names}")
        self.workers.append(worker)
        await worker.start()

    def replace(self, worker: WorkerTwin) -> None:
        async def later() -> None:
            await asyncio.sleep(0.5)
            self.workers = [one for one in self.workers if one is not worker]
            await self.one_more()

        self.spawn(later())

    def a_worker(self) -> WorkerTwin:
        return self.chance.choice(self.workers)

    # -- a run --------------------------------------------------------------------

    async def play(self) -> None:
        """Open, sit, play to the disclosure; then see whether everything held."""
        for _ in range(self._wanted):
            await self.one_more()
        self.spawn(self._calm_down())
        try:
            async with asyncio.timeout(self._patience):
                await self._open()
                players = [Player(self, seat) for seat in range(2)]
                await asyncio.gather(*(player.play() for player in players))
                await self._until_disclosed()
        except TimeoutError:
            hold(self.check.found is not None, "I6", "no progress, and no misfortune")
        await self._finally()

    async def _calm_down(self) -> None:
        await asyncio.sleep(self._calm_after)
        self.network.calm = True

    async def _open(self) -> None:
        seats = (Assigned("p0", "Anna", False), Assigned("p1", "Ben", True))
        wanted = Wanted("request-1", self.game.name, "", seats)
        for _ in range(2):
            table_id, commitment, _ = await self.insist(
                lambda worker: open_table(worker.works, wanted)
            )
            self.check.opened(commitment)
            hold(self.table_id in ("", table_id), "I5", "one request, two tables")
            self.table_id = table_id

    async def _until_disclosed(self) -> None:
        while not (self.flag or self.vault.tables[self.table_id].disclosed):
            self.flag = self.store.replica.tables[self.table_id].flag
            await asyncio.sleep(1.0)

    async def _finally(self) -> None:
        """Another worker that never saw the table reads it again, to the last event."""
        self.network.calm = True
        self.check.at_the_end(self.table_id)
        if self.flag:
            hold(self.vault.rollbacks > 0, "I10", f"flagged {self.flag} for no reason")
            return
        for worker in self.workers:
            worker.is_dead = True
        self.workers = [WorkerTwin(self, "stranger")]
        async with asyncio.timeout(10 * LEASE):
            table = await self.insist(lambda worker: worker.at(self.table_id))
        await table.settled()
        self.check.viewed(self.table_id, table.play, table.revision)
        self.check.at_the_end(self.table_id)
        hold(table.play.outcome is not None, "I6", "the game has not ended")

    async def insist(self, call: Any) -> Any:
        """Ask one worker after the other until one knows."""
        while True:
            worker = self.a_worker()
            try:
                return await asyncio.wait_for(call(worker), 3.0)
            except TimeoutError:
                continue
            except AnpaiError as error:
                if error.reason not in DOUBT:
                    raise
            await asyncio.sleep(self.chance.choice((0.01, 0.1, 0.5)))


class Player:
    """A client at one seat: looks, answers, repeats in doubt; now and then it errs."""

    def __init__(self, world: World, seat: int) -> None:
        self.world = world
        self.seat = seat
        self.chance = random.Random(world.chance.random())
        self._count = 0
        self._last: tuple[str, str, tuple[str, ...]] | None = None
        self._seen: tuple[int, bytes] | None = None

    async def play(self) -> None:
        try:
            await self._sit()
            while not await self._is_over():
                await self._turn()
        except AnpaiError as error:
            if error.reason not in FLAGS:
                raise
            self.world.flag = error.reason

    async def _sit(self) -> None:
        async def sit(worker: WorkerTwin) -> int:
            table = await worker.at(self.world.table_id)
            nonce = self.chance.randbytes(32)
            return await table.take_seat(f"p{self.seat}", nonce, self.world.decks)

        assert await self.world.insist(sit) == self.seat

    async def _look(self) -> Any:
        async def look(worker: WorkerTwin) -> Any:
            table = await worker.at(self.world.table_id)
            await table.settled()
            play, check = table.play, self.world.check
            check.viewed(table.table_id, play, table.revision)
            self._comes_back_to(table)
            asked = play.question(self.seat)
            if asked is not None:
                check.asked(table.table_id, play, asked[0])
            return play.outcome, asked

        return await self.world.insist(look)

    def _comes_back_to(self, table: LiveTable) -> None:
        """Nobody is told that what he saw is undone, as nothing is lost here."""
        if self._seen is not None and self._seen[0] <= table.revision:
            revision, past = self._seen
            known = past in [one.name for one in table.pasts(revision)]
            self.world.check.came_back(known, revision)
        first, *later = table.pasts(table.revision)
        mine = [first, *(one for one in later if one.seat == self.seat)]
        self._seen = table.revision, mine[-1].name

    async def _is_over(self) -> bool:
        self._outcome, self._asked = await self._look()
        return self._outcome is not None

    async def _goes_away(self) -> None:
        """Is missed, played for perhaps, and comes back; in whatever order it comes."""
        steps = [("leave",), ("stand_in", f"b{self.seat}", "Bot"), ("come_back",)]
        for name, *told in steps:
            if self.chance.random() < 0.2:
                continue

            async def step(
                worker: WorkerTwin, name: str = name, told: Any = told
            ) -> None:
                table = await worker.at(self.world.table_id)
                await getattr(table, name)(self.seat, *told)

            try:
                await self.world.insist(step)
            except AnpaiError as error:
                if error.reason not in ("SEAT_OCCUPIED", "TABLE_ENDED"):
                    raise

    async def _turn(self) -> None:
        if self.world.leaves and self.chance.random() < self.world.leaves:
            await self._goes_away()
        if self._asked is None or self.chance.random() < 0.05:
            await asyncio.sleep(self.chance.choice((0.05, 0.2, 1.0)))
            return
        question_id, question = self._asked
        if self.chance.random() < 0.2:
            await self._err(question_id)
        count = self.chance.randint(question.least, question.most)
        choice = tuple(self.chance.sample(question.ids, count))
        await self._answer(question_id, choice)

    async def _answer(self, question_id: str, choice: tuple[str, ...]) -> None:
        self._count += 1
        answer_id = f"answer-{self.seat}-{self._count}"
        check = self.world.check
        for _ in range(1 + (self.chance.random() < 0.2)):
            try:
                revision = await self._send(question_id, answer_id, choice)
            except AnpaiError as error:
                if error.reason not in ("QUESTION_STALE", "TABLE_ENDED"):
                    raise
                check.aborted(answer_id, question_id)
                return
            check.answered(answer_id, revision)
        self._last = (question_id, answer_id, choice)

    async def _err(self, question_id: str) -> None:
        """Say what must be refused, and see that it is, for the right reason."""
        if self._last is None or self.chance.random() < 0.5:
            answer_id, expected = f"bad-{self.chance.random()}", "ANSWER_ILLEGAL"
        else:
            answer_id, expected = self._last[1], "ANSWER_ID_REUSED"
        try:
            await self._send(question_id, answer_id, ("no such option",))
        except AnpaiError as error:
            usual = (expected, "QUESTION_STALE", "TABLE_ENDED", *FLAGS)
            hold(error.reason in usual, "I7", f"{error.reason} for {expected}")
            if error.reason in FLAGS:
                raise
            return
        hold(False, "I1", "an illegal answer was accepted")

    async def _send(
        self, question_id: str, answer_id: str, choice: tuple[str, ...]
    ) -> int:
        async def send(worker: WorkerTwin) -> int:
            table = await worker.at(self.world.table_id)
            self.world.note(f"{worker.name} is sent {answer_id}")
            return await table.answer(self.seat, question_id, answer_id, choice)

        return int(await self.world.insist(send))


def play(world: World) -> World:
    """Run it; a violation tells the trace."""
    try:
        run(world.play())
    except Violated as violated:
        dull = ("due", "renew", "read")
        trace = [line for line in world.trace if not line.endswith(dull)]
        tail = "\n".join(trace[-150:])
        raise Violated(f"{violated}\n{tail}") from None
    return world
