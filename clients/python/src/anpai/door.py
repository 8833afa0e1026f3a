"""The door of one table: taking the seat, opening the stream, giving up."""

import secrets
from collections.abc import Callable, Iterable

from anpai.decks import Deck
from anpai.engine.v1 import catalog_pb2
from anpai.engine.v1 import engine_service_pb2 as wire
from anpai.faults import CommitmentChanged
from anpai.matchmaking.v1.ticket_pb2 import Assignment
from anpai.services import Services
from anpai.stream import Stream
from anpai.wire import Route

NONCE_BYTES = 32


class Door:
    """Of the table `table_id`; with a seat assigned one sits, without one watches."""

    def __init__(
        self,
        services: Services,
        table_id: str,
        seat: Assignment | None = None,
        decks: Iterable[Deck] = (),
    ) -> None:
        self.table_id = table_id
        self._services = services
        self._seat = seat
        self._decks = wire_decks(decks)
        self._way: Route | None = None

    async def open(self, hear: Callable[[wire.TableUpdate], None]) -> Stream:
        """The stream of the table, with the seat taken first.

        Raises CommitmentChanged when the table is not the one that was assigned, and
        DeckIllegal.
        """
        route = await self._route()
        if self._seat is not None:
            await self._take(self._seat, route)
        sits = self._seat is not None
        return Stream(self._services, route, self.table_id, hear, sits=sits)

    async def concede(self) -> int:
        """Give the game up; the revision after it."""
        request = wire.ConcedeRequest(table_id=self.table_id)
        reply = await self._services.ask_engine(
            "Concede", request, wire.ConcedeResponse, await self._route()
        )
        return reply.revision

    async def say(self, text: str, to_team: bool) -> None:
        """Say it to the table or to the team; once, however often it must be sent."""
        request = wire.SayRequest(
            table_id=self.table_id,
            channel=wire.CHANNEL_TEAM if to_team else wire.CHANNEL_TABLE,
            text=text,
            request_id=secrets.token_hex(16),
        )
        await self._services.ask_engine(
            "Say", request, wire.SayResponse, await self._route()
        )

    async def _take(self, seat: Assignment, route: Route) -> None:
        """With random bytes of our own, so that nobody could have chosen the seed."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        request = wire.TakeSeatRequest(
            table_id=seat.table_id, nonce=nonce, decks=self._decks
        )
        reply = await self._services.ask_engine(
            "TakeSeat", request, wire.TakeSeatResponse, route
        )
        if seat.commitment and reply.commitment != seat.commitment:
            raise CommitmentChanged(f"table {seat.table_id} has another commitment")

    async def _route(self) -> Route:
        if self._way is None:
            near = self._seat.engine_address if self._seat is not None else ""
            self._way = await self._services.route(near)
        return self._way


def wire_decks(decks: Iterable[Deck]) -> list[catalog_pb2.Deck]:
    """Decks as they travel."""
    return [catalog_pb2.Deck(faces=faces) for faces in decks]
