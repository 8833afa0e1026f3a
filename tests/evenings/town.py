"""Everything an evening needs, each a real process: store, services, a bot host."""

import asyncio
import base64
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import grpc
import redis

from anpai import Assignment
from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from services.chassis.tokens import Credential, Keys, Kind, load_keys, player_token
from tests.evenings.processes import HOST, Process, free_port
from tests.stores import StoreProcess, keyspace

LEASE_MS = 1000
GAME = "skirmish"


class BotSeat(NamedTuple):
    """A seat that is assigned, and the token of the bot it is assigned to."""

    seat: Assignment
    token: str


class Town:
    """The processes of an evening, and matchmaking's keys to speak for it. `edge` is
    what players are told instead of the services' own addresses, where there is one."""

    def __init__(
        self,
        store: StoreProcess,
        keys: Path,
        folder: Path,
        workers: int,
        edged: bool,
        **told: object,
    ) -> None:
        self.edge = f"{HOST}:{free_port()}" if edged else ""
        self.store = store
        self.folder = folder
        self.keys: Keys = load_keys(keys, "matchmaking")
        common = {"ANPAI_REDIS_URL": store.url, "ANPAI_KEYS": keys, **told}
        master = base64.b64encode(b"m" * 32).decode()
        self.vault = Process(
            "vault", "services.vault", folder, ANPAI_MASTER_KEY=master, **common
        )
        self.engines = [
            Process(
                f"engine-{number}",
                "services.engine",
                folder,
                ANPAI_VAULT=self.vault.address,
                ANPAI_LEASE_MS=LEASE_MS,
                **common,
            )
            for number in range(1, workers + 1)
        ]
        self.matchmaking = Process(
            "matchmaking",
            "services.matchmaking",
            folder,
            ANPAI_ENGINES=",".join(engine.address for engine in self.engines),
            ANPAI_AUDIT=self.vault.address,
            ANPAI_EDGE=self.edge,
            **common,
        )
        self.bots = Process(
            "bots",
            "clients.bots.host",
            folder,
            ANPAI_SERVER=self.matchmaking.address,
            ANPAI_KEYS=keys,
        )

    @property
    def services(self) -> list[Process]:
        return [self.vault, *self.engines, self.matchmaking]

    @property
    def processes(self) -> list[Process]:
        return [*self.services, self.bots]

    @property
    def server(self) -> str:
        """What a player is told."""
        return self.matchmaking.address

    def logs(self) -> str:
        return "\n".join(one.log.read_text() for one in self.processes)

    def keyspace(self, *prefixes: str) -> str:
        """All that the store holds under these, as text."""
        return keyspace(self.store.url, *prefixes)

    def kept_for_ever(self) -> set[str]:
        """Keys that will not go away by themselves."""
        with redis.Redis.from_url(self.store.url) as client:
            return {key.decode() for key in client.scan_iter() if client.ttl(key) == -1}

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


@asynccontextmanager
async def a_town(
    store: StoreProcess,
    keys: Path,
    folder: Path,
    *,
    workers: int = 2,
    bots: bool = False,
    edged: bool = False,
    **told: object,
) -> AsyncIterator[Town]:
    """Started, in whatever order; whatever still lives at the end is killed. Its
    services are `told` this too."""
    town = Town(store, keys, folder, workers, edged, **told)
    try:
        await asyncio.gather(*(process.start() for process in town.services))
        if bots:
            await town.bots.start()
        yield town
    finally:
        for process in reversed(town.processes):
            process.kill()
