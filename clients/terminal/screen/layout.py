"""How a game likes to be laid out; a game without an entry is laid out by what it has.

A hint only chooses and orders what the view already tells, so that a new game can be
played before anybody has written one.
"""

from dataclasses import dataclass

from anpai import View


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of places, counters and markers, by where they are shown.

    `badges` are places told in a seat's first line, `rows` the order of those that have
    a line of their own; `piles` are only counted. `strength` is the attribute printed
    after a card's name, `strength_now` the marker that says what it is at the moment.
    `quiet` counters and markers make no line of their own when they change;
    `picture_after` are the declared events after which everybody would look at the
    table.
    """

    badges: frozenset[str] = frozenset()
    rows: tuple[str, ...] = ()
    piles: frozenset[str] = frozenset()
    strength: str = ""
    strength_now: str = ""
    hidden_markers: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()
    picture_after: frozenset[str] = frozenset()


LAYOUTS = {
    "skirmish": Layout(
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
    ),
}


def layout_for(view: View) -> Layout:
    return LAYOUTS.get(view.game, Layout())
