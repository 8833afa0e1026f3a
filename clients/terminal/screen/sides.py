"""One side of the table: its seat's line, and a line for each place with cards."""

from collections import Counter
from collections.abc import Iterable

from rich.text import Text

from anpai import Card, PlaceView, View
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.lines import hanging
from clients.terminal.screen.reader import (
    Reader,
    at_seat,
    is_covered,
    owner,
    shows,
)


def side(view: View, reader: Reader, seat: int, width: int, column: int) -> list[Text]:
    """A seat's line, then a line for each of its places where something lies."""
    name = Text(
        seat_name(view, reader, seat),
        "bold cyan" if seat_is_own(view, seat) else "bold",
    )
    told = [name, *told_of_seat(view, reader, seat)]
    lines = hanging("▸" if is_asked(view, seat) else " ", told, width)
    for place in rows_of(view, seat):
        lines += row(view, reader, place, width, column)
    return lines


def is_asked(view: View, seat: int) -> bool:
    return any(asked.seat == seat for asked in view.asked)


def seat_name(view: View, reader: Reader, seat: int) -> str:
    words, one = reader.words, view.seats[seat]
    notes = [words("board.you")] if seat_is_own(view, seat) else []
    notes += [words("board.bot")] if one.bot else []
    notes += [words("board.gave_up")] if one.conceded else []
    notes += [words("board.away")] if one.away else []
    notes += [words("board.stand_in", name=one.stand_in)] if one.stand_in else []
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
        return Text(label, reader.tone(view, card))
    return Text(label, "italic" if card.HasField("face") else "dim")


def gathered(items: Iterable[Text]) -> list[Text]:
    """Those that read alike as one, where the first of them lies: Archer 2 ×3."""
    told = list(items)
    counts = Counter(item.plain for item in told)
    first = {item.plain: item for item in reversed(told)}
    return [
        item.append(f" ×{counts[plain]}") if counts[plain] > 1 else item
        for plain, item in reversed(first.items())
    ]
