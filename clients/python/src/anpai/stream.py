"""One viewer's stream of a table, without holes, whatever becomes of workers and wires.

A broken stream is resumed after the last revision received, through another worker if
need be; answers whose fate is unknown are sent again, unchanged.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import grpc

from anpai.answers import Answer
from anpai.engine.v1.engine_service_pb2 import (
    AnswerAccepted,
    AnswerRefused,
    AnswerResponse,
    Enter,
    SitRequest,
    SitResponse,
    TableUpdate,
    WatchRequest,
)
from anpai.faults import (
    AnpaiCallError,
    RevisionAhead,
    Unavailable,
    refused,
)
from anpai.services import Services
from anpai.wire import Backoff, Route, finishing

# The server sends a heartbeat well within this time: a longer silence is a dead wire.
SILENCE = 60.0
ANSWER_SECONDS = 30.0
REVISION_AHEAD_TIMES = 5


class Stream:
    """Follows one table; `hear` is called with each new view or event, in order.

    `sits`: answers travel up the stream. Otherwise it only watches.
    """

    def __init__(
        self,
        services: Services,
        route: Route,
        table_id: str,
        hear: Callable[[TableUpdate], None],
        *,
        sits: bool,
    ) -> None:
        self.revision: int | None = None
        self.is_over = False
        self.is_connected = False
        self.resumed = 0
        self._services = services
        self._route = route
        self._table_id = table_id
        self._hear = hear
        self._sits = sits
        self._ahead = 0
        self._pending: dict[str, Answer] = {}
        self._outbox: asyncio.Queue[Answer] = asyncio.Queue()
        self._backoff = Backoff(services.wire.patience)

    async def follow(self) -> None:
        """Until the outcome. Raises the AnpaiCallError that makes going on useless."""
        try:
            while not self.is_over:
                try:
                    await self._once()
                except AnpaiCallError as trouble:
                    if not self._may_resume(trouble):
                        raise
                    await self._before_resuming(trouble)
            await self._settle_the_rest()
        except AnpaiCallError as trouble:
            self._refuse_all(trouble)
            raise

    def send(self, answer: Answer) -> None:
        """Send an answer, and again on every new stream until its fate is known."""
        self._pending[answer.id] = answer
        self._outbox.put_nowait(answer)

    # -- one stream ---------------------------------------------------------------

    async def _once(self) -> None:
        call = self._open()
        writer = asyncio.create_task(self._write(call)) if self._sits else None
        try:
            async with finishing(call):
                while (response := await self._read(call)) is not grpc.aio.EOF:
                    self._went_well()
                    self._take(response)
        finally:
            self.is_connected = False
            if writer is not None:
                writer.cancel()
        if not self.is_over:
            raise lost("the stream ended before the game")

    def _open(self) -> Any:
        metadata = self._services.wire.metadata()
        if self._sits:
            sit = self._services.engine_method("Sit")(self._route.address)
            return sit(metadata=metadata)
        watch = self._services.engine_method("Watch")(self._route.address)
        request = WatchRequest(table_id=self._table_id, after_revision=self.revision)
        return watch(request, metadata=metadata)

    async def _write(self, call: Any) -> None:
        """Enter; then what is pending, in the order sent; then what comes."""
        outbox = self._outbox = asyncio.Queue[Answer]()
        for answer in self._pending.values():
            outbox.put_nowait(answer)
        enter = Enter(table_id=self._table_id, after_revision=self.revision)
        try:
            await call.write(SitRequest(enter=enter))
            while True:
                answer = await outbox.get()
                await call.write(SitRequest(answer=answer.request()))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return  # the reader meets the same end, and knows its status

    async def _read(self, call: Any) -> Any:
        try:
            async with asyncio.timeout(SILENCE):
                return await call.read()
        except TimeoutError:
            raise lost("nothing was heard for too long") from None

    # -- what arrives -------------------------------------------------------------

    def _take(self, response: Any) -> None:
        if isinstance(response, SitResponse):
            kind = response.WhichOneof("response")
            if kind == "accepted":
                return self._accepted(response.accepted)
            if kind == "refused":
                return self._refused(response.refused)
        return self._take_update(response.update)

    def _take_update(self, update: TableUpdate) -> None:
        kind = update.WhichOneof("update")
        if kind == "heartbeat":
            return self._take_heartbeat(update.heartbeat.revision)
        if kind == "view":
            self.revision = update.view.revision
            self.is_over = update.view.HasField("outcome")
        elif kind == "event":
            if not self._is_next(update.event.revision):
                return None
            self.revision = update.event.revision
            self.is_over = update.event.HasField("ended")
        else:
            return None
        return self._hear(update)

    def _is_next(self, revision: int) -> bool:
        """False for one we have; a hole means the stream is no good."""
        last = self.revision or 0
        if revision > last + 1:
            raise lost(f"revisions {last + 1} to {revision - 1} are missing")
        return revision == last + 1

    def _take_heartbeat(self, revision: int) -> None:
        if revision > (self.revision or 0):
            raise lost(f"revisions up to {revision} were not received")
        oldest = min((one.sent_at for one in self._pending.values()), default=None)
        if oldest is not None and monotonic() - oldest > ANSWER_SECONDS:
            raise lost("an answer has waited too long")

    def _accepted(self, accepted: AnswerAccepted) -> None:
        answer = self._pending.pop(accepted.answer_id, None)
        if answer is not None:
            answer.accept(accepted.revision)

    def _refused(self, told: AnswerRefused) -> None:
        answer = self._pending.get(told.answer_id)
        if answer is None:
            return
        why = refused(told.refusal)
        if answer.is_final(why):
            del self._pending[answer.id]
            answer.refuse(why)
        else:
            asyncio.get_running_loop().call_later(0.2, self._send_again, answer)

    def _send_again(self, answer: Answer) -> None:
        if answer.id in self._pending:
            self._outbox.put_nowait(answer)

    # -- going on -----------------------------------------------------------------

    def _went_well(self) -> None:
        self.is_connected = True
        self._ahead = 0
        self._backoff.reset()
        self._route.went_well()

    def _may_resume(self, trouble: AnpaiCallError) -> bool:
        if isinstance(trouble, RevisionAhead):
            self._ahead += 1
            return self._ahead < REVISION_AHEAD_TIMES
        return trouble.may_be_repeated and not self._backoff.is_over

    async def _before_resuming(self, trouble: AnpaiCallError) -> None:
        self.resumed += 1
        for answer in self._pending.values():
            answer.sent_at = monotonic()
        await self._route.turn()
        await self._backoff.pause(trouble.retry_after)

    async def _settle_the_rest(self) -> None:
        """The game is over; what became of the last answers, a repetition tells."""
        for answer in list(self._pending.values()):
            del self._pending[answer.id]
            try:
                reply = await self._services.ask_engine(
                    "Answer", answer.request(), AnswerResponse, self._route
                )
            except AnpaiCallError as why:
                answer.refuse(why)
            else:
                answer.accept(reply.revision)

    def _refuse_all(self, trouble: AnpaiCallError) -> None:
        while self._pending:
            self._pending.popitem()[1].refuse(trouble)


def lost(why: str) -> Unavailable:
    """A stream that is of no more use, though nobody refused anything."""
    return Unavailable(grpc.StatusCode.UNAVAILABLE, "", why)
