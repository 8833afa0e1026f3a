"""Everything an evening needs, each a real process: store, services, a bot host."""

import asyncio
import base64
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import redis

from anpai import Assignment
from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from services.chassis.keys import Keys, load_keys
from services.chassis.tokens import Credential, Kind, player_token
from tests.evenings.processes import Process, Way, straight
from tests.groups import Group
from tests.ports import HOST, free_port
from tests.proxy import Proxy
from tests.stores import StoreProcess, keyspace

LEASE_MS = 1000
GAME = "skirmish"


class BotSeat(NamedTuple):
    """A seat that is assigned, and the token of the bot it is assigned to."""

    seat: Assignment
    token: str


class Links(NamedTuple):
    """The ways on which faults may lie: to a service, and from it to the store."""

    way: Way
    to_it: Proxy
    to_store: Proxy


class Town:
    """The processes of an evening, and matchmaking's keys to speak for it. `edge` is
    what players are told instead of the services' own addresses, where there is one.
    Services with `links`, by name, are reached and reach the store by them alone."""

    def __init__(
        self,
        store: StoreProcess | Group,
        keys: Path,
        folder: Path,
        workers: int,
        matchmakers: int,
        edged: bool,
        links: dict[str, Links],
        **told: object,
    ) -> None:
        self.edge = f"{HOST}:{free_port()}" if edged else ""
        self.store: Any = store
        self.folder = folder
        self.links = links
        self.keys: Keys = load_keys(keys, "matchmaking")
        self._told = {"ANPAI_KEYS": keys, **told}
        master = base64.b64encode(b"m" * 32).decode()
        self.vault = self._service("vault", ANPAI_MASTER_KEY=master)
        self.engines = [
            self._service(name, ANPAI_VAULT=self.vault.address, ANPAI_LEASE_MS=LEASE_MS)
            for name in names("engine", workers)
        ]
        self.matchmakers = [
            self._service(
                name,
                ANPAI_ENGINES=",".join(engine.address for engine in self.engines),
                ANPAI_AUDIT=self.vault.address,
                ANPAI_EDGE=self.edge,
            )
            for name in names("matchmaking", matchmakers)
        ]
        self.bots = Process(
            "bots",
            "clients.bots.host",
            folder,
            ANPAI_SERVER=self.matchmaking.address,
            ANPAI_KEYS=keys,
            ANPAI_SEATS_FILE=folder / "bots.seats",
        )

    def _service(self, name: str, **told: object) -> Process:
        service = name.partition("-")[0]
        links, store = self.links.get(name), self.store.url_of(service)
        way = links.way if links else straight()
        if links is not None:
            store = f"redis://{links.to_store.address}/0"
            told["ANPAI_ADVERTISE"] = way.address
        module = f"services.{service}"
        told |= {"ANPAI_REDIS_URL": store, **self._told}
        return Process(name, module, self.folder, way, **told)

    @property
    def matchmaking(self) -> Process:
        """The first of them."""
        return self.matchmakers[0]

    @property
    def services(self) -> list[Process]:
        return [self.vault, *self.engines, *self.matchmakers]

    @property
    def processes(self) -> list[Process]:
        return [*self.services, self.bots]

    @property
    def server(self) -> str:
        """What a player is told."""
        return self.matchmaking.address

    def logs(self) -> str:
        written = [one.log for one in self.processes if one.log.exists()]
        return "\n".join(log.read_text() for log in written)

    def keyspace(self, *prefixes: str) -> str:
        """All that the store holds under these, as text."""
        return "\n".join(keyspace(one, *prefixes) for one in self.store.urls)

    def kept_for_ever(self) -> set[str]:
        """Keys that will not go away by themselves."""
        kept: set[str] = set()
        for url in self.store.urls:
            with redis.Redis.from_url(url) as one:
                kept |= {key.decode() for key in one.scan_iter() if one.ttl(key) == -1}
        return kept

    async def open_table(
        self, seats: int, game: str = GAME, variant: str = ""
    ) -> "list[BotSeat]":
        """A table of bots, opened as matchmaking does: with nobody to be patient for,
        it is played as fast as they answer."""
        names = [f"bot-{uuid.uuid4().hex[:12]}" for _ in range(seats)]
        request = internal.OpenTableRequest(
            request_id=uuid.uuid4().hex,
            game=game,
            variant=variant,
            seats=[
                internal.Assigned(player_id=name, name=name, bot=True) for name in names
            ],
            timed=True,
        )
        metadata = Credential(self.keys, "engine").metadata()
        async with grpc.aio.insecure_channel(self.engines[0].address) as channel:
            stub = internal_rpc.EngineInternalServiceStub(channel)
            opened = await stub.OpenTable(request, metadata=metadata, timeout=20)
        return [
            BotSeat(seat_at(opened, seat, game), self.token(name))
            for seat, name in enumerate(names)
        ]

    def token(self, player: str) -> str:
        """Of the bot that plays under this name."""
        return player_token(self.keys, player, player, Kind.BOT, 3600)


def seat_at(opened: internal.OpenTableResponse, seat: int, game: str) -> Assignment:
    return Assignment(
        table_id=opened.table_id,
        seat=seat,
        engine_address=opened.address,
        commitment=opened.commitment,
        game=game,
    )


def names(service: str, count: int) -> list[str]:
    """What the processes of a service are called; an only one as the service itself,
    unless workers are counted anyway."""
    if count == 1 and service != "engine":
        return [service]
    return [f"{service}-{number}" for number in range(1, count + 1)]


@asynccontextmanager
async def a_town(
    store: StoreProcess | Group,
    keys: Path,
    folder: Path,
    *,
    workers: int = 2,
    matchmakers: int = 1,
    bots: bool = False,
    edged: bool = False,
    linked: bool = False,
    **told: object,
) -> AsyncIterator[Town]:
    """Started, in whatever order; whatever still lives at the end is killed. Its
    services are `told` this too. `linked`: there is a proxy on every way."""
    async with AsyncExitStack() as stack:
        parts = [
            "vault",
            *names("engine", workers),
            *names("matchmaking", matchmakers),
        ]
        links = {
            name: await linked_to(store, stack) for name in (parts if linked else ())
        }
        town = Town(store, keys, folder, workers, matchmakers, edged, links, **told)
        try:
            await asyncio.gather(*(process.start() for process in town.services))
            if bots:
                await town.bots.start()
            yield town
        finally:
            for process in reversed(town.processes):
                process.kill()


async def linked_to(store: Any, stack: AsyncExitStack) -> Links:
    """The links of a service that is still to come."""
    listens = f"{HOST}:{free_port()}"
    to_it = await stack.enter_async_context(Proxy(listens))
    to_store = await stack.enter_async_context(Proxy(store.url))
    return Links(Way(listens, to_it.address), to_it, to_store)
