"""How a game likes to be laid out; a game without an entry is laid out by what it has.

A hint only chooses, orders and names what the view already tells, so that a new game
can be played before anybody has written one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from anpai import Place, View


@dataclass(frozen=True, slots=True)
class Front:
    """Rows that face each other, a line each with its strength at the left.

    `rows` from the middle outwards. What lies in a row's `slot`, in `over`, or as a
    marker on a row works on all of it and is told at its beginning; an attribute
    `touches` of a card in `over` says on which rows. `total` and `pips` are counters,
    these so many at most. `automaton` stands before the names of a side that no seat
    plays.
    """

    rows: tuple[str, ...]
    slot: str
    over: str
    touches: str
    total: str
    pips: Mapping[str, int]
    discard: str
    leader: str
    automaton: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of places, counters and markers, by where they are shown.

    Places: `badges` are told in a seat's first line, `rows` is the order of those that
    have a line of their own; `piles` are only counted, and so are a seat's `held`
    cards. A card played to a `bare` one is told without it. `roles` says what a place
    is, where a card's way from one to another has words of its own.

    Cards: `strength` is the attribute printed after a name, `strength_now` the marker
    that says what it is at the moment; `star` is an attribute of cards to be marked,
    `printed` are those that an explanation tells, `abilities` has the words that an
    option tells.

    Counters and markers: `by_value` ones need no name. `quiet` ones make no line of
    their own when they change, `unsaid` ones not even where there is no picture,
    `passing` ones not when they are gone. `turn` is the marker of whose turn it is:
    the totals are told then. `score` are counters, the first used decides.

    `picture_after` are the declared events after which everybody would look at the
    table; those in `picture_after_all` are said of each seat in turn.

    `weighty` questions are not declined with a bare Enter.

    `shared`: variants in which some seats play one side, named after the first of
    them; `of_sides` are places, counters and events that are the side's.
    """

    badges: frozenset[str] = frozenset()
    rows: tuple[str, ...] = ()
    piles: frozenset[str] = frozenset()
    held: tuple[str, ...] = ()
    bare: frozenset[str] = frozenset()
    strength: str = ""
    strength_now: str = ""
    star: str = ""
    printed: tuple[str, ...] = ()
    abilities: str = ""
    hidden_markers: frozenset[str] = frozenset()
    by_value: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    picture_after: frozenset[str] = frozenset()
    picture_after_all: frozenset[str] = frozenset()
    roles: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""
    front: Front | None = None
    shared: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    of_sides: frozenset[str] = frozenset()
    score: tuple[str, ...] = ()
    weighty: frozenset[str] = frozenset()


SKIRMISH = Layout(
    badges=frozenset({"commander"}),
    rows=("scout", "assault", "sniper", "tactic"),
    piles=frozenset({"discard"}),
    strength="attack",
    strength_now="attack",
    hidden_markers=frozenset({"leave", "fallen", "stayed"}),
    quiet=frozenset(
        {"attack", "leave", "fallen", "stayed", "spy", "points", "total", "first"}
    ),
    picture_after=frozenset({"round_won", "round_tied"}),
)

ROWS = ("melee", "ranged", "siege")
ROLES = {
    "hand": "hand",
    "pile": "deck",
    "box": "box",
    "leader": "leader",
    "side_deck": "beside",
    **dict.fromkeys(ROWS, "row"),
    **dict.fromkeys((f"{row}_slot" for row in ROWS), "slot"),
    "weather": "middle",
    "discard": "discard",
    "removed": "out",
    "put_away": "away",
    "aside": "aside",
    "search": "search",
}
AUTOMATON_ROLES = {f"automaton_{name}": role for name, role in ROLES.items()} | {
    "automaton_leaders": "box",
    "automaton_turned": "turned",
    "automaton_under": "under",
}
BOOKKEEPING = frozenset(
    {"acted", "brought", "returns", "leads", "first", "turn", "one_more", "played"}
)

GWENT = Layout(
    badges=frozenset({"leader"}),
    rows=ROWS,
    piles=frozenset({"discard", "side_deck", "removed"}),
    held=("hand", "pile", "leaders"),
    bare=frozenset({"weather", "discard"}),
    strength="strength",
    strength_now="strength",
    star="hero",
    printed=("faction", "rows", "strength"),
    abilities="abilities",
    hidden_markers=BOOKKEEPING | {"decks"},
    by_value=frozenset({"faction"}),
    quiet=frozenset({"points"}),
    unsaid=(BOOKKEEPING - {"turn"})
    | {"strength", "total", "automaton_total", "passed", "used"},
    passing=frozenset({"starts", "horn", "turn"}),
    picture_after=frozenset({"round_won", "automaton_round_won", "round_tied"}),
    picture_after_all=frozenset({"scores"}),
    roles=ROLES | AUTOMATON_ROLES,
    turn="turn",
    front=Front(
        rows=ROWS,
        slot="{}_slot",
        over="weather",
        touches="touches",
        total="total",
        pips={"gems": 2},
        discard="discard",
        leader="leader",
        automaton="automaton_",
    ),
    shared={"team": ((0, 2), (1, 3))},
    of_sides=frozenset(
        {*ROWS, *(f"{row}_slot" for row in ROWS)}
        | {"discard", "total", "gems", "round_won"}
    ),
    score=("games", "points", "gems"),
    weighty=frozenset({"turn"}),
)

LAYOUTS = {"skirmish": SKIRMISH, "gwent": GWENT}


def layout_for(view: View) -> Layout:
    return LAYOUTS.get(view.game, Layout())


def seats_of(view: View, name: str, seat: int) -> tuple[int, ...]:
    """The seats a place, counter or event is of, which is named after one of them."""
    layout = layout_for(view)
    if name in layout.of_sides:
        for side in layout.shared.get(view.variant, ()):
            if seat in side:
                return side
    return (seat,)


def is_own(view: View, place: Place) -> bool:
    """Whether it is the viewer's, perhaps with a partner."""
    if not (view.HasField("viewer") and place.HasField("seat")):
        return False
    return view.viewer in seats_of(view, place.name, place.seat)
