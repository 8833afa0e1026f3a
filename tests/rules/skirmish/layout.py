"""Plays skirmish from a position (see `notation.py`), through the front door.

`placing`, `window`, `turning_up` and `reckoning` lay the position out through the
table's verbs and run the rules from there; round 2 is on, and anna places first. `dice`
and `lots` script what the vault throws and picks: 1s, and the first ones, otherwise.
"""

import re
from dataclasses import replace
from typing import Any

from services.engine.games.skirmish import SKIRMISH, play
from services.engine.games.skirmish.board import (
    COMMANDER,
    DISCARD,
    SOLDIER_DECK,
    SOLDIER_HAND,
    TACTIC_DECK,
    TACTIC_HAND,
    Round,
)
from services.engine.games.skirmish.pieces import ROWS, SOLDIERS
from services.engine.games.skirmish.skills import lay
from services.engine.kernel import Move, Place, Table
from services.engine.kernel.entry import Draft, EntryKind
from tests.rules.driving import SEATS
from tests.rules.skirmish.notation import (
    NAMES,
    numbered,
    read,
)
from tests.rules.skirmish.playing import Skirmish

ROUND = 2
BOX = Place("box")


# -- laying it out -------------------------------------------------------------------


class Faces:
    """Hands out a face for a name, each physical card once."""

    def __init__(self):
        self.left = list(NAMES)

    def take(self, piece, row=None):
        fits = [f for f, name in NAMES.items() if name == piece.name]
        assert fits, f"no card is called {piece.name!r}"
        if fits[0] in SOLDIERS:
            fits = [f for f in fits if f in self.left]
            fits = [f for f in fits if piece.number in (None, SOLDIERS[f].number)]
            fits.sort(key=lambda f: row not in (None, *SOLDIERS[f].rows))
            assert fits, f"no {piece.name} is left"
            self.left.remove(fits[0])
        return fits[0]


class Layout:
    """Draws every card of a position from a box and puts it where it is written."""

    def __init__(self, table, position):
        self.table = table
        self.position = position
        self.now = Round(table, ROUND, 0)
        self.faces = Faces()
        self.waiting = []

    async def lay(self):
        table, position = self.table, self.position
        decks = {SOLDIER_DECK: "soldier deck", TACTIC_DECK: "tactic deck"}
        for deck, key in decks.items():
            pieces = position.cards.get((None, key), [])
            await table.build(deck, [self.faces.take(piece) for piece in pieces])
        await self.lay_commanders()
        for (seat, key), pieces in position.cards.items():
            for piece in pieces:
                await self.lay_piece(seat, key, piece)
        self.mark_all()
        return self.now

    async def lay_commanders(self):
        for seat in self.table.seats:
            name = self.position.commanders.get(seat, "Fire Fox")
            face = next(f for f, known in NAMES.items() if known == name)
            await self.draw(face, COMMANDER[seat])

    async def draw(self, face, to):
        await self.table.build(BOX, [face])
        return (await self.table.draw(BOX, 1, to))[0]

    async def lay_piece(self, seat, key, piece):
        if key.endswith("deck"):
            return
        face = self.faces.take(piece, key if key in list(ROWS) else None)
        if key == "hand":
            hand = SOLDIER_HAND if face in SOLDIERS else TACTIC_HAND
            card = await self.draw(face, hand[seat])
        elif key == "discard":
            card = await self.draw(face, DISCARD)
        else:
            card = await self.put(seat, key, piece, face)
        self.waiting.append((card, piece))

    async def put(self, seat, key, piece, face):
        bringer = next(
            (SEATS.index(n[3:]) for n in piece.notes if n.startswith("by ")), seat
        )
        hand = TACTIC_HAND if key == "tactic" else SOLDIER_HAND
        card = await self.draw(face, hand[bringer])
        to = Place(key, seat)
        if "stayed" in piece.notes:
            await self.table.move(card, to, up=True, bringer=bringer)
        else:
            await lay(self.now, bringer, Move(card, to), up=piece.face_up)
        return card

    def mark_all(self):
        for card, piece in self.waiting:
            for note in piece.notes:
                self.mark(card, note)
        words = self.position.words
        for key in ("weather", "disaster"):
            if (None, key) in words:
                name = words[None, key]
                face = next(f for f, known in NAMES.items() if known == name)
                self.table.mark(key, value=face)
        for name in filter(None, re.split(r"[ ,]+", words.get((None, "gambled"), ""))):
            self.table.mark("gamble", SEATS.index(name))
        for seat in self.table.seats:
            for key in ("total", "points"):
                value = int(words.get((seat, key), 0))
                self.table.set_counter(key, value, seat)
        self.now.first = SEATS.index(words.get((None, "first"), "anna"))

    def mark(self, card, note):
        table = self.table
        match note.split(" ", 1):
            case ["warded"]:
                table.mark("ward", card)
            case ["x2"]:
                table.mark("mutation", card, "double")
            case ["=1"]:
                table.mark("mutation", card, "one")
            case ["stayed"]:
                table.mark("stayed", card)
            case ["fell"]:
                table.mark("fallen", card, str(ROUND - 1))
            case ["as", name]:
                table.mark("copy", card, next(f for f in NAMES if NAMES[f] == name))
            case ["spots", name]:
                sniper = next(c for c, p in self.waiting if p.name == numbered(name)[0])
                table.mark("spots", card, sniper.handle)
            case ["by", _]:
                pass
            case _:
                raise AssertionError(f"what is {{{note}}}?")


PHASES = [play.placing, play.turning_up, play.reckoning, play.end_of_round]


def game_from(phase, position, seen):
    """The rules, begun in the middle of a round with this position."""

    async def game(table: Table):
        now = seen["now"] = await Layout(table, position).lay()
        seen["events"] = len(table.events)
        for step in PHASES[PHASES.index(phase) :]:
            await step(now)
        while not play.is_over(table):
            now = seen["now"] = await play.next_round(now)
            await play.round_(now)
        return play.final(table)

    return replace(SKIRMISH, play=game)


def start(phase, text, **chance):
    position = read(text)
    seen: dict[str, Any] = {}
    game = game_from(phase, position, seen)
    return Skirmish(game, len(position.seats), seen, **chance)


def placing(text, **chance):
    """The position, from the start of placing."""
    return start(play.placing, text, **chance)


def window(text, **chance):
    """The position, everything placed, from the bomb's window."""
    return start(play.turning_up, text, **chance)


def turning_up(text, **chance):
    """The position after a bomb's window in which nobody did anything."""
    game = window(text, **chance)
    while game.asked == "bomb":
        for seat in game.play.open_seats:
            game.move(Draft(EntryKind.ANSWER, seat, f"bomb{seat}", ()))
    return game


def reckoning(text, **chance):
    """The position, everything turned up, from the reckoning."""
    return start(play.reckoning, text, **chance)


def whole(seats, **chance):
    """A game from the very beginning, decks in the order of the card list."""
    return Skirmish(SKIRMISH, seats, None, **chance)
