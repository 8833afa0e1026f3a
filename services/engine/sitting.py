"""Answers that travel up a stream, worked on in the order sent.

Each gets one reply on the way down: accepted, with the events it caused, or refused
with what the status of a unary call would have told, which does not end the stream.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from anpai.engine.v1 import engine_service_pb2 as pb
from services.chassis.errors import is_refusal, refusal_of
from services.chassis.telemetry import Metrics, noted_incident
from services.chassis.traces import traces
from services.engine import fields
from services.engine.hosted import HostedTable
from services.engine.watching import Watcher

ENTER_SECONDS = 10.0

Requests = AsyncIterator[pb.SitRequest]


async def entered(requests: Requests) -> pb.Enter:
    """The first message; INVALID_FIELD where that is anything else."""
    first = pb.SitRequest()
    with suppress(TimeoutError):
        async with asyncio.timeout(ENTER_SECONDS):
            first = await anext(aiter(requests), first)
    if first.WhichOneof("request") != "enter":
        fields.refuse("enter", "the first message on the stream, and soon")
    return first.enter


class Sitting:
    """Answers from one stream, for one player at one table."""

    def __init__(self, table: HostedTable, player: str, watcher: Watcher) -> None:
        self._table = table
        self._player = player
        self._watcher = watcher

    @asynccontextmanager
    async def answering(self, requests: Requests) -> AsyncIterator[None]:
        """While this lasts, answers that come up are worked on and replied to."""
        task = asyncio.create_task(self._answer_all(requests))
        try:
            yield
        finally:
            task.cancel()

    async def _answer_all(self, requests: Requests) -> None:
        try:
            async for request in requests:
                if request.WhichOneof("request") != "answer":
                    fields.refuse("request", "an answer, once entered")
                await self._answer(request.answer)
        except Exception as error:
            self._watcher.fail(error)

    async def _answer(self, sent: pb.AnswerRequest) -> None:
        watcher = self._watcher
        watcher.answering = sent.answer_id
        try:
            if sent.table_id not in ("", self._table.live.table_id):
                fields.refuse("table_id", "empty, or that of the table entered")
            answer = fields.answer(sent)
            with traces().span("Sit/answer", self._table.live.table_id, above=""):
                revision = await self._table.answer(self._player, answer)
        except Exception as error:
            told = refused(sent.answer_id, error, self._table.metrics)
            await watcher.reply(pb.SitResponse(refused=told))
        else:
            if watcher.answering:  # a repetition: it was accepted before
                watcher.accept(sent.answer_id, revision)


def refused(answer_id: str, error: Exception, metrics: Metrics) -> pb.AnswerRefused:
    """The refusal of one answer; of an error of ours it tells the incident alone."""
    incident = "" if is_refusal(error) else noted_incident(metrics, error)
    refusal = refusal_of(error, incident)
    return pb.AnswerRefused(answer_id=answer_id[:64], refusal=refusal)
