"""`anpai deck check` and what all of `anpai deck` reads: decks written as text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from anpai import Deck, DeckUnreadable, LineFault, read_decks
from anpai.decks import MOST_LINES
from clients.terminal.installed import catalog_of, must_know
from clients.terminal.say import Trouble
from clients.terminal.screen.lines import paragraph
from clients.terminal.words import Words
from services.local import GAMES

# Far more than a person writes into a file of three decks.
MOST_BYTES = MOST_LINES * 400


@dataclass(frozen=True, slots=True)
class Entry:
    """A deck as it stands in a file; `lines` says where a face is first named."""

    file: str
    deck: Deck
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why a text is no deck."""

    file: str
    line: int
    trouble: str
    word: str
    hints: tuple[str, ...]
    text: str


class Unreadable(Exception):
    """Files that hold no deck, with every mistake in all of them."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__()
        self.mistakes = mistakes


# ---- reading -------------------------------------------------------------------------


def read_files(files: Sequence[Path], game: str, words: Words) -> list[Entry]:
    """The decks of every file, in order; Unreadable with all mistakes at once."""
    entries: list[Entry] = []
    mistakes: list[Mistake] = []
    for file in files:
        try:
            entries += read_file(file, game, words)
        except DeckUnreadable as error:
            mistakes += [told(file, fault, words) for fault in error.faults]
        except OSError as error:
            sentence = words("deck.no_file", reason=error.strerror)
            mistakes.append(Mistake(str(file), 0, "no_file", "", (), sentence))
        except ValueError:
            sentence = words("deck.no_text")
            mistakes.append(Mistake(str(file), 0, "no_text", "", (), sentence))
    if mistakes:
        raise Unreadable(mistakes)
    return entries


def read_file(file: Path, game: str, words: Words) -> list[Entry]:
    """Names of either language will do; hints are in the one that is spoken."""
    catalogs = [catalog_of(game, language) for language in ("zh", "en")]
    if words.language == "en":
        catalogs.reverse()
    with file.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError
    found = read_decks(data.decode(), *catalogs)
    return [Entry(str(file), one.deck, one.lines) for one in found]


def told(file: Path, fault: LineFault, words: Words) -> Mistake:
    sentence = words(f"deck.line.{fault.trouble}", word=fault.word)
    if fault.hints:
        hints = words("list.comma").join(fault.hints)
        sentence = words("deck.meant", sentence=sentence, hints=hints)
    line, trouble = fault.line, fault.trouble.value
    return Mistake(str(file), line, trouble, fault.word, fault.hints, sentence)


# ---- what is in a deck ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Totals:
    """A deck in numbers: what its rules count."""

    faction: str
    leader: str
    units: int
    specials: int
    spies: int
    medics: int
    strength: int


def totals_of(deck: Deck, game: str) -> Totals:
    faces = {face.id: face for face in catalog_of(game, "en").faces}
    cards = [faces[face] for face in deck]
    leader = next((card for card in cards if card.kind == "leader"), None)
    abilities = [card.attributes.get("abilities", "").split() for card in cards]
    return Totals(
        faction=leader.attributes["faction"] if leader else "",
        leader=leader.id if leader else "",
        units=sum(card.kind in ("unit", "hero") for card in cards),
        specials=sum(card.kind in ("special", "weather") for card in cards),
        spies=sum("spy" in one for one in abilities),
        medics=sum("medic" in one for one in abilities),
        strength=sum(int(card.attributes.get("strength", "0")) for card in cards),
    )


# ---- checking ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a deck may not be played; line 0 is about the whole of it."""

    file: str
    line: int
    face: str
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """All decks that were given, and all that is wrong with them."""

    variant: str
    entries: Sequence[Entry]
    findings: Sequence[Finding]


def must_have_decks(game: str, words: Words) -> None:
    """Trouble for a game that is not installed, or to which nobody brings a deck."""
    must_know(game, words)
    if not any(variant.decks for variant in GAMES[game].variants):
        raise Trouble(words("deck.no_decks", game=game))


def variant_of(
    game: str, words: Words, *, advanced: bool = False, tournament: bool = False
) -> str:
    """The variant that the options name: its decks are what is checked."""
    must_have_decks(game, words)
    if advanced and tournament:
        raise Trouble(words("deck.one_of_them"))
    if tournament:
        return "tournament"
    return "advanced" if advanced else GAMES[game].variants[0].name


def check(entries: Sequence[Entry], game: str, variant: str, words: Words) -> Checked:
    """A tournament's decks are looked at together, all others one by one."""
    together = variant == "tournament"
    groups = [list(entries)] if together else [[one] for one in entries]
    findings = [one for group in groups for one in faults(group, game, variant, words)]
    return Checked(variant, entries, findings)


def faults(
    entries: Sequence[Entry], game: str, variant: str, words: Words
) -> Iterator[Finding]:
    bare = [
        tuple(face.removeprefix(f"{game}/") for face in entry.deck) for entry in entries
    ]
    for fault in GAMES[game].deck_faults(variant, bare):
        text = fault.text.zh if words.language == "zh" else fault.text.en
        face = f"{game}/{fault.face}" if fault.face else ""
        if fault.deck < len(entries):
            entry = entries[fault.deck]
            yield Finding(entry.file, entry.lines.get(face, 0), face, text)
        else:
            yield Finding("", 0, face, text)


# ---- what is shown -------------------------------------------------------------------


def print_mistakes(mistakes: Sequence[Mistake], out: Console) -> None:
    for one in mistakes:
        line_of(one.file, one.line, one.text, out)


def print_checked(checked: Checked, game: str, words: Words, out: Console) -> None:
    """Every fault, or what each legal deck has."""
    for one in checked.findings:
        line_of(one.file, one.line, one.text, out)
    if not checked.findings:
        for entry in checked.entries:
            summary = legal_sentence(entry.deck, game, words)
            line_of(entry.file, 0, summary, out, good=True)


def line_of(
    file: str, line: int, sentence: str, out: Console, *, good: bool = False
) -> None:
    where = ":".join(part for part in (file, str(line or "")) if part)
    said = f"{where}: {sentence}" if where else sentence
    mark = Text("✓ ", "bold green") if good else Text("✗ ", "bold red")
    for text in paragraph(said, out.width - 2):
        out.print(mark.append_text(text), soft_wrap=True)
        mark = Text("  ")


def legal_sentence(deck: Deck, game: str, words: Words) -> str:
    totals = totals_of(deck, game)
    catalog = catalog_of(game, words.language)
    names = {face.id: face.name for face in catalog.faces}
    faction = catalog.words.get(f"option.{totals.faction}", totals.faction)
    values = asdict(totals) | {"faction": faction, "leader": names[totals.leader]}
    return words("deck.legal", **values)


def mistakes_as_json(mistakes: Sequence[Mistake]) -> dict[str, object]:
    return {"legal": False, "unreadable": [asdict(one) for one in mistakes]}


def checked_as_json(checked: Checked, game: str) -> dict[str, object]:
    decks = [
        {"file": one.file, **asdict(totals_of(one.deck, game))}
        for one in checked.entries
    ]
    return {
        "legal": not checked.findings,
        "variant": checked.variant,
        "decks": decks,
        "faults": [asdict(one) for one in checked.findings],
    }
