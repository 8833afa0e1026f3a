"""Sides whose rows face each other: strengths at the left, what works on a row first.

Two sides stand opposite, the viewer's below; of more each has its rows beneath its
name, those alone on which something lies.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from anpai import Card, PlaceView, View, counter_in
from clients.terminal.screen.layout import Front, layout_for
from clients.terminal.screen.lines import hanging
from clients.terminal.screen.reader import (
    Reader,
    at_seat,
    marker_value,
    owner,
    shows,
)
from clients.terminal.screen.sides import (
    gathered,
    is_asked,
    seat_is_own,
    seat_name,
    styled,
)

INDENT = 7
ROW_INDENT = 4


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays it, and how its places are named: after a seat, or with a prefix."""

    seats: tuple[int, ...]
    seat: int | None
    prefix: str = ""


def fronts(view: View, front: Front, reader: Reader, width: int) -> list[Text]:
    """All sides, and what lies over them."""
    table = Fronts(view, front, reader, width)
    order = sides_from_viewer(view, front)
    if len(order) == 2:
        above, below = order
        return [
            *table.heading(above),
            *table.rows(above, reversed(front.rows)),
            *table.over(),
            *table.rows(below, front.rows),
            *table.heading(below),
        ]
    lines = table.over() if table.lying(front.over, None) else []
    for one in order:
        lines += table.heading(one)
        lines += table.rows(one, [row for row in front.rows if table.has(one, row)])
    return lines


def sides_from_viewer(view: View, front: Front) -> list[Side]:
    """The next one first, the viewer's own last; in order for a spectator, but that
    whoever plays the automaton is below."""
    order = sorted(sides(view, front), key=lambda one: bool(one.seats))
    if view.HasField("viewer"):
        (own,) = (at for at, one in enumerate(order) if view.viewer in one.seats)
        order = order[own + 1 :] + order[: own + 1]
    return order


def sides(view: View, front: Front) -> list[Side]:
    """One for each seat, or for partners; the automaton's, where it plays."""
    alone = [(seat.number,) for seat in view.seats]
    shared = layout_for(view).shared.get(view.variant, alone)
    found = [Side(seats, seats[0]) for seats in shared]
    if len(found) == 1:
        found.append(Side((), None, front.automaton))
    return found


class Fronts:
    """One view, drawn."""

    def __init__(self, view: View, front: Front, reader: Reader, width: int):
        self.view = view
        self.front = front
        self.reader = reader
        self.width = width
        names = [cell_len(reader.word("place", row)) for row in front.rows]
        self.column = ROW_INDENT + 4 + max(names) + 2

    # -- what lies there --------------------------------------------------------------

    def place(self, name: str, seat: int | None) -> PlaceView | None:
        for place in self.view.places:
            if place.place.name == name and owner(place.place) == seat:
                return place
        return None

    def lying(self, name: str, seat: int | None) -> list[Card]:
        place = self.place(name, seat)
        return list(place.cards) if place else []

    def at(self, one: Side, name: str) -> list[Card]:
        return self.lying(one.prefix + name, one.seat)

    def has(self, one: Side, row: str) -> bool:
        """Whether a row has cards, or something that works on it alone."""
        own = [self.front.slot.format(row), row]
        return any(self.at(one, name) for name in own) or self.marks_on(one, row) != []

    # -- a row ------------------------------------------------------------------------

    def rows(self, one: Side, names: Iterable[str]) -> list[Text]:
        return [line for name in names for line in self.row(one, name)]

    def row(self, one: Side, name: str) -> list[Text]:
        """Its strength and name, what works on it, and its cards."""
        cards = self.at(one, name)
        name_shown = self.reader.word("place", name)
        label = f"{self.strength(cards):3} {name_shown}"
        items = [Text(f"[{told}]", "yellow") for told in self.works_on(one, name)]
        items += gathered(styled(self.view, self.reader, card) for card in cards)
        lines = hanging(label, items, self.width, indent=ROW_INDENT, column=self.column)
        for line in lines:
            line.rstrip()
        return lines

    def strength(self, cards: Iterable[Card]) -> int:
        """The sum of what the cards are marked with."""
        marker = layout_for(self.view).strength_now
        told = (marker_value(self.view, marker, card.handle) for card in cards)
        return sum(int(value) for value in told if value)

    def works_on(self, one: Side, row: str) -> Iterator[str]:
        """Names of what lies in its slot, is marked on it, or lies over it."""
        for card in self.at(one, self.front.slot.format(row)):
            yield self.reader.face_name(card.face)
        yield from self.marks_on(one, row)
        for card in self.lying(self.front.over, None):
            if row in self.reader.attribute(card.face, self.front.touches).split():
                yield self.reader.face_name(card.face)

    def marks_on(self, one: Side, row: str) -> list[str]:
        name = one.prefix + row
        on = name if one.seat is None else f"{name}:{one.seat}"
        found = [marker for marker in self.view.markers if marker.on == on]
        return [self.reader.marker(self.view, m.name, m.value) for m in found]

    def over(self) -> list[Text]:
        """A line across, with the cards that lie over all rows."""
        line = Text("    ──", "dim")
        cards = self.lying(self.front.over, None)
        if cards:
            names = " · ".join(self.reader.face_name(card.face) for card in cards)
            name = self.reader.word("place", self.front.over)
            told = self.reader.words("place.holds", place=name, cards=names)
            line.append(f" {told} ", "not dim yellow")
        return [line.append("─" * max(2, self.width - line.cell_len), "dim")]

    # -- who plays it -----------------------------------------------------------------

    def heading(self, one: Side) -> list[Text]:
        """The total, and whoever plays the side; partners on a line each."""
        if len(one.seats) == 1:
            (seat,) = one.seats
            told = [self.name(seat), *self.counts(one), *self.seat(seat)]
            return self.headed(one, is_asked(self.view, seat), told)
        if not one.seats:
            return self.headed(one, False, self.automaton(one))
        names = [self.reader.seat(self.view, seat) for seat in one.seats]
        together = Text(self.reader.words.listed(names), self.style(one))
        lines = self.headed(one, False, [together, *self.counts(one)])
        for seat in one.seats:
            told = [self.name(seat), *self.seat(seat)]
            arrow = "▸" if is_asked(self.view, seat) else ""
            label = arrow.rjust(INDENT - 1)
            lines += hanging(label, told, self.width, column=INDENT)
        return lines

    def headed(self, one: Side, asked: bool, told: Iterable[Text]) -> list[Text]:
        total = counter_in(self.view, one.prefix + self.front.total, one.seat)
        label = f"{'▸' if asked else ' '}{total:4}"
        return hanging(label, told, self.width, column=INDENT, style=self.style(one))

    def style(self, one: Side) -> str:
        return "bold cyan" if any(map(self.is_own, one.seats)) else "bold"

    def is_own(self, seat: int) -> bool:
        return seat_is_own(self.view, seat)

    def name(self, seat: int) -> Text:
        style = "bold cyan" if self.is_own(seat) else "bold"
        return Text(seat_name(self.view, self.reader, seat), style)

    def counts(self, one: Side) -> Iterator[Text]:
        """Counters of the side but its total, and how many cards it has lost."""
        for counter in at_seat(self.view.counters, one.seat):
            name = counter.name.removeprefix(one.prefix)
            if counter.name.startswith(one.prefix) and name != self.front.total:
                yield self.counter(name, counter.value)
        yield from self.count(one, self.front.discard)

    def counter(self, name: str, value: int) -> Text:
        """A few of a kind as signs: ◆◇."""
        most = self.front.pips.get(name)
        shown = str(value) if most is None else "◆" * value + "◇" * (most - value)
        return Text(f"{self.reader.word('counter', name)} {shown}")

    def count(self, one: Side, name: str) -> Iterator[Text]:
        """How many cards lie in a place, if any do."""
        place = self.place(one.prefix + name, one.seat)
        if place is not None and place.count:
            yield Text(f"{self.reader.bare(place.place)} {place.count}")

    def seat(self, seat: int) -> Iterator[Text]:
        """What a seat holds, how it stands, and who leads it."""
        layout, own = layout_for(self.view), Side((seat,), seat)
        for name in layout.held:
            yield from self.count(own, name)
        for marker in self.view.markers:
            if marker.on == f"seat:{seat}" and shows(layout, marker.name):
                told = self.reader.marker(self.view, marker.name, marker.value)
                yield Text(told, "yellow")
        yield from self.leader(own)

    def automaton(self, one: Side) -> Iterator[Text]:
        """The same of a side without a seat."""
        yield Text(self.reader.words("board.automaton"), "bold")
        yield from self.counts(one)
        for name in layout_for(self.view).held:
            yield from self.count(one, name)
        for marker in self.view.markers:
            if not marker.on and marker.name.startswith(one.prefix):
                name = marker.name.removeprefix(one.prefix)
                yield Text(self.reader.marker(self.view, name, marker.value), "yellow")
        yield from self.leader(one)

    def leader(self, one: Side) -> Iterator[Text]:
        for card in self.at(one, self.front.leader):
            yield Text(self.reader.label(self.view, card))
