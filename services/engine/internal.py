"""The engine's door for matchmaking: opening tables, and the news of them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Protocol

from anpai.engine.internal.v1 import engine_internal_service_pb2 as pb
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as rpc
from services.engine import fields
from services.engine.catalog import game_named, variant_named
from services.engine.forwarding import Context, Forwarding, wherever_the_table_is
from services.engine.live import Assigned, Wanted
from services.engine.news import (
    Piece,
    Readers,
    SeatEmpty,
    SeatOver,
    TableOver,
    news_id,
)
from services.engine.projection.spectating import MOST_BEHIND, behind_in
from services.engine.tables import Tables


class OpenTable(Protocol):
    """Opens a table, or finds what the same request opened."""

    async def __call__(self, wanted: Wanted) -> tuple[str, str, str]:
        """The table's id, its commitment, the address of the worker that has it."""


class EngineInternalService(rpc.EngineInternalServiceServicer):
    """Repeating a request gives the same table."""

    def __init__(
        self,
        open_table: OpenTable,
        readers: Readers,
        tables: Tables,
        forwarding: Forwarding,
    ) -> None:
        self.forwarding = forwarding
        self._open_table = open_table
        self._readers = readers
        self._tables = tables

    async def OpenTable(
        self, request: pb.OpenTableRequest, context: Context
    ) -> pb.OpenTableResponse:
        table_id, commitment, address = await self._open_table(wanted(request))
        return pb.OpenTableResponse(
            table_id=table_id, commitment=commitment, address=address
        )

    @wherever_the_table_is
    async def StandIn(
        self, request: pb.StandInRequest, context: Context
    ) -> pb.StandInResponse:
        player, name = fields.player_id(request.player_id), fields.name(request.name)
        table = await self._tables.at(fields.table_id(request.table_id))
        seat = fields.seat(request.seat, len(table.live.assigned))
        await table.live.stand_in(seat, player, name)
        return pb.StandInResponse()

    async def WatchNews(
        self, request: pb.WatchNewsRequest, context: Context
    ) -> AsyncGenerator[pb.WatchNewsResponse, None]:
        after = news_id(request.after)
        await context.send_initial_metadata(())  # before there is news: we live
        async with aclosing(self._readers.follow(after)) as pieces:
            async for piece in pieces:
                yield piece_message(piece)


def wanted(request: pb.OpenTableRequest) -> Wanted:
    """What to open, if it can be; GAME_NOT_FOUND, INVALID_FIELD."""
    game = game_named(request.game)
    variant = variant_named(game, request.variant)
    if len(request.seats) not in variant.seats:
        fields.refuse("seats", f"{', '.join(map(str, variant.seats))} of them")
    seats = tuple(assigned(seat) for seat in request.seats)
    if len({seat.player for seat in seats}) < len(seats):
        fields.refuse("seats", "different players")
    return Wanted(
        request_id=fields.request_id(request.request_id),
        game=game.name,
        variant=variant.name,
        seats=seats,
        timed=request.timed,
        rated=request.rated,
        spectators=spectators(request),
    )


def spectators(request: pb.OpenTableRequest) -> int:
    """How many events spectators are behind; -1 where there are none. INVALID_FIELD."""
    said, behind = request.spectating, request.spectators_behind
    try:
        return behind_in(said, behind, rated=request.rated)
    except ValueError:
        fields.refuse("spectating", f"OPEN, NONE, or DELAYED by 0-{MOST_BEHIND} events")


def assigned(seat: pb.Assigned) -> Assigned:
    return Assigned(
        player=fields.player_id(seat.player_id),
        name=fields.name(seat.name),
        bot=seat.bot,
    )


def piece_message(piece: Piece) -> pb.WatchNewsResponse:
    if isinstance(piece.news, SeatEmpty):
        return pb.WatchNewsResponse(id=piece.id, empty=empty_message(piece.news))
    return pb.WatchNewsResponse(id=piece.id, over=over_message(piece.news))


def empty_message(empty: SeatEmpty) -> pb.SeatEmpty:
    return pb.SeatEmpty(
        table_id=empty.table,
        game=empty.game,
        variant=empty.variant,
        seat=empty.seat,
        seats=empty.seats,
        player_id=empty.player,
        name=empty.name,
        bot=empty.bot,
        stand_in=empty.stand_in,
        commitment=empty.commitment,
        address=empty.address,
    )


def over_message(over: TableOver) -> pb.TableOver:
    return pb.TableOver(
        table_id=over.table,
        game=over.game,
        variant=over.variant,
        rated=over.rated,
        reason=over.reason,
        seats=map(seat_message, over.seats),
        ended_ms=over.ended_ms,
    )


def seat_message(seat: SeatOver) -> pb.SeatOver:
    return pb.SeatOver(
        player_id=seat.player,
        name=seat.name,
        bot=seat.bot,
        team=seat.team,
        rank=seat.rank,
        score=seat.score,
        conceded=seat.conceded,
    )
