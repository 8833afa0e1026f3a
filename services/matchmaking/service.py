"""The servicer: translate, call, translate."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.matchmaking.v1 import ticket_pb2
from anpai.matchmaking.v1.matchmaking_service_pb2_grpc import (
    MatchmakingServiceServicer,
    add_MatchmakingServiceServicer_to_server,
)
from services.chassis.tokens import caller
from services.matchmaking.bots import Offer, Said, Switchboard, Taken
from services.matchmaking.calls import Call
from services.matchmaking.desk import Desk, Sight
from services.matchmaking.rooms import Room
from services.matchmaking.sign_in import SignIn
from services.matchmaking.ticket import Assignment, State, Wish
from services.matchmaking.wishes import invalid

NAME = pb.DESCRIPTOR.services_by_name["MatchmakingService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]


class MatchmakingServicer(MatchmakingServiceServicer):
    def __init__(
        self,
        desk: Desk,
        sign_in: SignIn,
        switchboard: Switchboard,
        engines: tuple[str, ...],
        audit: str,
    ):
        self._desk = desk
        self._sign_in = sign_in
        self._switchboard = switchboard
        self._engines = engines
        self._audit = audit

    async def SignIn(
        self, request: pb.SignInRequest, context: Context
    ) -> pb.SignInResponse:
        signed_in = self._sign_in.guest(request.name, bot=request.bot)
        return pb.SignInResponse(
            token=signed_in.token,
            player_id=signed_in.player,
            expires_at=Timestamp(seconds=signed_in.expires_at),
        )

    async def GetDirectory(
        self, request: pb.GetDirectoryRequest, context: Context
    ) -> pb.GetDirectoryResponse:
        return pb.GetDirectoryResponse(engines=self._engines, audit=self._audit)

    async def CreateTicket(
        self, request: pb.CreateTicketRequest, context: Context
    ) -> pb.CreateTicketResponse:
        wish = wish_in(request.wish)
        decks = [list(deck.faces) for deck in request.decks]
        named = request.request_id
        sight = await self._desk.create_ticket(caller(), named, wish, decks)
        return pb.CreateTicketResponse(ticket=ticket_message(sight))

    async def GetTicket(
        self, request: pb.GetTicketRequest, context: Context
    ) -> pb.GetTicketResponse:
        sight = await self._desk.get_ticket(caller(), request.ticket_id)
        return pb.GetTicketResponse(ticket=ticket_message(sight))

    async def WatchTicket(
        self, request: pb.WatchTicketRequest, context: Context
    ) -> AsyncIterator[pb.WatchTicketResponse]:
        watching = self._desk.watch_ticket(caller(), request.ticket_id)
        async with aclosing(watching) as sights:
            async for sight in sights:
                yield pb.WatchTicketResponse(ticket=ticket_message(sight))

    async def CancelTicket(
        self, request: pb.CancelTicketRequest, context: Context
    ) -> pb.CancelTicketResponse:
        sight = await self._desk.cancel_ticket(caller(), request.ticket_id)
        return pb.CancelTicketResponse(ticket=ticket_message(sight))

    async def CreateRoom(
        self, request: pb.CreateRoomRequest, context: Context
    ) -> pb.CreateRoomResponse:
        wish = wish_in(request.wish)
        room = await self._desk.create_room(caller(), request.request_id, wish)
        return pb.CreateRoomResponse(room=room_message(room))

    async def ListMySeats(
        self, request: pb.ListMySeatsRequest, context: Context
    ) -> pb.ListMySeatsResponse:
        seats = await self._desk.seats_of(caller())
        return pb.ListMySeatsResponse(seats=map(assignment_message, seats))

    async def HostBots(
        self, request_iterator: AsyncIterator[pb.HostBotsRequest], context: Context
    ) -> AsyncIterator[pb.HostBotsResponse]:
        hosting = self._switchboard.host(said_in(request_iterator))
        async with aclosing(hosting) as calls:
            async for call in calls:
                token = self._sign_in.bot(call.player, call.name)
                yield pb.HostBotsResponse(call=call_message(call, token))


def register(server: grpc.aio.Server, servicer: MatchmakingServicer) -> None:
    add_MatchmakingServiceServicer_to_server(servicer, server)


# ---- from the wire -------------------------------------------------------------------


def wish_in(message: ticket_pb2.Wish) -> Wish:
    return Wish(
        game=message.game,
        variant=message.variant,
        seats=message.seats,
        bots=message.bots,
        room=message.room_code,
        strategy=message.bot_strategy,
    )


async def said_in(requests: AsyncIterator[pb.HostBotsRequest]) -> AsyncIterator[Said]:
    async for request in requests:
        said = request.WhichOneof("request")
        if said == "offer":
            yield Offer(tuple(request.offer.games), request.offer.capacity)
        elif said == "taken":
            yield Taken(request.taken.call_id)
        else:
            raise invalid("request", "offer, taken")


# ---- to the wire ---------------------------------------------------------------------

STATES = {
    State.QUEUED: ticket_pb2.TICKET_STATE_QUEUED,
    State.RESERVED: ticket_pb2.TICKET_STATE_RESERVED,
    State.ASSIGNED: ticket_pb2.TICKET_STATE_ASSIGNED,
    State.CLOSED: ticket_pb2.TICKET_STATE_CLOSED,
}


def ticket_message(sight: Sight) -> ticket_pb2.Ticket:
    ticket = sight.ticket
    seat = ticket.assignment
    return ticket_pb2.Ticket(
        id=ticket.id,
        wish=wish_message(ticket.wish),
        state=STATES[ticket.state],
        assignment=None if seat is None else assignment_message(seat),
        created_at=instant(ticket.created_ms),
        closed_because=ticket.closed_because,
        waiting=sight.waiting,
    )


def wish_message(wish: Wish) -> ticket_pb2.Wish:
    return ticket_pb2.Wish(
        game=wish.game,
        variant=wish.variant,
        seats=wish.seats,
        bots=wish.bots,
        room_code=wish.room,
        bot_strategy=wish.strategy,
    )


def assignment_message(assignment: Assignment) -> ticket_pb2.Assignment:
    return ticket_pb2.Assignment(
        table_id=assignment.table,
        seat=assignment.seat,
        engine_address=assignment.engine,
        commitment=assignment.commitment,
        game=assignment.game,
        variant=assignment.variant,
        seats=assignment.seats,
    )


def room_message(room: Room) -> ticket_pb2.Room:
    return ticket_pb2.Room(
        code=room.code,
        wish=wish_message(room.wish),
        expires_at=instant(room.expires_ms),
    )


def call_message(call: Call, token: str) -> pb.BotCall:
    return pb.BotCall(
        call_id=call.id,
        assignment=assignment_message(call.assignment),
        token=token,
        strategy=call.strategy,
    )


def instant(milliseconds: int) -> Timestamp:
    seconds, rest = divmod(milliseconds, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)
