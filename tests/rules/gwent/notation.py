"""A position of gwent, typed and compared alike.

    anna  Monsters, The Red Riders {used}   hand: Cow, 2 Nekker   pile: Scorch
          melee: Ves, Thaler {by ben}   melee slot: Commander's Horn   horns: siege
    ben   passed   ranged: 3 Scout 18   discard: Decoy   gems: 1
    weather: Biting Frost {by ben}
    round: 2   turn: ben   starts: ben   first: anna

A line is about the seat that it begins with (anna, ben, cleo, dan, eva, or `automaton`)
or that the line before was about; after a comma it goes on in the next. First come,
with commas, its faction, its leader (who tells the faction) and `passed`; then keys
with their cards. A card is called by its English name or by any part that no other name
has. A number before it is how many there are, one behind it the strength that it must
show. Braces say `by ben`: who brought it (else the seat of the line); on a leader
`used`.

Keys of a seat: `melee ranged siege`, `melee slot` (and so on), `hand` (else one dull
card, for who holds none may pass unasked), `pile discard aside`, `side deck` (else all
of the faction), `horns` (rows that a leader's horn is on), `gems` (else 2), `points
games total`; of the automaton `leaders` (its pile) and `under` (its decoys). A pile is
written from the top. Keys of the table: `weather removed`, `round` (else 1), `turn
starts first` (else anna), `lots`: what chance will pick, each an index into what it
picks among (by place, in the order laid; else the first ones). Partners share rows,
slots and discard: what either line has is on their side.

Compared with a table, all rows and slots of the sides named must be as written, and the
weather. In a row where one strength is written all are (a decoy has none); where it is
written who brought one card, that is compared of all. Everything else is compared only
where it is named. `hand: 3 cards` counts; to lay out, it is three dull ones.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import FACTIONS, ROWS, Kind
from tests.rules.driving import SEATS

TABLE, AUTOMATON = "table", "automaton"
NAMES: dict[str, str] = {face: card.name.en for face, card in CARDS.items()}
DULL = "vesemir"
LINES = [*ROWS, *(f"{row} slot" for row in ROWS)]
PILES = ["hand", "pile", "discard", "aside", "side deck", "weather", "removed"]
PILES += ["leaders", "under"]
COUNTERS = ["gems", "points", "games", "total"]
KEY = re.compile(
    rf"\b({'|'.join([f'{row} slot' for row in ROWS])}|{'|'.join(ROWS)}"
    rf"|{'|'.join(PILES)}|{'|'.join(COUNTERS)}|horns|round|turn|starts|first|lots):"
)


# A line that ends with a comma goes on in the next.
ENDS = re.compile(r",\s*\n\s*")


def face_of(text):
    """The card of this name, or the only one whose name has this in it."""
    exact = [face for face, name in NAMES.items() if name == text]
    found = exact or [face for face, name in NAMES.items() if text in name]
    assert found, f"no card is called {text!r}"
    assert len(found) == 1, f"{text!r} may be any of {[NAMES[f] for f in found]}"
    return found[0]


@dataclass
class Piece:
    """Cards of one name as written."""

    face: str
    count: int
    strength: int | None
    notes: list[str]
    owner: str = SEATS[0]

    @property
    def tells_bringer(self):
        return any(note.startswith("by ") for note in self.notes)

    @property
    def by(self):
        """Who brought it: the seat of the line, where nothing else is written."""
        named = [note[3:] for note in self.notes if note.startswith("by ")]
        return named[0] if named else self.owner


@dataclass
class Position:
    """Everything written: by (owner, key) the cards, and the words as they stand.

    An owner is a seat's name, `automaton`, or `table`.
    """

    owners: list[str] = field(default_factory=list)
    cards: dict[tuple[str, str], list[Piece]] = field(
        default_factory=lambda: defaultdict(list)
    )
    words: dict[tuple[str, str], str] = field(default_factory=dict)
    leaders: dict[str, Piece] = field(default_factory=dict)
    factions: dict[str, str] = field(default_factory=dict)
    passed: list[str] = field(default_factory=list)

    def word(self, key, default):
        """What stands behind a key of the table."""
        return self.words.get((TABLE, key), default)


def read(text):
    position = Position()
    owner = TABLE
    for line in filter(None, map(str.strip, ENDS.sub(", ", text).splitlines())):
        first, _, rest = line.partition(" ")
        if first in (*SEATS, AUTOMATON):
            owner, line = first, rest
            position.owners += [] if owner in position.owners else [owner]
        read_line(position, owner, line)
    return position


ABOUT_ALL = ("weather", "removed", "round", "turn", "starts", "first", "lots")


def read_line(position, owner, line):
    head, *parts = KEY.split(line)
    for word in filter(None, map(str.strip, head.split(","))):
        read_head(position, owner, word)
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        of = TABLE if key in ABOUT_ALL else owner
        position.words[of, key] = value.strip()
        if key in (*LINES, *PILES):
            owner_of_all = SEATS[0] if of == TABLE else owner
            for piece in read_cards(value):
                piece.owner = owner_of_all
                position.cards[of, key].append(piece)


def read_head(position, owner, word):
    if word == "passed":
        position.passed.append(owner)
        return
    faction = word.lower().replace("'", "").replace(" ", "_")
    if faction not in FACTIONS:
        position.leaders[owner] = leader = read_card(word)
        assert CARDS[leader.face].kind is Kind.LEADER, f"{word} is no leader"
        faction = CARDS[leader.face].faction
    position.factions[owner] = faction


def read_cards(text):
    if text.strip() == "nothing":
        return []
    if number := is_number(text):
        return [Piece(DULL, int(number[1]), None, [])]
    written = re.split(r",(?![^{]*})", text)
    return [read_card(one.strip()) for one in written if one.strip()]


def is_number(text):
    return re.fullmatch(r"\s*(\d+) cards?\s*", text)


def read_card(text):
    notes = [
        n.strip() for note in re.findall(r"{([^}]*)}", text) for n in note.split(",")
    ]
    found = re.fullmatch(
        r"(?:(\d+) )?(.*?)(?: (\d+))?", re.sub(r"{[^}]*}", "", text).strip()
    )
    assert found
    count, name, strength = found.groups()
    shown = None if strength is None else int(strength)
    return Piece(face_of(name), int(count or 1), shown, notes)


# -- what a position expects ---------------------------------------------------------


class Shown(NamedTuple):
    """What is compared of the cards of a place besides their names."""

    strength: bool = False
    bringer: bool = False


def shown_of(pieces):
    """Strengths where one is written, bringers where one is written."""
    return Shown(
        any(piece.strength is not None for piece in pieces),
        any(piece.tells_bringer for piece in pieces),
    )


NAMES_ALONE = Shown()


def tokens(pieces, shown=NAMES_ALONE):
    """Each card as it is compared."""
    return sorted(token(piece, shown) for piece in pieces for _ in range(piece.count))


def token(piece, shown):
    has_strength = shown.strength and piece.strength is not None
    strength = f" {piece.strength}" if has_strength else ""
    by = f" by {piece.by}" if shown.bringer else ""
    return f"{NAMES[piece.face]}{strength}{by}"


def number_or_names(words, pieces):
    """How many cards, or which."""
    found = is_number(words)
    return int(found[1]) if found else tokens(pieces)
