"""What happened, in sentences: one verb of the rules, none or more lines of text."""

from collections.abc import Callable
from typing import Any

from anpai import Event, Marker, Outcome, Place, View, counter_in, place_of
from clients.terminal.screen.fronts import sides
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.lines import clock
from clients.terminal.screen.now import Sentences, Telling
from clients.terminal.screen.reader import Reader, owner
from clients.terminal.screen.ways import cards_moved

QUIET = ("counter_set", "marker_put", "markers_put", "marker_taken")


def tell(event: Event, before: View, after: View, reader: Reader) -> Sentences:
    """An event in sentences, for one who sees the picture as well."""
    layout = layout_for(after)
    if event.WhichOneof("verb") in QUIET and name_in(event) in layout.quiet:
        return []
    if event.HasField("marker_put") and is_own_turn(event.marker_put.marker, after):
        return []
    return tell_all(event, before, after, reader)


def tell_all(event: Event, before: View, after: View, reader: Reader) -> Sentences:
    """The same with nothing left to the picture."""
    verb = event.WhichOneof("verb")
    say = VERBS.get(verb or "")
    if say is None or verb is None:
        return []
    if verb in QUIET and name_in(event) in layout_for(after).unsaid:
        return []
    return say(Telling(before, after, reader), getattr(event, verb))


def is_own_turn(marker: Marker, view: View) -> bool:
    """The viewer is asked at once, with the table before its eyes."""
    own = f"seat:{view.viewer}" if view.HasField("viewer") else None
    return marker.on == own and marker.name == layout_for(view).turn


def name_in(event: Event) -> str:
    if event.HasField("markers_put"):
        return event.markers_put.markers[0].name
    verb = getattr(event, str(event.WhichOneof("verb")))
    told = getattr(verb, "counter", None) or getattr(verb, "marker", verb)
    return str(told.name)


# ---- the verbs, in the order of the contract -----------------------------------------


def seat_taken(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.seat_taken", seat=now.seat(verb.seat.number))]


def deck_built(now: Telling, verb: Any) -> Sentences:
    if layout_for(now.after).roles.get(verb.deck.name) == "box":
        return []
    deck = now.place(verb.deck)
    return [now.words("event.deck_built", deck=deck, number=verb.count)]


def deck_shuffled(now: Telling, verb: Any) -> Sentences:
    if layout_for(now.after).roles.get(verb.deck.name) == "box":
        return []
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
    """What begins with 0 is nothing to tell; only what a seat has is lost."""
    counter, seat = verb.counter, owner(verb.counter)
    known = {(one.name, owner(one)) for one in now.before.counters}
    is_new = seat is None or (counter.name, seat) not in known
    if counter.value == 0 and is_new:
        return []
    name = now.reader.word("counter", counter.name)
    if seat is None:
        return [now.words("event.counter", name=name, number=counter.value)]
    who = now.side(counter.name, seat)
    return [now.words("event.seat_counter", seat=who, name=name, number=counter.value)]


def marker_put(now: Telling, verb: Any) -> Sentences:
    if verb.marker.name == layout_for(now.after).turn:
        return [turn_begins(now, verb.marker)]
    return marked(now, verb.marker)


def turn_begins(now: Telling, marker: Marker) -> str:
    """Whose turn it is, and how all stand."""
    totals = [
        now.words("event.total", seat=who, number=total)
        for who, total in totals_of(now)
    ]
    told = now.words("list.comma").join(totals)
    return now.words("event.turn", seat=thing(now, marker.on), totals=told)


def totals_of(now: Telling) -> list[tuple[str, int]]:
    """Each side by its names."""
    front = layout_for(now.after).front
    if front is None:
        return []
    found = []
    for side in sides(now.after, front):
        total = counter_in(now.after, side.prefix + front.total, side.seat)
        found.append((now.side(front.total, side.seat), total))
    return found


def markers_put(now: Telling, verb: Any) -> Sentences:
    return [line for marker in verb.markers for line in marked(now, marker)]


def marked(now: Telling, marker: Marker) -> Sentences:
    name = now.reader.word("marker", marker.name)
    value = now.reader.value(now.after, marker.value)
    if not marker.on:
        key = "event.marker" if value else "event.marker_alone"
        return [now.words(key, name=name, value=value)]
    on = thing(now, marker.on)
    told = f"{name} {value}".rstrip()
    return [now.words("event.marker_on", on=on, name=told)]


def marker_taken(now: Telling, verb: Any) -> Sentences:
    if verb.name in layout_for(now.after).passing:
        return []
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
        "seat": teller(now, verb),
        "cards": now.words("list.arrow").join(
            now.reader.named(now.after, card) for card in verb.cards
        ),
        "places": now.words.listed([now.place(place) for place in verb.places]),
        "words": now.words.listed([now.reader.any_word(word) for word in verb.words]),
        "number": str(verb.number) if verb.HasField("number") else "",
    }
    return [now.reader.sentence(verb.name, values)]


def teller(now: Telling, verb: Any) -> str:
    """Who it is about: a seat, or its side with all who play it."""
    if verb.HasField("seat"):
        return now.side(verb.name, verb.seat)
    is_of_side = verb.name in layout_for(now.after).of_sides
    return now.someone(None) if is_of_side else ""


def questions_answered(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.by_default", seat=now.seat(s)) for s in verb.by_default]


def conceded(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.conceded", seat=now.seat(verb.seat))]


def seat_away(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.away", seat=now.seat(verb.seat))]


def stood_in(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.stood_in", name=verb.name, seat=now.seat(verb.seat))]


def seat_back(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.back", seat=now.seat(verb.seat))]


def bank_drawn(now: Telling, verb: Any) -> Sentences:
    left = clock(verb.left.ToSeconds())
    return [now.words("event.bank", seat=now.seat(verb.seat), time=left)]


def clock_moved(now: Telling, verb: Any) -> Sentences:
    return [now.words("event.clock")]


def ended(now: Telling, verb: Any) -> Sentences:
    """Who won, then everybody's points, the best first."""
    outcome = verb.outcome
    best = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
    if not any(outcome.ranks):
        return [now.words("event.abandoned")]
    order = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    scores = [
        now.words("event.score", seat=now.seat(seat), number=outcome.scores[seat])
        for seat in order
    ]
    return [won(now, outcome, best), now.words("list.comma").join(scores)]


def won(now: Telling, outcome: Outcome, best: list[int]) -> str:
    """In points, or in whatever the game counts; the automaton where no seat did."""
    if not best:
        return now.words("event.lost", seat=now.someone(None))
    told = {
        "seats": now.words.listed([now.seat(seat) for seat in best]),
        "number": outcome.scores[best[0]],
    }
    counted = {counter.name for counter in now.after.counters}
    for name in layout_for(now.after).score:
        if name in counted:
            if len(best) == len(outcome.ranks) and is_drawn(outcome):
                return now.words("event.drawn")
            return now.words(
                "event.won_by", name=now.reader.word("counter", name), **told
            )
    return now.words("event.won" if len(best) == 1 else "event.shared", **told)


def is_drawn(outcome: Outcome) -> bool:
    """All are equal; who is alone has nothing left."""
    return len(outcome.ranks) > 1 or outcome.scores[0] == 0


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
    "seat_away": seat_away,
    "stood_in": stood_in,
    "seat_back": seat_back,
    "bank_drawn": bank_drawn,
    "clock_moved": clock_moved,
    "ended": ended,
}
