"""The news of the engines, read by one server at a time.

How far it has been read stands in the store. A piece may come again, for instance when
the server dies that has done it: what is done about it bears that.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import NamedTuple, Protocol

import grpc

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1.engine_internal_service_pb2_grpc import (
    EngineInternalServiceStub,
)
from services.chassis.client import Peer, meaning_of
from services.chassis.errors import AnpaiError
from services.chassis.stores import Pipeline
from services.chassis.telemetry import Metrics, noted_incident
from services.matchmaking import keys, result_scripts
from services.matchmaking.rating import SeatOver, TableOver
from services.matchmaking.seating import is_passing, no_engine
from services.matchmaking.stand_ins import EmptySeat, empty_in
from services.matchmaking.supervise import HELD_UP
from services.matchmaking.timings import SECOND, TIMINGS, Timings, wall_clock

AT_ONCE = 32
READER = (keys.NEWS_READER, keys.NEWS)

Take = Callable[[TableOver], Awaitable[None]]
CallBot = Callable[[EmptySeat], Awaitable[None]]


class Piece(NamedTuple):
    """A piece of news in its place; None is news of a kind that is not known here."""

    id: str
    over: TableOver | None = None
    empty: EmptySeat | None = None


class TellsNews(Protocol):
    def news(self, after: str) -> AsyncGenerator[Piece, None]:
        """What is behind an id, and what comes within a moment. PART_UNAVAILABLE."""


class EngineNews:
    """Any engine tells all of it: one that does not is passed over."""

    def __init__(self, peers: Sequence[Peer], timings: Timings = TIMINGS):
        self._peers = peers
        self._within = timings.news_call / SECOND
        self._first = 0

    async def news(self, after: str) -> AsyncGenerator[Piece, None]:
        for peer in self._in_turn():
            try:
                async with aclosing(self._told_by(peer, after)) as pieces:
                    async for piece in pieces:
                        after = piece.id
                        yield piece
                return
            except AnpaiError as error:
                if not is_passing(error):
                    raise
        raise no_engine()

    def _in_turn(self) -> list[Peer]:
        """All of them; each time another is the first."""
        self._first = (self._first + 1) % len(self._peers)
        return [*self._peers[self._first :], *self._peers[: self._first]]

    async def _told_by(self, peer: Peer, after: str) -> AsyncGenerator[Piece, None]:
        """One that is older than this call tells nothing; one that hangs does not even
        greet."""
        watch = peer.stub(EngineInternalServiceStub).WatchNews
        request = internal.WatchNewsRequest(after=after)
        call = watch(request, timeout=self._within, metadata=peer.along())
        lives = False
        try:
            await call.initial_metadata()
            lives = not call.done()
            while isinstance(message := await call.read(), internal.WatchNewsResponse):
                yield piece_in(message)
        except grpc.aio.AioRpcError as error:
            ended = error.code()
            if ended is grpc.StatusCode.UNIMPLEMENTED:
                raise no_engine() from None
            if ended is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise meaning_of(error) from None
            if not lives:
                raise no_engine() from None
        finally:
            call.cancel()


class NewsReader:
    """Has each piece of news taken, at least once, and notes how far it has come."""

    def __init__(
        self,
        engines: TellsNews,
        pipeline: Pipeline,
        take: Take,
        call_bot: CallBot,
        metrics: Metrics,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._engines = engines
        self._call = pipeline.call
        self._take = take
        self._call_bot = call_bot
        self._metrics = metrics
        self._timings = timings
        self._now = now
        self._name = secrets.token_hex(8)
        self._after = ""

    async def run(self) -> None:
        """For ever. Whoever begins to read goes back a little."""
        is_reading = False
        while True:
            stands = await self._take_up()
            if stands is None:
                is_reading = False
                await asyncio.sleep(self._timings.news_call / SECOND)
                continue
            if not is_reading:
                self._after = before(stands, self._timings.news_again)
            is_reading = True
            await self._read()

    async def let_go(self) -> None:
        """Another server may go on at once."""
        await self._call(result_scripts.LET_GO, READER[:1], [self._name])

    # ---- one call ----------------------------------------------------------------

    async def _read(self) -> None:
        since, begun = self._after, list[tuple[str, asyncio.Task[None]]]()
        try:
            async with aclosing(self._engines.news(self._after)) as pieces:
                async for piece in pieces:
                    begun.append((piece.id, asyncio.create_task(self._do(piece))))
                    if len(begun) == AT_ONCE:
                        await self._finish(begun)
            await self._finish(begun)
            self._note_read(is_news=self._after != since)
        finally:
            for _, task in begun:
                task.cancel()

    def _note_read(self, is_news: bool) -> None:
        self._metrics.news_last_read.set(self._now() / SECOND)
        if not is_news:
            self._metrics.news_lag.set(0)

    async def _finish(self, begun: list[tuple[str, asyncio.Task[None]]]) -> None:
        """Wait for what is begun; only then has the news been read so far."""
        if begun:
            await asyncio.gather(*(task for _, task in begun))
            self._after = begun[-1][0]
            begun.clear()
            await self._advance()

    async def _do(self, piece: Piece) -> None:
        """What fails by a fault of ours would fail again: it must not stop the rest."""
        try:
            if piece.empty is not None:
                await self._call_bot(piece.empty)
            if piece.over is not None:
                await self._take(piece.over)
        except HELD_UP:
            raise
        except Exception as error:
            noted_incident(self._metrics, error, piece=piece.id)
            if piece.over is not None:
                self._metrics.results.labels(piece.over.game, "failed").inc()
        if piece.over is not None:
            lag = self._now() - piece.over.ended_ms
            self._metrics.news_lag.set(max(0, lag) / SECOND)

    # ---- the cursor --------------------------------------------------------------

    async def _take_up(self) -> str | None:
        """How far the news has been read; None while another server reads."""
        cursor = await self._call(result_scripts.TAKE_UP, READER, self._terms())
        return None if cursor is None else cursor.decode()

    async def _advance(self) -> None:
        args = [*self._terms(), self._after]
        await self._call(result_scripts.ADVANCE, READER, args)

    def _terms(self) -> list[str | int]:
        timings = self._timings
        return [self._name, timings.news_lease, timings.news_cursor]


def before(id: str, milliseconds: int) -> str:
    """An id so much earlier; "" for the beginning."""
    return f"{max(0, int(id.partition('-')[0]) - milliseconds)}-0" if id else ""


def piece_in(message: internal.WatchNewsResponse) -> Piece:
    match message.WhichOneof("news"):
        case "over":
            return Piece(message.id, over=over_in(message.over))
        case "empty":
            return Piece(message.id, empty=empty_in(message.empty))
    return Piece(message.id)


def over_in(message: internal.TableOver) -> TableOver:
    return TableOver(
        table=message.table_id,
        game=message.game,
        variant=message.variant,
        rated=message.rated,
        reason=message.reason,
        seats=tuple(map(seat_in, message.seats)),
        ended_ms=message.ended_ms,
    )


def seat_in(message: internal.SeatOver) -> SeatOver:
    return SeatOver(
        player=message.player_id,
        name=message.name,
        bot=message.bot,
        team=message.team,
        rank=message.rank,
        conceded=message.conceded,
    )
