"""A question as a numbered list, and what a person types as the options chosen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from anpai import Face, Option, Question, View, card_in
from clients.terminal.screen.lines import columns, paragraph
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
    """Like cards stand together, in the order of the catalogue."""

    def order(option: Option) -> tuple[int, str, str, int]:
        card = card_in(view, option.card) if option.card else None
        rank = reader.rank(card.face) if card and card.HasField("face") else -1
        seat = -1 if option.seat is None else option.seat
        return rank, option.card or "", option.place or "", seat

    by_rank = question.kind in ("cards", "moves")
    options = sorted(question.options, key=order) if by_rank else question.options
    return Asked(question, tuple(options))


# ---- the list ------------------------------------------------------------------------


def listing(view: View, now: Asked, reader: Reader, width: int) -> list[Text]:
    """The question, its options, and how many to choose."""
    question, words = now.question, reader.words
    lines = paragraph(reader.word("question", question.name), width, style="bold")
    lines += columns(
        [
            numbered(number, option_name(view, option, reader))
            for number, option in enumerate(now.options, 1)
        ],
        width,
    )
    if question.may_decline:
        told = words("ask.enter", told=reader.decline(question.name))
        lines.append(Text("  ").append_text(numbered(0, told)))
    if question.max > 1:
        lines.append(Text("  " + how_many(question, words), "dim"))
    return lines


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
        card = option_card(view, option, reader)
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
    return reader.label(view, card)


def option_place(view: View, option: Option, reader: Reader) -> str:
    """A place of one's own by its bare name."""
    return place_seen_by(view, option.place or "", option.seat, reader)


def place_seen_by(view: View, name: str, seat: int | None, reader: Reader) -> str:
    place = reader.word("place", name)
    if seat is None or (view.HasField("viewer") and view.viewer == seat):
        return place
    return reader.words("place.of", seat=reader.seat(view, seat), place=place)


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
    """The words on the cards among these options."""
    wanted = numbers or range(1, len(now.options) + 1)
    faces = [face_of(view, now.options[number - 1], reader) for number in wanted]
    return explain_all([face for face in faces if face is not None], width)


def face_of(view: View, option: Option, reader: Reader) -> Face | None:
    card = card_in(view, option.card) if option.card else None
    return reader.face(card.face) if card and card.HasField("face") else None


def explain_all(faces: Iterable[Face], width: int) -> list[Text]:
    """Name and text of each card, those that read the same once."""
    lines: list[Text] = []
    for name, text in dict.fromkeys((face.name, face.text) for face in faces):
        lines.append(Text("  ").append(name, "bold"))
        lines += paragraph(text, width, indent=4)
    return lines


# ---- what was typed ------------------------------------------------------------------


def chosen(typed: str, now: Asked, words: Words) -> list[Option]:
    """The options meant by "3", "1 3", "2-4", "0" or nothing; or NotUnderstood."""
    question = now.question
    numbers = [] if typed.strip() in ("", "0") else numbers_in(typed, now, words)
    if not numbers and not question.may_decline:
        raise NotUnderstood(words("ask.must"))
    if len(set(numbers)) < len(numbers):
        raise NotUnderstood(words("ask.twice"))
    if numbers and not question.min <= len(numbers) <= question.max:
        told = {"least": question.min, "most": question.max}
        raise NotUnderstood(words("ask.how_many", **told))
    return [now.options[number - 1] for number in numbers]


def numbers_in(typed: str, now: Asked, words: Words) -> list[int]:
    """Numbers from 1 to the last option, single or as a range."""
    numbers: list[int] = []
    for word in typed.replace(",", " ").replace("，", " ").split():
        first, dash, last = word.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise NotUnderstood(words("ask.not_a_number", word=word[:20]))
        ends = int(first), int(last or first)
        if not 1 <= ends[0] <= ends[1] <= len(now.options):
            raise NotUnderstood(words("ask.out_of_range", word=word[:20]))
        numbers += range(ends[0], ends[1] + 1)
    return numbers
