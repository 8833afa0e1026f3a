"""An evening that is watched: a real Prometheus, and a collector of traces."""

import asyncio
import json
import random
import shutil
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import grpc
import yaml
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as otlp_rpc

from anpai import Assignment, House
from anpai.engine.v1 import engine_service_pb2 as engine
from anpai.engine.v1 import engine_service_pb2_grpc as engine_rpc
from tests.deploy.deployed import DEPLOY, metrics_named, queries
from tests.evenings.players import Game, Played, Seating, games_of
from tests.evenings.processes import Process, read
from tests.evenings.tapping import tapped
from tests.evenings.town import Town, a_town
from tests.ports import HOST, free_port
from tests.stores import a_store, kinds

SEATS = (2, 3)
PATIENT_FOR = 3  # answers
SCRAPED_EVERY = 0.25
PATIENCE = 20.0

Answer = dict[str, Any]


@dataclass(frozen=True)
class Watched:
    """What was seen of it. `asked` has Prometheus' answers by query, if it is here."""

    games: list[Game]
    exports: list[otlp.ExportTraceServiceRequest]
    exit_codes: set[int]
    targets: list[Answer]
    rules: list[Answer]
    asked: dict[str, Answer]


async def watched_evening(keys: Path, folder: Path) -> Watched:
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as short,
        a_store(kinds()["valkey"], Path(short)) as store,
    ):
        async with a_collector() as collector:
            told: dict[str, Any] = {
                "ANPAI_OTLP_ENDPOINT": f"http://{collector.address}",
                "OTEL_BSP_SCHEDULE_DELAY": 100,
            }
            async with a_town(store, keys, folder, bots=True, **told) as town:
                return await played_out(town, collector)


async def played_out(town: Town, collector: "Collector") -> Watched:
    async with a_prometheus(town) as prometheus:
        seating = Seating(town.server, town.folder)
        lonely = asyncio.create_task(waits_for_nobody(seating))
        bots = [bot for seats in SEATS for bot in await town.open_table(seats)]
        played = await asyncio.gather(soon_gives_up(seating), *map(seating.play, bots))
        await two_meet(seating)
        await asked_of_every_worker(town, played[0].table_id)
        games = await games_of(town.server, played)
        seen = await prometheus.look() if prometheus else NOTHING_SEEN
        lonely.cancel()
    codes = {await one.stop() for one in reversed(town.processes)}
    return Watched(games, collector.exports, codes, **seen)


async def found(house: House, name: str, bots: int) -> Assignment:
    """A guest's seat at a table for two."""
    await house.sign_in(name)
    ticket = await house.enter("skirmish", seats=2, bots=bots)
    return await ticket.seat()


async def waits_for_nobody(seating: Seating) -> None:
    async with seating.connect() as house:
        await found(house, "Ada", bots=0)


async def two_meet(seating: Seating) -> None:
    """In the open queue, for a game that nobody else asks for."""
    async with seating.connect() as one, seating.connect() as other:
        await one.sign_in("Cleo")
        await other.sign_in("Dan")
        tickets = [await house.enter("gwent", seats=2) for house in (one, other)]
        await asyncio.gather(*(ticket.seat() for ticket in tickets))


async def soon_gives_up(seating: Seating) -> Played:
    """At a table with people a whole game takes its time."""
    async with seating.connect() as house:
        tap, chance = tapped(house), random.Random(1)
        seat = await found(house, "Ben", bots=1)
        played = Played(seat, seating.record_of(seat, "guest"), tap)
        async with house.sit(seat, record=played.record) as table:
            async for _ in table:
                if table.question and len(played.accepted) < PATIENT_FOR:
                    await seating.answer(table, played, chance)
                elif table.question:
                    await table.concede()
    return played


async def asked_of_every_worker(town: Town, table_id: str) -> None:
    """Whoever does not have the table passes the call on."""
    metadata = (("authorization", f"Bearer {town.token('bot-onlooker')}"),)
    for worker in town.engines:
        async with grpc.aio.insecure_channel(worker.address) as channel:
            stub = engine_rpc.EngineServiceStub(channel)
            request = engine.GetViewRequest(table_id=table_id)
            await stub.GetView(request, metadata=metadata, timeout=10)


# ---- Prometheus ----------------------------------------------------------------------

NOTHING_SEEN: dict[str, Any] = {"targets": [], "rules": [], "asked": {}}


class Prometheus:
    """One that scrapes a town as the deployed one scrapes containers."""

    def __init__(self, town: Town) -> None:
        self.address = f"{HOST}:{free_port()}"
        self._folder = town.folder / "prometheus"
        self._jobs: dict[str, list[Process]] = {
            "anpai-matchmaking": [town.matchmaking],
            "anpai-engine": town.engines,
            "anpai-vault": [town.vault],
            "anpai-bots": [town.bots],
        }

    def start(self) -> "subprocess.Popen[bytes]":
        self._folder.mkdir()
        config = self._folder / "prometheus.yaml"
        config.write_text(json.dumps(self._config()))
        return subprocess.Popen(
            [
                "prometheus",
                *(f"--config.file={config}", f"--web.listen-address={self.address}"),
                *(f"--storage.tsdb.path={self._folder / 'data'}", "--log.level=warn"),
            ],
            stderr=(self._folder / "log").open("wb"),
        )

    def _config(self) -> Answer:
        """What is deployed; but where things are, and how often it looks."""
        path = DEPLOY / "prometheus" / "prometheus.yaml"
        config: Answer = yaml.safe_load(path.read_text())
        every = f"{SCRAPED_EVERY * 1000:.0f}ms"
        config["global"] = dict.fromkeys(config["global"], every)
        config["rule_files"] = [str(path.parent / it) for it in config["rule_files"]]
        # The edge is no part of this evening.
        known = [it for it in config["scrape_configs"] if it["job_name"] in self._jobs]
        config["scrape_configs"] = known
        for job in known:
            del job["dns_sd_configs"]
            addresses = [one.metrics_address for one in self._jobs[job["job_name"]]]
            job["static_configs"] = [{"targets": addresses}]
        return config

    async def ask(self, path: str, **what: str) -> Any:
        """What its API answers."""
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(what)}"
        return json.loads(await asyncio.to_thread(read, url))["data"]

    async def look(self) -> dict[str, Any]:
        """What it has, once it has seen all that has happened until now."""
        await self.until("anpai_queued_tickets > 0")
        await self._has_looked_since(time.time())
        return {
            "targets": (await self.ask("targets"))["activeTargets"],
            "rules": [
                rule for group in await self._groups() for rule in group["rules"]
            ],
            "asked": {
                query: await self.ask("query", query=query) for query in to_be_asked()
            },
        }

    async def _has_looked_since(self, moment: float) -> None:
        """Once it has been everywhere again, and has gone through its rules then."""
        for last in (self._scraped, self._reckoned):
            async with asyncio.timeout(PATIENCE):
                while min(await last()) < moment:  # noqa: ASYNC110
                    await asyncio.sleep(SCRAPED_EVERY)
            moment = time.time()

    async def _scraped(self) -> list[float]:
        """When it last began to read each process, as far as it has read it."""
        targets = (await self.ask("targets"))["activeTargets"]
        return [seconds_of(one["lastScrape"]) for one in targets]

    async def _reckoned(self) -> list[float]:
        return [seconds_of(one["lastEvaluation"]) for one in await self._groups()]

    async def _groups(self) -> list[Answer]:
        groups: list[Answer] = (await self.ask("rules"))["groups"]
        return groups

    async def until(self, query: str) -> None:
        """Until this is so."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if (await self.ask("query", query=query))["result"]:
                    return
                await asyncio.sleep(SCRAPED_EVERY)

    async def until_it_answers(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.ask("targets")
                    return
                except OSError:
                    await asyncio.sleep(0.05)


def seconds_of(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def to_be_asked() -> Iterable[str]:
    """Every query there is, and every metric's name for itself."""
    return [*queries(), *sorted(metrics_named(queries()))]


@asynccontextmanager
async def a_prometheus(town: Town) -> AsyncIterator[Prometheus | None]:
    """Where it is installed."""
    if shutil.which("prometheus") is None:
        yield None
        return
    prometheus = Prometheus(town)
    process = prometheus.start()
    try:
        await prometheus.until_it_answers()
        yield prometheus
    finally:
        process.kill()
        process.wait()


# ---- traces --------------------------------------------------------------------------


class Collector(otlp_rpc.TraceServiceServicer):
    """Takes traces as a collector does, and keeps them."""

    def __init__(self) -> None:
        self.address = f"{HOST}:{free_port()}"
        self.exports: list[otlp.ExportTraceServiceRequest] = []

    async def Export(
        self, request: otlp.ExportTraceServiceRequest, context: Any
    ) -> otlp.ExportTraceServiceResponse:
        self.exports.append(request)
        return otlp.ExportTraceServiceResponse()


@asynccontextmanager
async def a_collector() -> AsyncIterator[Collector]:
    collector, server = Collector(), grpc.aio.server()
    otlp_rpc.add_TraceServiceServicer_to_server(collector, server)
    server.add_insecure_port(collector.address)
    await server.start()
    try:
        yield collector
    finally:
        await server.stop(1)
