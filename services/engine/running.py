"""The parts of one engine worker, and the order in which they start and stop."""

import secrets
import socket
from functools import partial
from time import time_ns

from services.chassis.client import Peer
from services.chassis.config import EngineConfig
from services.chassis.server import Resources
from services.chassis.stores import patiently
from services.chassis.telemetry import begin_at_0
from services.chassis.tokens import Credential
from services.engine.attending import Attending
from services.engine.chance import VaultChance
from services.engine.deadlines import StoredDeadlines
from services.engine.forwarding import Forwarding
from services.engine.games import GAMES
from services.engine.hosted import ABSENCES, WHO
from services.engine.journal import StoredJournal, Worker
from services.engine.lease import Leases
from services.engine.listing import Listing
from services.engine.live import reopen
from services.engine.news import Readers, StoredNews
from services.engine.saying import StoredSayings
from services.engine.tables import Tables
from services.engine.timers import Timers
from services.engine.works import Works


class Parts:
    """What a worker consists of."""

    def __init__(self, resources: Resources[EngineConfig]) -> None:
        config, metrics = resources.config, resources.metrics
        for game in GAMES:
            begin_at_0(metrics.defaults, ((game, who) for who in WHO))
            begin_at_0(metrics.absences, ((game, what) for what in ABSENCES))
            begin_at_0(metrics.undone, [(game,)])
        credential = Credential(resources.keys, "vault")
        self._vault = Peer(config.vault, credential, resources.tls)
        self._chance = VaultChance(self._vault, metrics)
        self.works = works(resources, self._chance)
        patience = 2 * config.lease_ms / 1000
        self.forwarding = Forwarding(metrics, patience, resources.tls)
        self.tables = Tables(
            partial(reopen, self.works), metrics, resources.revocations
        )
        self._timers = Timers(
            self.tables, self.works.deadlines, metrics, self.works.now
        )
        self._attending = Attending(self.tables, self.works)
        self.readers = Readers(self.works.news)
        self.listing = Listing(resources.store)

    async def start(self) -> None:
        await patiently(self.works.leases.start)
        self._timers.start()
        self._attending.start()

    async def drain(self) -> None:
        """Hand all tables over, while calls are still answered."""
        await self._timers.stop()
        await self._attending.stop()
        self.readers.drain()
        self.forwarding.drain()
        await self.tables.drain()
        await self.works.leases.close()

    async def close(self) -> None:
        await self.works.leases.close()
        await self.forwarding.close()
        await self._chance.close()
        await self._vault.close()


def works(resources: Resources[EngineConfig], chance: VaultChance) -> Works:
    """What every table here works with."""
    config, store = resources.config, resources.store
    worker = worker_of(resources)
    rules = [f"{name}/{game.version}" for name, game in GAMES.items()]
    days = (config.kept_days, config.stopped_days)
    journal = StoredJournal(store, worker, config.lease_ms, *days, rules)
    return Works(
        worker=worker,
        journal=journal,
        chance=chance,
        deadlines=StoredDeadlines(store),
        leases=Leases(journal, config.lease_ms),
        news=StoredNews(store, config.stopped_days),
        sayings=StoredSayings(store),
        games=GAMES,
        metrics=resources.metrics,
        now=wall_ms,
        seating_ms=config.seat_wait * 1000,
        absent_ms=None if config.absent is None else config.absent * 1000,
        forsaken_ms=config.forsaken * 1000,
    )


def worker_of(resources: Resources[EngineConfig]) -> Worker:
    """A name that no later run of this worker bears, and where others call it."""
    config = resources.config
    name = config.worker or "engine"
    return Worker(f"{name}-{secrets.token_hex(4)}", address_of(resources))


def address_of(resources: Resources[EngineConfig]) -> str:
    """Where other workers call this one: "all interfaces" is nowhere for them."""
    host, _, port = resources.address.rpartition(":")
    if host in ("0.0.0.0", "[::]"):
        host = socket.gethostname()
    return resources.config.advertise or f"{host}:{port}"


def wall_ms() -> int:
    return time_ns() // 1_000_000
