"""A disclosure as the events of a viewer who sees everything, for `anpai replay`.

The events come as the file has them (`docs/fairness.md`). That they are what the seed
and the answers give is for `anpai verify` to say, not for this.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from anpai import (
    Asked,
    Card,
    CardMove,
    Counter,
    Event,
    Marker,
    Outcome,
    Place,
    Seat,
    View,
    fold,
)


class NoDisclosure(Exception):
    """A file that cannot be read as a disclosure."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and the table before and after it, every face known."""

    event: Event
    before: View
    after: View


def steps(disclosure: bytes) -> Iterator[Step]:
    """Every event of a game; NoDisclosure where the file is none."""
    try:
        told = json.loads(disclosure)
        game, view = str(told["game"]), opening(told)
        for revision, written in enumerate(told["events"], 1):
            event = event_of(game, revision, written)
            after = fold(view, event)
            yield Step(event, view, after)
            view = after
    except (ValueError, KeyError, IndexError, TypeError):
        raise NoDisclosure from None


def opening(told: dict[str, Any]) -> View:
    """The empty table, from the journal's first entry."""
    details = told["journal"][0][10]
    names = details["names"] or [""] * details["seats"]
    return View(
        table_id=told["table"],
        game=told["game"],
        variant=details["variant"],
        rules_version=details["rules_version"],
        commitment=details["commitment"],
        seats=[Seat(number=number, name=name) for number, name in enumerate(names)],
    )


def event_of(game: str, revision: int, written: Sequence[Any]) -> Event:
    verb, *items = written
    event = Event(revision=revision)
    VERBS[verb](event, game, *items)
    return event


def place_of(written: str) -> Place:
    name, _, seat = written.partition(":")
    return Place(name=name, seat=int(seat) if seat else None)


def full(game: str, face: str | None) -> str | None:
    return None if face is None else f"{game}/{face}"


# ---- the verbs, in the order of the contract -----------------------------------------


def seat_taken(
    event: Event, game: str, seat: int, name: str, bot: bool, nonce: str
) -> None:
    told = Seat(number=seat, name=name, bot=bot, taken=True, nonce=nonce)
    event.seat_taken.seat.CopyFrom(told)


def deck_built(event: Event, game: str, deck: str, count: int) -> None:
    event.deck_built.deck.CopyFrom(place_of(deck))
    event.deck_built.count = count


def cards_moved(event: Event, game: str, moves: Sequence[Sequence[Any]]) -> None:
    for move in moves:
        event.cards_moved.moves.append(card_move(game, *move))


def card_move(
    game: str,
    origin: str,
    old_handle: str,
    to: str,
    handle: str,
    face: str | None,
    face_up: bool,
    bringer: int | None,
    *rest: Any,
) -> CardMove:
    """`rest` is who knew what, nothing to one who knows all; then two flags."""
    *_, keeps_markers, apart = rest
    card = Card(handle=handle, face=full(game, face), face_up=face_up, bringer=bringer)
    move = CardMove(
        to=place_of(to),
        old_handle=old_handle or None,
        card=card if handle else None,
        face=full(game, face),
        keeps_markers=keeps_markers,
        apart=apart,
    )
    getattr(move, "from").CopyFrom(place_of(origin))
    return move


def deck_shuffled(event: Event, game: str, deck: str, count: int) -> None:
    event.deck_shuffled.deck.CopyFrom(place_of(deck))
    event.deck_shuffled.count = count


def cards_mixed(
    event: Event, game: str, place: str, old: Sequence[str], handles: Sequence[str]
) -> None:
    event.cards_mixed.place.CopyFrom(place_of(place))
    event.cards_mixed.handles.extend(handles)


def cards_turned_up(event: Event, game: str, cards: Sequence[Sequence[Any]]) -> None:
    show(event.cards_turned_up.cards, game, cards)


def cards_peeked(
    event: Event, game: str, seat: int, cards: Sequence[Sequence[Any]]
) -> None:
    event.cards_peeked.seat = seat
    show(event.cards_peeked.cards, game, cards)


def show(told: Any, game: str, cards: Sequence[Sequence[Any]]) -> None:
    for handle, place, face, *_ in cards:
        told.add(place=place_of(place), handle=handle, face=full(game, face))


def rolled(
    event: Event, game: str, name: str, sides: int, numbers: Sequence[int]
) -> None:
    event.rolled.name, event.rolled.sides = name, sides
    event.rolled.numbers.extend(numbers)


def counter_set(
    event: Event, game: str, name: str, seat: int | None, value: int
) -> None:
    event.counter_set.counter.CopyFrom(Counter(name=name, seat=seat, value=value))


def marker_put(event: Event, game: str, name: str, on: str, value: str) -> None:
    event.marker_put.marker.CopyFrom(Marker(name=name, on=on, value=value))


def markers_put(
    event: Event, game: str, name: str, marks: Sequence[Sequence[str]]
) -> None:
    for on, value in marks:
        event.markers_put.markers.add(name=name, on=on, value=value)


def marker_taken(event: Event, game: str, name: str, on: str) -> None:
    event.marker_taken.name, event.marker_taken.on = name, on


def declared(
    event: Event,
    game: str,
    name: str,
    seat: int | None,
    cards: Sequence[str],
    places: Sequence[str],
    words: Sequence[str],
    number: int | None,
) -> None:
    told = event.declared
    told.name = name
    if seat is not None:
        told.seat = seat
    if number is not None:
        told.number = number
    told.cards.extend(cards)
    told.places.extend(map(place_of, places))
    told.words.extend(words)


def asked(event: Event, game: str, asking: Sequence[Any]) -> None:
    event.questions_asked.asked.extend(Asked(seat=one[0]) for one in asking[0])


def answered(
    event: Event, game: str, seats: Sequence[int], by_default: Sequence[int]
) -> None:
    event.questions_answered.seats.extend(seats)
    event.questions_answered.by_default.extend(by_default)


def conceded(event: Event, game: str, seat: int) -> None:
    event.conceded.seat = seat


def clock_moved(event: Event, game: str, milliseconds: int) -> None:
    event.clock_moved.by.FromMilliseconds(milliseconds)


def ended(event: Event, game: str, outcome: Sequence[Any]) -> None:
    _, ranks, scores, reason = outcome
    told = Outcome(ranks=ranks, scores=scores, reason=reason)
    event.ended.outcome.CopyFrom(told)


VERBS: dict[str, Callable[..., None]] = {
    "SeatTaken": seat_taken,
    "DeckBuilt": deck_built,
    "CardsMoved": cards_moved,
    "DeckShuffled": deck_shuffled,
    "CardsMixed": cards_mixed,
    "CardsTurnedUp": cards_turned_up,
    "CardsPeeked": cards_peeked,
    "Rolled": rolled,
    "CounterSet": counter_set,
    "MarkerPut": marker_put,
    "MarkersPut": markers_put,
    "MarkerTaken": marker_taken,
    "Declared": declared,
    "Asked": asked,
    "Answered": answered,
    "Conceded": conceded,
    "ClockMoved": clock_moved,
    "Ended": ended,
}
