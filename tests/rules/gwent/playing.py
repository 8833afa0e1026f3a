"""A game of gwent as a test plays and reads it."""

from services.engine.games.gwent.board import (
    HAND,
    LEADER,
    REMOVED,
    WEATHER,
    pile,
    side_deck,
    side_of,
    sides,
)
from services.engine.games.gwent.pieces import ROWS
from services.engine.kernel import Card, Move, Place
from services.engine.kernel import event as happened
from services.engine.kernel.sight import sees
from tests.rules.driving import SEATS, Driven, Sitting
from tests.rules.gwent.notation import (
    AUTOMATON,
    COUNTERS,
    LINES,
    NAMES,
    NAMES_ALONE,
    TABLE,
    Shown,
    face_of,
    number_or_names,
    read,
    shown_of,
    tokens,
)

SIDE_COUNTERS = ("gems", "total")


def number_of(owner):
    """A seat's number; None is the automaton's."""
    return None if owner == AUTOMATON else SEATS.index(owner)


def line_of(side, key):
    """A row, or the slot beside it."""
    row, _, slot = key.partition(" ")
    return side.slot(row) if slot else side.row(row)


class Gwent(Driven):
    """A game in motion, as a test plays and reads it."""

    anna: "Seat"
    ben: "Seat"
    cleo: "Seat"
    dan: "Seat"
    eva: "Seat"
    names = NAMES

    def sit(self, seat):
        return Seat(self, seat)

    def side(self, owner):
        return side_of(self.table, number_of(owner))

    # -- reading --

    @property
    def totals(self):
        """Of every side, in seat order."""
        return [self.counter_of(one, "total") for one in sides(self.table)]

    @property
    def gems(self):
        return [self.counter_of(one, "gems") for one in sides(self.table)]

    @property
    def points(self):
        return [self.table.counter("points", seat) for seat in self.table.seats]

    def counter_of(self, side, key):
        return self.table.counter(f"{side.prefix}{key}", side.seat)

    @property
    def round(self):
        return self.table.counter("round")

    @property
    def turn(self):
        """Whose turn it is, by name."""
        return self.marked("turn")[0]

    @property
    def passed(self):
        """Who has passed in this round, in seat order."""
        return self.marked("passed")

    def marked(self, name):
        marker = self.table.marker
        return [SEATS[s] for s in self.table.seats if marker(name, s) is not None]

    @property
    def moved(self):
        """What went where, one list for each event, as "Ves to ben's discard"."""
        moves = [e for e in self.events if isinstance(e, happened.CardsMoved)]
        return [[self.way(one) for one in event.cards] for event in moves]

    @property
    def discarded(self):
        """What has gone to a discard, by name, one list for each event."""
        found = [
            sorted(NAMES[str(w.face)] for w in e.cards if w.to.name.endswith("discard"))
            for e in self.events
            if isinstance(e, happened.CardsMoved)
        ]
        return [names for names in found if names]

    def way(self, way):
        to = way.to.name.replace("_", " ")
        owner = "" if way.to.seat is None else f"{SEATS[way.to.seat]}'s "
        return f"{NAMES.get(way.face or '', 'a card')} to {owner}{to}"

    @property
    def shuffled(self):
        """The piles that were shuffled, as "anna's pile"."""
        decks = [e.deck for e in self.events if isinstance(e, happened.DeckShuffled)]
        return [
            deck.name.replace("_", " ")
            if deck.seat is None
            else f"{SEATS[deck.seat]}'s {deck.name}"
            for deck in decks
        ]

    def card(self, name):
        """The first card of this name that lies anywhere but in a deck."""
        face = face_of(name)
        for place in self.table.places():
            for card in self.table.cards(place):
                if self.box.faces[card.handle] == face:
                    return card
        raise AssertionError(f"there is no {name} here")

    def marker(self, name, on=None):
        """A marker's value: of the table, of a seat, or of the card of this name."""
        if on in SEATS:
            return self.table.marker(name, SEATS.index(on))
        return self.table.marker(name, on and self.card(on))

    def public_sees(self, name):
        return sees(self.table.seers(self.card(name)), None)

    # -- comparing --

    def shows(self, text):
        """Asserts that the table is as written."""
        position = read(text)
        position.words.pop((TABLE, "lots"), None)
        is_, written = self.render(position), self.expected(position)
        wrong = {
            key: (is_[key], written[key]) for key in is_ if is_[key] != written[key]
        }
        told = [f"{key}: {one}, not {other}" for key, (one, other) in wrong.items()]
        assert not wrong, "\n".join([*told, repr(self)])
        return self

    def expected(self, position):
        """What is written, as `render` tells it."""
        told = {}
        for side, key, pieces in self.lines_of(position):
            told[side.prefix, side.seat, key] = tokens(pieces, shown_of(pieces))
        weather = position.cards[TABLE, "weather"]
        told["weather"] = tokens(weather, shown_of(weather))
        for (owner, key), words in position.words.items():
            if key in COUNTERS or key in ("round", "turn", "starts", "first", "horns"):
                told[owner, key] = words
            elif key not in (*LINES, "weather"):
                told[owner, key] = number_or_names(words, position.cards[owner, key])
        for owner, leader in position.leaders.items():
            told[owner, "leader"] = [NAMES[leader.face], *leader.notes]
        for owner in position.passed:
            told[owner, "passed"] = True
        return told

    def render(self, position):
        """What the position speaks of, as it is."""
        told = {}
        for side, key, pieces in self.lines_of(position):
            cards = self.table.cards(line_of(side, key))
            told[side.prefix, side.seat, key] = self.tokens(cards, shown_of(pieces))
        shown = shown_of(position.cards[TABLE, "weather"])
        told["weather"] = self.tokens(self.table.cards(WEATHER), shown)
        for (owner, key), words in position.words.items():
            if key not in (*LINES, "weather"):
                told[owner, key] = self.told(owner, key, words)
        for owner in position.leaders:
            told[owner, "leader"] = self.leader_of(owner)
        for owner in position.passed:
            told[owner, "passed"] = owner in self.passed
        return told

    def lines_of(self, position):
        """The rows and slots of all sides named, with all that is written there."""
        owners: dict = {}
        for owner in position.owners:
            owners.setdefault(self.side(owner), []).append(owner)
        for side, some in owners.items():
            for key in LINES:
                yield side, key, [p for o in some for p in position.cards[o, key]]

    def told(self, owner, key, words):
        """What lies or stands behind a key, in the form it is written in."""
        if key in COUNTERS:
            side = self.side(owner)
            if key in SIDE_COUNTERS:
                return str(self.counter_of(side, key))
            return str(self.table.counter(key, number_of(owner)))
        if key == "horns":
            side = self.side(owner)
            horns = [r for r in ROWS if self.table.marker("horn", side.row(r)) == ""]
            return ", ".join(horns) or "nothing"
        if key == "round":
            return str(self.round)
        if key in ("turn", "starts", "first"):
            return ", ".join(self.marked(key))
        found = self.names_in(self.place(owner, key))
        return len(found) if words.endswith(("card", "cards")) else found

    def place(self, owner, key):
        if owner == TABLE:
            return REMOVED
        who, side = number_of(owner), self.side(owner)
        places = {"pile": pile(who), "side deck": side_deck(who)}
        places["discard"] = side.discard
        return places.get(key) or Place(f"{side.prefix}{key}", who)

    def names_in(self, place):
        """By name, whoever may know them."""
        if self.table.is_deck(place):
            return sorted(NAMES[face] for face in self.box.decks[place.id])
        return self.tokens(self.table.cards(place))

    def tokens(self, cards, shown=NAMES_ALONE):
        return sorted(self.token(card, shown) for card in cards)

    def token(self, card, shown):
        strength = self.table.marker("strength", card) if shown.strength else None
        by = AUTOMATON if card.bringer is None else SEATS[card.bringer]
        return "".join(
            [
                self.name_of(card.handle),
                f" {strength}" if strength else "",
                f" by {by}" if shown.bringer else "",
            ]
        )

    def leader_of(self, owner):
        (leader,) = self.table.cards(LEADER[number_of(owner)])
        used = self.table.marker("used", leader) is not None
        return [NAMES[str(leader.face)], *(["used"] if used else [])]

    def __repr__(self):
        lines = []
        for one in sides(self.table):
            lines.append(f"{AUTOMATON if one.seat is None else SEATS[one.seat]}")
            lies = [(key, self.table.cards(line_of(one, key))) for key in LINES]
            lies.append(("discard", self.table.cards(one.discard)))
            lies += [("hand", self.table.cards(HAND[seat])) for seat in one.seats]
            for key, cards in lies:
                if cards:
                    shown = Shown(strength=key in list(ROWS))
                    written = ", ".join(self.tokens(cards, shown))
                    lines.append(f"    {key}: {written}")
        lines.append(f"weather: {', '.join(self.tokens(self.table.cards(WEATHER)))}")
        lines.append(f"totals: {self.totals}   gems: {self.gems}   round: {self.round}")
        return "\n".join(["", *lines, f"asked: {self.waits_for}"])


class Seat(Sitting):
    """What one seat is asked, does and sees."""

    # -- its turn --

    def plays(self, name, to=None):
        """Plays a card; `to` where it may go to several places: "ben's melee"."""
        return self.chooses(f"{name} to {to}" if to else name, of="turn")

    def passes(self):
        return self.chooses(of="turn")

    def uses_leader(self):
        (leader,) = self.game.table.cards(LEADER[self.seat])
        return self.chooses(f"{NAMES[str(leader.face)]} to leader", of="turn")

    # -- how options are called --

    def where(self, place):
        name = place.name.replace("_", " ")
        own = self.game.side(SEATS[self.seat])
        if place.seat in (None, own.seat) or place.seat == self.seat:
            return name
        return f"{SEATS[place.seat]}'s {name}"

    def find(self, question, name, taken):
        named, _, to = name.partition(" to ")
        pairs = zip(question.options, question.ids, strict=True)
        found = [
            (option, key)
            for option, key in pairs
            if key not in taken and self.is_meant(option, named, to)
        ]
        assert found, f"{name} is not among {self.options}"
        places = {option.place for option, _ in found if isinstance(option, Move)}
        assert len(places) < 2, f"where to? {self.options}"
        return found[0][1]

    def is_meant(self, option, named, to):
        if isinstance(option, Move):
            fits = not to or self.where(option.place) == to
            return fits and self.is_called(option.card, named)
        if isinstance(option, Card):
            return self.is_called(option, named)
        return self.describe(option) == named

    def is_called(self, card, named):
        return self.game.box.faces[card.handle] == face_of(named)

    # -- holding --

    @property
    def playable(self):
        """Which cards it may play, by name, each once."""
        moves = [option for option in self.question.options if isinstance(option, Move)]
        return sorted({self.game.name_of(move.card.handle) for move in moves})

    @property
    def hand(self):
        """What it holds, by name."""
        return self.game.names_in(HAND[self.seat])

    @property
    def pile(self):
        """What is left of its deck, by name, from the top."""
        return [NAMES[face] for face in self.game.box.decks[pile(self.seat).id]]
