"""The way in: one player's connection to the services."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from anpai.checking import Checking
from anpai.decks import Deck
from anpai.door import Door, wire_decks
from anpai.engine.v1 import engine_service_pb2 as engine
from anpai.engine.v1.catalog_pb2 import Catalog, DeckFault, GameInfo
from anpai.engine.v1.engine_service_pb2 import TableUpdate
from anpai.engine.v1.table_pb2 import View
from anpai.finding import Finding
from anpai.hosting import Hosting
from anpai.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from anpai.matchmaking.v1.ticket_pb2 import Assignment
from anpai.record import Record
from anpai.services import Services
from anpai.stream import Stream
from anpai.table import Table
from anpai.tls import Tls, address_in, credentials_for
from anpai.versions import compare
from anpai.wire import PATIENCE, Channels, Token, Wire


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
    to trust the usual roots, a file of others in PEM, or credentials, such as
    `anpai.tls.showing` makes. `patience` is for how many seconds a call or a stream is
    tried again while no service answers. `apart`: on connections of its own; other
    houses of a process share theirs. `engines` is for programs that live where the
    services do: it is called there, not where players are told to call.
    """
    channels = Channels(credentials_for(server, tls), apart)
    wire = Wire(channels, token, patience)
    return House(Services(address_in(server), wire, engines))


class House(Finding, Checking):
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
        wire = self._services.wire
        before, wire.token = wire.token, None
        request = matchmaking.SignInRequest(
            name=name, bot=bot, external_token=external_token
        )
        try:
            reply = await self._services.ask_matchmaking(
                "SignIn", request, matchmaking.SignInResponse, repeat=False, wait=True
            )
        except BaseException:
            wire.token = before
            raise
        self.player_id = reply.player_id
        wire.token = reply.token
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
