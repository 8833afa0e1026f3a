"""A seat, or a spectator, over a sync stream: resumed where it breaks, to the end."""

from collections.abc import Iterator
from time import monotonic
from typing import Any
from uuid import uuid4

import gevent
import grpc
from gevent.queue import Queue

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.matchmaking.v1.ticket_pb2 import Assignment
from clients.bench.asking import asked_after, chosen
from loadtest import wire
from loadtest.player import AGAIN_SECONDS, PATIENCE, Player, is_passing

# Every stream that is open now: a storm breaks them all.
OPEN: set["Stream"] = set()


class Stream:
    """Follows one table; `cut` breaks the connection, as a tunnel does on a train."""

    def __init__(self, player: Player, seat: Assignment) -> None:
        self.revision: int | None = None
        self.is_over = False
        self.events = 0
        self._player = player
        self._seat = seat
        self._call: Any = None
        self._was_cut = False

    def follow(self) -> None:
        """To the outcome, resumed through breaks."""
        until = monotonic() + PATIENCE
        while not self.is_over:
            try:
                self._once()
                until = monotonic() + PATIENCE
            except grpc.RpcError as error:
                if not (self._was_cut or is_passing(error)) or monotonic() > until:
                    raise
                gevent.sleep(AGAIN_SECONDS * self._player.dice.random())
            self._was_cut = False

    def cut(self) -> None:
        self._was_cut = True
        self._call.cancel()

    def _once(self) -> None:
        name = self.name if self.revision is None else "resume"
        began = monotonic()
        self._call = self.open(wire.engine(self._seat.engine_address))
        OPEN.add(self)
        try:
            for number, response in enumerate(self._call):
                if not number:
                    self._player.measure(name, monotonic() - began, None)
                self.take(response)
                if self.is_over:
                    return
        finally:
            OPEN.discard(self)
            self.close()
            self._call.cancel()

    name = "watch"

    def open(self, stub: Any) -> Any:
        request = pb.WatchRequest(
            table_id=self._seat.table_id, after_revision=self.revision
        )
        return stub.Watch(request, metadata=self._player.metadata)

    def close(self) -> None:
        """The stream is at its end."""

    def take(self, response: Any) -> None:
        update = response.update
        if update.HasField("view"):
            self.revision = update.view.revision
            self.is_over = update.view.HasField("outcome")
        for event in update.events.events:
            self.events += 1
            self.revision = event.revision
            self.is_over = event.HasField("ended")


class Sitting(Stream):
    """The stream of a seat: answers travel up, and up again where it broke."""

    name = "sit"

    def __init__(self, player: Player, seat: Assignment, think: float) -> None:
        super().__init__(player, seat)
        self.answers = 0
        self._think = think
        self._question: Any = None
        self._answered = ""
        self._requests: Queue[pb.SitRequest | None] = Queue()
        self._pending: dict[str, tuple[pb.SitRequest, float]] = {}

    def open(self, stub: Any) -> Any:
        enter = pb.Enter(table_id=self._seat.table_id, after_revision=self.revision)
        self._requests = Queue()
        self._requests.put(pb.SitRequest(enter=enter))
        for request, _ in self._pending.values():
            self._requests.put(request)
        return stub.Sit(until_none(self._requests), metadata=self._player.metadata)

    def close(self) -> None:
        self._requests.put(None)

    def take(self, response: Any) -> None:
        if response.HasField("update"):
            super().take(response)
            self._ask(asked_after(response.update, self._question, self._seat.seat))
        if response.HasField("accepted"):
            self._settle(response.accepted.answer_id, None)
        if response.HasField("refused"):
            self._refused(response.refused)

    def _ask(self, question: Any) -> None:
        is_new = question is not None and question is not self._question
        self._question = question
        if is_new and question.id != self._answered:
            gevent.spawn_later(self._think, self._answer, question)

    def _answer(self, question: Any) -> None:
        if self.is_over or question is not self._question:
            return
        self._answered = question.id
        answer = pb.AnswerRequest(
            question_id=question.id,
            answer_id=uuid4().hex,
            choice=chosen(question, self._player.dice),
        )
        request = pb.SitRequest(answer=answer)
        self._pending[answer.answer_id] = request, monotonic()
        self._requests.put(request)

    def _refused(self, told: pb.AnswerRefused) -> None:
        """One that is late is no fault; one that nobody could take comes again."""
        reason = told.refusal.reason
        if reason in ("QUESTION_STALE", "TABLE_ENDED"):
            self._pending.pop(told.answer_id, None)
        elif told.refusal.code == grpc.StatusCode.UNAVAILABLE.value[0]:
            request, _ = self._pending[told.answer_id]
            gevent.spawn_later(AGAIN_SECONDS, self._requests.put, request)
        else:
            self._settle(told.answer_id, RefusedAnswer(reason))

    def _settle(self, answer_id: str, error: Exception | None) -> None:
        pending = self._pending.pop(answer_id, None)
        if pending is not None:
            self.answers += error is None
            self._player.measure("answer", monotonic() - pending[1], error)


class RefusedAnswer(Exception):
    """An answer that was offered, and refused."""


def until_none(queue: "Queue[Any]") -> Iterator[Any]:
    while (item := queue.get()) is not None:
        yield item
