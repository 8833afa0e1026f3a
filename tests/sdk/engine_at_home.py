"""An engine made for the tests: one real game, and every way to be unreliable."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.errors.v1.error_reason_pb2 import Refusal
from anpai.matchmaking.v1 import matchmaking_service_pb2 as mm
from anpai.matchmaking.v1 import matchmaking_service_pb2_grpc as mm_rpc
from anpai.matchmaking.v1.ticket_pb2 import Assignment, ReadyCheck, Ticket, Wish
from services.engine.past import Past
from services.engine.projection import event_for, view_for
from services.local import GAMES, LocalTable

COMMITMENT = "c0" * 32
MOVED = pb.SitResponse()


@dataclass
class Mischief:
    """What goes wrong, and how often still."""

    streams_cut_after: list[int] = field(default_factory=list)
    accepts_lost: int = 0
    refusals: list[Refusal] = field(default_factory=list)
    events_left_out: set[int] = field(default_factory=set)
    told_again: int = 0
    heartbeat_after: int | None = None
    unary_answers: str = "taken"

    def leaves_out(self, revision: int) -> bool:
        """Whether this event is not told, this once."""
        is_left_out = revision in self.events_left_out
        self.events_left_out.discard(revision)
        return is_left_out


class EngineAtHome(rpc.EngineServiceServicer):
    """Seat 0 is the caller's; the test moves the other one through `table`."""

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self.table = self._opened()
        self.script: list[tuple[int, tuple[str, ...]]] = []
        self.mischief = Mischief()
        self.entered: list[int | None] = []
        self.pasts: list[bytes] = []
        self.said: list[pb.Said] = []
        self.heard: list[int] = []
        self.answers: list[pb.AnswerRequest] = []
        self.kept: dict[str, int] = {}
        self.live: Counter[str] = Counter()
        self._moved = asyncio.Condition()

    # -- what a test does ---------------------------------------------------------

    async def move(self, seat: int) -> None:
        """Seat answers with the plainest there is."""
        question = self.table.question(seat)
        assert question is not None
        self._take(seat, question.ids[: question.least])
        await self.moved()

    async def undo(self, answers: int, others: int = 0) -> None:
        """The last answers are lost, and the streams with them; others are given."""
        kept, self.script = self.script[:-answers], []
        self.table, self.kept = self._opened(), {}
        for seat, choice in kept:
            self._take(seat, choice)
        for _ in range(others):
            seat = self.table.waiting()[0]
            question = self.table.question(seat)
            assert question is not None
            self._take(seat, question.ids[::-1][: question.least])
        await self.moved()

    def past_at(self, revision: int) -> list[bytes]:
        """The names of the past at a revision."""
        ends = Past(list(self.table.entries)).ending_at(revision)
        return [self.table.play.past_named(entry.hash) for entry in ends]

    @property
    def past(self) -> bytes:
        """The name of all that has happened."""
        return self.past_at(len(self.table.events))[-1]

    def _opened(self) -> LocalTable:
        return LocalTable(GAMES["skirmish"], 2, seed=self._seed, table_id="t-home")

    def _take(self, seat: int, choice: tuple[str, ...]) -> None:
        self.table.answer(seat, choice)
        self.script.append((seat, choice))

    async def moved(self) -> None:
        async with self._moved:
            self._moved.notify_all()

    async def play_for_others(self) -> None:
        """Seat 1 answers whatever it is asked, for as long as the test lasts."""
        while self.table.outcome is None:
            async with self._moved:
                await self._moved.wait_for(lambda: 1 in self.table.waiting())
            await self.move(1)

    # -- what the contract says ---------------------------------------------------

    async def TakeSeat(self, request, context):
        return pb.TakeSeatResponse(seat=0, commitment=COMMITMENT)

    async def GetView(self, request, context):
        return pb.GetViewResponse(view=view_for(self.table.play, 0))

    async def Answer(self, request, context):
        if self.mischief.unary_answers == "unavailable":
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        self.answers.append(request)
        if self.mischief.unary_answers == "never replied to":
            await asyncio.Event().wait()
        return pb.AnswerResponse(revision=self._keep(request))

    async def Say(self, request, context):
        number = len(self.said) + 1
        said = pb.Said(number=number, channel=request.channel, text=request.text)
        self.said.append(said)
        return pb.SayResponse(number=number)

    async def ListGames(self, request, context):
        await context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")

    async def Watch(self, request, context):
        self.live["Watch"] += 1
        try:
            after = (
                request.after_revision if request.HasField("after_revision") else None
            )
            async for update in self._updates(after, None, request.past):
                yield pb.WatchResponse(update=update)
        finally:
            self.live["Watch"] -= 1

    async def Sit(self, requests, context):
        self.live["Sit"] += 1
        try:
            enter = (await anext(requests)).enter
            after = enter.after_revision if enter.HasField("after_revision") else None
            self.entered.append(after)
            self.heard.append(enter.after_said)
            self.pasts.append(enter.past)
            if after is not None and after > len(self.table.events):
                await context.abort(grpc.StatusCode.OUT_OF_RANGE, "not so far")
            async for response in self._sitting(requests, enter, after, context):
                yield response
        finally:
            self.live["Sit"] -= 1

    async def _sitting(self, requests, enter, after, context):
        out: asyncio.Queue[pb.SitResponse | None] = asyncio.Queue()
        hearing = asyncio.create_task(self._hear(requests, out))
        telling = asyncio.create_task(self._tell(after, enter.past, out))
        cuts = self.mischief.streams_cut_after
        left = cuts.pop(0) if cuts else -1
        try:
            while (response := await out.get()) is not None:
                if left == 0 or response is MOVED:
                    await context.abort(grpc.StatusCode.UNAVAILABLE, "cut")
                left -= 1
                yield response
        finally:
            hearing.cancel()
            telling.cancel()

    async def _hear(self, requests, out) -> None:
        async for request in requests:
            self.answers.append(request.answer)
            await out.put(self._reply(request.answer))
            await self.moved()

    def _reply(self, answer: pb.AnswerRequest) -> pb.SitResponse:
        if self.mischief.refusals:
            refusal = self.mischief.refusals.pop(0)
            refused = pb.AnswerRefused(answer_id=answer.answer_id, refusal=refusal)
            return pb.SitResponse(refused=refused)
        revision = self._keep(answer)
        if self.mischief.accepts_lost:
            self.mischief.accepts_lost -= 1
            return pb.SitResponse()
        accepted = pb.AnswerAccepted(answer_id=answer.answer_id, revision=revision)
        return pb.SitResponse(accepted=accepted)

    def _keep(self, answer: pb.AnswerRequest) -> int:
        """Once, however often it is sent."""
        if answer.answer_id not in self.kept:
            self._take(0, tuple(answer.choice))
            self.kept[answer.answer_id] = len(self.table.events)
        return self.kept[answer.answer_id]

    async def _tell(self, after, past, out) -> None:
        table = self.table
        async for update in self._updates(after, 0, past):
            await out.put(pb.SitResponse(update=update))
        await out.put(None if self.table is table else MOVED)

    async def _updates(self, after, viewer, past) -> AsyncIterator[pb.TableUpdate]:
        table = self.table
        undone = bool(past) and past not in self.past_at(after)
        for said in self.said:
            yield pb.TableUpdate(said=said)
        if after is None or undone:
            view = view_for(self.table.play, viewer)
            after = view.revision
            yield pb.TableUpdate(view=view, past=self.past, undone=undone)
        else:
            after = max(0, after - self.mischief.told_again)
        while True:
            told = [
                event_for(event, revision, viewer, "skirmish")
                for revision, event in enumerate(self.table.events[after:], after + 1)
                if not self.mischief.leaves_out(revision)
            ]
            if told:
                yield pb.TableUpdate(events=pb.Events(events=told), past=self.past)
            after = len(self.table.events)
            if self.table.outcome is not None:
                return
            if self.mischief.heartbeat_after is not None:
                ahead, self.mischief.heartbeat_after = (
                    self.mischief.heartbeat_after,
                    None,
                )
                yield pb.TableUpdate(heartbeat=pb.Heartbeat(revision=after + ahead))
            await self._more_than(table, after)
            if self.table is not table:
                return

    async def _more_than(self, table: LocalTable, revision: int) -> None:
        async with self._moved:
            await self._moved.wait_for(
                lambda: len(self.table.events) > revision or self.table is not table
            )


class MatchmakingAtHome(mm_rpc.MatchmakingServiceServicer):
    """Signs everybody in, knows the engines, keeps tickets queued for ever, whoever
    would cancel them."""

    def __init__(self, engines: list[str]) -> None:
        self.engines = engines
        self.version = ""
        self.check = ReadyCheck()
        self.rooms: list[Wish] = []
        self.rematches: list[mm.RematchRequest] = []
        self.live: Counter[str] = Counter()

    async def SignIn(self, request, context):
        return mm.SignInResponse(
            token=f"token of {request.name}",
            player_id="p-1",
            server_version=self.version,
        )

    async def GetDirectory(self, request, context):
        return mm.GetDirectoryResponse(engines=self.engines)

    async def CreateTicket(self, request, context):
        reply = mm.CreateTicketResponse()
        reply.ticket.id = "k-1"
        return reply

    async def Rematch(self, request, context):
        self.rematches.append(request)
        return mm.RematchResponse()

    async def CancelTicket(self, request, context):
        self.live["CancelTicket"] += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.live["CancelTicket"] -= 1

    async def CreateRoom(self, request, context):
        self.rooms.append(request.wish)
        return mm.CreateRoomResponse()

    async def WatchTicket(self, request, context):
        self.live["WatchTicket"] += 1
        try:
            while True:
                ticket = Ticket(ready_check=self.check)
                yield mm.WatchTicketResponse(ticket=ticket)
                await asyncio.sleep(0.02)
        finally:
            self.live["WatchTicket"] -= 1


@asynccontextmanager
async def serving(*servicers, port: int = 0) -> AsyncIterator[str]:
    """The address of a server that serves these."""
    server = grpc.aio.server()
    for servicer in servicers:
        if isinstance(servicer, EngineAtHome):
            rpc.add_EngineServiceServicer_to_server(servicer, server)
        else:
            mm_rpc.add_MatchmakingServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


def seat_at(address: str) -> Assignment:
    """Seat 0 of the table at home, reached at this address."""
    return Assignment(
        table_id="t-home",
        engine_address=address,
        commitment=COMMITMENT,
        game="skirmish",
    )
