"""Players of a test, who call as any client does: over the socket, with a token."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest

from anpai.engine.v1 import catalog_pb2
from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.matchmaking.v1 import matchmaking_service_pb2_grpc as grpc_pb
from anpai.matchmaking.v1 import ticket_pb2
from services.chassis.client import finishing
from services.chassis.errors import AnpaiError
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential

TicketState = ticket_pb2.TicketState


def wish(game: str = "skirmish", seats: int = 2, **more: Any) -> ticket_pb2.Wish:
    return ticket_pb2.Wish(game=game, seats=seats, **more)


def state_of(ticket: ticket_pb2.Ticket) -> str:
    return TicketState.Name(ticket.state).removeprefix("TICKET_STATE_")


class Player:
    """Somebody who has signed in."""

    def __init__(self, stub: Any, signed_in: pb.SignInResponse):
        self._stub = stub
        self.id = signed_in.player_id
        self.token = signed_in.token
        self._told = (("authorization", f"Bearer {signed_in.token}"),)

    async def call(self, method: str, request: Any) -> Any:
        call = getattr(self._stub, method)(request, metadata=self._told, timeout=30)
        async with finishing(call):
            return await call

    async def ticket(
        self,
        wished: ticket_pb2.Wish | None = None,
        request_id: str = "",
        decks: Sequence[Sequence[str]] = (),
        party: str = "",
    ) -> Any:
        request = pb.CreateTicketRequest(
            request_id=request_id or str(uuid4()),
            wish=wished or wish(),
            decks=[catalog_pb2.Deck(faces=faces) for faces in decks],
            party_code=party,
        )
        return (await self.call("CreateTicket", request)).ticket

    async def look(self, ticket: str) -> Any:
        request = pb.GetTicketRequest(ticket_id=ticket)
        return (await self.call("GetTicket", request)).ticket

    async def cancel(self, ticket: str) -> Any:
        request = pb.CancelTicketRequest(ticket_id=ticket)
        return (await self.call("CancelTicket", request)).ticket

    async def confirm(self, ticket: str, check: str) -> Any:
        request = pb.ConfirmReadyRequest(ticket_id=ticket, check_id=check)
        return (await self.call("ConfirmReady", request)).ticket

    async def asked(self, ticket: str) -> Any:
        """The ticket as soon as it is asked whether its player is there."""
        async with asyncio.timeout(30):
            async for step in self.watch(ticket):
                if state_of(step) == "ACCEPTING":
                    return step
        raise AssertionError("it was not asked")

    async def party(self, request_id: str = "") -> Any:
        request = pb.CreatePartyRequest(request_id=request_id or str(uuid4()))
        return (await self.call("CreateParty", request)).party

    async def join(self, code: str) -> Any:
        return (await self.call("JoinParty", pb.JoinPartyRequest(code=code))).party

    async def leave(self, code: str) -> None:
        await self.call("LeaveParty", pb.LeavePartyRequest(code=code))

    async def my_party(self, code: str = "") -> Any:
        return (await self.call("GetParty", pb.GetPartyRequest(code=code))).party

    async def watch_party(self, code: str = "") -> AsyncIterator[Any]:
        request = pb.WatchPartyRequest(code=code)
        call = self._stub.WatchParty(request, metadata=self._told)
        async with finishing(call):
            async for step in call:
                yield step.party

    async def room(self, wished: ticket_pb2.Wish, request_id: str = "") -> Any:
        request = pb.CreateRoomRequest(
            request_id=request_id or str(uuid4()), wish=wished
        )
        return (await self.call("CreateRoom", request)).room

    async def seats(self) -> list[ticket_pb2.Assignment]:
        return list((await self.call("ListMySeats", pb.ListMySeatsRequest())).seats)

    async def rematch(
        self,
        table: str,
        request_id: str = "",
        decks: Sequence[Sequence[str]] = (),
        party: str = "",
    ) -> Any:
        request = pb.RematchRequest(
            request_id=request_id or str(uuid4()),
            table_id=table,
            decks=[catalog_pb2.Deck(faces=faces) for faces in decks],
            party_code=party,
        )
        return (await self.call("Rematch", request)).ticket

    async def rating(
        self, game: str = "skirmish", variant: str = "", player: str = ""
    ) -> Any:
        request = pb.GetRatingRequest(game=game, variant=variant, player_id=player)
        return (await self.call("GetRating", request)).rating

    async def board(self, game: str = "skirmish", **more: Any) -> Any:
        request = pb.ListLeaderboardRequest(game=game, **more)
        return await self.call("ListLeaderboard", request)

    async def watch(self, ticket: str) -> AsyncIterator[ticket_pb2.Ticket]:
        request = pb.WatchTicketRequest(ticket_id=ticket)
        call = self._stub.WatchTicket(request, metadata=self._told)
        async with finishing(call):
            async for step in call:
                yield step.ticket

    async def settled(self, ticket: str) -> Any:
        """As it stands at the end of the watch."""
        async with asyncio.timeout(30):
            return [step async for step in self.watch(ticket)][-1]

    async def seat(self, ticket: str) -> Any:
        settled = await self.settled(ticket)
        assert state_of(settled) == "ASSIGNED"
        return settled.assignment

    async def play(self, wished: ticket_pb2.Wish | None = None) -> Any:
        """From a wish to a seat."""
        return await self.seat((await self.ticket(wished)).id)


class BotHost:
    """A host on its stream. A read that is given up would end the stream, so a task
    reads all the time."""

    def __init__(self, stub: Any, credential: Credential):
        self._stream = stub.HostBots(metadata=credential.metadata())
        self._heard: asyncio.Queue[pb.BotCall] = asyncio.Queue()
        self.ended = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        async with finishing(self._stream) as stream:
            async for response in stream:
                self._heard.put_nowait(response.call)

    async def offer(self, *games: str, capacity: int = 10) -> None:
        offer = pb.Offer(games=games, capacity=capacity)
        await self._stream.write(pb.HostBotsRequest(offer=offer))

    async def next(self, within: float = 30) -> pb.BotCall:
        async with asyncio.timeout(within):
            return await self._heard.get()

    async def take(self, call: pb.BotCall) -> None:
        taken = pb.CallTaken(call_id=call.call_id)
        await self._stream.write(pb.HostBotsRequest(taken=taken))

    async def leave(self) -> None:
        self.ended.cancel()
        await asyncio.wait([self.ended])


class House:
    """One server of matchmaking."""

    def __init__(self, address: str, keys: Path):
        self.channel = grpc.aio.insecure_channel(address)
        self.stub: Any = grpc_pb.MatchmakingServiceStub(self.channel)
        self._bots = Credential(load_keys(keys, "bots"), "matchmaking")
        self._hosts: list[BotHost] = []

    async def sign_in(self, name: str = "Anna", bot: bool = False) -> Player:
        request = pb.SignInRequest(name=name, bot=bot)
        async with finishing(self.stub.SignIn(request)) as call:
            return Player(self.stub, await call)

    async def players(self, count: int) -> list[Player]:
        return [await self.sign_in(f"Player {number}") for number in range(count)]

    def again(self, player: Player) -> Player:
        """The same player, through this server."""
        signed_in = pb.SignInResponse(token=player.token, player_id=player.id)
        return Player(self.stub, signed_in)

    def bot_host(self) -> BotHost:
        self._hosts.append(BotHost(self.stub, self._bots))
        return self._hosts[-1]

    async def close(self) -> None:
        for host in self._hosts:
            await host.leave()
        await self.channel.close()


async def comes_true(is_so: Callable[[], bool]) -> None:
    """Looked at until it does, for a while."""
    for _ in range(600):
        if is_so():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come true in 30 s")


@contextmanager
def refused(reason: str) -> Iterator["pytest.ExceptionInfo[AnpaiError]"]:
    """The block must end with this refusal; it is in `error.value`."""
    with pytest.raises(AnpaiError) as error:
        yield error
    assert error.value.reason == reason
