"""What happened, in sentences: one verb of the rules, none or more lines of text."""

from collections.abc import Callable, Iterable
from typing import Any

from anpai import CardMove, Event, Marker, Place, View, place_of
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.reader import Reader, owner

Sentences = list[str]
QUIET = ("counter_set", "marker_put", "markers_put", "marker_taken")


def tell(event: Event, before: View, after: View, reader: Reader) -> Sentences:
    """An event in sentences, for one who sees the picture as well."""
    layout = layout_for(after)
    if event.WhichOneof("verb") in QUIET and name_in(event) in layout.quiet:
        return []
    return tell_all(event, before, after, reader)


def tell_all(event: Event, before: View, after: View, reader: Reader) -> Sentences:
    """The same with nothing left to the picture."""
    verb = event.WhichOneof("verb")
    say = VERBS.get(verb or "")
    if say is None or verb is None:
        return []
    return say(Telling(before, after, reader), getattr(event, verb))


def name_in(event: Event) -> str:
    if event.HasField("markers_put"):
        return event.markers_put.markers[0].name
    verb = getattr(event, str(event.WhichOneof("verb")))
    told = getattr(verb, "counter", None) or getattr(verb, "marker", verb)
    return str(told.name)


class Telling:
    """One event between two views."""

    def __init__(self, before: View, after: View, reader: Reader):
        self.before = before
        self.after = after
        self.reader = reader
        self.words = reader.words

    def seat(self, number: int) -> str:
        return self.reader.seat(self.after, number)

    def place(self, place: Place) -> str:
        return self.reader.place(self.after, place)

    def cards(self, faces: Iterable[str | None]) -> str:
        """Names of those that are known; the others counted."""
        known, hidden = [], 0
        for face in faces:
            if face:
                known.append(self.reader.face_name(face))
            else:
                hidden += 1
        return self.words.listed(counted(known) + self._hidden(hidden, bool(known)))

    def _hidden(self, number: int, besides: bool) -> list[str]:
        if number == 0:
            return []
        if number == 1:
            return [self.words("card.hidden" if besides else "card.one")]
        return [self.words("card.some", number=number)]

    def face_of(self, move: CardMove) -> str | None:
        """What the viewer knows of a moved card, from the move or from before."""
        if move.HasField("face"):
            return move.face
        if move.card.HasField("face"):
            return move.card.face
        found = place_of(self.before, move.old_handle) if move.old_handle else None
        return (found[1].face or None) if found else None


def counted(names: list[str]) -> list[str]:
    """Three of a kind as one name: Band of Brothers ×3."""
    numbers = {name: names.count(name) for name in names}
    return [
        f"{name} ×{number}" if number > 1 else name for name, number in numbers.items()
    ]


# ---- the verbs, in the order of the contract -----------------------------------------


def seat_taken(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.seat_taken", seat=now.seat(verb.seat.number))]


def deck_built(now: Telling, verb: Any) -> Sentences:
    deck = now.place(verb.deck)
    return [now.words("event.deck_built", deck=deck, number=verb.count)]


def cards_moved(now: Telling, verb: Any) -> Sentences:
    """One sentence for all that go the same way; a common pile takes from anywhere."""
    groups: dict[object, list[CardMove]] = {}
    for move in verb.moves:
        groups.setdefault(way_of(move), []).append(move)
    return [one_way(now, moves) for moves in groups.values()]


def way_of(move: CardMove) -> object:
    origin, to = start_of(move), move.to
    if owner(to) is None:
        return to.name
    return (origin.name, owner(origin), to.name, owner(to))


def start_of(move: CardMove) -> Place:
    origin: Place = getattr(move, "from")
    return origin


def one_way(now: Telling, moves: list[CardMove]) -> str:
    origins = {now.place(start_of(move)) for move in moves}
    told = {
        "cards": now.cards(now.face_of(move) for move in moves),
        "origin": now.words.listed(sorted(origins)),
        "to": now.place(moves[0].to),
    }
    if len(origins) > 1:
        return now.words("event.gathers", **told)
    start, end = owner(start_of(moves[0])), owner(moves[0].to)
    if start is not None and end is not None and is_held(now.after, start_of(moves[0])):
        return from_hand(now, moves[0], told)
    if start is None and end is not None:
        verb = (
            "event.draws" if is_held(now.after, start_of(moves[0])) else "event.takes"
        )
        return now.words(verb, seat=now.seat(end), **told)
    return now.words("event.moves", **told)


def from_hand(now: Telling, move: CardMove, told: dict[str, str]) -> str:
    """Laid by whoever held it, or taken by another into a hand."""
    start, end = start_of(move).seat, move.to.seat
    if start != end and is_held(now.after, move.to):
        return now.words("event.takes", seat=now.seat(end), **told)
    if start == end:
        told["to"] = now.reader.word("place", move.to.name)
    return now.words("event.lays", seat=now.seat(start), **told)


def is_held(view: View, place: Place) -> bool:
    """A hand or a deck: cards are not told apart there."""
    return any(known.place == place and not known.apart for known in view.places)


def deck_shuffled(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.shuffled", deck=now.place(verb.deck))]


def cards_mixed(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.mixed", place=now.place(verb.place))]


def cards_turned_up(now: Telling, verb: Any) -> Sentences:
    told = []
    for shown in verb.cards:
        card, seat = now.cards([shown.face or None]), owner(shown.place)
        place = now.reader.word("place", shown.place.name)
        if seat is None:
            told.append(now.words("event.turned_up", cards=card, place=place))
        else:
            who = now.seat(seat)
            told.append(now.words("event.turns_up", seat=who, cards=card, place=place))
    return told


def cards_peeked(now: Telling, verb: Any) -> Sentences:
    cards = now.cards(shown.face or None for shown in verb.cards)
    return [now.words("event.peeks", seat=now.seat(verb.seat), cards=cards)]


def rolled(now: Telling, verb: Any) -> Sentences:
    numbers = now.words("list.comma").join(map(str, verb.numbers))
    name = now.reader.word("roll", verb.name)
    return [now.words("event.rolls", name=name, numbers=numbers)]


def counter_set(now: Telling, verb: Any) -> Sentences:
    counter, seat = verb.counter, owner(verb.counter)
    name = now.reader.word("counter", counter.name)
    if seat is None:
        return [now.words("event.counter", name=name, number=counter.value)]
    told = {"seat": now.seat(seat), "name": name, "number": counter.value}
    return [now.words("event.seat_counter", **told)]


def marker_put(now: Telling, verb: Any) -> Sentences:
    return marked(now, verb.marker)


def markers_put(now: Telling, verb: Any) -> Sentences:
    return [line for marker in verb.markers for line in marked(now, marker)]


def marked(now: Telling, marker: Marker) -> Sentences:
    name = now.reader.word("marker", marker.name)
    value = now.reader.value(now.after, marker.value)
    if not marker.on:
        return [now.words("event.marker", name=name, value=value).replace(": .", ".")]
    on = thing(now, marker.on)
    told = f"{name} {value}".rstrip()
    return [now.words("event.marker_on", on=on, name=told)]


def marker_taken(now: Telling, verb: Any) -> Sentences:
    name = now.reader.word("marker", verb.name)
    if not verb.on:
        return [now.words("event.marker_over", name=name)]
    return [now.words("event.marker_gone", on=thing(now, verb.on), name=name)]


def thing(now: Telling, on: str) -> str:
    """What a marker lies on: a seat, a place, or a card."""
    name, _, number = on.partition(":")
    if name == "seat" and number.isdecimal():
        return now.seat(int(number))
    if place_of(now.after, on) is not None:
        return now.reader.named(now.after, on)
    if place_of(now.before, on) is not None:
        return now.reader.named(now.before, on)
    return now.place(Place(name=name, seat=int(number) if number else None))


def declared(now: Telling, verb: Any) -> Sentences:
    values = {
        "seat": now.seat(verb.seat) if verb.HasField("seat") else "",
        "cards": now.words("list.arrow").join(
            now.reader.named(now.after, card) for card in verb.cards
        ),
        "places": now.words.listed([now.place(place) for place in verb.places]),
        "words": now.words.listed([now.reader.any_word(word) for word in verb.words]),
        "number": str(verb.number) if verb.HasField("number") else "",
    }
    return [now.reader.sentence(verb.name, values)]


def questions_answered(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.by_default", seat=now.seat(s)) for s in verb.by_default]


def conceded(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.conceded", seat=now.seat(verb.seat))]


def clock_moved(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.clock")]


def ended(now: Telling, verb: Any) -> Sentences:
    """Who won, then everybody's points, the best first."""
    outcome = verb.outcome
    best = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
    if not best:
        return [now.words("event.abandoned")]
    names = now.words.listed([now.seat(seat) for seat in best])
    key = "event.won" if len(best) == 1 else "event.shared"
    lines = [now.words(key, seats=names, number=outcome.scores[best[0]])]
    order = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    scores = [
        now.words("event.score", seat=now.seat(seat), number=outcome.scores[seat])
        for seat in order
    ]
    return [*lines, now.words("list.comma").join(scores)]


VERBS: dict[str, Callable[[Telling, Any], Sentences]] = {
    "seat_taken": seat_taken,
    "deck_built": deck_built,
    "cards_moved": cards_moved,
    "deck_shuffled": deck_shuffled,
    "cards_mixed": cards_mixed,
    "cards_turned_up": cards_turned_up,
    "cards_peeked": cards_peeked,
    "rolled": rolled,
    "counter_set": counter_set,
    "marker_put": marker_put,
    "markers_put": markers_put,
    "marker_taken": marker_taken,
    "declared": declared,
    "questions_answered": questions_answered,
    "conceded": conceded,
    "clock_moved": clock_moved,
    "ended": ended,
}
