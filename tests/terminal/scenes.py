"""Tables to look at: one laid out by hand, and random ones that were really played."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from anpai import Card, Counter, Marker, Place, PlaceView, Seat, View, fold
from clients.terminal.commands.replay import reader_of
from clients.terminal.screen.reader import Reader
from clients.terminal.words import Words
from services.engine.projection import event_for, view_for
from services.local import GAMES, LocalTable


def reader(language="en", game="skirmish") -> Reader:
    return reader_of(game, Words(language))


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


# ---- by hand -------------------------------------------------------------------------


def card(handle, face=None, *, up=False, bringer=None, game="skirmish") -> Card:
    known = f"{game}/{face}" if face else None
    return Card(handle=handle, face=known, face_up=up, bringer=bringer)


def place(name, seat, *cards, count=None, apart=True) -> PlaceView:
    number = len(cards) if count is None else count
    where = Place(name=name, seat=seat)
    return PlaceView(place=where, count=number, cards=cards, apart=apart)


def second_round() -> View:
    """Anna (the viewer) against 陈晨: something of everything that a board can show."""
    return View(
        table_id="t-1",
        game="skirmish",
        revision=87,
        viewer=0,
        seats=[
            Seat(number=0, name="Anna", taken=True),
            Seat(number=1, name="陈晨", bot=True, taken=True),
        ],
        places=[
            place("commander", 0, card("w", "wolf", up=True)),
            place("commander", 1, card("v", "vulture", up=True)),
            place("soldier_deck", None, count=16, apart=False),
            place(
                "soldiers",
                0,
                card("h1", "sniper_3"),
                card("h2", "scout_1"),
                card("h3", "assault_16"),
                apart=False,
            ),
            place("tactics", 0, card("h4", "fog"), apart=False),
            place("soldiers", 1, count=9, apart=False),
            place("tactics", 1, count=4, apart=False),
            place("tactic", 1, card("t", bringer=1)),
            place(
                "scout",
                1,
                card("s1", "scout_7", up=True, bringer=1),
                card("s2", "scout_2", up=True, bringer=0),
                card("s3", bringer=1),
            ),
            place("assault", 0, card("a1", "assault_13", bringer=0)),
            place("sniper", 0, card("n1", "sniper_2", up=True, bringer=0)),
            place("discard", None, card("d", "scout_10", up=True)),
        ],
        counters=[
            Counter(name="round", value=2),
            Counter(name="total", seat=0, value=17),
            Counter(name="total", seat=1, value=21),
        ],
        markers=[
            Marker(name="weather", value="fog"),
            Marker(name="first", on="seat:1"),
            Marker(name="ward", on="s1"),
            Marker(name="attack", on="n1", value="1"),
        ],
    )


# ---- played --------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """One event as a viewer heard it, and the table before and after."""

    event: object
    before: View
    after: View


NAMES = ("Anna", "陈晨", "Cem", "Dora", "Eve")


def played(seats=2, seed=1, game="skirmish", variant="") -> LocalTable:
    """A whole random game."""
    names = NAMES[:seats]
    table = LocalTable(GAMES[game], seats, variant, seed=seed, names=names)
    dice = random.Random(seed)
    while table.outcome is None:
        seat = table.waiting()[0]
        question = table.question(seat)
        assert question is not None
        least, most = question.least, question.most
        table.answer(seat, dice.sample(question.ids, dice.randint(least, most)))
    return table


def moments(table: LocalTable, viewer) -> Iterator[Moment]:
    """What one viewer saw, from the first event on."""
    end = view_for(table.play, viewer)
    view = View(game=end.game, variant=end.variant, viewer=viewer, seats=end.seats)
    for revision, happened in enumerate(table.events, 1):
        event = event_for(happened, revision, viewer, end.game)
        after = fold(view, event)
        yield Moment(event, view, after)
        view = after
