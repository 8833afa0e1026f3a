"""Playing one seat to the end, and what came of it."""

import asyncio
import time
from collections import Counter
from collections.abc import MutableSequence
from dataclasses import dataclass, field

from anpai import (
    AnpaiCallError,
    AnswerIllegal,
    Assignment,
    House,
    NotAsked,
    Outcome,
    Question,
    QuestionStale,
    Table,
    TableEnded,
)
from clients.bots.mind import LONGEST_THOUGHT, MARGIN, Mind
from clients.bots.strategy import plainest


@dataclass
class Tally:
    """What seats did: answers, with the seconds each took; troubles by reason."""

    answers: int = 0
    seconds: MutableSequence[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    stale: int = 0


async def play_seat(
    house: House, seat: Assignment, mind: Mind, tally: Tally, think: float = 0.0
) -> Outcome | None:
    """Sit down and answer whatever is asked, until the outcome.

    `think` is a pause before each answer, in seconds, as far as there is time for it.
    """
    async with house.sit(seat) as table:
        try:
            async for _ in table:
                question = table.question
                if question is not None:
                    await asyncio.sleep(pause_before(question, think))
                    await answer(table, question, mind, tally)
        finally:
            tally.resumed += table.resumed
        return table.outcome


def pause_before(question: Question, think: float) -> float:
    """So long, but that a thought still fits in before the deadline."""
    if question.deadline is None:
        return think
    left = question.deadline - time.time() - LONGEST_THOUGHT - MARGIN
    return min(think, max(0.0, left))


async def answer(table: Table, question: Question, mind: Mind, tally: Tally) -> None:
    """Answer once; a question, or a game, that is over meanwhile needs none."""
    choice = await mind.choose(table.view, question)
    try:
        try:
            sent = await table.answer(*choice)
        except AnswerIllegal as refusal:
            tally.errors[refusal.reason] += 1
            sent = await table.answer(*plainest(question))
    except (QuestionStale, NotAsked, TableEnded):
        tally.stale += 1
    else:
        assert sent.seconds is not None
        tally.answers += 1
        tally.seconds.append(sent.seconds)


def reason_of(error: Exception) -> str:
    """What an error counts as: its reason, its status, or its kind."""
    if isinstance(error, AnpaiCallError):
        return error.reason or error.code.name
    return type(error).__name__
