"""An engine that opens tables as it is told to: a real server on a real socket."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import grpc

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_grpc
from anpai.engine.v1 import catalog_pb2
from anpai.engine.v1 import engine_service_pb2 as public
from services.chassis.errors import AnpaiError
from services.chassis.server import Bound, Resources
from services.chassis.tokens import caller


def variant(name: str, *seats: int, **more: Any) -> catalog_pb2.Variant:
    return catalog_pb2.Variant(name=name, seats=seats, **more)


GAMES = {
    "skirmish": [variant("usual", 2, 3, 4), variant("quick", 2, 3)],
    "gwent": [
        variant("usual", 2, decks=1),
        variant("team", 4, decks=1, teams=[0, 1, 0, 1]),
        variant("alone", 1),
    ],
}


class Tables:
    """The tables of all engines of a test, as their common store would keep them."""

    def __init__(self) -> None:
        self.by_request: dict[str, internal.OpenTableRequest] = {}
        self.asked: Counter[str] = Counter()
        self.news: list[internal.TableOver | internal.SeatEmpty] = []
        self.let_in: list[internal.StandInRequest] = []
        self.occupied: set[int] = set()

    def empty(
        self, table: str, seat: int, player: str = "", stand_in: str = ""
    ) -> None:
        """Nobody plays this seat, and the news of it is out."""
        wanted = self.wanted(table)
        who = wanted.seats[seat]
        self.news.append(
            internal.SeatEmpty(
                table_id=table,
                game=wanted.game,
                variant=wanted.variant,
                seat=seat,
                seats=len(wanted.seats),
                player_id=player or who.player_id,
                name=who.name,
                stand_in=stand_in,
                commitment="c0ffee",
                address="127.0.0.1:1",
            )
        )

    def open(self, request: internal.OpenTableRequest) -> str:
        self.asked[request.request_id] += 1
        self.by_request.setdefault(request.request_id, request)
        return table_of(request.request_id)

    def seats(self, table: str) -> list[internal.Assigned]:
        return list(self.wanted(table).seats)

    def wanted(self, table: str) -> internal.OpenTableRequest:
        """What was asked for when it was opened."""
        return next(
            request
            for name, request in self.by_request.items()
            if table_of(name) == table
        )

    def end(self, table: str, *ranks: int, reason: str = "played") -> None:
        """It is over, and the news of it is out; those not told about are equal."""
        wanted = self.wanted(table)
        seats = [
            internal.SeatOver(
                player_id=who.player_id,
                name=who.name,
                bot=who.bot,
                team=seat,
                rank=ranks[seat] if ranks else 1,
            )
            for seat, who in enumerate(wanted.seats)
        ]
        self.news.append(
            internal.TableOver(
                table_id=table,
                game=wanted.game,
                variant=wanted.variant,
                rated=wanted.rated,
                reason=reason,
                seats=seats,
                ended_ms=int(time.time() * 1000),
            )
        )


def piece_of(
    name: str, told: internal.TableOver | internal.SeatEmpty
) -> internal.WatchNewsResponse:
    if isinstance(told, internal.SeatEmpty):
        return internal.WatchNewsResponse(id=name, empty=told)
    return internal.WatchNewsResponse(id=name, over=told)


def table_of(request_id: str) -> str:
    return f"t-{request_id[:8]}"


class Engine(internal_grpc.EngineInternalServiceServicer):
    """`faults` come first, one for each call: seconds to stall, or what to raise."""

    def __init__(self, tables: Tables):
        self.tables = tables
        self.games: dict[str, Any] = dict(GAMES)
        self.faults: list[float | Exception] = []
        self.is_down = False
        self.stalled_game = ""
        self.address = ""
        self.callers: set[str] = set()
        self.checked: list[public.CheckDecksRequest] = []
        self.opening = asyncio.Event()
        self._running: set[asyncio.Task[Any]] = set()

    async def OpenTable(
        self, request: internal.OpenTableRequest, context: Any
    ) -> internal.OpenTableResponse:
        """What is begun is done, although the caller has given up by then."""
        self.callers.add(caller().id)
        self.opening.set()
        opening = asyncio.create_task(self._open(request))
        self._running.add(opening)
        opening.add_done_callback(self._running.discard)
        return await asyncio.shield(opening)

    async def WatchNews(
        self, request: internal.WatchNewsRequest, context: Any
    ) -> AsyncIterator[internal.WatchNewsResponse]:
        at = int(request.after.partition("-")[0] or 0)
        await context.send_initial_metadata(())
        while not self.is_down:
            for told in self.tables.news[at:]:
                at += 1
                yield piece_of(f"{at}-0", told)
            await asyncio.sleep(0.02)
        raise out_of_order()

    async def StandIn(
        self, request: internal.StandInRequest, context: Any
    ) -> internal.StandInResponse:
        await self._suffer()
        self.tables.let_in.append(request)
        if request.seat in self.tables.occupied:
            raise AnpaiError("SEAT_OCCUPIED", "Somebody is there.", seat="1")
        return internal.StandInResponse()

    async def _open(
        self, request: internal.OpenTableRequest
    ) -> internal.OpenTableResponse:
        await self._suffer()
        if request.game == self.stalled_game:
            await asyncio.sleep(60)
        return internal.OpenTableResponse(
            table_id=self.tables.open(request),
            commitment="c0ffee",
            address=self.address,
        )

    async def _suffer(self) -> None:
        if self.is_down:
            raise out_of_order()
        fault = self.faults.pop(0) if self.faults else 0.0
        if isinstance(fault, Exception):
            raise fault
        await asyncio.sleep(fault)

    async def list_games(
        self, request: public.ListGamesRequest, context: Any
    ) -> public.ListGamesResponse:
        if self.is_down:
            raise out_of_order()
        return public.ListGamesResponse(
            games=[
                catalog_pb2.GameInfo(name=name, variants=variants)
                for name, variants in sorted(self.games.items())
            ]
        )

    async def check_decks(
        self, request: public.CheckDecksRequest, context: Any
    ) -> public.CheckDecksResponse:
        """It knows no card but `ace`."""
        if self.is_down:
            raise out_of_order()
        self.checked.append(request)
        faults = [
            catalog_pb2.DeckFault(deck=number, face=face, message=f"No {face[6:]}.")
            for number, deck in enumerate(request.decks)
            for face in deck.faces
            if face != "gwent/ace"
        ]
        return public.CheckDecksResponse(faults=faults)

    def _public_door(self) -> Any:
        """As much of it as matchmaking uses."""
        games, decks = (
            grpc.unary_unary_rpc_method_handler(
                method,
                request_deserializer=request.FromString,
                response_serializer=reply.SerializeToString,
            )
            for method, request, reply in (
                (self.list_games, public.ListGamesRequest, public.ListGamesResponse),
                (self.check_decks, public.CheckDecksRequest, public.CheckDecksResponse),
            )
        )
        door, methods = "anpai.engine.v1.EngineService", ("ListGames", "CheckDecks")
        handlers = dict(zip(methods, (games, decks), strict=True))
        return grpc.method_handlers_generic_handler(door, handlers)

    async def bind(self, server: grpc.aio.Server, resources: Resources[Any]) -> Bound:
        internal_grpc.add_EngineInternalServiceServicer_to_server(self, server)
        server.add_generic_rpc_handlers((self._public_door(),))
        self.address = resources.address
        return Bound(())


def out_of_order() -> AnpaiError:
    return AnpaiError("PART_UNAVAILABLE", "Out of order.", part="vault")
