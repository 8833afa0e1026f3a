"""A game as a test plays and reads it: seats that choose, a vault in memory."""

import re
from typing import Any

from services.engine.games.skirmish.board import (
    COMMANDER,
    DISCARD,
    SIDE,
    SOLDIER_HAND,
    TACTIC,
    TACTIC_HAND,
)
from services.engine.games.skirmish.pieces import SOLDIERS
from services.engine.kernel import Move, Place
from services.engine.kernel import event as happened
from services.engine.kernel.entry import Draft, EntryKind
from services.engine.kernel.sight import sees
from tests.rules.driving import SEATS, Driven, Sitting
from tests.rules.skirmish.notation import (
    NAMES,
    Piece,
    expected,
    numbered,
    read,
)

MUTATIONS = {"double": "x2", "one": "=1"}


class Skirmish(Driven):
    """A game in motion, as a test plays and reads it."""

    anna: "Seat"
    ben: "Seat"
    cleo: "Seat"
    dan: "Seat"

    names = NAMES

    def __init__(self, game, seats, seen=None, **chance):
        super().__init__(game, "standard", seats, seen, **chance)

    def sit(self, seat):
        return Seat(self, seat)

    def count(self, place):
        return self.table.count(Place(place))

    @property
    def points(self):
        """Every seat's points of the last round reckoned."""
        return [self.table.counter("points", seat) for seat in self.table.seats]

    @property
    def totals(self):
        return [self.table.counter("total", seat) for seat in self.table.seats]

    @property
    def fallen(self):
        """Who has died since the position was laid out, in order, by name."""
        return self.heard("fallen")

    @property
    def deaths(self):
        """In how many events soldiers died."""
        dead = {event.on for event in self.events if is_marked(event, "fallen")}
        moved = [e for e in self.events if isinstance(e, happened.CardsMoved)]
        return sum(any(way.handle in dead for way in event.cards) for event in moved)

    @property
    def rolled(self):
        """What was thrown, and what it showed."""
        rolls = [e for e in self.events if isinstance(e, happened.Rolled)]
        return [(event.name, event.sides, *event.numbers) for event in rolls]

    @property
    def discarded(self):
        return self.tokens(DISCARD, plain=True)

    @property
    def turned_up(self):
        """Names of the cards turned up since, in order."""
        turned = [e for e in self.events if isinstance(e, happened.CardsTurnedUp)]
        return [self.name_of(shown.handle) for event in turned for shown in event.cards]

    def heard(self, marker):
        """On which cards, by name, this marker has been laid since."""
        laid = [event for event in self.events if is_marked(event, marker)]
        return [self.name_of(event.on) for event in laid]

    def went(self, name):
        """The last way that a card of this name went."""
        moved = [e for e in self.events if isinstance(e, happened.CardsMoved)]
        ways = [way for event in moved for way in event.cards]
        return [way for way in ways if NAMES.get(way.face or "") == name][-1]

    def public_sees(self, name):
        return sees(self.table.seers(self.card(name)), None)

    def quiet(self, *, until=None):
        """Let everybody's time run out, until a question or the end of the round."""
        round_ = self.table.counter("round")
        while not self.is_over and self.asked != until:
            if self.table.counter("round") != round_:
                break
            for seat in self.play.open_seats:
                self.move(Draft(EntryKind.DEFAULT, seat))
        return self

    def attack(self, name):
        """The attack last shown on a card of this name (SK-5.10)."""
        return self.attacks[name]

    @property
    def attacks(self):
        """By name the attack that each soldier was last reckoned with."""
        return {
            self.name_of(event.on): int(event.value)
            for event in self.events
            if is_marked(event, "attack")
        }

    def marker(self, name, on=None):
        """A marker's value: of the table, of a seat, or of the card of this name."""
        if on in SEATS:
            return self.table.marker(name, SEATS.index(on))
        return self.table.marker(name, on and self.card(on))

    def card(self, name):
        """The card of this name that lies on the table, in a hand or in the discard."""
        name, number = numbered(name)
        for place in self.table.places():
            for card in self.table.cards(place):
                one = SOLDIERS.get(card.face or "")
                if NAMES.get(card.face or "") == name and number in (
                    None,
                    one and one.number,
                ):
                    return card
        raise AssertionError(f"there is no {name} here")

    # -- comparing --

    def __eq__(self, text):
        if not isinstance(text, str):
            return NotImplemented
        return self.render(read(text)) == expected(read(text))

    __hash__ = None  # type: ignore[assignment]

    def render(self, position):
        """What the position speaks of, as it is: sides always, all else if named."""
        told: dict[tuple[str, str], Any] = {}
        for seat in position.seats:
            for place in (*SIDE[seat], TACTIC[seat]):
                told[SEATS[seat], place.name] = self.tokens(place)
            hand = [SOLDIER_HAND[seat], TACTIC_HAND[seat]]
            words = position.words.get((seat, "hand"))
            if words and re.fullmatch(r"\d+ cards?", words):
                told[SEATS[seat], "hand"] = sum(map(self.table.count, hand))
            elif words:
                told[SEATS[seat], "hand"] = self.tokens(*hand, plain=True)
            for key in ("total", "points"):
                if (seat, key) in position.words:
                    told[SEATS[seat], key] = self.table.counter(key, seat)
        if (None, "discard") in position.words:
            told["", "discard"] = self.tokens(DISCARD)
        for key in ("weather", "disaster"):
            if (None, key) in position.words:
                told["", key] = NAMES.get(self.table.marker(key) or "", "nothing")
        return told

    def __repr__(self):
        lines = []
        for seat in self.table.seats:
            rows = [(place.name, place) for place in (*SIDE[seat], TACTIC[seat])]
            told = [f"{key}: {', '.join(self.tokens(at))}" for key, at in rows]
            hand = self.tokens(SOLDIER_HAND[seat], TACTIC_HAND[seat], plain=True)
            lines.append(f"{SEATS[seat]}  {'  '.join(told)}  hand: {', '.join(hand)}")
        lines.append(f"discard: {', '.join(self.tokens(DISCARD))}")
        return "\n".join([*lines, f"asked: {self.waits_for}"])

    def tokens(self, *places, plain=False):
        return sorted(self.token(card, plain) for card in self.table.cards(*places))

    def token(self, card, plain):
        name = NAMES[self.box.faces[card.handle]]
        if plain:
            return name
        marker = self.table.marker
        notes = []
        if marker("ward", card) is not None:
            notes.append("warded")
        if marker("mutation", card):
            notes.append(MUTATIONS[str(marker("mutation", card))])
        if marker("copy", card):
            notes.append(f"as {NAMES[str(marker('copy', card))]}")
        if marker("stayed", card) is not None:
            notes.append("stayed")
        return Piece(name, None, card.face_up, notes).token()


def is_marked(event, name):
    return isinstance(event, happened.MarkerPut) and event.name == name


class Seat(Sitting):
    """What one seat is asked, does and sees."""

    # -- doing --

    def find(self, question, name, taken):
        bare, number = numbered(name)
        for wanted in (self.describe, self.describe_card):
            for option, key in zip(question.options, question.ids, strict=True):
                if wanted(option) == bare and self.fits(option, number):
                    return key
        raise AssertionError(f"{name} is not among {self.options}")

    def describe_card(self, option):
        """A soldier to the row of its class needs no row named, nor does a spy."""
        if not isinstance(option, Move):
            return self.describe(option)
        face = self.game.box.faces[option.card.handle]
        soldier = SOLDIERS.get(face)
        usual = soldier is None or option.place.name == soldier.row
        return NAMES[face] if usual else ""

    def fits(self, option, number):
        if number is None:
            return True
        card = option.card if isinstance(option, Move) else option
        return SOLDIERS[self.game.box.faces[card.handle]].number == number

    def places(self, *names):
        for name in names:
            self.chooses(name, of="place")
        return self

    def turns_up(self, *names):
        """Turns these up in this order; one that lay alone is up already."""
        for name in names:
            if self.is_asked == "turn_up":
                self.chooses(name, of="turn_up")
            else:
                assert name in self.game.turned_up, f"{name} was not turned up"
        return self

    def is_done(self):
        return self.chooses(of="place")

    # -- holding and seeing --

    @property
    def commander(self):
        return self.game.tokens(COMMANDER[self.seat], plain=True)[0]

    @property
    def soldiers(self):
        return self.game.table.count(SOLDIER_HAND[self.seat])

    @property
    def tactics(self):
        return self.game.table.count(TACTIC_HAND[self.seat])

    @property
    def hand(self):
        """What it holds, by name."""
        return self.game.tokens(
            SOLDIER_HAND[self.seat], TACTIC_HAND[self.seat], plain=True
        )
