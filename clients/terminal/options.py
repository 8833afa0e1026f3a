"""Options that most commands take."""

from enum import StrEnum
from typing import Annotated

import typer

from clients.terminal.words import Language, Words, language_of_locale


class Tongue(StrEnum):
    """What `--lang` takes."""

    EN = "en"
    ZH = "zh"


Lang = Annotated[Tongue | None, typer.Option(help="Language; the locale's if not set.")]
Json = Annotated[bool, typer.Option("--json", help="End with one line of JSON.")]


def words_in(lang: Tongue | None) -> Words:
    language: Language = "en" if lang is Tongue.EN else "zh"
    return Words(language if lang is not None else language_of_locale())


class Spectators(StrEnum):
    """Who may look on at a table: everybody, everybody somewhat later, or nobody."""

    OPEN = "open"
    DELAYED = "delayed"
    NONE = "none"


class Listed(StrEnum):
    """Which cards are listed beside a deck's own: those of starter decks, or all."""

    BASE = "base"
    ALL = "all"
