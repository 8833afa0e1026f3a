"""Answers on their way: sent until told accepted or refused, never assumed so."""

import asyncio
from collections.abc import Callable
from enum import Enum
from time import monotonic
from uuid import uuid4

from anpai.engine.v1.engine_service_pb2 import AnswerRequest
from anpai.faults import AnpaiCallError, QuestionStale, ServerFault

FAULTS_IN_A_ROW = 3


class AnswerState(Enum):
    """What is known of an answer."""

    SENT = "sent"
    ACCEPTED = "accepted"
    REFUSED = "refused"


class Answer:
    """One answer; `id` names it through every repetition.

    `revision` is the table's after it, once accepted; `refusal` says why not, once
    refused; `seconds` is how long it took to know. `on_done` is told the question's id
    once that needs no answer any more.
    """

    def __init__(
        self,
        table_id: str,
        question_id: str,
        choice: tuple[str, ...],
        on_done: Callable[[str], None],
    ) -> None:
        self.id = uuid4().hex
        self.question_id = question_id
        self.choice = choice
        self.revision: int | None = None
        self.refusal: AnpaiCallError | None = None
        self.sent_at = self._first_sent = monotonic()
        self.seconds: float | None = None
        self._table_id = table_id
        self._on_done = on_done
        self._given_up: AnpaiCallError | None = None
        self._faults = 0
        self._settled = asyncio.Event()

    @property
    def state(self) -> AnswerState:
        if self.refusal is not None:
            return AnswerState.REFUSED
        return AnswerState.SENT if self.revision is None else AnswerState.ACCEPTED

    async def settled(self) -> "Answer":
        """Wait until its fate is known.

        Raises the refusal, if it is one, and Unavailable if its fate stays unknown:
        `state` is still SENT then, and the table as it is next seen will tell.
        """
        await self._settled.wait()
        trouble = self.refusal or self._given_up
        if trouble is not None:
            raise trouble
        return self

    def request(self) -> AnswerRequest:
        """The message, the same at every repetition."""
        return AnswerRequest(
            table_id=self._table_id,
            question_id=self.question_id,
            answer_id=self.id,
            choice=self.choice,
        )

    def accept(self, revision: int) -> None:
        self.revision = revision
        self._on_done(self.question_id)
        self._settle()

    def refuse(self, fault: AnpaiCallError) -> None:
        self.refusal = fault
        if isinstance(fault, QuestionStale):
            self._on_done(self.question_id)
        self._settle()

    def give_up(self, trouble: AnpaiCallError) -> None:
        """Nobody will tell us any more; nothing is assumed."""
        self._given_up = trouble
        self._settle()

    def is_final(self, fault: AnpaiCallError) -> bool:
        """Whether a refusal tells the answer's fate, or asks to repeat it."""
        if isinstance(fault, ServerFault):
            self._faults += 1
            return self._faults >= FAULTS_IN_A_ROW
        return not fault.may_be_repeated

    def _settle(self) -> None:
        self.seconds = monotonic() - self._first_sent
        self._settled.set()
