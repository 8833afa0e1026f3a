"""The table as a picture in lines: each side, the own hand, what is common."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from anpai import Card, PlaceView, View
from clients.terminal.screen.layout import Layout, layout_for
from clients.terminal.screen.lines import fold, hanging, rule
from clients.terminal.screen.reader import (
    Reader,
    at_seat,
    is_covered,
    owner,
    shows,
)


def board(view: View, reader: Reader, width: int) -> list[Text]:
    """The whole table as its viewer sees it; the viewer's own side last."""
    lines = [headline(view, reader, width)]
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
    layout = layout_for(view)
    told = [reader.title]
    for counter in at_seat(view.counters, None):
        told.append(f"{reader.word('counter', counter.name)} {counter.value}")
    for marker in view.markers:
        if not marker.on and shows(layout, marker.name):
            told.append(reader.marker(view, marker.name, marker.value))
    return rule(" · ".join(told), f"#{view.revision}", width)


# -- one side ------------------------------------------------------------------------


def side(view: View, reader: Reader, seat: int, width: int, column: int) -> list[Text]:
    """A seat's line, then a line for each of its places where something lies."""
    asked = any(asked.seat == seat for asked in view.asked)
    name = Text(
        seat_name(view, reader, seat),
        "bold cyan" if seat_is_own(view, seat) else "bold",
    )
    told = [name, *told_of_seat(view, reader, seat)]
    lines = hanging("▸" if asked else " ", told, width)
    for place in rows_of(view, seat):
        lines += row(view, reader, place, width, column)
    return lines


def seat_name(view: View, reader: Reader, seat: int) -> str:
    words, one = reader.words, view.seats[seat]
    notes = [words("board.you")] if seat_is_own(view, seat) else []
    notes += [words("board.bot")] if one.bot else []
    notes += [words("board.gave_up")] if one.conceded else []
    told = f" ({words('list.comma').join(notes)})" if notes else ""
    return reader.seat(view, seat) + told


def seat_is_own(view: View, seat: int) -> bool:
    return view.HasField("viewer") and view.viewer == seat


def told_of_seat(view: View, reader: Reader, seat: int) -> Iterable[Text]:
    """Badges, counters, markers, and how many cards the seat holds."""
    layout = layout_for(view)
    for place in places_of(view, seat):
        if place.place.name in layout.badges:
            yield from (Text(reader.label(view, card)) for card in place.cards)
    for counter in at_seat(view.counters, seat):
        yield Text(f"{reader.word('counter', counter.name)} {counter.value}")
    for place in places_of(view, seat):
        if not place.apart:
            yield Text(f"{reader.word('place', place.place.name)} {place.count}")
    for marker in view.markers:
        if marker.on == f"seat:{seat}" and shows(layout, marker.name):
            yield Text(reader.marker(view, marker.name, marker.value), "yellow")


def places_of(view: View, seat: int) -> list[PlaceView]:
    return [place for place in view.places if owner(place.place) == seat]


def rows_of(view: View, seat: int | None) -> list[PlaceView]:
    """The places on the table where cards lie side by side."""
    layout = layout_for(view)
    names = layout.badges | layout.piles
    found = [
        place
        for place in view.places
        if owner(place.place) == seat
        and place.apart
        and place.count
        and place.place.name not in names
    ]
    return sorted(found, key=lambda place: rank(layout.rows, place.place.name))


def rank(order: tuple[str, ...], name: str) -> int:
    """What is not named comes last, in the order first used."""
    return order.index(name) if name in order else len(order)


def row(
    view: View, reader: Reader, place: PlaceView, width: int, column: int
) -> list[Text]:
    name = reader.word("place", place.place.name)
    cards = [styled(view, reader, card) for card in place.cards]
    return hanging(name, cards, width, indent=4, column=column)


def styled(view: View, reader: Reader, card: Card) -> Text:
    label = reader.label(view, card)
    if not is_covered(card):
        return Text(label)
    return Text(label, "italic" if card.HasField("face") else "dim")


# -- what is one's own, and what is common -------------------------------------------


def hands(view: View, reader: Reader, width: int) -> list[Text]:
    """Cards that lie nowhere, as far as they are known, in the catalogue's order: the
    viewer's own; everybody's for one who sees everything."""
    lines: list[Text] = []
    for place in view.places:
        if owner(place.place) is not None and not place.apart and place.cards:
            cards = sorted(place.cards, key=lambda card: reader.rank(card.face))
            labels = [Text(reader.label(view, card)) for card in cards]
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
