"""Tables through outages of the real store and the real vault: nothing lost, nothing
done twice, and clocks that stood still."""

import asyncio
import random
import secrets
import time

import pytest

from services.chassis.client import Peer
from services.chassis.config import VaultConfig
from services.chassis.errors import AnpaiError
from services.chassis.keys import load_keys
from services.chassis.server import start
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.chassis.tokens import Credential
from services.engine.chance import VaultChance
from services.engine.deadlines import StoredDeadlines
from services.engine.games import GAMES
from services.engine.journal import StoredJournal, Worker
from services.engine.kernel.entry import EntryKind
from services.engine.kernel.event import ClockMoved
from services.engine.lease import Leases
from services.engine.live import Assigned, Wanted, open_table, reopen
from services.engine.news import StoredNews
from services.engine.saying import StoredSayings
from services.engine.works import Works
from services.vault.service import bind as bind_vault
from tests.proxy import Proxy

LEASE_MS = 1000
AGAIN = ("OUTCOME_UNKNOWN", "TABLE_MOVING", "PART_UNAVAILABLE")


class Engine:
    """One worker's tables, without its door."""

    def __init__(self, works, chance, peer, store):
        self.works = works
        self._closing = (works.leases, chance, peer, store)
        self._tables = {}
        self._former = {}

    @classmethod
    async def start(cls, url, vault, keys_folder):
        metrics = fresh_metrics()
        store = await open_store(url, metrics)
        credential = Credential(load_keys(keys_folder, "engine"), "vault")
        peer = Peer(vault, credential)
        worker = Worker(secrets.token_hex(4), "nowhere:1")
        journal = StoredJournal(store, worker, LEASE_MS)
        chance = VaultChance(peer, metrics, patience=1.0)
        works = Works(
            worker=worker,
            journal=journal,
            chance=chance,
            deadlines=StoredDeadlines(store),
            leases=Leases(journal, LEASE_MS),
            news=StoredNews(store),
            sayings=StoredSayings(store),
            games=GAMES,
            metrics=metrics,
            now=lambda: time.time_ns() // 1_000_000,
        )
        await works.leases.start()
        return cls(works, chance, peer, store)

    async def close(self):
        for one in self._closing:
            await one.close()

    async def at(self, table_id):
        if table_id not in self._tables:
            former = self._former.get(table_id)
            table = await reopen(self.works, table_id, unheard, self._lost, former)
            self._tables[table_id] = table
        return self._tables[table_id]

    def _lost(self, table):
        self._former[table.table_id] = table.past
        self._tables.pop(table.table_id, None)


def unheard(table, entry, first, events):
    """Nobody watches."""


async def insist(call):
    """Until somebody knows."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await call()
            except AnpaiError as error:
                if error.reason not in AGAIN:
                    raise
            await asyncio.sleep(0.1)


class Game:
    """Skirmish between two bots that repeat what nobody is sure of."""

    def __init__(self, engine, number):
        self.engine = engine
        self.chance = random.Random(number)
        self.name = f"request-{number}"
        self.answers = {}

    async def opens(self, timed=False):
        seats = tuple(Assigned(player, player, True) for player in "ab")
        wanted = Wanted(self.name, "skirmish", "", seats, timed)
        works = self.engine.works
        self.table_id, *_ = await insist(lambda: open_table(works, wanted))
        for player in "ab":
            await insist(lambda player=player: self._sit(player))

    async def _sit(self, player):
        return await (await self.engine.at(self.table_id)).take_seat(player, b"")

    async def looks(self):
        async def look():
            table = await self.engine.at(self.table_id)
            await table.settled()
            return table.play

        return await insist(look)

    async def plays(self, most=1000):
        for _ in range(most):
            play = await self.looks()
            if play.outcome is not None:
                return
            seat = play.open_seats[0]
            question_id, question = play.question(seat)
            choice = tuple(self.chance.sample(question.ids, question.least))
            await self._answers(seat, question_id, choice)

    async def _answers(self, seat, question_id, choice):
        answer_id = f"answer-{len(self.answers)}"

        async def answer():
            table = await self.engine.at(self.table_id)
            return await table.answer(seat, question_id, answer_id, choice)

        self.answers[answer_id] = await insist(answer)

    async def journal(self):
        return await self.engine.works.journal.read(self.table_id, 1, 10_000)

    async def holds(self):
        """Every accepted answer is in the journal once, with its revision."""
        kept = [entry for entry in await self.journal() if entry.answer_id]
        assert {entry.answer_id: entry.revision for entry in kept} == self.answers
        assert len(kept) == len(self.answers)


@pytest.fixture
async def vault(own_store, keys_folder):
    config = VaultConfig(
        listen="127.0.0.1:0",
        metrics_listen="127.0.0.1:0",
        redis_url=own_store.url,
        keys=keys_folder,
        master_key=b"m" * 32,
    )
    service = await start("vault", config, bind_vault)
    yield service
    await service.stop()


@pytest.fixture
async def engine(own_store, vault, keys_folder):
    engine = await Engine.start(own_store.url, vault.address, keys_folder)
    yield engine
    await engine.close()


async def test_games_go_on_when_the_store_is_killed_and_started_again(
    engine, own_store
):
    games = [Game(engine, number) for number in range(6)]
    await asyncio.gather(*(game.opens() for game in games))
    playing = asyncio.gather(*(game.plays() for game in games))
    for _ in range(3):
        await asyncio.sleep(0.2)
        await asyncio.to_thread(own_store.restart)
    await playing
    for game in games:
        await game.holds()


async def test_an_answer_whose_commit_was_not_heard_of_is_there_once(
    own_store, vault, keys_folder
):
    async with Proxy(own_store.url) as proxy:
        url = f"redis://{proxy.address}"
        engine = await Engine.start(url, vault.address, keys_folder)
        game = Game(engine, 1)
        await game.opens()
        await game.plays(3)
        proxy.faults.deaf = 1.0
        playing = asyncio.create_task(game.plays(2))
        await asyncio.sleep(0.5)
        proxy.faults.deaf = 0.0
        await playing
        await game.holds()
        await engine.close()


async def test_t23_t24_clocks_stand_still_while_the_store_is_away_and_it_is_told(
    engine, own_store
):
    game = Game(engine, 1)
    await game.opens(timed=True)
    await game.plays(1)
    play = await game.looks()
    due = {seat: play.deadline(seat) for seat in play.open_seats}
    began = time.monotonic()
    own_store.kill()
    await asyncio.sleep(3)
    await asyncio.to_thread(own_store.start)
    play = await game.looks()
    gone = (time.monotonic() - began) * 1000
    assert [entry.kind for entry in await game.journal()][-1] is EntryKind.RESUME
    (moved,) = [one for one in play.table.events if isinstance(one, ClockMoved)]
    for seat, before in due.items():
        assert 2000 < play.deadline(seat) - before < gone + LEASE_MS
        assert moved.milliseconds == play.deadline(seat) - before


async def test_nobody_is_told_anything_while_the_store_is_away(engine, own_store):
    game = Game(engine, 1)
    await game.opens()
    table = await engine.at(game.table_id)
    seat = table.play.open_seats[0]
    _, question = table.play.question(seat)
    own_store.kill()
    with pytest.raises(AnpaiError) as error:  # no refusal either: who knows?
        await table.answer(seat, "another question", "an-answer", question.ids[:1])
    assert error.value.reason in AGAIN
    await asyncio.to_thread(own_store.start)
