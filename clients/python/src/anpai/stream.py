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
from anpai.calls import Duplex, Listening
from anpai.engine.v1.engine_service_pb2 import (
    AnswerAccepted,
    AnswerRefused,
    AnswerResponse,
    Enter,
    Events,
    SitRequest,
    SitResponse,
    TableUpdate,
    WatchRequest,
)
from anpai.faults import (
    AnpaiCallError,
    RevisionAhead,
    ServerFault,
    Unavailable,
    refused,
)
from anpai.services import Services
from anpai.wire import Backoff, Route

# The server sends a heartbeat well within this time: a longer silence is a dead wire.
SILENCE = 60.0
ANSWER_SECONDS = 30.0
AGAIN = 0.2
STRIKES = 5
# A stream that has brought nothing new goes well only if it lasts.
STEADY = 1.0


class Stream:
    """Follows one table; `hear` is called with each new view or events, in order.

    `sits`: answers travel up the stream. Otherwise it only watches. `heard_at` is when
    anything last came, heartbeats included, by the monotonic clock. A view that comes
    with `undone` is of another past than what was heard before.
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
        self.past = b""
        self.said = 0
        self.is_over = False
        self.is_connected = False
        self.heard_at: float | None = None
        self.resumed = 0
        self._services = services
        self._route = route
        self._table_id = table_id
        self._hear = hear
        self.sits = sits
        self._strikes = 0
        self._is_undone = False
        self._ended_by: AnpaiCallError | None = None
        self._opened: tuple[float, int | None] = (0.0, None)
        self._pending: dict[str, Answer] = {}
        self._line: Duplex | None = None
        self._backoff = Backoff(services.wire.patience)

    async def follow(self) -> None:
        """Until the outcome. Raises the AnpaiCallError that makes going on useless."""
        trouble: AnpaiCallError = lost("the table was left")
        try:
            while not self.is_over:
                await self._once_or_resume()
            await self._settle_the_rest()
        except AnpaiCallError as fault:
            trouble = fault
            raise
        finally:
            self._give_up(trouble)

    def send(self, answer: Answer) -> None:
        """Send an answer, and again on every new stream until its fate is known.

        Nobody tells the fate of one that is sent after `follow` has ended.
        """
        if self._ended_by is not None:
            answer.give_up(self._ended_by)
            return
        self._pending[answer.id] = answer
        self._send_if_open(answer)

    # -- one stream ---------------------------------------------------------------

    async def _once_or_resume(self) -> None:
        try:
            await self._once()
        except AnpaiCallError as trouble:
            if not self._may_resume(trouble):
                raise
            self.resumed += 1
            if not isinstance(trouble, RevisionAhead):
                await self._route.turn()
            await self._backoff.pause(trouble.retry_after)

    async def _once(self) -> None:
        self._opened = monotonic(), self.revision
        async with self._open() as line:
            try:
                while not self._is_done:
                    response = await self._read(line)
                    if response is None:
                        break
                    self._take(response)
                    self._went_well()
            finally:
                self.is_connected, self._line = False, None
        if not self.is_over:
            raise lost("the stream ended before the game")

    def _open(self) -> Duplex | Listening:
        """Enter, and send what is pending, in the order first sent."""
        table, after, past = self._table_id, self.revision, self.past
        channels = self._services.wire.channels
        metadata = self._services.wire.metadata(table)
        if not self.sits:
            watch = self._services.engine_method("Watch")(self._route.address)
            request = WatchRequest(
                table_id=table, after_revision=after, after_said=self.said, past=past
            )
            return Listening(channels.keep(watch(request, metadata=metadata)))
        sit = self._services.engine_method("Sit")(self._route.address)
        enter = Enter(
            table_id=table, after_revision=after, after_said=self.said, past=past
        )
        line = Duplex(channels.keep(sit(metadata=metadata)), SitRequest(enter=enter))
        for answer in self._pending.values():
            answer.sent_at = monotonic()
            line.send(SitRequest(answer=answer.request()))
        self._line = line
        return line

    async def _read(self, line: Duplex | Listening) -> Any:
        try:
            async with asyncio.timeout(SILENCE):
                return await line.read()
        except TimeoutError:
            raise lost("nothing was heard for too long") from None

    # -- what arrives -------------------------------------------------------------

    def _take(self, response: Any) -> None:
        """An update first: whoever waits for an answer finds the table after it."""
        if response.HasField("update"):
            self._take_update(response.update)
        if isinstance(response, SitResponse):
            if response.HasField("accepted"):
                self._accepted(response.accepted)
            if response.HasField("refused"):
                self._refused(response.refused)

    def _take_update(self, update: TableUpdate) -> None:
        match update.WhichOneof("update"):
            case "view":
                self._take_view(update)
            case "events":
                self._take_events(update)
            case "heartbeat":
                self._take_heartbeat(update.heartbeat.revision)
            case "said":
                self._take_words(update)

    def _take_words(self, update: TableUpdate) -> None:
        """Once, however often they are sent."""
        if update.said.number > self.said:
            self.said = update.said.number
            self._hear(update)

    def _take_view(self, update: TableUpdate) -> None:
        update.undone = update.undone or self._is_undone
        if update.view.revision < (self.revision or 0) and not update.undone:
            raise lost("this server is behind what was shown")
        self.revision, self.past = update.view.revision, update.past
        self._is_undone = False
        self.is_over = update.view.HasField("outcome")
        self._hear(update)

    def _take_events(self, update: TableUpdate) -> None:
        """Those we have are passed over; a hole means the stream is no good."""
        told, last = update.events.events, self.revision or 0
        fresh = [event for event in told if event.revision > last]
        for revision, event in enumerate(fresh, last + 1):
            if event.revision != revision:
                raise lost(f"revision {revision} is missing")
        if len(fresh) < len(told):
            update = TableUpdate(events=Events(events=fresh), past=update.past)
        if fresh:
            self.revision, self.past = fresh[-1].revision, update.past
            self.is_over = fresh[-1].HasField("ended")
            self._hear(update)

    def _take_heartbeat(self, revision: int) -> None:
        if revision > (self.revision or 0):
            raise lost(f"revisions up to {revision} were not received")
        oldest = min((one.sent_at for one in self._pending.values()), default=None)
        if oldest is not None and monotonic() - oldest > ANSWER_SECONDS:
            raise lost("an answer has waited too long")

    def _accepted(self, accepted: AnswerAccepted) -> None:
        if accepted.past and accepted.revision == self.revision:
            self.past = accepted.past
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
            loop = asyncio.get_running_loop()
            loop.call_later(why.retry_after or AGAIN, self._send_if_open, answer)

    def _send_if_open(self, answer: Answer) -> None:
        """On the stream there is; a new one begins with all that is pending."""
        if self._line is not None and answer.id in self._pending:
            self._line.send(SitRequest(answer=answer.request()))

    # -- going on -----------------------------------------------------------------

    @property
    def _is_done(self) -> bool:
        return self.is_over and not self._pending

    def _went_well(self) -> None:
        self.is_connected = True
        self.heard_at = monotonic()
        self._strikes = 0
        self._route.went_well()
        at, revision = self._opened
        if self.revision != revision or monotonic() - at >= STEADY:
            self._backoff.reset()

    def _may_resume(self, trouble: AnpaiCallError) -> bool:
        if isinstance(trouble, RevisionAhead) and self.revision is not None:
            self._note_behind()
            return True
        if isinstance(trouble, RevisionAhead | ServerFault):
            self._strikes += 1
            return self._strikes < STRIKES
        return trouble.may_be_repeated and self._backoff.allows(trouble.retry_after)

    def _note_behind(self) -> None:
        """Worker and store may be behind for a moment. Where they stay behind, what we
        saw is lost: we begin anew, with a view."""
        if not self._strikes:
            self._backoff.reset()
        self._strikes += 1
        if self._strikes == STRIKES:
            self.revision, self.past, self._is_undone = None, b"", True
            self._strikes = 0

    async def _settle_the_rest(self) -> None:
        """The game is over; what became of the last answers, a repetition tells."""
        while self._pending:
            answer = next(iter(self._pending.values()))
            await self._settle_one(answer)
            del self._pending[answer.id]

    async def _settle_one(self, answer: Answer) -> None:
        try:
            reply = await self._services.ask_engine(
                "Answer", answer.request(), AnswerResponse, self._route
            )
        except AnpaiCallError as why:
            if answer.is_final(why):
                answer.refuse(why)
            else:
                answer.give_up(why)
        else:
            answer.accept(reply.revision)

    def _give_up(self, trouble: AnpaiCallError) -> None:
        self._ended_by = trouble
        while self._pending:
            _, answer = self._pending.popitem()
            answer.give_up(trouble)


def lost(why: str) -> Unavailable:
    """A stream that is of no more use, though nobody refused anything."""
    return Unavailable(grpc.StatusCode.UNAVAILABLE, "", why)
