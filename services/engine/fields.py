"""What a field of a request may hold; INVALID_FIELD names the field and what may be."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, Protocol

from services.chassis.errors import invalid

TABLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
ANSWER_ID = re.compile(r"[!-~]{8,64}", re.ASCII)
PAST_BYTES = 64
QUESTION_ID = re.compile(r"[!-~]{1,64}", re.ASCII)
REQUEST_ID = re.compile(r"[!-~]{8,128}", re.ASCII)

CHOICE_ITEMS = 200
CHOICE_LENGTH = 200
WORDS_LENGTH = 200
JOINERS = "\u200c\u200d"  # scripts and emoji need them


class SentAnswer(Protocol):
    """An answer as it was sent."""

    question_id: str
    answer_id: str

    @property
    def choice(self) -> Sequence[str]: ...


class Answer(NamedTuple):
    """An answer whose fields may be so; whether it is accepted, the table says."""

    question_id: str
    answer_id: str
    choice: tuple[str, ...]


class Words(NamedTuple):
    """Something to be said, to the table or to the speaker's team."""

    text: str
    to_team: bool
    request_id: str


def refuse(field: str, allowed: str) -> NoReturn:
    raise invalid(field, allowed)


def table_id(text: str, field: str = "table_id") -> str:
    """The text, if it can be a table's id."""
    if not TABLE_ID.fullmatch(text):
        refuse(field, "1-64 letters, digits, - or _")
    return text


def answer_id(text: str) -> str:
    if not ANSWER_ID.fullmatch(text):
        refuse("answer_id", "8-64 printable ASCII characters without spaces")
    return text


def question_id(text: str) -> str:
    if not QUESTION_ID.fullmatch(text):
        refuse("question_id", "the id of a question, as asked")
    return text


def request_id(text: str) -> str:
    if not REQUEST_ID.fullmatch(text):
        refuse("request_id", "8-128 printable ASCII characters without spaces")
    return text


def seat(number: int, seats: int) -> int:
    if not 0 <= number < seats:
        refuse("seat", f"0-{seats - 1}")
    return number


def player_id(text: str) -> str:
    if not 0 < len(text) <= 128:
        refuse("player_id", "1-128 characters")
    return text


def name(text: str) -> str:
    if not 0 < len(text) <= 64 or not text.isprintable():
        refuse("name", "1-64 printable characters")
    return text


def words(text: str) -> str:
    """What a person says: text that shows as it is, and turns nothing around."""
    said = text.strip()
    if not 0 < len(said) <= WORDS_LENGTH or any(map(is_unspeakable, said)):
        refuse("text", f"1-{WORDS_LENGTH} characters that can be shown, in one line")
    return said


def is_unspeakable(character: str) -> bool:
    """Controls, line ends, what changes direction, and what nobody has assigned."""
    category = unicodedata.category(character)
    is_format = category == "Cf" and character not in JOINERS
    return is_format or category in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")


def choice(options: Sequence[str]) -> tuple[str, ...]:
    """The ids of options; whether they are offered, the rules say."""
    if len(options) > CHOICE_ITEMS:
        refuse("choice", f"at most {CHOICE_ITEMS} options")
    if any(not 0 < len(option) <= CHOICE_LENGTH for option in options):
        refuse("choice", f"options of 1-{CHOICE_LENGTH} characters")
    return tuple(options)


def answer(sent: SentAnswer) -> Answer:
    return Answer(
        question_id(sent.question_id), answer_id(sent.answer_id), choice(sent.choice)
    )


def nonce(given: bytes) -> bytes:
    if len(given) not in (0, 32):
        refuse("nonce", "0 or 32 bytes")
    return given


def past(name: bytes) -> bytes:
    """The name of a past, or nothing."""
    if len(name) > PAST_BYTES:
        refuse("past", f"at most {PAST_BYTES} bytes, as they were told")
    return name


def locale(text: str) -> str:
    """`en` or `zh-CN`; anything that begins with zh is Chinese, nothing is English."""
    if text in ("", "en"):
        return "en"
    if text == "zh" or text.lower().startswith("zh-"):
        return "zh-CN"
    refuse("locale", "en or zh-CN")
