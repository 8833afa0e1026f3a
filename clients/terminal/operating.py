"""The operators' doors of engine and matchmaking, with the operators' key."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import grpc

from anpai import AnpaiCallError
from anpai.faults import fault_of
from anpai.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from anpai.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from anpai.operator.v1 import ban_service_pb2 as bans
from anpai.operator.v1 import queue_service_pb2 as queues
from anpai.operator.v1 import table_service_pb2 as tables
from anpai.operator.v1.ban_service_pb2_grpc import BanServiceStub
from anpai.operator.v1.queue_service_pb2_grpc import QueueServiceStub
from anpai.operator.v1.table_service_pb2_grpc import TableServiceStub
from anpai.tls import SECURE, Tls, address_in, credentials_for, showing
from anpai.wire import Channels
from clients.bots.credential import Credential
from clients.terminal.players import name_here
from clients.terminal.say import Trouble
from clients.terminal.words import Words

SECONDS = 60.0
PAGE = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Doors:
    """`server` is matchmaking's own address; it knows the engines where none are
    named. `keys` is the folder with `operator.key`."""

    server: str
    engines: tuple[str, ...]
    keys: Path


class Operators:
    """One operator, and the calls there are for him. Each may raise AnpaiCallError."""

    def __init__(self, doors: Doors, channels: Channels) -> None:
        who = name_here()
        self._channels = channels
        self._server = address_in(doors.server)
        self._engines = tuple(map(address_in, doors.engines))
        self._shown = {
            service: Credential(doors.keys, "operator", service, who)
            for service in ("engine", "matchmaking")
        }

    async def tables(self, game: str, state: int) -> list[Any]:
        found: list[Any] = []
        request = tables.ListTablesRequest(game=game, limit=PAGE)
        request.state = state  # type: ignore[assignment]
        while True:
            page = await self._ask_engine("ListTables", request)
            found += page.tables
            request.after = page.next
            if not page.next:
                return found

    async def table(self, table_id: str) -> Any:
        request = tables.InspectTableRequest(table_id=table_id)
        return await self._ask_engine("InspectTable", request)

    async def end(self, table_id: str, reason: str) -> str:
        """How it ended."""
        request = tables.EndTableRequest(table_id=table_id, reason=reason)
        return str((await self._ask_engine("EndTable", request)).reason)

    async def journal(self, table_id: str) -> list[str]:
        """Of a stopped table, each entry a line of JSON."""
        found: list[str] = []
        while True:
            request = tables.ReadJournalRequest(table_id=table_id, after=len(found))
            page = await self._ask_engine("ReadJournal", request)
            found += page.entries
            if not page.entries:
                return found

    async def drain(self, worker: str) -> int | None:
        """How many tables it has handed over; None where nobody is called so."""
        request = tables.DrainRequest(worker=worker)
        for address in await self._workers():
            try:
                reply = await self._ask(TableServiceStub, "Drain", request, address)
            except AnpaiCallError as error:
                if error.reason == "INVALID_FIELD" or not error.reason:
                    continue
                raise
            return int(reply.tables)
        return None

    async def ban(self, player: str, until_ms: int, reason: str) -> None:
        request = bans.BanPlayerRequest(
            player_id=player, until_ms=until_ms, reason=reason
        )
        await self._everywhere("BanPlayer", request)

    async def let_in(self, player: str) -> None:
        await self._everywhere("LiftBan", bans.LiftBanRequest(player_id=player))

    async def bans(self) -> dict[str, int]:
        """Until when, by player, in milliseconds since 1970."""
        found: dict[str, int] = {}
        for reply in await self._everywhere("ListBans", bans.ListBansRequest()):
            for ban in reply.bans:
                until = max(found.get(ban.player_id, 0), ban.until_ms)
                found[ban.player_id] = until
        return dict(sorted(found.items()))

    async def queues(self) -> list[Any]:
        request = queues.ListQueuesRequest()
        reply = await self._ask(
            QueueServiceStub, "ListQueues", request, self._server, "matchmaking"
        )
        return list(reply.queues)

    async def _everywhere(self, name: str, request: Any) -> list[Any]:
        """At both lists of those who are turned away."""
        there = (BanServiceStub, name, request, self._server, "matchmaking")
        return [
            await self._ask(*there),
            await self._ask_engine(name, request, BanServiceStub),
        ]

    async def _ask_engine(
        self, name: str, request: Any, kind: type[Any] = TableServiceStub
    ) -> Any:
        """Any worker: the next one where one is gone."""
        *others, last = await self._workers()
        for address in others:
            try:
                return await self._ask(kind, name, request, address)
            except AnpaiCallError as error:
                if error.code is not grpc.StatusCode.UNAVAILABLE:
                    raise
        return await self._ask(kind, name, request, last)

    async def _workers(self) -> Sequence[str]:
        if not self._engines:
            self._engines = tuple((await self._directory()).engines)
        return self._engines

    async def _directory(self) -> matchmaking.GetDirectoryResponse:
        stub = self._channels.stub(MatchmakingServiceStub, self._server)
        request = matchmaking.GetDirectoryRequest()
        told: matchmaking.GetDirectoryResponse = await answered(
            stub.GetDirectory(request, timeout=SECONDS)
        )
        return told

    async def _ask(
        self,
        kind: type[Any],
        name: str,
        request: Any,
        address: str,
        service: str = "engine",
    ) -> Any:
        call = getattr(self._channels.stub(kind, address), name)
        metadata = (("authorization", f"Bearer {self._shown[service]()}"),)
        return await answered(call(request, metadata=metadata, timeout=SECONDS))


async def answered(call: Any) -> Any:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise fault_of(error) from None
    finally:
        call.cancel()


def shown_at(doors: Doors) -> Tls:
    """The certificate that lies beside the key, for doors that want to see one."""
    pair = doors.keys / "tls.crt", doors.keys / "tls.key"
    if doors.server.startswith(SECURE) and all(path.is_file() for path in pair):
        return showing(*pair)
    return False


@asynccontextmanager
async def operators(doors: Doors, words: Words) -> AsyncIterator[Operators]:
    """Trouble where there is no key."""
    channels = Channels(credentials_for(doors.server, shown_at(doors)))
    try:
        these = Operators(doors, channels)
    except (OSError, ValueError) as error:
        path = doors.keys / "operator.key"
        reason = getattr(error, "strerror", None) or str(error)
        raise Trouble(words("admin.no_key", path=path, reason=reason)) from None
    try:
        yield these
    finally:
        await channels.close()


def operate(doors: Doors, words: Words, do: Callable[[Operators], Awaitable[T]]) -> T:
    """Whatever is to be done, and what came of it."""

    async def run() -> T:
        async with operators(doors, words) as these:
            return await do(these)

    return asyncio.run(run())
