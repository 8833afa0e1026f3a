"""What becomes of tables, for other services to act on: one stream of all workers.

A piece is put up after the commit it tells of, by whoever goes on with the table, until
it is up: so it comes at least once. A mark keeps repeats out for a day; whoever reads
must bear them all the same.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import NamedTuple, Protocol

import msgspec

from services.chassis.errors import AnpaiError
from services.chassis.stores import Store
from services.engine import scripts

STREAM = "engine:{news}:stream"
STOPPED_LIST = "engine:{news}:stopped"
KEPT_MS = 7 * 24 * 3600 * 1000
MARKED_MS = 24 * 3600 * 1000
AT_MOST = 200_000
PAGE = 200
POLL_SECONDS = 0.2

STOPPED = "stopped"

ID = re.compile(r"(\d{1,19})-(\d{1,19})", re.ASCII)
LAST = 2**63


class SeatOver(msgspec.Struct, frozen=True):
    """What became of a seat; `rank` is 0 where the table was abandoned."""

    player: str
    name: str
    bot: bool
    team: int
    rank: int
    score: int
    conceded: bool


class TableOver(msgspec.Struct, frozen=True, tag="over"):
    """A table is over: its outcome is committed, or it was stopped without one; then
    nothing is told of its seats."""

    table: str
    game: str
    variant: str
    rated: bool
    reason: str
    seats: tuple[SeatOver, ...]
    ended_ms: int

    @property
    def mark(self) -> str:
        """Names the piece: another of this name tells nothing new."""
        return f"over:{self.table}"


class SeatEmpty(msgspec.Struct, frozen=True, tag="empty"):
    """Nobody plays a seat, and others wait; `stand_in` is the bot that was to."""

    table: str
    game: str
    variant: str
    seat: int
    seats: int
    player: str
    name: str
    bot: bool
    stand_in: str
    commitment: str
    address: str
    noticed_ms: int

    @property
    def mark(self) -> str:
        """As long as nobody comes it is told again."""
        return f"empty:{self.table}:{self.seat}:{self.noticed_ms}"


News = TableOver | SeatEmpty


class Piece(NamedTuple):
    """A piece of news in its place."""

    id: str
    news: News


class NewsBoard(Protocol):
    """Every call may raise `StoreUnavailable`: then it has happened, or it has not."""

    async def put_up(self, news: News) -> None:
        """Add a piece, unless one of its mark was added of late."""

    async def after(self, id: str) -> list[Piece]:
        """The next pieces behind an id, in order; "" is before the oldest."""


class StoredNews:
    """The stream in Redis: its field `e` is a piece as JSON."""

    def __init__(self, store: Store, stopped_days: int = 90) -> None:
        self._store = store
        self._stopped_ms = stopped_days * 24 * 3600 * 1000

    async def put_up(self, news: News) -> None:
        if isinstance(news, TableOver) and news.reason == STOPPED:
            told = (news.table, self._stopped_ms)
            await self._store.pipeline.call(scripts.NOTE_STOPPED, (STOPPED_LIST,), told)
        keys = (f"engine:{{news}}:mark:{news.mark}", STREAM)
        args = (msgspec.json.encode(news), MARKED_MS, KEPT_MS, AT_MOST)
        await self._store.pipeline.call(scripts.PUT_UP, keys, args)

    async def after(self, id: str) -> list[Piece]:
        args = (f"({id}" if id else "-", PAGE)
        found = await self._store.pipeline.call(scripts.NEWS, (STREAM,), args)
        return [
            Piece(id.decode(), msgspec.json.decode(body, type=News))
            for id, body in found
        ]


class Readers:
    """Whoever follows the news here, until this worker drains."""

    def __init__(self, board: NewsBoard) -> None:
        self._board = board
        self._draining = asyncio.Event()

    async def follow(self, after: str) -> AsyncGenerator[Piece, None]:
        """What is behind an id, and what comes then. PART_UNAVAILABLE."""
        if self._draining.is_set():
            raise going_away()
        while not self._draining.is_set():
            pieces = await self._board.after(after)
            for piece in pieces:
                yield piece
                after = piece.id
            if not pieces:
                await self._pause()

    def drain(self) -> None:
        self._draining.set()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(POLL_SECONDS):
                await self._draining.wait()


def going_away() -> AnpaiError:
    return AnpaiError(
        "PART_UNAVAILABLE",
        "This worker is stopping; ask another.",
        retry_after=0.5,
        part="engine",
    )


def news_id(text: str) -> str:
    """The text, if it can be an id of a piece, or nothing. INVALID_FIELD."""
    found = ID.fullmatch(text)
    if text and not (found and all(int(part) < LAST for part in found.groups())):
        raise AnpaiError(
            "INVALID_FIELD",
            "after must be the id of a piece of news, or empty.",
            field="after",
            allowed="an id heard before",
        )
    return text
