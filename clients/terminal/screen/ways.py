"""Cards that go from place to place, in a sentence for each way."""

from typing import Any

from anpai import CardMove, Place, View
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.now import Sentences, Telling
from clients.terminal.screen.reader import holders, owner

# What a way is called, by the roles of the places at its ends; "" is not told, and
# neither is what is put away.
WAYS = {
    ("hand", "row"): "event.plays",
    ("hand", "slot"): "event.plays",
    ("hand", "middle"): "event.plays_it",
    ("hand", "discard"): "event.plays_it",
    ("hand", "aside"): "event.sets_aside",
    ("turned", "row"): "event.plays",
    ("turned", "slot"): "event.plays",
    ("turned", "middle"): "event.plays_it",
    ("turned", "discard"): "event.plays_it",
    ("search", "middle"): "event.plays_it",
    ("search", "discard"): "event.plays_it",
    ("search", "deck"): "",
    ("search", "hand"): "event.picks",
    ("aside", "deck"): "event.puts_back",
    ("deck", "hand"): "event.draws",
    ("deck", "search"): "event.looks_through",
    ("deck", "row"): "event.calls",
    ("beside", "row"): "event.calls",
    ("deck", "turned"): "",
    ("deck", "under"): "event.covers",
    ("under", "turned"): "event.uncovers",
    ("box", "leader"): "event.led_by",
    ("box", "beside"): "",
    ("leader", "box"): "",
    ("discard", "row"): "event.returns",
    ("discard", "hand"): "event.takes",
    ("row", "hand"): "event.takes",
}
# Whoever's the place is that a card comes to has acted; else that it comes from.
TAKEN = {"event.takes", "event.picks"}


def cards_moved(now: Telling, verb: Any) -> Sentences:
    """One sentence for all that go the same way; a pile takes from anywhere."""
    groups: dict[object, list[CardMove]] = {}
    for move in verb.moves:
        groups.setdefault(way_of(now, move), []).append(move)
    told = [one_way(now, moves) for moves in groups.values()]
    return [sentence for sentence in told if sentence]


def way_of(now: Telling, move: CardMove) -> object:
    origin, to = start_of(move), move.to
    if owner(to) is None or is_gathered(now, move):
        return to.name, owner(to)
    return (origin.name, owner(origin), to.name, owner(to))


def is_gathered(now: Telling, move: CardMove) -> bool:
    """On a pile, unless there is a word for the way."""
    ends = roles_of(now, move)
    return ends[1] == "discard" and ends not in WAYS


def roles_of(now: Telling, move: CardMove) -> tuple[str, str]:
    """What the places are at the ends of a card's way; "" without a hint."""
    roles = layout_for(now.after).roles
    return roles.get(start_of(move).name, ""), roles.get(move.to.name, "")


def start_of(move: CardMove) -> Place:
    origin: Place = getattr(move, "from")
    return origin


def one_way(now: Telling, moves: list[CardMove]) -> str:
    ends = roles_of(now, moves[0])
    if ends[1] == "away":
        return ""
    if ends in WAYS:
        return named_way(now, ends, moves)
    origins = {now.place(start_of(move)) for move in moves}
    told = {
        "cards": now.cards(now.face_of(move) for move in moves),
        "origin": now.words.listed(sorted(origins)),
        "to": now.place(moves[0].to),
    }
    if len(origins) > 1 or is_gathered(now, moves[0]):
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


def named_way(now: Telling, ends: tuple[str, str], moves: list[CardMove]) -> str:
    """In the words for this way; several cards out of a hand are not played."""
    key = WAYS[ends]
    if ends == ("hand", "discard") and len(moves) > 1:
        key = "event.discards"
    if ends == ("box", "leader") and len(moves) > 1:
        key = "event.may_lead"
    if not key:
        return ""
    origin, to = start_of(moves[0]), moves[0].to
    who = owner(to if key in TAKEN else origin)
    return now.words(
        key,
        seat=now.someone(who),
        cards=now.cards(now.face_of(move) for move in moves),
        origin=place_of(now, origin, who),
        to=place_of(now, to, who),
    )


def place_of(now: Telling, place: Place, who: int | None) -> str:
    """By its bare name where it is of whoever acts."""
    seats = holders(now.after, place)
    is_own = who in seats if seats else who is None
    return now.reader.bare(place) if is_own else now.place(place)


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
