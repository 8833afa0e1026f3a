"""Asks the engines: which games there are, about decks, and to open a table."""

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

import grpc

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1.engine_internal_service_pb2_grpc import (
    EngineInternalServiceStub,
)
from anpai.engine.v1 import catalog_pb2 as catalog
from anpai.engine.v1 import engine_service_pb2 as public
from anpai.engine.v1 import table_pb2
from anpai.engine.v1.engine_service_pb2_grpc import EngineServiceStub
from services.chassis.client import Peer
from services.chassis.decks import Decks, Fault, illegal
from services.chassis.errors import AnpaiError, code_of
from services.chassis.tls import Tls
from services.chassis.tokens import Credential
from services.matchmaking.games import Game, Variant
from services.matchmaking.match import Match, Sitter
from services.matchmaking.ticket import Wish
from services.matchmaking.timings import SECOND, TIMINGS, Timings

T = TypeVar("T")

REST_BETWEEN_ROUNDS = 0.25
DOUBT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """`address` is that of the engine worker that has it, or the edge's."""

    id: str
    commitment: str
    address: str


class Engines:
    """Any engine can open any table: one that does not answer is passed over, with the
    same request id, so that two that both did would have opened one table."""

    def __init__(
        self,
        addresses: Sequence[str],
        credential: Credential,
        timings: Timings = TIMINGS,
        edge: str | None = None,
        tls: Tls | None = None,
    ):
        self._edge = edge
        self.peers = [Peer(one, credential, tls, in_turn=True) for one in addresses]
        self._attempt = timings.attempt / SECOND
        self._opening = timings.opening / SECOND
        self._doubted: dict[str, float] = {}

    async def games(self) -> tuple[Game, ...]:
        """PART_UNAVAILABLE when no engine answers."""
        listed = await self.first_answer(by_lot(self.peers), self._list_games)
        return tuple(map(game_in, listed.games))

    async def judge_decks(self, wish: Wish, decks: Decks) -> None:
        """DECK_ILLEGAL unless a player may bring these. They are kept nowhere.

        PART_UNAVAILABLE when no engine answers; the engine's refusal.
        """
        request = public.CheckDecksRequest(
            game=wish.game,
            variant=wish.variant,
            decks=[catalog.Deck(faces=faces) for faces in decks],
        )
        ask = partial(self._check, request)
        reply = await self.first_answer(by_lot(self.peers), ask)
        faults = [Fault(one.deck, one.face, one.message) for one in reply.faults]
        if faults:
            raise illegal(wish.game, wish.variant, decks, faults)

    async def open_table(self, match: Match) -> OpenedTable:
        """The table of this match; asked again, the same one.

        PART_UNAVAILABLE when no engine has answered in time; the engine's refusal.
        """
        order = ranked(self.peers, match.request_id)
        try:
            async with asyncio.timeout(self._opening):
                return await self._insist(order, request_of(match))
        except TimeoutError:
            raise no_engine() from None

    async def let_in(self, request: internal.StandInRequest) -> None:
        """A bot, to a seat nobody is at.

        PART_UNAVAILABLE when no engine answers; the engine's refusal.
        """
        order = ranked(self.peers, request.table_id)
        await self.first_answer(order, partial(self._stand_in, request))

    async def first_answer(
        self, order: Sequence[Peer], ask: Callable[[Peer], Awaitable[T]]
    ) -> T:
        """The first engine's that is there; its refusal is as good as an answer. One
        that was not there is asked last for a while, so that not everybody waits for
        one that hangs."""
        since = monotonic() - DOUBT_SECONDS
        for peer in sorted(order, key=lambda one: self._is_doubted(one, since)):
            try:
                answer = await ask(peer)
            except AnpaiError as error:
                if not is_passing(error):
                    raise
                self._doubted[peer.address] = monotonic()
            else:
                self._doubted.pop(peer.address, None)
                return answer
        raise no_engine()

    def _is_doubted(self, peer: Peer, since: float) -> bool:
        return self._doubted.get(peer.address, since) > since

    async def _insist(
        self, order: Sequence[Peer], request: internal.OpenTableRequest
    ) -> OpenedTable:
        async def open_at(peer: Peer) -> OpenedTable:
            reply = await self._open(peer, request)
            address = self._edge or reply.address or peer.address
            return OpenedTable(reply.table_id, reply.commitment, address)

        while True:
            try:
                return await self.first_answer(order, open_at)
            except AnpaiError as error:
                if not is_passing(error):
                    raise
            await asyncio.sleep(REST_BETWEEN_ROUNDS)

    async def _open(
        self, peer: Peer, request: internal.OpenTableRequest
    ) -> internal.OpenTableResponse:
        stub = peer.stub(EngineInternalServiceStub)
        within = self._attempt
        return await peer.ask(
            stub.OpenTable, request, internal.OpenTableResponse, within
        )

    async def _stand_in(self, request: internal.StandInRequest, peer: Peer) -> None:
        stub, within = peer.stub(EngineInternalServiceStub), self._attempt
        await peer.ask(stub.StandIn, request, internal.StandInResponse, within)

    async def _check(
        self, request: public.CheckDecksRequest, peer: Peer
    ) -> public.CheckDecksResponse:
        stub = peer.stub(EngineServiceStub)
        within = self._attempt
        reply = public.CheckDecksResponse
        return await peer.ask(stub.CheckDecks, request, reply, within)

    async def _list_games(self, peer: Peer) -> public.ListGamesResponse:
        stub = peer.stub(EngineServiceStub)
        request = public.ListGamesRequest()
        within = self._attempt
        return await peer.ask(stub.ListGames, request, public.ListGamesResponse, within)

    async def close(self) -> None:
        for peer in self.peers:
            await peer.close()


def game_in(message: catalog.GameInfo) -> Game:
    return Game(message.name, tuple(map(variant_in, message.variants)))


def variant_in(message: catalog.Variant) -> Variant:
    seats, teams = tuple(message.seats), tuple(message.teams)
    return Variant(message.name, seats, message.decks, teams)


def no_engine() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE", "No engine answers.", retry_after=1.0, part="engine"
    )


def is_passing(error: AnpaiError) -> bool:
    return code_of(error) is grpc.StatusCode.UNAVAILABLE


def ranked(peers: Sequence[Peer], request_id: str) -> list[Peer]:
    """Rendezvous hashing: a table keeps its engine when others come or go."""

    def weight(peer: Peer) -> bytes:
        return hashlib.sha256(f"{peer.address}/{request_id}".encode()).digest()

    return sorted(peers, key=weight)


def by_lot(peers: Sequence[Peer]) -> list[Peer]:
    """What any engine can answer is asked of another one each time."""
    return random.sample(peers, len(peers))


def request_of(match: Match) -> internal.OpenTableRequest:
    return internal.OpenTableRequest(
        request_id=match.request_id,
        game=match.wish.game,
        variant=match.wish.variant,
        seats=[assigned(sitter) for sitter in match.sitters()],
        timed=True,
        rated=match.rated,
        spectating=table_pb2.Spectating.ValueType(match.wish.spectating),
        spectators_behind=match.wish.behind,
    )


def assigned(sitter: Sitter) -> internal.Assigned:
    return internal.Assigned(player_id=sitter.player, name=sitter.name, bot=sitter.bot)
