"""The servicer: translate, call, translate."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from importlib.metadata import version
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from anpai.engine.v1 import table_pb2
from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.matchmaking.v1 import party_pb2, rating_pb2, ticket_pb2
from anpai.matchmaking.v1.matchmaking_service_pb2_grpc import (
    MatchmakingServiceServicer,
    add_MatchmakingServiceServicer_to_server,
)
from services.chassis.errors import invalid
from services.chassis.tokens import caller
from services.matchmaking.boards import Boards
from services.matchmaking.bots import Offer, Said, Switchboard, Taken
from services.matchmaking.calls import Call
from services.matchmaking.desk import Desk, Sight
from services.matchmaking.party import Party
from services.matchmaking.party_desk import PartyDesk
from services.matchmaking.ratings import Standing
from services.matchmaking.ready import Check
from services.matchmaking.rematches import Rematches
from services.matchmaking.rooms import Room
from services.matchmaking.sign_in import SignIn
from services.matchmaking.ticket import Assignment, Person, State, Wish

VERSION = version("anpai-server")
NAME = pb.DESCRIPTOR.services_by_name["MatchmakingService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]


class MatchmakingServicer(MatchmakingServiceServicer):
    def __init__(
        self,
        desk: Desk,
        parties: PartyDesk,
        sign_in: SignIn,
        switchboard: Switchboard,
        rematches: Rematches,
        boards: Boards,
        engines: tuple[str, ...],
        audit: str,
    ):
        self._desk = desk
        self._parties = parties
        self._sign_in = sign_in
        self._switchboard = switchboard
        self._rematches = rematches
        self._boards = boards
        self._engines = engines
        self._audit = audit

    async def SignIn(
        self, request: pb.SignInRequest, context: Context
    ) -> pb.SignInResponse:
        signed_in = await self._sign_in.player(
            request.name, request.external_token, bot=request.bot
        )
        return pb.SignInResponse(
            token=signed_in.token,
            player_id=signed_in.player,
            expires_at=Timestamp(seconds=signed_in.expires_at),
            server_version=VERSION,
        )

    async def RenewToken(
        self, request: pb.RenewTokenRequest, context: Context
    ) -> pb.RenewTokenResponse:
        renewed = self._sign_in.renewed(caller())
        return pb.RenewTokenResponse(
            token=renewed.token,
            expires_at=Timestamp(seconds=renewed.expires_at),
            server_version=VERSION,
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
        sight = await self._desk.create_ticket(
            caller(), named, wish, decks, request.party_code
        )
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

    async def ConfirmReady(
        self, request: pb.ConfirmReadyRequest, context: Context
    ) -> pb.ConfirmReadyResponse:
        named, check = request.ticket_id, request.check_id
        sight = await self._desk.confirm_ready(caller(), named, check)
        return pb.ConfirmReadyResponse(ticket=ticket_message(sight))

    async def CreateParty(
        self, request: pb.CreatePartyRequest, context: Context
    ) -> pb.CreatePartyResponse:
        party = await self._parties.create(caller(), request.request_id)
        return pb.CreatePartyResponse(party=party_message(party))

    async def JoinParty(
        self, request: pb.JoinPartyRequest, context: Context
    ) -> pb.JoinPartyResponse:
        party = await self._parties.join(caller(), request.code)
        return pb.JoinPartyResponse(party=party_message(party))

    async def LeaveParty(
        self, request: pb.LeavePartyRequest, context: Context
    ) -> pb.LeavePartyResponse:
        await self._parties.leave(caller(), request.code)
        return pb.LeavePartyResponse()

    async def GetParty(
        self, request: pb.GetPartyRequest, context: Context
    ) -> pb.GetPartyResponse:
        party = await self._parties.get(caller(), request.code)
        return pb.GetPartyResponse(party=party_message(party))

    async def WatchParty(
        self, request: pb.WatchPartyRequest, context: Context
    ) -> AsyncIterator[pb.WatchPartyResponse]:
        watching = self._parties.watch(caller(), request.code)
        async with aclosing(watching) as parties:
            async for party in parties:
                yield pb.WatchPartyResponse(party=party_message(party))

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

    async def Rematch(
        self, request: pb.RematchRequest, context: Context
    ) -> pb.RematchResponse:
        decks = [list(deck.faces) for deck in request.decks]
        named, table = request.request_id, request.table_id
        sight = await self._rematches.ask(
            caller(), named, table, decks, request.party_code
        )
        return pb.RematchResponse(ticket=ticket_message(sight))

    async def GetRating(
        self, request: pb.GetRatingRequest, context: Context
    ) -> pb.GetRatingResponse:
        player = request.player_id or caller().id
        variant, standing = await self._boards.rating(
            request.game, request.variant, player
        )
        return pb.GetRatingResponse(rating=rating_message(standing), variant=variant)

    async def ListLeaderboard(
        self, request: pb.ListLeaderboardRequest, context: Context
    ) -> pb.ListLeaderboardResponse:
        page = await self._boards.page(
            request.game, request.variant, request.page_size, request.page_token
        )
        return pb.ListLeaderboardResponse(
            ratings=map(rating_message, page.standings),
            next_page_token=page.next,
            variant=page.variant,
        )

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
        also=tuple(message.other_seats),
        bots_after_ms=bots_after(message),
        ready_check=message.ready_check,
        spectating=message.spectating,
        behind=message.spectators_behind,
    )


def bots_after(message: ticket_pb2.Wish) -> int | None:
    if not message.HasField("bots_after"):
        return None
    return int(message.bots_after.ToMilliseconds())


async def said_in(requests: AsyncIterator[pb.HostBotsRequest]) -> AsyncIterator[Said]:
    async for request in requests:
        said = request.WhichOneof("request")
        if said == "offer":
            yield Offer(tuple(request.offer.games), request.offer.capacity)
        elif said == "taken":
            yield Taken(request.taken.call_id)
        else:
            raise invalid("request", ["offer", "taken"])


# ---- to the wire ---------------------------------------------------------------------

STATES = {
    State.QUEUED: ticket_pb2.TICKET_STATE_QUEUED,
    State.RESERVED: ticket_pb2.TICKET_STATE_RESERVED,
    State.ASSIGNED: ticket_pb2.TICKET_STATE_ASSIGNED,
    State.CLOSED: ticket_pb2.TICKET_STATE_CLOSED,
    State.ACCEPTING: ticket_pb2.TICKET_STATE_ACCEPTING,
}


def ticket_message(sight: Sight) -> ticket_pb2.Ticket:
    ticket = sight.ticket
    seat = ticket.seat_of(sight.player)
    check = sight.check
    return ticket_pb2.Ticket(
        id=ticket.id,
        wish=wish_message(ticket.wish),
        state=STATES[ticket.state],
        assignment=None if seat is None else assignment_message(seat),
        created_at=instant(ticket.created_ms),
        closed_because=ticket.closed_because,
        waiting=sight.waiting,
        players=map(member_message, ticket.people),
        party_code=ticket.party,
        ready_check=None if check is None else check_message(sight, check),
    )


def check_message(sight: Sight, check: Check) -> ticket_pb2.ReadyCheck:
    return ticket_pb2.ReadyCheck(
        id=check.id,
        until=instant(check.until_ms),
        is_confirmed=sight.player in sight.ticket.here,
        players=check.players,
        here=check.here,
    )


def party_message(party: Party) -> party_pb2.Party:
    return party_pb2.Party(
        code=party.code,
        members=map(member_message, party.members),
        version=party.version,
        ticket_id=party.ticket,
    )


def member_message(person: Person) -> party_pb2.Member:
    return party_pb2.Member(player_id=person.id, name=person.name, bot=person.bot)


def wish_message(wish: Wish) -> ticket_pb2.Wish:
    after = wish.bots_after_ms
    return ticket_pb2.Wish(
        game=wish.game,
        variant=wish.variant,
        seats=wish.seats,
        bots=wish.bots,
        room_code=wish.room,
        bot_strategy=wish.strategy,
        other_seats=wish.also,
        bots_after=None if after is None else duration(after),
        ready_check=wish.ready_check,
        spectating=table_pb2.Spectating.ValueType(wish.spectating),
        spectators_behind=wish.behind,
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
        rated=assignment.rated,
    )


def rating_message(standing: Standing) -> rating_pb2.Rating:
    rating = standing.rating
    return rating_pb2.Rating(
        player_id=standing.player,
        name=rating.name,
        rank=standing.rank,
        points=standing.points,
        mean=rating.mean,
        deviation=rating.deviation,
        games=rating.games,
        wins=rating.wins,
        last_table_id=rating.table,
        last_change=rating.change,
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


def duration(milliseconds: int) -> Duration:
    seconds, rest = divmod(milliseconds, 1000)
    return Duration(seconds=seconds, nanos=rest * 1_000_000)


def instant(milliseconds: int) -> Timestamp:
    seconds, rest = divmod(milliseconds, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)
