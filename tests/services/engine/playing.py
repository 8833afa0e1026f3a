"""A player as the contract knows one: a token, and the public methods."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import grpc
from grpc_status import rpc_status

from anpai.engine.v1 import catalog_pb2, question_pb2, table_pb2
from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from anpai.fold import fold_update
from services.chassis.errors import refusal_in
from services.chassis.keys import Keys
from services.chassis.tokens import Kind, player_token

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
SECONDS = 30


def reason_of(error: grpc.aio.AioRpcError) -> str:
    status: Any = rpc_status.from_call(cast(Any, error))
    told = refusal_in(status)
    assert told is not None
    return told.reason


def is_cut_short(error: grpc.aio.AioRpcError) -> bool:
    """Whether grpc lost the status, having written to a stream that had ended."""
    return "Internal error from Core" in (error.details() or "")


def options(question: question_pb2.Question) -> list[str]:
    kind = question.WhichOneof("kind")
    return [option.id for option in getattr(question, kind or "").options]


def an_answer(
    question: question_pb2.Question, choice: Sequence[str] | None = None
) -> pb.AnswerRequest:
    """The first options, or those chosen."""
    return pb.AnswerRequest(
        question_id=question.id,
        answer_id=uuid.uuid4().hex,
        choice=options(question)[: question.min] if choice is None else choice,
    )


def revisions_in(update: pb.TableUpdate) -> list[int]:
    """Of the events in it, in order."""
    return [event.revision for event in update.events.events]


class Game:
    """What one viewer has been sent of a game, over however many streams."""

    def __init__(self, view: table_pb2.View | None = None) -> None:
        self.view = view
        self.revisions: list[int] = []
        self.views = 0
        self.resumed = 0

    @property
    def is_over(self) -> bool:
        return self.view is not None and self.view.HasField("outcome")

    @property
    def question(self) -> question_pb2.Question | None:
        if self.view is None or not self.view.HasField("question"):
            return None
        return self.view.question

    def hear(self, update: pb.TableUpdate) -> None:
        self.view = fold_update(self.view or table_pb2.View(), update)
        self.views += update.HasField("view")
        self.revisions += revisions_in(update)


class Stream:
    """A Watch or a Sit, read one step at a time."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def next(self) -> Any:
        """The next step, within seconds; None once the stream has ended well."""
        async with asyncio.timeout(SECONDS):
            step = await self.call.read()
        return None if step is grpc.aio.EOF else step

    async def update(self) -> pb.TableUpdate:
        step = await self.next()
        assert step is not None, "the stream has ended"
        update: pb.TableUpdate = step.update
        return update

    async def reason_of_end(self, steps: int = 1000) -> str:
        """The reason in the status it ends with, after so many steps at most."""
        try:
            for _ in range(steps):
                if await self.next() is None:
                    break
        except grpc.aio.AioRpcError as error:
            return reason_of(error)
        return "OK"

    async def enters(self, table: str, after: int | None, past: bytes = b"") -> None:
        enter = pb.Enter(table_id=table, after_revision=after, past=past)
        await self.call.write(pb.SitRequest(enter=enter))

    async def answers(self, answer: pb.AnswerRequest) -> None:
        """Send it; if the stream has ended, reading on tells why."""
        with suppress(asyncio.InvalidStateError):
            await self.call.write(pb.SitRequest(answer=answer))


class Player:
    """Somebody at one worker's door."""

    def __init__(
        self, name: str, address: str, keys: Keys, window: int | None = None
    ) -> None:
        self.id = name
        self.extra: tuple[tuple[str, str], ...] = ()
        self.token: str | None = player_token(
            keys, name, name.title(), Kind.GUEST, 3600
        )
        self.goes_to(address, window)

    def goes_to(self, address: str, window: int | None = None) -> None:
        """`window` bytes are as much as it lets come unread, or as much as is usual."""
        narrow = [("grpc.http2.lookahead_bytes", window), ("grpc.http2.bdp_probe", 0)]
        options = None if window is None else narrow
        self.channel = grpc.aio.insecure_channel(address, options=options)
        self.stub: Any = rpc.EngineServiceStub(self.channel)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        if self.token is None:
            return self.extra
        return (("authorization", f"Bearer {self.token}"), *self.extra)

    async def takes_seat(
        self, table: str, nonce: bytes = b"", decks: Sequence[Sequence[str]] = ()
    ) -> pb.TakeSeatResponse:
        brought = [catalog_pb2.Deck(faces=faces) for faces in decks]
        taken: pb.TakeSeatResponse = await self.asks(
            "TakeSeat", table_id=table, nonce=nonce, decks=brought
        )
        return taken

    async def looks(self, table: str) -> table_pb2.View:
        view: table_pb2.View = (await self.asks("GetView", table_id=table)).view
        return view

    async def concedes(self, table: str) -> int:
        return int((await self.asks("Concede", table_id=table)).revision)

    async def answers(self, table: str, answer: pb.AnswerRequest) -> int:
        answer.table_id = table
        call = self.stub.Answer(answer, metadata=self.metadata, timeout=SECONDS)
        return int((await call).revision)

    async def asks(self, method: str, **fields: Any) -> Any:
        request = getattr(pb, f"{method}Request")(**fields)
        call = getattr(self.stub, method)
        return await call(request, metadata=self.metadata, timeout=SECONDS)

    @asynccontextmanager
    async def watching(
        self,
        table_id: str,
        after: int | None = None,
        after_said: int | None = None,
        past: bytes = b"",
    ) -> AsyncIterator[Stream]:
        request = pb.WatchRequest(
            table_id=table_id, after_revision=after, after_said=after_said, past=past
        )
        call = self.stub.Watch(request, metadata=self.metadata)
        try:
            yield Stream(call)
        finally:
            call.cancel()

    @asynccontextmanager
    async def sitting(
        self, table_id: str, after: int | None = None, past: bytes = b""
    ) -> AsyncIterator[Stream]:
        call = self.stub.Sit(metadata=self.metadata)
        stream = Stream(call)
        try:
            await stream.enters(table_id, after, past)
            yield stream
        finally:
            call.cancel()
