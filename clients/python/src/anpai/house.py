"""The way in: one player's connection to the services."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

from anpai.audit.v1 import audit_service_pb2 as audit
from anpai.calls import Listening
from anpai.decks import Deck
from anpai.door import Door, wire_decks
from anpai.engine.v1 import engine_service_pb2 as engine
from anpai.engine.v1.catalog_pb2 import Catalog, DeckFault, GameInfo
from anpai.engine.v1.engine_service_pb2 import TableUpdate
from anpai.engine.v1.table_pb2 import (
    SPECTATING_DELAYED,
    SPECTATING_NONE,
    SPECTATING_OPEN,
    View,
)
from anpai.faults import NotFound, NotNow, Unavailable
from anpai.hosting import Hosting
from anpai.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    ListLeaderboardResponse as Leaderboard,
)
from anpai.matchmaking.v1.rating_pb2 import Rating
from anpai.matchmaking.v1.ticket_pb2 import Assignment, Room, Wish
from anpai.party import Party
from anpai.record import Record
from anpai.services import Services
from anpai.stream import Stream
from anpai.table import Table
from anpai.ticket import Ticket
from anpai.tls import Tls, address_in, credentials_for
from anpai.versions import compare
from anpai.wire import PATIENCE, Backoff, Channels, Token, Wire

DISCLOSURE_SECONDS = 60.0


def connect(
    server: str,
    *,
    token: Token = None,
    tls: Tls = False,
    patience: float = PATIENCE,
    apart: bool = False,
    engines: Sequence[str] = (),
) -> "House":
    """The house whose matchmaking is at `server`; `async with` it.

    `server` is host:port, or grpcs://host:port where it is to be in TLS. `token` is a
    player's, from an earlier sign-in; a function is called for each call. `tls`: True
    to trust the usual roots, a file of others in PEM, or credentials. `patience` is
    for how many seconds a call or a stream is tried again while no service answers.
    `apart`: on connections of its own; other houses of a process share theirs.
    `engines` is for programs that live where the services do: it is called there, not
    where players are told to call.
    """
    channels = Channels(credentials_for(server, tls), apart)
    wire = Wire(channels, token, patience)
    return House(Services(address_in(server), wire, engines))


class House:
    """One player's connection. Every method raises AnpaiCallError when refused."""

    def __init__(self, services: Services, *, owns_channels: bool = True) -> None:
        self.player_id = ""
        self._services = services
        self._owns_channels = owns_channels
        self._decks: dict[str, tuple[Deck, ...]] = {}

    # -- who plays ----------------------------------------------------------------

    async def sign_in(
        self, name: str = "", *, bot: bool = False, external_token: str = ""
    ) -> str:
        """Sign in as a guest, or as the member that a token from outside vouches for;
        our own token, which is good for later connections too. Warns with ServerDiffers
        where the server is of another line of releases.

        `bot` says that a program plays: it is shown, and nothing waits for it as for
        a person.
        """
        self._services.wire.token = None
        request = matchmaking.SignInRequest(
            name=name, bot=bot, external_token=external_token
        )
        reply = await self._services.ask_matchmaking(
            "SignIn", request, matchmaking.SignInResponse, repeat=False, wait=True
        )
        self.player_id = reply.player_id
        self._services.wire.token = reply.token
        compare(reply.server_version)
        return reply.token

    async def renew(self) -> str:
        """A new token for the same player, while the old one is good."""
        request = matchmaking.RenewTokenRequest()
        reply = await self._services.ask_matchmaking(
            "RenewToken", request, matchmaking.RenewTokenResponse
        )
        self._services.wire.token = reply.token
        compare(reply.server_version)
        return reply.token

    def as_player(self, token: Token) -> "House":
        """The house as another player has it, through the same connections.

        For processes that play many seats. Only the first house closes.
        """
        wire = self._services.wire
        another = Wire(wire.channels, token, wire.patience)
        server, engines = self._services.server, self._services.engines
        return House(Services(server, another, engines), owns_channels=False)

    # -- what can be played -------------------------------------------------------

    async def games(self, *, locale: str = "en") -> list[GameInfo]:
        """The games, by name."""
        request = engine.ListGamesRequest(locale=locale)
        reply = await self._services.ask_engine(
            "ListGames", request, engine.ListGamesResponse
        )
        return list(reply.games)

    async def catalog(self, game: str, *, locale: str = "en") -> Catalog:
        """Every face and every word of a game, in one language."""
        request = engine.GetCatalogRequest(game=game, locale=locale)
        reply = await self._services.ask_engine(
            "GetCatalog", request, engine.GetCatalogResponse
        )
        return reply.catalog

    async def check_decks(
        self,
        game: str,
        decks: Iterable[Deck],
        *,
        variant: str = "",
        locale: str = "en",
    ) -> list[DeckFault]:
        """All that is wrong with the decks a seat is to bring; nothing if they may be
        played."""
        request = engine.CheckDecksRequest(
            game=game, variant=variant, decks=wire_decks(decks), locale=locale
        )
        reply = await self._services.ask_engine(
            "CheckDecks", request, engine.CheckDecksResponse
        )
        return list(reply.faults)

    async def server_info(self) -> engine.GetServerInfoResponse:
        """What runs there."""
        request = engine.GetServerInfoRequest()
        reply = engine.GetServerInfoResponse
        return await self._services.ask_engine("GetServerInfo", request, reply)

    # -- finding a table ----------------------------------------------------------

    async def enter(
        self,
        game: str,
        *,
        seats: int,
        bots: int = 0,
        room: str | None = None,
        variant: str = "",
        strategy: str = "",
        decks: Iterable[Deck] = (),
        other_seats: Sequence[int] = (),
        bots_after: float | None = None,
        ready_check: bool = False,
        party: str = "",
    ) -> Ticket:
        """Make a ticket for a table of `seats`, `bots` of them taken by bots.

        After a while a table of `other_seats` will do; after `bots_after` seconds bots
        take the seats that are empty. With `ready_check` the player is asked before a
        table of strangers is opened: see `Ticket.seat`. `party` is the code of a party
        the ticket is for. Raises DeckIllegal where the decks may not be played; if they
        may, `sit` brings them to the table that is found.
        """
        brought = tuple(decks)
        wish = _wish(game, seats, bots, variant, strategy)
        wish.room_code, wish.ready_check = room or "", ready_check
        wish.other_seats.extend(other_seats)
        if bots_after is not None:
            wish.bots_after.FromMilliseconds(round(1000 * bots_after))
        request = matchmaking.CreateTicketRequest(
            request_id=_new_id(),
            wish=wish,
            decks=wire_decks(brought),
            party_code=party,
        )
        reply = await self._services.ask_matchmaking(
            "CreateTicket", request, matchmaking.CreateTicketResponse
        )
        return Ticket(self._services, reply.ticket, partial(self._keep, brought))

    def _keep(self, decks: tuple[Deck, ...], seat: Assignment) -> None:
        if decks:
            self._decks[seat.table_id] = decks

    async def create_room(
        self,
        game: str,
        *,
        seats: int,
        bots: int = 0,
        variant: str = "",
        strategy: str = "",
        spectators: bool = True,
        behind: int = 0,
    ) -> Room:
        """Make a private room; pass its code on, and enter with it.

        `spectators` may look on, so many events `behind`.
        """
        wish = _wish(game, seats, bots, variant, strategy)
        wish.spectating = SPECTATING_OPEN if spectators else SPECTATING_NONE
        if behind:
            wish.spectating, wish.spectators_behind = SPECTATING_DELAYED, behind
        request = matchmaking.CreateRoomRequest(request_id=_new_id(), wish=wish)
        reply = await self._services.ask_matchmaking(
            "CreateRoom", request, matchmaking.CreateRoomResponse
        )
        return reply.room

    async def ticket(self, ticket_id: str) -> Ticket:
        """A ticket made before, or by the leader of the player's party."""
        request = matchmaking.GetTicketRequest(ticket_id=ticket_id)
        reply = await self._services.ask_matchmaking(
            "GetTicket", request, matchmaking.GetTicketResponse
        )
        return Ticket(self._services, reply.ticket, partial(self._keep, ()))

    async def create_party(self) -> Party:
        """A party of oneself: pass its code on. Raises NotNow if one is in another."""
        request = matchmaking.CreatePartyRequest(request_id=_new_id())
        reply = await self._services.ask_matchmaking(
            "CreateParty", request, matchmaking.CreatePartyResponse
        )
        return Party(self._services, reply.party)

    async def join_party(self, code: str) -> Party:
        """Raises NotFound, or NotNow if it is full or one is in another."""
        request = matchmaking.JoinPartyRequest(code=code)
        reply = await self._services.ask_matchmaking(
            "JoinParty", request, matchmaking.JoinPartyResponse
        )
        return Party(self._services, reply.party)

    async def my_party(self) -> Party | None:
        """The party the player is in."""
        request, reply = matchmaking.GetPartyRequest(), matchmaking.GetPartyResponse
        try:
            found = await self._services.ask_matchmaking("GetParty", request, reply)
        except NotFound:
            return None
        return Party(self._services, found.party)

    async def my_seats(self) -> list[Assignment]:
        """The player's seats at tables not known to be over, newest first."""
        request = matchmaking.ListMySeatsRequest()
        reply = await self._services.ask_matchmaking(
            "ListMySeats", request, matchmaking.ListMySeatsResponse
        )
        return list(reply.seats)

    async def rematch(
        self, table_id: str, *, decks: Iterable[Deck] | None = None
    ) -> Ticket:
        """A ticket for the same once more, with those who sat at a table that is over.

        `decks` are those brought there if this house brought them. Raises NotNow while
        the game goes on, NotAllowed where one had no seat.
        """
        if decks is None:
            decks = self._decks.get(table_id, ())
        brought = tuple(decks)
        request = matchmaking.RematchRequest(
            request_id=_new_id(), table_id=table_id, decks=wire_decks(brought)
        )
        reply = await self._services.ask_matchmaking(
            "Rematch", request, matchmaking.RematchResponse
        )
        return Ticket(self._services, reply.ticket, partial(self._keep, brought))

    # -- who is how strong --------------------------------------------------------

    async def rating(
        self, game: str, *, variant: str = "", player_id: str = ""
    ) -> Rating:
        """A player's rating at a variant, one's own if nobody else is named."""
        request = matchmaking.GetRatingRequest(
            game=game, variant=variant, player_id=player_id
        )
        reply = await self._services.ask_matchmaking(
            "GetRating", request, matchmaking.GetRatingResponse
        )
        return reply.rating

    async def rating_after(
        self, assignment: Assignment, *, within: float = 5.0
    ) -> Rating | None:
        """One's rating once a rated table has moved it: the news takes a moment.

        None where the table moves no ratings, or has not within so many seconds.
        """
        if not assignment.rated:
            return None
        backoff = Backoff(within)
        while True:
            game, variant = assignment.game, assignment.variant
            rating = await self.rating(game, variant=variant)
            if rating.last_table_id == assignment.table_id:
                return rating
            if backoff.is_over:
                return None
            await backoff.pause()

    async def leaderboard(
        self,
        game: str,
        *,
        variant: str = "",
        page_size: int = 50,
        page_token: str = "",
    ) -> Leaderboard:
        """A page of a variant's board, the best first; `next_page_token` names the next
        page, and is empty on the last."""
        request = matchmaking.ListLeaderboardRequest(
            game=game, variant=variant, page_size=page_size, page_token=page_token
        )
        reply = matchmaking.ListLeaderboardResponse
        return await self._services.ask_matchmaking("ListLeaderboard", request, reply)

    # -- at a table ---------------------------------------------------------------

    def sit(
        self,
        assignment: Assignment,
        *,
        decks: Iterable[Deck] | None = None,
        record: str | Path | None = None,
    ) -> Table:
        """The table of a seat assigned; entering it takes the seat and follows.

        `decks` are those of the ticket if it was made by this house. The first ones
        count: whoever comes back need not bring them again. `record` is a file to which
        all that is heard is written (see `anpai verify`).
        """
        if decks is None:
            decks = self._decks.get(assignment.table_id, ())
        door = Door(self._services, assignment.table_id, assignment, decks)
        return Table(door, Record(record) if record else None)

    def watch(self, table_id: str, *, record: str | Path | None = None) -> Table:
        """The table as the public may see it, or one's own seat without answering."""
        door = Door(self._services, table_id)
        return Table(door, Record(record) if record else None)

    async def stream(
        self, table: Assignment | str, hear: Callable[[TableUpdate], None]
    ) -> Stream:
        """The bare updates of a table, for whoever keeps no view of it, as those do who
        play thousands of seats.

        A seat assigned is taken, and may answer by `send`; a table's id is watched.
        `hear` is called while `follow()` is awaited.
        """
        if isinstance(table, str):
            return await Door(self._services, table).open(hear)
        decks = self._decks.get(table.table_id, ())
        return await Door(self._services, table.table_id, table, decks).open(hear)

    async def view(self, table_id: str) -> View:
        """The table as this player may see it now."""
        request = engine.GetViewRequest(table_id=table_id)
        reply = await self._services.ask_engine(
            "GetView", request, engine.GetViewResponse
        )
        return reply.view

    def host(self, games: Sequence[str], *, capacity: int) -> Hosting:
        """Offer to play bots' seats, at most `capacity` at once."""
        return Hosting(self._services, games, capacity)

    # -- checking afterwards ------------------------------------------------------

    async def commitment(self, table_id: str) -> str:
        """What was published before play: SHA-256 of the seed, in hex."""
        request = audit.GetCommitmentRequest(table_id=table_id)
        reply = await self._services.ask_audit(
            "GetCommitment", request, audit.GetCommitmentResponse
        )
        return reply.commitment

    async def ledger_head(self, table_id: str) -> tuple[str, int]:
        """The ledger's head that the last answer stands on, and its length."""
        request = audit.GetLedgerHeadRequest(table_id=table_id)
        reply = await self._services.ask_audit(
            "GetLedgerHead", request, audit.GetLedgerHeadResponse
        )
        return reply.head, reply.length

    async def disclosure(self, table_id: str, *, within: float = 10.0) -> bytes:
        """Everything, once the game is over: the file that `anpai verify` reads.

        It follows the outcome a moment later: for so many seconds it is asked for
        again. Raises NotNow if there is none by then.
        """
        backoff = Backoff(within)
        while True:
            try:
                return b"".join([piece async for piece in self._pieces(table_id)])
            except (NotNow, Unavailable):
                if backoff.is_over:
                    raise
                await backoff.pause()

    async def _pieces(self, table_id: str) -> AsyncIterator[bytes]:
        route, wire = await self._services.audit(), self._services.wire
        request = audit.GetDisclosureRequest(table_id=table_id)
        method = self._services.audit_method("GetDisclosure")(route.address)
        call = method(request, metadata=wire.metadata(), timeout=DISCLOSURE_SECONDS)
        async with Listening(call) as line:
            while (piece := await line.read()) is not None:
                yield piece.data

    # -- coming and going ---------------------------------------------------------

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        if self._owns_channels:
            await self._services.wire.channels.close()


def _wish(game: str, seats: int, bots: int, variant: str, strategy: str) -> Wish:
    return Wish(
        game=game, seats=seats, bots=bots, variant=variant, bot_strategy=strategy
    )


def _new_id() -> str:
    return uuid4().hex
