"""Events written down whole, for the disclosure, in a form anybody can compare.

An event is the array [verb, field, field, ...]; a question is [seat, name, option ids,
least, most, default]. Deadlines are left out: they are the journal's.

All events of a game are written in one go when it ends, while others play: so what a
kind of event needs is looked up once, and most need nothing but to be encoded.
"""

from collections.abc import Callable
from typing import Any

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Default, Question
from services.engine.kernel.entry import canonical
from services.engine.kernel.event import Event


def written(event: Event) -> str:
    """One event as canonical JSON."""
    kind = type(event)
    fields = _FIELDS.get(kind, _as_they_are)
    return canonical((kind.__name__, *fields(event)))


def _as_they_are(event: Any) -> tuple[Any, ...]:
    """Numbers, texts and tuples of these."""
    fields: tuple[Any, ...] = event
    return fields


def _moves(event: happened.CardsMoved) -> tuple[Any, ...]:
    moves = []
    for move in event.cards:
        origin, old_handle, to, *rest = move
        moves.append((origin.id, old_handle, to.id, *rest))
    return (moves,)


def _shown(event: happened.CardsTurnedUp) -> tuple[Any, ...]:
    return (_cards(event.cards),)


def _peeked(event: happened.CardsPeeked) -> tuple[Any, ...]:
    return event.seat, _cards(event.cards)


def _cards(cards: tuple[happened.CardShown, ...]) -> list[tuple[Any, ...]]:
    return [(handle, place.id, *rest) for handle, place, *rest in cards]


def _of_a_place(event: Any) -> tuple[Any, ...]:
    place, *rest = event
    return (place.id, *rest)


def _asked(event: happened.Asked) -> tuple[Any, ...]:
    return (_asking(event.asking),)


def _asking(asking: Asking) -> tuple[Any, ...]:
    questions = [_question(question) for question in asking.questions]
    ids = [(seat, asking.id_of(seat)) for seat in asking.asked]
    return questions, asking.secret, asking.any_one, asking.hold, ids


def _question(question: Question) -> tuple[Any, ...]:
    default = question.default
    return (
        question.seat,
        question.name,
        question.ids,
        question.least,
        question.most,
        default.value if isinstance(default, Default) else default,
    )


def _clock_moved(event: happened.ClockMoved) -> tuple[Any, ...]:
    return (event.milliseconds,)


def _ended(event: happened.Ended) -> tuple[Any, ...]:
    outcome = event.outcome
    return (("Outcome", outcome.ranks, outcome.scores, outcome.reason),)


_FIELDS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    happened.CardsMoved: _moves,
    happened.CardsTurnedUp: _shown,
    happened.CardsPeeked: _peeked,
    happened.DeckBuilt: _of_a_place,
    happened.DeckShuffled: _of_a_place,
    happened.CardsMixed: _of_a_place,
    happened.Asked: _asked,
    happened.ClockMoved: _clock_moved,
    happened.Ended: _ended,
}
