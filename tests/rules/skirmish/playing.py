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
from services.engine.kernel import AtSeat, Card, Move, Place
from services.engine.kernel import event as happened
from services.engine.kernel.chance import Dealt, Result
from services.engine.kernel.entry import Draft, EntryKind, Opening
from services.engine.kernel.play import Play
from services.engine.kernel.sight import sees
from tests.rules.skirmish.notation import (
    NAMES,
    SEATS,
    Piece,
    expected,
    numbered,
    read,
)

MUTATIONS = {"double": "x2", "one": "=1"}


class Skirmish:
    """A game in motion, as a test plays and reads it."""

    anna: "Seat"
    ben: "Seat"
    cleo: "Seat"
    dan: "Seat"

    def __init__(self, game, seats, seen=None, **chance):
        self.box, self.seen = Box(**chance), seen if seen is not None else {}
        self.seen.setdefault("events", 0)
        opening = Opening("t", "skirmish", "standard", "1", seats, "00" * 32)
        self.play = Play(game, opening, b"")
        self.table = self.play.table
        self.move(Draft(EntryKind.OPEN))
        for seat, name in enumerate(SEATS[:seats]):
            setattr(self, name, Seat(self, seat))
            told = {"player": name, "name": name, "bot": False, "nonce": ""}
            self.move(Draft(EntryKind.SEAT, seat, details=told))
        self.move(Draft(EntryKind.START))

    def move(self, draft):
        steps = self.play.apply(draft)
        try:
            batch = next(steps)
            while True:
                batch = steps.send(self.box.do(batch.operations))
        except StopIteration:
            self.settle()

    def settle(self):
        if self.play.is_held:
            until = self.play.held_until
            self.move(Draft(EntryKind.SETTLE, at=until))

    @property
    def events(self):
        """What happened since the position was laid out."""
        return self.table.events[self.seen["events"] :]

    @property
    def built(self):
        """How many cards each deck was made of."""
        decks = [e for e in self.table.events if isinstance(e, happened.DeckBuilt)]
        return {event.deck.id: event.size for event in decks}

    def seat(self, number):
        return getattr(self, SEATS[number])

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

    @property
    def asked(self):
        """The name of the open question, or None."""
        asking = self.play.asking
        return asking.questions[0].name if asking else None

    @property
    def waits_for(self):
        """Who is asked, and what: "anna: place"."""
        asked = ((seat, self.play.question(seat)) for seat in self.play.open_seats)
        return [f"{SEATS[seat]}: {one[1].name}" for seat, one in asked if one]

    @property
    def is_over(self):
        return self.play.outcome is not None

    @property
    def winners(self):
        assert self.play.outcome, f"not over: {self.waits_for}"
        return [SEATS[seat] for seat in self.play.outcome.winners]

    def declared(self, name):
        """Each thing said aloud under a name, as "seat number words"."""
        return [
            " ".join(
                str(one)
                for one in (
                    None if e.seat is None else SEATS[e.seat],
                    e.number,
                    *e.words,
                )
                if one is not None
            )
            for e in self.events
            if isinstance(e, happened.Declared) and e.name == name
        ]

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

    def name_of(self, handle):
        return NAMES[self.box.faces[handle]]

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


class Seat:
    """What one seat is asked, does and sees."""

    def __init__(self, game, seat):
        self.game, self.seat = game, seat

    # -- asked --

    @property
    def question(self):
        asked = self.game.play.question(self.seat)
        assert asked, f"{SEATS[self.seat]} is not asked; {self.game.waits_for} are"
        return asked[1]

    @property
    def is_asked(self):
        asked = self.game.play.question(self.seat)
        return asked[1].name if asked else None

    @property
    def options(self):
        """What it may choose, in words, sorted."""
        return sorted(map(self.describe, self.question.options))

    @property
    def may_decline(self):
        return self.question.least == 0

    def describe(self, option):
        if isinstance(option, Card):
            return self.game.name_of(option.handle)
        if isinstance(option, Move):
            name = self.game.name_of(option.card.handle)
            return f"{name} to {self.where(option.place)}"
        if isinstance(option, Place):
            return self.where(option)
        return SEATS[option.seat] if isinstance(option, AtSeat) else str(option)

    def where(self, place):
        own = place.seat == self.seat
        return place.name if own else f"{SEATS[place.seat]}'s {place.name}"

    # -- doing --

    def chooses(self, *names, of=None):
        """Answers the open question with these, by name; `of` is which question."""
        question = self.question
        assert of in (None, question.name), f"asked {question.name}, not {of}"
        ids = [self.find(question, name) for name in names]
        question.judge(ids)
        self.game.move(
            Draft(
                EntryKind.ANSWER, self.seat, f"a{self.game.play.position}", tuple(ids)
            )
        )
        return self

    def find(self, question, name):
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

    def declines(self, of=None):
        return self.chooses(of=of)

    def is_done(self):
        return self.chooses(of="place")

    def runs_out_of_time(self):
        assert self.question
        self.game.move(Draft(EntryKind.DEFAULT, self.seat))
        return self

    def concedes(self):
        self.game.move(Draft(EntryKind.CONCEDE, self.seat))
        return self

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

    def sees(self, name):
        """Whether it knows the face of this card."""
        return sees(self.game.table.seers(self.game.card(name)), self.seat)

    @property
    def hand(self):
        """What it holds, by name."""
        return self.game.tokens(
            SOLDIER_HAND[self.seat], TACTIC_HAND[self.seat], plain=True
        )


class Box:
    """A vault in memory: decks come in the order written, and chance as scripted.

    With `chance`, a `random.Random`, it shuffles, throws and picks as a vault does.
    """

    def __init__(self, dice=(), lots=(), chance=None):
        self.dice, self.lots, self.chance = list(dice), list(lots), chance
        self.decks: dict[str, list[str]] = {}
        self.faces: dict[str, str] = {}
        self.count = 0

    def do(self, operations):
        return tuple(getattr(self, one.verb)(one) for one in operations)

    def name(self, face):
        self.count += 1
        handle = f"card-{self.count}"
        self.faces[handle] = face
        return Dealt(handle, face)

    def begin(self, one):
        return Result()

    seal = begin

    def build(self, one):
        self.decks[one.deck] = list(one.faces)
        if self.chance:
            self.chance.shuffle(self.decks[one.deck])
        return Result()

    def draw(self, one):
        deck = self.decks[one.deck]
        return Result(tuple(self.name(deck.pop(0)) for _ in range(one.number)))

    def show(self, one):
        return Result(tuple(Dealt(handle, self.faces[handle]) for handle in one.cards))

    def conceal(self, one):
        return Result(tuple(self.name(self.faces.pop(handle)) for handle in one.cards))

    def roll(self, one):
        if self.chance:
            sides = range(1, one.sides + 1)
            return Result(numbers=tuple(self.chance.choices(sides, k=one.dice)))
        dice = [self.dice.pop(0) if self.dice else 1 for _ in range(one.dice)]
        return Result(numbers=tuple(dice))

    def pick(self, one):
        if self.chance:
            numbers = self.chance.sample(range(one.total), one.number)
            return Result(numbers=tuple(numbers))
        lots = [self.lots.pop(0) if self.lots else n for n in range(one.number)]
        assert all(lot < one.total for lot in lots)
        return Result(numbers=tuple(lots))
