"""A position of skirmish, typed and compared alike.

    anna  Wolf   scout: Spotter {spots Blind Shot}   sniper: (Blind Shot)   hand: Rain
    ben   assault: Rookie {warded}, Hot Blood    total: 12
    weather: Snow
    discard: Cover {fell}

A line starts with a seat (anna, ben, cleo, dan, which may have several lines) or is
about all. A card in brackets lies face down. Braces say what lies on a card: `warded`,
`x2`, `=1`, `as Cover`, `spots Blind Shot`, `by anna` (who brought it), `stayed` (a
lurker of the last round), `fell` (in the round before this one). A name may end with
the card's number where that matters: `Spotter 8`. A commander not named is a dull one.

Compared with a table, all rows and tactics of the seats named must be as written;
hands, counters, weather and the discard only where they are named.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from services.engine.games.skirmish.pieces import (
    COMMANDERS,
    ROWS,
    SOLDIERS,
    TACTICS,
)
from tests.rules.driving import SEATS

NAMES: dict[str, str] = {
    **{one.face: one.name.en for one in SOLDIERS.values()},
    **{one.value: name.en for one, name in COMMANDERS.items()},
    **{one.value: name.en for one, (_, name) in TACTICS.items()},
}


# -- reading a position --------------------------------------------------------------


@dataclass
class Piece:
    """One card as written."""

    name: str
    number: int | None
    face_up: bool
    notes: list[str]

    def token(self):
        notes = [n for n in self.notes if not n.startswith(("by ", "spots ", "fell"))]
        shown = self.name + "".join(f" {{{note}}}" for note in sorted(notes))
        return shown if self.face_up else f"({shown})"


@dataclass
class Position:
    """Everything written: by (seat or None, word) the cards, or a number."""

    commanders: dict[int, str] = field(default_factory=dict)
    seats: list[int] = field(default_factory=list)
    cards: dict[tuple[int | None, str], list[Piece]] = field(default_factory=dict)
    words: dict[tuple[int | None, str], str] = field(default_factory=dict)


KEY = re.compile(
    r"\b(scout|assault|sniper|tactic|hand|discard|soldier deck|tactic deck"
    r"|weather|disaster|gambled|first|total|points):"
)
PLACES = {"scout", "assault", "sniper", "tactic", "hand", "discard"}


def read(text):
    position = Position()
    for line in filter(None, map(str.strip, text.splitlines())):
        first, _, rest = line.partition(" ")
        seat = SEATS.index(first) if first in SEATS else None
        if seat is not None and seat not in position.seats:
            position.seats.append(seat)
        read_line(position, seat, line if seat is None else rest)
    return position


def read_line(position, seat, line):
    parts = KEY.split(line)
    if parts[0].strip():
        position.commanders[seat] = parts[0].strip()
    for key, value in zip(parts[1::2], parts[2::2], strict=True):
        if key in PLACES or key.endswith("deck"):
            position.cards[seat, key] = read_cards(value)
        position.words[seat, key] = value.strip()


def read_cards(text):
    if re.fullmatch(r"\s*(\d+ cards?|nothing)\s*", text):
        return []
    written = re.split(r",(?![^{]*})", text)
    return [read_card(one.strip()) for one in written if one.strip()]


def read_card(text):
    notes = [
        n.strip() for note in re.findall(r"{([^}]*)}", text) for n in note.split(",")
    ]
    text = re.sub(r"{[^}]*}", "", text).strip()
    face_up = not text.startswith("(")
    name, number = numbered(text.strip("()").strip())
    return Piece(name, number, face_up, notes)


def numbered(text):
    found = re.fullmatch(r"(.*\D) (\d+)", text)
    return (found[1], int(found[2])) if found else (text, None)


# -- what a position expects ---------------------------------------------------------


def expected(position):
    told: dict[tuple[str, str], Any] = {}
    for seat in position.seats:
        for key in (*ROWS, "tactic"):
            pieces = position.cards.get((seat, str(key)), [])
            told[SEATS[seat], str(key)] = sorted(one.token() for one in pieces)
        words = position.words.get((seat, "hand"))
        if words and re.fullmatch(r"\d+ cards?", words):
            told[SEATS[seat], "hand"] = int(words.split()[0])
        elif words:
            pieces = position.cards[seat, "hand"]
            told[SEATS[seat], "hand"] = sorted(one.name for one in pieces)
        for key in ("total", "points"):
            if (seat, key) in position.words:
                told[SEATS[seat], key] = int(position.words[seat, key])
    if (None, "discard") in position.words:
        pieces = position.cards[None, "discard"]
        told["", "discard"] = sorted(one.token() for one in pieces)
    for key in ("weather", "disaster"):
        if (None, key) in position.words:
            told["", key] = position.words[None, key]
    return told
