"""A question as a numbered list, and what a person types as the options chosen."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from anpai import Face, Option, Place, Question, View, card_in, place_of
from clients.terminal.screen.layout import is_own, layout_for
from clients.terminal.screen.lines import GAP, columns, hanging, paragraph
from clients.terminal.screen.reader import Reader, owner
from clients.terminal.words import Words


class NotUnderstood(Exception):
    """A sentence for the person who typed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its options in the order in which they are numbered from 1."""

    question: Question
    options: tuple[Option, ...]


def asked(view: View, question: Question, reader: Reader) -> Asked:
    """Like cards stand together, in the order of the catalogue; of those in hand that
    read alike one is enough where one is chosen."""

    badges = layout_for(view).badges

    def order(option: Option) -> tuple[bool, int, str, str, int]:
        card = card_in(view, option.card) if option.card else None
        rank = reader.rank(card.face) if card and card.HasField("face") else -1
        seat = -1 if option.seat is None else option.seat
        place = option.place or ""
        return place in badges, rank, option.card or "", place, seat

    if question.kind not in ("cards", "moves"):
        return Asked(question, tuple(question.options))
    options = sorted(question.options, key=order)
    if question.max == 1:
        options = once_each(view, options)
    return Asked(question, tuple(options))


def once_each(view: View, options: Sequence[Option]) -> list[Option]:
    """Without those whose card only differs by its handle from one in the same hand."""
    found: dict[object, Option] = {}
    for option in options:
        found.setdefault((kind_of(view, option), option.place, option.seat), option)
    return list(found.values())


def kind_of(view: View, option: Option) -> object:
    """What tells a card from others: all that is seen of it in a hand, or where cards
    that read alike lie as one; else itself."""
    lies = place_of(view, option.card) if option.card else None
    if lies is None or not lies[1].HasField("face"):
        return option.card
    place, card = lies
    if place.apart and layout_for(view).front is None:
        return option.card
    on_it = {(one.name, one.value) for one in view.markers if one.on == option.card}
    bringer = card.bringer if card.HasField("bringer") else None
    seat = owner(place.place)
    return place.place.name, seat, card.face, card.face_up, bringer, frozenset(on_it)


# ---- the list ------------------------------------------------------------------------


def listing(view: View, now: Asked, reader: Reader, width: int) -> list[Text]:
    """The question, its options, and how many to choose."""
    question, words = now.question, reader.words
    lines = paragraph(reader.word("question", question.name), width, style="bold")
    lines += columns([*entries(view, now, reader, width - 2)], width)
    if question.may_decline:
        told = reader.decline(question.name)
        if question.name not in reader.layout.weighty:
            told = words("ask.enter", told=told)
        lines.append(Text("  ").append_text(numbered(0, told)))
    if question.max > 1:
        lines.append(Text("  " + how_many(question, words), "dim"))
    return lines


def entries(view: View, now: Asked, reader: Reader, width: int) -> Iterator[Text]:
    """Each option with its number; the places that one card may go to on one line."""
    before: object = None
    line: Text | None = None
    for number, option in enumerate(now.options, 1):
        card = kind_of(view, option) if option.card and option.place else None
        if line is None or card is None or card != before:
            if line is not None:
                yield line
            line = numbered(number, option_name(view, option, reader))
        else:
            more = numbered(number, option_place(view, option, reader))
            if line.cell_len + GAP + more.cell_len > width:
                yield line
                line = Text("   ")
            line.append(" " * GAP).append_text(more)
        before = card
    if line is not None:
        yield line


def numbered(number: int, told: str) -> Text:
    return Text(f"{number:2} ", "bold green").append(told, "not bold default")


def how_many(question: Question, words: Words) -> str:
    if question.min == question.max:
        return words("ask.exactly", least=question.min)
    return words("ask.some", least=question.min, most=question.max)


def option_name(view: View, option: Option, reader: Reader) -> str:
    """An option in one short phrase."""
    if option.word is not None:
        return reader.word("option", option.word)
    if option.card is not None and option.place is not None:
        card, place = option_card(view, option, reader), option.place
        if place in layout_for(view).badges:
            name = reader.word("place", place)
            return reader.words("place.holds", place=name, cards=card)
        if place in layout_for(view).bare:
            return card
        return f"{card} → {option_place(view, option, reader)}"
    if option.card is not None:
        return option_card(view, option, reader) + where(view, option, reader)
    if option.place is not None:
        return option_place(view, option, reader)
    return reader.seat(view, option.seat or 0)


def option_card(view: View, option: Option, reader: Reader) -> str:
    card = card_in(view, option.card or "")
    if card is None or not card.HasField("face"):
        return reader.named(view, option.card or "")
    return reader.label(view, card) + reader.abilities(card.face)


def option_place(view: View, option: Option, reader: Reader) -> str:
    """A place of one's own by its bare name."""
    return place_seen_by(view, option.place or "", option.seat, reader)


def place_seen_by(view: View, name: str, seat: int | None, reader: Reader) -> str:
    place = Place(name=name, seat=seat)
    return reader.bare(place) if is_own(view, place) else reader.place(view, place)


def where(view: View, option: Option, reader: Reader) -> str:
    """Where a card on the table lies, if its name does not tell."""
    for place in view.places:
        for card in place.cards:
            if card.handle == option.card and place.apart and card.HasField("face"):
                name = place.place.name
                told = place_seen_by(view, name, owner(place.place), reader)
                return f" ({told})"
    return ""


# ---- what the cards do ---------------------------------------------------------------


def explained(
    view: View, now: Asked, reader: Reader, numbers: Sequence[int], width: int
) -> list[Text]:
    """What is to be said of these options; of all where none is named."""
    options = [now.options[number - 1] for number in numbers] or now.options
    faces = [face_of(view, option, reader) for option in options]
    lines = explain_all(filter(None, faces), reader, width)
    for option in options:
        said = reader.about(option.word) if option.word is not None else None
        lines += explain_word(*said, width) if said else []
    return lines


def explain_like(typed: str, reader: Reader, width: int) -> list[Text]:
    """Every card, and all else, whose name has this in it."""
    lines = explain_all(reader.faces_like(typed), reader, width)
    for said in reader.about_like(typed):
        lines += explain_word(*said, width)
    return lines


def face_of(view: View, option: Option, reader: Reader) -> Face | None:
    card = card_in(view, option.card) if option.card else None
    return reader.face(card.face) if card and card.HasField("face") else None


def explain_all(faces: Iterable[Face], reader: Reader, width: int) -> list[Text]:
    """Name, print and text of each card, those that read the same once."""
    lines: list[Text] = []
    told = {(face.name, face.text): face for face in reversed([*faces])}
    for (name, text), face in reversed(told.items()):
        items = [Text(name, "bold"), *map(Text, reader.printed(face))]
        lines += hanging("", items, width, indent=2)
        lines += paragraph(text, width, indent=4)
    return lines


def explain_word(name: str, text: str, width: int) -> list[Text]:
    return [Text("  ").append(name, "bold"), *paragraph(text, width, indent=4)]


# ---- what was typed ------------------------------------------------------------------


def chosen(typed: str, now: Asked, reader: Reader) -> list[Option]:
    """The options meant by "3", "1 3", "2-4", "0" or nothing; or NotUnderstood."""
    question, words, typed = now.question, reader.words, half_width(typed)
    if not typed.strip() and question.name in reader.layout.weighty:
        raise NotUnderstood(words("ask.weighty", told=reader.decline(question.name)))
    numbers = [] if typed.strip() in ("", "0") else numbers_in(typed, now, words)
    if not numbers and not question.may_decline:
        raise NotUnderstood(words("ask.must"))
    if len(set(numbers)) < len(numbers):
        raise NotUnderstood(words("ask.twice"))
    if numbers and not question.min <= len(numbers) <= question.max:
        key = "ask.so_many" if question.min == question.max else "ask.how_many"
        told = {"least": question.min, "most": question.max}
        raise NotUnderstood(words(key, **told))
    return [now.options[number - 1] for number in numbers]


def half_width(typed: str) -> str:
    """As it would have been typed without a Chinese input method."""
    return unicodedata.normalize("NFKC", typed)


def numbers_in(typed: str, now: Asked, words: Words) -> list[int]:
    """Numbers from 1 to the last option, single or as a range."""
    numbers: list[int] = []
    for word in half_width(typed).replace(",", " ").replace("、", " ").split():
        first, dash, last = word.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise NotUnderstood(words("ask.not_a_number", word=word[:20]))
        ends = int(first), int(last or first)
        if not 1 <= ends[0] <= ends[1] <= len(now.options):
            raise NotUnderstood(words("ask.out_of_range", word=word[:20]))
        numbers += range(ends[0], ends[1] + 1)
    return numbers
