"""The table as a picture in lines: each side, the own hand, what is common."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from anpai import PlaceView, View
from clients.terminal.screen.fronts import fronts
from clients.terminal.screen.layout import Layout, layout_for
from clients.terminal.screen.lines import fold, hanging, rule
from clients.terminal.screen.reader import (
    Reader,
    at_seat,
    owner,
    shows,
)
from clients.terminal.screen.sides import gathered, row, rows_of, side, styled


def board(view: View, reader: Reader, width: int) -> list[Text]:
    """The whole table as its viewer sees it; the viewer's own side last."""
    lines = [headline(view, reader, width)]
    front = layout_for(view).front
    if front is not None:
        return [
            *lines,
            *fronts(view, front, reader, width),
            *hands(view, reader, width),
        ]
    column = row_column(view, reader)
    for seat in seats_from_viewer(view):
        lines += side(view, reader, seat, width, column)
    lines += hands(view, reader, width)
    return lines + common(view, reader, width)


def row_column(view: View, reader: Reader) -> int:
    """Where cards begin on all lines alike."""
    names = [reader.word("place", p.place.name) for p in view.places if p.apart]
    return 4 + max((cell_len(name) for name in names), default=0) + 2


def seats_from_viewer(view: View) -> list[int]:
    """The next seat first, and the viewer's own last; in order for a spectator."""
    first = view.viewer + 1 if view.HasField("viewer") else 0
    count = len(view.seats)
    return [(first + step) % count for step in range(count)]


def headline(view: View, reader: Reader, width: int) -> Text:
    told = [reader.title, *table_counters(view, reader)]
    for marker in view.markers:
        if not marker.on and is_common(view, marker.name):
            told.append(reader.marker(view, marker.name, marker.value))
    return rule(" · ".join(told), f"#{view.revision}", width)


def table_counters(view: View, reader: Reader) -> Iterator[str]:
    """The table's own, once they count."""
    for counter in at_seat(view.counters, None):
        if counter.value and is_common(view, counter.name):
            yield f"{reader.word('counter', counter.name)} {counter.value}"


def is_common(view: View, name: str) -> bool:
    """Whether a marker or counter is the table's, and not of the automaton's side."""
    layout = layout_for(view)
    if layout.front is not None and name.startswith(layout.front.automaton):
        return False
    return shows(layout, name)


# -- what is one's own, and what is common -------------------------------------------


def hands(view: View, reader: Reader, width: int) -> list[Text]:
    """Cards that lie nowhere, as far as they are known, in the catalogue's order: the
    viewer's own; a partner's; everybody's for one who sees everything."""
    lines: list[Text] = []
    for place in view.places:
        if owner(place.place) is not None and not place.apart and place.cards:
            cards = sorted(place.cards, key=lambda card: reader.rank(card.face))
            labels = gathered(Text(reader.label(view, card)) for card in cards)
            name = hand_name(view, reader, place)
            lines += hanging(name, labels, width, indent=2, style="bold")
    return lines


def hand_name(view: View, reader: Reader, place: PlaceView) -> str:
    if view.HasField("viewer") and owner(place.place) == view.viewer:
        return reader.word("place", place.place.name)
    return reader.place(view, place.place)


def common(view: View, reader: Reader, width: int) -> list[Text]:
    """The table's own places: rows with their cards, decks and piles as numbers."""
    layout = layout_for(view)
    lines: list[Text] = []
    for place in rows_of(view, None):
        lines += row(view, reader, place, width, 0)
    counted = [
        f"{reader.word('place', place.place.name)} {place.count}"
        for place in view.places
        if owner(place.place) is None and is_counted(layout, place)
    ]
    return lines + (hanging("", counted, width, indent=2) if counted else [])


def is_counted(layout: Layout, place: PlaceView) -> bool:
    return not place.apart or place.place.name in layout.piles


def everything_open(view: View, reader: Reader, width: int) -> list[Text]:
    """Every card that can be told apart, place by place: what `l` shows."""
    lines: list[Text] = []
    for place in view.places:
        if place.cards:
            name = reader.place(view, place.place)
            labels = [styled(view, reader, card) for card in place.cards]
            lines += hanging(f"{name} ({place.count})", labels, width, indent=2)
    return lines or fold(Text("–"), width)
