"""`anpai play`: find a table and play at it."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from anpai import (
    AnpaiError,
    Assignment,
    Deck,
    GameInfo,
    House,
    NotFound,
    NotNow,
    Party,
    ReadyCheck,
    Ticket,
    TicketClosed,
    TicketState,
    Unavailable,
)
from clients.terminal.bringing import legal
from clients.terminal.choosing import game_among, seats_at, variant_among
from clients.terminal.commands.deck import Entry
from clients.terminal.finding import Where
from clients.terminal.keyboard import line_typed
from clients.terminal.options import Spectators
from clients.terminal.players import house_of
from clients.terminal.say import Trouble
from clients.terminal.screen.reader import Reader, titled
from clients.terminal.sitting import Ending, Sitting
from clients.terminal.stack.folder import make_directory
from clients.terminal.words import Words

NEW_ROOM = "new"
BEHIND = 20  # events, as at rated tables
LEAVE_SECONDS = 3.0
YES = ("y", "yes", "是", "好")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    game: str | None
    variant: str
    seats: int | None
    bots: int | None
    room: str | None
    name: str | None
    resumes: bool
    decks: Sequence[Entry] = ()
    table: str | None = None
    party: str | None = None
    wait: int | None = None
    spectators: Spectators | None = None


def play(wanted: Wanted, where: Where, words: Words, out: Console) -> None:
    """Returns when the game is over or the person leaves."""
    asyncio.run(Evening(where, words, out).run(wanted))


class Evening:
    """From the door to the table and home again."""

    def __init__(self, where: Where, words: Words, out: Console):
        self._where = where
        self._words = words
        self._out = out
        self._party: Party | None = None

    async def run(self, wanted: Wanted) -> None:
        async with house_of(self._where, wanted.name) as house:
            seat: Assignment | None = await self._seat(house, wanted)
            option = self._where.option_as(wanted.name)
            while seat is not None:
                ending = await self._sit(house, seat, option)
                seat = await self._again(house, seat, ending)

    # -- a seat -----------------------------------------------------------------------

    async def _seat(self, house: House, wanted: Wanted) -> Assignment:
        """One that is kept for us, or a new one."""
        kept = await house.my_seats()
        if wanted.table is not None:
            return self._seat_at(wanted.table, kept)
        if wanted.resumes:
            if not kept:
                raise Trouble(self._words("play.no_seats"))
            return kept[0]
        for seat in kept if wanted.room is None and sys.stdin.isatty() else ():
            if await self._goes_on(seat):
                return seat
        return await self._new_seat(house, wanted)

    def _seat_at(self, table: str, kept: Sequence[Assignment]) -> Assignment:
        for seat in kept:
            if seat.table_id == table:
                return seat
        raise Trouble(self._words("play.no_seat_there", table=table))

    async def _goes_on(self, seat: Assignment) -> bool:
        offer = self._words("play.resume_offer", game=seat.game, table=seat.table_id)
        return await self._agrees(offer, ("", *YES))

    async def _agrees(self, offer: str, yes: Sequence[str]) -> bool:
        self._out.print(offer, end="")
        typed = await line_typed()
        return typed is not None and typed.strip().lower() in yes

    async def _new_seat(self, house: House, wanted: Wanted) -> Assignment:
        if wanted.spectators is not None and wanted.room != NEW_ROOM:
            raise Trouble(self._words("play.spectators_where"))
        games = await house.games(locale=self._words.locale)
        if wanted.party is not None:
            self._party = await house.join_party(wanted.party)
            if wanted.game is None:
                return await self._wait_for_leader(house, self._party)
        if wanted.room is not None and wanted.room != NEW_ROOM:
            decks = [entry.deck for entry in wanted.decks]
            return await self._wait(await enter_room(house, games, wanted.room, decks))
        game = self._game(games, wanted)
        variant = variant_among(game, wanted.variant, self._words)
        seats = seats_at(variant.name, variant.seats, wanted.seats, self._words)
        decks = await legal(house, game, variant, wanted.decks, self._words)
        if wanted.room == NEW_ROOM:
            spectators = wanted.spectators or Spectators.OPEN
            room = await house.create_room(
                game.name,
                seats=seats,
                bots=wanted.bots or 0,
                variant=variant.name,
                spectators=spectators is not Spectators.NONE,
                behind=BEHIND if spectators is Spectators.DELAYED else 0,
            )
            told = self._words("play.room", code=room.code, option=self._where.option)
            self._out.print(told, soft_wrap=True)
            return await self._wait(await enter_room(house, games, room.code, decks))
        try:
            ticket = await house.enter(
                game.name,
                seats=seats,
                bots=bots_for(wanted, seats, self._party),
                bots_after=wanted.wait,
                variant=variant.name,
                decks=decks,
                ready_check=sys.stdin.isatty(),
                party=self._party_code,
            )
        except NotNow as refusal:
            return await self._wait_as_member(house, refusal)
        return await self._wait(ticket)

    @property
    def _party_code(self) -> str:
        return self._party.code if self._party else ""

    async def _wait_as_member(
        self, house: House, refusal: NotNow, after: str = ""
    ) -> Assignment:
        """Whoever may not ask for his party waits for its leader to do it."""
        if self._party is None or refusal.reason != "NOT_LEADER":
            raise refusal
        return await self._wait_for_leader(house, self._party, after)

    async def _wait_for_leader(
        self, house: House, party: Party, after: str = ""
    ) -> Assignment:
        """A member of a party sits where its leader's ticket leads: not to the table
        that they have played at before."""
        leader = party.leader.name
        self._out.print(self._words("party.waiting", code=party.code, leader=leader))
        async for state in party:
            if not state.ticket_id:
                continue
            # One that was made before we came is not ours to see.
            with contextlib.suppress(NotFound, TicketClosed):
                ticket = await house.ticket(state.ticket_id)
                if leads_on(ticket.state, after):
                    return await self._seat_of(ticket)
        raise Trouble(self._words("party.none"))

    def _game(self, games: list[GameInfo], wanted: Wanted) -> GameInfo:
        if wanted.game is None:
            names = ", ".join(game.name for game in games)
            raise Trouble(self._words("play.which_game", games=names))
        return game_among(games, wanted.game, self._words)

    async def _wait(self, ticket: Ticket) -> Assignment:
        """A Ctrl-C takes the ticket back; one that nobody watches expires anyhow."""
        try:
            return await self._seat_of(ticket)
        except TicketClosed as closed:
            raise Trouble(no_seat(closed.because, self._words)) from None
        except asyncio.CancelledError:
            with contextlib.suppress(AnpaiError, TimeoutError):
                async with asyncio.timeout(LEAVE_SECONDS):
                    await ticket.cancel()
            raise

    async def _seat_of(self, ticket: Ticket) -> Assignment:
        """Say how many wait, and ask when all are found."""
        said = 0

        def tell(state: TicketState) -> None:
            nonlocal said
            people = state.wish.seats - state.wish.bots
            if people > 1 and state.waiting not in (0, said):
                said = state.waiting
                self._out.print(self._words("play.waiting", waiting=said))

        tell(ticket.state)
        return await ticket.seat(ready=self._is_there, seen=tell)

    async def _is_there(self, check: ReadyCheck) -> bool:
        """Any line will do; whoever is not at a terminal is there."""
        if not sys.stdin.isatty():
            return True
        seconds = max(1, round(check.until.ToSeconds() - time.time()))
        self._out.print(self._words("play.ready", seconds=seconds), end="")
        try:
            return await line_typed() is not None
        except asyncio.CancelledError:
            self._out.print()
            raise

    # -- the table --------------------------------------------------------------------

    async def _sit(self, house: House, seat: Assignment, option: str) -> Ending:
        reader = await reader_for(house, seat.game, seat.variant, self._words)
        self._out.print(
            self._words(
                "play.table", table=seat.table_id, commitment=seat.commitment[:16]
            )
        )
        async with house.sit(seat, record=record_file(self._where.home, seat)) as table:
            try:
                ending = await Sitting(table, reader, self._out).run()
            except (asyncio.CancelledError, Unavailable):
                self._out.print()
                self._say_goodbye(Ending.LEFT, seat, option)
                raise
        if ending is Ending.OVER:
            await self._say_rating(house, seat)
        self._say_goodbye(ending, seat, option)
        return ending

    async def _say_rating(self, house: House, seat: Assignment) -> None:
        """What the game has brought, where it moves ratings."""
        rating = await house.rating_after(seat)
        if rating is not None:
            change = f"{rating.last_change:+d}"
            told = {"points": rating.points, "change": change, "rank": rating.rank}
            self._out.print(self._words("play.rating", **told))

    def _say_goodbye(self, ending: Ending, seat: Assignment, option: str) -> None:
        if ending is Ending.LEFT:
            told = self._words("play.kept", option=option)
        else:
            where = self._where.option
            told = self._words("play.over", table=seat.table_id, option=where)
        self._out.print(told, soft_wrap=True)

    async def _again(
        self, house: House, seat: Assignment, ending: Ending
    ) -> Assignment | None:
        """The next seat, if the same is to be played once more."""
        if ending is Ending.LEFT or not sys.stdin.isatty():
            return None
        if not await self._agrees(self._words("play.again"), YES):
            return None
        try:
            ticket = await house.rematch(seat.table_id, party=self._party_code)
        except NotNow as refusal:
            return await self._wait_as_member(house, refusal, after=seat.table_id)
        return await self._wait(ticket)


def leads_on(ticket: TicketState, after: str) -> bool:
    """Whether it is open, or has a seat at another table than this."""
    is_behind = bool(after) and ticket.assignment.table_id == after
    return not ticket.closed_because and not is_behind


# Why there can be no seat any more.
CLOSED = ("cancelled", "expired", "absent", "party_changed", "over")


def no_seat(because: str, words: Words) -> str:
    """In words, but for a reason that this release does not know."""
    why = words(f"play.closed.{because}") if because in CLOSED else because
    return words("play.no_seat", why=why)


def bots_for(wanted: Wanted, seats: int, party: Party | None) -> int:
    """If nothing is said, all but those who come along; none where people are waited
    for."""
    if wanted.bots is not None:
        return wanted.bots
    people = len(party.state.members) if party else 1
    return seats - people if wanted.wait is None else 0


async def enter_room(
    house: House, games: list[GameInfo], code: str, decks: Sequence[Deck]
) -> Ticket:
    """The room settles everything but decks, and that a wish names some game."""
    game = games[0]
    seats = game.variants[0].seats[0]
    return await house.enter(game.name, seats=seats, room=code, decks=decks)


async def reader_for(house: House, game: str, variant: str, words: Words) -> Reader:
    """The catalogue in this person's language."""
    catalog = await house.catalog(game, locale=words.locale)
    games = await house.games(locale=words.locale)
    titles = [title_of(one, variant) for one in games if one.name == game]
    return Reader(catalog, words, titles[0] if titles else game)


def title_of(game: GameInfo, variant: str) -> str:
    """With the variant, where there are several."""
    told = [one.title for one in game.variants if one.name == variant]
    return titled(game.title, told, len(game.variants))


def record_file(home: Path, seat: Assignment) -> Path:
    """Where `verify` looks for what this seat heard."""
    folder = home / "heard"
    make_directory(folder)
    return folder / f"{seat.table_id}-{seat.seat}.jsonl"
