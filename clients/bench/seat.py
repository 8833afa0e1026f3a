"""A seat that plays at random and keeps no view: as cheap as a client can be.

What is measured is the server; whatever its clients compute, they take from it where
both run on one machine.
"""

import asyncio
import random
from typing import Any, Protocol

from anpai import AnpaiCallError, Answer, Assignment, House, Stream, TableUpdate
from clients.bench.asking import Choice, asked_after, chosen
from clients.bench.tally import Tally
from clients.bots.playing import reason_of


class Asked(Protocol):
    """A seat that was asked something."""

    @property
    def is_asked(self) -> bool:
        """Whether it still is."""

    def answer(self, since: float) -> object:
        """Answer now; the latency counts from `since`."""


class Turns(Protocol):
    """Who decides when a seat answers."""

    def asked(self, seat: Asked) -> None:
        """This seat may answer from now on."""


class Seat:
    """Plays one seat of one table to the end."""

    def __init__(
        self, assignment: Assignment, turns: Turns, tally: Tally, dice: random.Random
    ) -> None:
        """`turns` hears when it is asked, and has it answer."""
        self._assignment = assignment
        self._turns = turns
        self._tally = tally
        self._dice = dice
        self._question: Any = None
        self._answered = ""
        self._unseen: Sent | None = None
        self._stream: Stream | None = None

    @property
    def is_asked(self) -> bool:
        return self._question is not None

    async def play(self, house: House) -> None:
        """Raises the AnpaiCallError that makes going on useless."""
        self._stream = await house.stream(self._assignment, self._hear)
        await self._stream.follow()

    async def come_back(self, house: House, tally: Tally, since: float) -> None:
        """With an answer in hand to what it was asked when it left; stay until it is
        told."""
        self._tally = tally
        self._stream = await house.stream(self._assignment, self._hear)
        sent = self.answer(since)
        following = asyncio.create_task(self._stream.follow())
        await sent.is_told.wait()
        following.cancel()

    def answer(self, since: float) -> "Sent":
        question, stream = self._question, self._stream
        assert stream is not None
        self._question, self._answered = None, question.id
        self._tally.give()
        sent = Sent(self, question.id, chosen(question, self._dice), since)
        stream.send(sent)
        return sent

    def _hear(self, update: TableUpdate) -> None:
        question = asked_after(update, self._question, self._assignment.seat)
        if self._unseen is not None:
            self.accepted(self._unseen)
        if question is None or question.id == self._answered:
            self._question = None
        elif question is not self._question:
            self._question = question
            self._turns.asked(self)

    def accepted(self, sent: "Sent") -> None:
        """It is told once all that came of it has been seen too."""
        assert self._stream is not None
        assert sent.revision is not None
        if sent.revision <= (self._stream.revision or 0):
            self._unseen = None
            self._tally.tell(sent.since)
            sent.is_told.set()
        else:
            self._unseen = sent

    def failed(self, sent: "Sent", trouble: AnpaiCallError) -> None:
        sent.is_told.set()
        self._tally.fail(reason_of(trouble))

    @property
    def table_id(self) -> str:
        return self._assignment.table_id


class Sent(Answer):
    """An answer that tells its seat what became of it."""

    def __init__(
        self, seat: Seat, question_id: str, choice: Choice, since: float
    ) -> None:
        super().__init__(seat.table_id, question_id, choice, lambda _: None)
        self.since = since
        self.is_told = asyncio.Event()
        self._seat = seat

    def accept(self, revision: int) -> None:
        super().accept(revision)
        self._seat.accepted(self)

    def refuse(self, fault: AnpaiCallError) -> None:
        super().refuse(fault)
        self._seat.failed(self, fault)

    def give_up(self, trouble: AnpaiCallError) -> None:
        super().give_up(trouble)
        self._seat.failed(self, trouble)
