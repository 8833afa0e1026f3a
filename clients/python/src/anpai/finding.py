"""A player's business with matchmaking: tickets, rooms, parties, seats, ratings."""

from collections.abc import Iterable, Sequence
from functools import partial
from uuid import uuid4

from anpai.decks import Deck
from anpai.door import wire_decks
from anpai.engine.v1.table_pb2 import (
    SPECTATING_DELAYED,
    SPECTATING_NONE,
    SPECTATING_OPEN,
)
from anpai.faults import NotFound
from anpai.matchmaking.v1 import matchmaking_service_pb2 as matchmaking
from anpai.matchmaking.v1.matchmaking_service_pb2 import (
    ListLeaderboardResponse as Leaderboard,
)
from anpai.matchmaking.v1.rating_pb2 import Rating
from anpai.matchmaking.v1.ticket_pb2 import Assignment, Room, Wish
from anpai.party import Party
from anpai.services import Services
from anpai.ticket import Ticket
from anpai.wire import Backoff


class Finding:
    """What a house does to find its player a table. It keeps the decks that are to be
    brought to those it has found."""

    _services: Services
    _decks: dict[str, tuple[Deck, ...]]

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

        `spectators` may look on, if any, so many events `behind`.
        """
        wish = _wish(game, seats, bots, variant, strategy)
        wish.spectating = SPECTATING_OPEN if spectators else SPECTATING_NONE
        if spectators and behind:
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
        self,
        table_id: str,
        *,
        decks: Iterable[Deck] | None = None,
        party: str = "",
    ) -> Ticket:
        """A ticket for the same once more, with those who sat at a table that is over.

        `decks` are those brought there if this house brought them. `party` is the code
        of a party that sat there, whose leader asks for all of it. Raises NotNow while
        the game goes on, NotAllowed where one had no seat.
        """
        if decks is None:
            decks = self._decks.get(table_id, ())
        brought = tuple(decks)
        request = matchmaking.RematchRequest(
            request_id=_new_id(),
            table_id=table_id,
            decks=wire_decks(brought),
            party_code=party,
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


def _wish(game: str, seats: int, bots: int, variant: str, strategy: str) -> Wish:
    return Wish(
        game=game, seats=seats, bots=bots, variant=variant, bot_strategy=strategy
    )


def _new_id() -> str:
    return uuid4().hex
