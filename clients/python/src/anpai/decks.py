"""Decks as text that a person writes, read and written with a game's catalogue.

    # my first deck
    faction: Northern Realms
    leader: Foltest: The Siegemaster
    3 Blue Stripes Commando
    Geralt of Rivia

A card goes by its name in any catalogue given, or by its id; capitals, accents, spaces
and punctuation do not matter. `#` begins a comment, `---` the next deck of a file.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum

from anpai.engine.v1.catalog_pb2 import Catalog, Face
from anpai.faults import AnpaiError

# The faces of a deck as the catalogue names them (`gwent/geralt`), its leader's too.
Deck = tuple[str, ...]

MOST_COPIES = 99
MOST_LINES = 500
LONGEST_LINE = 200
MOST_HINTED = 20

LEADER_KEYS = frozenset({"leader", "领袖"})
FACTION_KEYS = frozenset({"faction", "阵营"})

COMMENT = re.compile(r"(^|\s)[#＃].*")
SEPARATOR = re.compile(r"[-—]{3,}")
HEAD = re.compile(r"([^:：]+)[:：](.*)")
COUNTED = re.compile(r"(\d+)\s*(?:[×*张]|x(?=\s))?\s*(.+)", re.IGNORECASE)


class LineTrouble(StrEnum):
    """What can be wrong with a line of a deck."""

    UNKNOWN_CARD = "unknown_card"
    AMBIGUOUS_CARD = "ambiguous_card"
    NOT_A_LEADER = "not_a_leader"
    BAD_COUNT = "bad_count"
    UNKNOWN_FACTION = "unknown_faction"
    OTHER_FACTION = "other_faction"
    SAID_TWICE = "said_twice"
    NO_CARDS = "no_cards"
    ANOTHER_DECK = "another_deck"
    TOO_LONG = "too_long"


SENTENCES = {
    LineTrouble.UNKNOWN_CARD: "there is no card {word!r}",
    LineTrouble.AMBIGUOUS_CARD: "several cards are called {word!r}; use an id",
    LineTrouble.NOT_A_LEADER: "{word!r} is not a leader",
    LineTrouble.BAD_COUNT: f"a card is counted from 1 to {MOST_COPIES}, not {{word}}",
    LineTrouble.UNKNOWN_FACTION: "there is no faction {word!r}",
    LineTrouble.OTHER_FACTION: "the leader is not of the faction {word!r}",
    LineTrouble.SAID_TWICE: "a deck says {word!r} once",
    LineTrouble.NO_CARDS: "this deck has no cards",
    LineTrouble.ANOTHER_DECK: "one deck is wanted, and here another begins",
    LineTrouble.TOO_LONG: "this is too long for a deck",
}


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong with one line; `hints` are names or ids that may be meant."""

    line: int
    trouble: LineTrouble
    word: str = ""
    hints: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f"line {self.line}: {SENTENCES[self.trouble].format(word=self.word)}"
        return f"{said} ({', '.join(self.hints)}?)" if self.hints else said


class DeckUnreadable(AnpaiError):
    """A deck's text could not be read; `faults` has all that is wrong, by line."""

    def __init__(self, faults: Sequence[LineFault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class DeckText:
    """A deck that was read, and the first line that names each of its faces."""

    deck: Deck
    lines: Mapping[str, int]


def read_deck(text: str, *catalogs: Catalog) -> Deck:
    """The one deck of a text; DeckUnreadable.

    Give the catalogue in every language whose names are to be understood.
    """
    return read_decks(text, *catalogs, most=1)[0].deck


def read_decks(text: str, *catalogs: Catalog, most: int = 3) -> list[DeckText]:
    """Every deck of a text, `---` between them; DeckUnreadable."""
    reading = _Reading(_Book(catalogs), most)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if number > MOST_LINES:
            reading.fault(number, LineTrouble.TOO_LONG)
            break
        reading.read(number, line)
    reading.end_deck()
    if reading.faults:
        raise DeckUnreadable(sorted(reading.faults, key=lambda one: one.line))
    return reading.decks


def written(deck: Iterable[str], catalog: Catalog, title: str = "") -> str:
    """A deck as text that `read_deck` gives back, kind by kind."""
    book = _Book([catalog])
    copies = Counter(deck)
    lines = [f"# {' '.join(title.split())}"] if title else []
    leaders = [one for one in copies if one in book.leaders]
    if len(leaders) == 1:
        lines += _head(book, leaders[0], catalog)
        copies[leaders[0]] -= 1
    kind = None
    for face in sorted(+copies, key=book.place):
        if lines and book.kind(face) != kind:
            lines.append("")
        kind = book.kind(face)
        number = f"{copies[face]} " if copies[face] > 1 else ""
        lines.append(number + book.call(face))
    return "\n".join([*lines, ""])


def _head(book: "_Book", leader: str, catalog: Catalog) -> Iterator[str]:
    faction = book.faces[leader].attributes.get("faction", "")
    is_chinese = catalog.locale.startswith("zh")
    if faction:
        word = book.words.get(faction, faction)
        yield f"阵营：{word}" if is_chinese else f"faction: {word}"
    name = book.call(leader)
    yield f"领袖：{name}" if is_chinese else f"leader: {name}"


def plain(word: str) -> str:
    """Letters and digits only, without capitals and accents."""
    folded = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in folded if letter.isalnum())


class _Book:
    """What a card or a faction may be called."""

    def __init__(self, catalogs: Sequence[Catalog]) -> None:
        self.faces: dict[str, Face] = {}
        self.words: dict[str, str] = {}
        self.names: dict[str, list[str]] = {}
        self.factions: dict[str, str] = {}
        for catalog in catalogs:
            for face in catalog.faces:
                self._add(face, catalog)
        self.leaders = {id for id, one in self.faces.items() if one.kind == "leader"}
        self._ranks = {id: number for number, id in enumerate(self.faces)}
        self._kinds = list(dict.fromkeys(one.kind for one in self.faces.values()))

    def _add(self, face: Face, catalog: Catalog) -> None:
        self.faces.setdefault(face.id, face)
        for name in (face.name, face.id, face.id.removeprefix(f"{catalog.game}/")):
            known = self.names.setdefault(plain(name), [])
            if face.id not in known:
                known.append(face.id)
        if faction := face.attributes.get("faction", ""):
            word = catalog.words.get(f"option.{faction}", faction)
            self.words.setdefault(faction, word)
            self.factions |= {plain(faction): faction, plain(word): faction}

    def kind(self, face: str) -> str:
        return self.faces[face].kind if face in self.faces else ""

    def rank(self, face: str) -> tuple[int, str]:
        return self._ranks.get(face, len(self._ranks)), face

    def place(self, face: str) -> tuple[int, tuple[int, str]]:
        """Where it is written: its kind's place, then its own."""
        kind = self.kind(face)
        kinds = self._kinds
        return kinds.index(kind) if kind in kinds else len(kinds), self.rank(face)

    def call(self, face: str) -> str:
        """Its name, if that means nothing else; or its id."""
        name = self.faces[face].name if face in self.faces else face
        is_clear = self.names.get(plain(name)) == [face] and not COMMENT.search(name)
        return name if is_clear and not COUNTED.fullmatch(name) else face

    def near(self, word: str) -> tuple[str, ...]:
        """At most three names that this one may have been meant for."""
        wanted = plain(word)
        inside = [name for name in self.names if wanted and wanted in name]
        close = get_close_matches(wanted, self.names, n=3)
        ids = dict.fromkeys(self.names[name][0] for name in [*close, *inside])
        return tuple(self.call(id) for id in [*ids][:3])


@dataclass
class _Reading:
    """A text as far as it has been read, and the deck at hand."""

    book: _Book
    most: int
    decks: list[DeckText] = field(default_factory=list)
    faults: list[LineFault] = field(default_factory=list)
    line: int = 0
    is_bad: bool = False
    cards: list[str] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    leader: str | None = None
    faction: tuple[int, str, str] | None = None

    def fault(
        self, line: int, trouble: LineTrouble, word: str = "", hints: Iterable[str] = ()
    ) -> None:
        self.faults.append(LineFault(line, trouble, word, tuple(hints)))
        self.is_bad = True

    def read(self, number: int, line: str) -> None:
        self.line = number
        if len(line) > LONGEST_LINE:
            self.fault(number, LineTrouble.TOO_LONG)
            return
        said = COMMENT.sub("", line).strip()
        if SEPARATOR.fullmatch(said):
            self.end_deck()
            if len(self.decks) + 1 > self.most:
                self.fault(number, LineTrouble.ANOTHER_DECK)
        elif said:
            self._read_words(said)

    def _read_words(self, said: str) -> None:
        head = HEAD.fullmatch(said)
        key = head[1].strip().casefold() if head else ""
        if head and key in LEADER_KEYS:
            self._read_leader(key, head[2].strip())
        elif head and key in FACTION_KEYS:
            self._read_faction(key, head[2].strip())
        else:
            self._read_card(said)

    def _read_leader(self, key: str, name: str) -> None:
        if self.leader is not None:
            self.fault(self.line, LineTrouble.SAID_TWICE, key)
        self.leader = ""
        face = self._face(name)
        if face is not None and face not in self.book.leaders:
            self.fault(self.line, LineTrouble.NOT_A_LEADER, name)
        elif face is not None:
            self.leader = face
            self._add(face, 1)

    def _read_faction(self, key: str, word: str) -> None:
        if self.faction is not None:
            self.fault(self.line, LineTrouble.SAID_TWICE, key)
        found = self.book.factions.get(plain(word))
        if found is None:
            known = sorted(self.book.words.values())
            self.fault(self.line, LineTrouble.UNKNOWN_FACTION, word, known)
        self.faction = (self.line, word, found or "")

    def _read_card(self, said: str) -> None:
        counted = COUNTED.fullmatch(said)
        if counted is None or plain(said) in self.book.names:
            count, name = 1, said
        else:
            count, name = int(counted[1]), counted[2]
        face = self._face(name)
        if not 1 <= count <= MOST_COPIES:
            self.fault(self.line, LineTrouble.BAD_COUNT, str(count))
        elif face is not None:
            self._add(face, count)

    def _add(self, face: str, count: int) -> None:
        self.cards += [face] * count
        self.lines.setdefault(face, self.line)

    def _face(self, name: str) -> str | None:
        found = self.book.names.get(plain(name), [])
        if len(found) == 1:
            return found[0]
        if found:
            self.fault(self.line, LineTrouble.AMBIGUOUS_CARD, name, found)
        else:
            hints = self.book.near(name) if len(self.faults) < MOST_HINTED else ()
            self.fault(self.line, LineTrouble.UNKNOWN_CARD, name, hints)
        return None

    def end_deck(self) -> None:
        """What can be said only of the whole; and the next deck begins."""
        if self.faction is not None and self.leader:
            line, word, faction = self.faction
            own = self.book.faces[self.leader].attributes.get("faction", "")
            if faction and own != faction:
                self.fault(line, LineTrouble.OTHER_FACTION, word)
        if not self.cards and not self.is_bad:
            self.fault(max(1, self.line), LineTrouble.NO_CARDS)
        deck = tuple(sorted(self.cards, key=self.book.rank))
        self.decks.append(DeckText(deck, self.lines))
        self.cards, self.lines, self.is_bad = [], {}, False
        self.leader = self.faction = None
