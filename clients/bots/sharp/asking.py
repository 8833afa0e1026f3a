"""A question of the rules, as plain sense reads one that came over the wire."""

from collections.abc import Callable
from typing import NamedTuple

from anpai import Option
from clients.bots.strategy import Choice
from services.local.rollout import AtSeat, Card, Move, Place, Question
from services.local.rollout import Option as Offered


class Read(NamedTuple):
    """A question whose options go by their number, words by themselves."""

    options: tuple[Option, ...]
    min: int
    max: int

    @property
    def may_decline(self) -> bool:
        """Whether an answer with no option is accepted."""
        return self.min == 0


def answered(
    question: Question, answer: Callable[[Read], Choice]
) -> tuple[Offered, ...]:
    """What plain sense chooses, in the rules' own words."""
    options = [_option(str(n), one) for n, one in enumerate(question.options)]
    chosen = answer(Read(tuple(options), question.least, question.most))
    offered = dict(zip([o.id for o in options], question.options, strict=True))
    return tuple([offered[id] for id in chosen])


def _option(id: str, one: Offered) -> Option:
    if isinstance(one, Move):
        return Option(id, one.card.handle, one.place.name, one.place.seat)
    if isinstance(one, Card):
        return Option(id, card=one.handle)
    if isinstance(one, Place):
        return Option(id, place=one.name, seat=one.seat)
    if isinstance(one, AtSeat):
        return Option(id, seat=one.seat)
    return Option(str(one), word=str(one))
