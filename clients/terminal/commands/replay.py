"""`anpai replay`: a finished game, step by step, with every hand open."""

from rich.console import Console
from rich.text import Text

from clients.terminal.disclosed import NoDisclosure, Step, steps
from clients.terminal.installed import catalog_of, must_know, title_of
from clients.terminal.say import Trouble
from clients.terminal.screen.board import board
from clients.terminal.screen.lines import paragraph
from clients.terminal.screen.reader import Reader
from clients.terminal.screen.telling import tell_all
from clients.terminal.words import Words


def replay(disclosure: bytes, words: Words, out: Console, *, stops: bool) -> None:
    """All at once, or with a stop where the table waited for somebody."""
    try:
        read_through(disclosure, words, out, stops=stops)
    except NoDisclosure:
        raise Trouble(words("replay.no_disclosure")) from None


def read_through(disclosure: bytes, words: Words, out: Console, *, stops: bool) -> None:
    reader: Reader | None = None
    for step in steps(disclosure):
        reader = reader or reader_of(step.after.game, words, step.after.variant)
        print_step(step, reader, out)
        if stops and step.event.HasField("questions_asked"):
            match next_wish(step, reader, out):
                case "q":
                    return
                case "a":
                    stops = False


def print_step(step: Step, reader: Reader, out: Console) -> None:
    for sentence in tell_all(step.event, step.before, step.after, reader):
        number = f"{step.event.revision:4}  "
        for line in paragraph(sentence, out.width - len(number)):
            out.print(Text(number, "dim").append_text(line), soft_wrap=True)
            number = " " * len(number)
    if step.event.HasField("ended"):
        print_board(step, reader, out)


def print_board(step: Step, reader: Reader, out: Console) -> None:
    for line in board(step.after, reader, out.width):
        out.print(line, soft_wrap=True)


def next_wish(step: Step, reader: Reader, out: Console) -> str:
    """Wait for Enter, `a` or `q`; `b` shows the table meanwhile."""
    while True:
        try:
            typed = input(reader.words("replay.prompt")).strip()
        except EOFError:
            return "q"
        if typed != "b":
            return typed
        print_board(step, reader, out)


# ---- words without a service ---------------------------------------------------------


def reader_of(game: str, words: Words, variant: str = "") -> Reader:
    """From the rules installed here, so that a file is enough."""
    must_know(game, words)
    catalog = catalog_of(game, words.language)
    return Reader(catalog, words, title_of(game, variant, words.language))
