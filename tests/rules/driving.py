"""A game as a test drives it: seats that choose by name, and a vault in memory.

Each game's harness builds on this: it says what the cards are called, and how a
position is laid out and printed.
"""

from services.engine.kernel import AtSeat, Card, Move, Place
from services.engine.kernel import event as happened
from services.engine.kernel.chance import Dealt, Result
from services.engine.kernel.entry import Draft, EntryKind, Opening
from services.engine.kernel.play import Play, brought_as
from services.engine.kernel.sight import sees

SEATS = ("anna", "ben", "cleo", "dan", "eva")


class Driven:
    """A game in motion.

    `names` is what its faces are called in tests, `now` the clock in milliseconds.
    """

    names: dict[str, str]

    def __init__(self, game, variant, seats, seen=None, brought=None, **chance):
        self.box, self.seen = Box(**chance), seen if seen is not None else {}
        self.seen.setdefault("events", 0)
        self.now = 0
        opening = Opening("t", game.name, variant, "1", seats, "00" * 32)
        self.play = Play(game, opening, b"")
        self.table = self.play.table
        self.move(Draft(EntryKind.OPEN))
        for seat, name in enumerate(SEATS[:seats]):
            setattr(self, name, self.sit(seat))
            told = {"player": name, "name": name, "bot": False, "nonce": ""}
            decks = brought_as((brought or {}).get(seat, ())) or None
            self.move(Draft(EntryKind.SEAT, seat, choice=decks, details=told))
        self.move(Draft(EntryKind.START))

    def sit(self, seat):
        return Sitting(self, seat)

    def move(self, draft):
        steps = self.play.apply(draft._replace(at=draft.at or self.now))
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

    def name_of(self, handle):
        return self.names[self.box.faces[handle]]

    # -- reading --

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


class Sitting:
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
    def deadline(self):
        """When its time runs out, on the table's clock."""
        return self.game.play.deadline(self.seat)

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
        ids = []
        for name in names:
            ids.append(self.find(question, name, ids))
        question.judge(ids)
        answer_id = f"a{self.game.play.position}"
        self.game.move(Draft(EntryKind.ANSWER, self.seat, answer_id, tuple(ids)))
        return self

    def find(self, question, name, taken):
        """The id of the option that a test names, no option twice."""
        for option, key in zip(question.options, question.ids, strict=True):
            if self.describe(option) == name and key not in taken:
                return key
        raise AssertionError(f"{name} is not among {self.options}")

    def declines(self, of=None):
        return self.chooses(of=of)

    def runs_out_of_time(self):
        assert self.question
        self.game.move(Draft(EntryKind.DEFAULT, self.seat))
        return self

    def concedes(self):
        self.game.move(Draft(EntryKind.CONCEDE, self.seat))
        return self

    # -- seeing --

    def sees(self, name):
        """Whether it knows the face of this card."""
        return sees(self.game.table.seers(self.game.card(name)), self.seat)


class Box:
    """A vault in memory: decks come in the order written, and chance as scripted.

    `dice` and `lots` are what it throws and picks: 1s, and the first ones, otherwise.
    What is shuffled stays in order, what is shuffled in lies below. With `chance`, a
    `random.Random`, it shuffles, throws and picks as a vault does.
    """

    def __init__(self, dice=(), lots=(), chance=None):
        self.dice, self.lots, self.chance = list(dice), list(lots), chance
        self.decks: dict[str, list[str]] = {}
        self.faces: dict[str, str] = {}
        self.count = 0

    def do(self, operations):
        return tuple(getattr(self, one.verb)(one) for one in operations)

    def name(self, face, seats):
        """A new handle; its face is told only where some seat may see it."""
        self.count += 1
        handle = f"card-{self.count}"
        self.faces[handle] = face
        return Dealt(handle, face if seats else None)

    def named(self, faces, seats):
        return Result(tuple(self.name(face, seats) for face in faces))

    def begin(self, one):
        return Result()

    seal = begin

    def build(self, one):
        self.decks[one.deck] = list(one.faces)
        return self.mixed(one.deck)

    def draw(self, one):
        deck = self.decks[one.deck]
        return self.named([deck.pop(0) for _ in range(one.number)], one.seats)

    def find(self, one):
        deck = self.decks[one.deck]
        found = [face for face in deck if face in one.faces][: one.number]
        for face in found:
            deck.remove(face)
        return self.named(found, one.seats)

    def shuffle(self, one):
        self.decks[one.deck] += [self.faces.pop(handle) for handle in one.cards]
        return self.mixed(one.deck)

    def mixed(self, deck):
        if self.chance:
            self.chance.shuffle(self.decks[deck])
        return Result()

    def show(self, one):
        return Result(tuple(Dealt(handle, self.faces[handle]) for handle in one.cards))

    def conceal(self, one):
        return self.named([self.faces.pop(card) for card in one.cards], one.seats)

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
