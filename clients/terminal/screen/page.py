"""What is printed of a table: one Console, one Reader, lines beneath each other."""

import time
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from anpai import CHANNEL_TEAM, AnpaiCallError, Event, Question, Said, View
from clients.terminal.refusals import refusal
from clients.terminal.screen.asking import Asked, listing
from clients.terminal.screen.board import board, everything_open
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.lines import clock, paragraph
from clients.terminal.screen.reader import Reader
from clients.terminal.screen.telling import tell


class Page:
    """Prints; decides nothing."""

    def __init__(self, reader: Reader, out: Console):
        self.reader = reader
        self.is_prompting = False
        self.has_shown_the_table = False
        self._words = reader.words
        self._out = out

    @property
    def width(self) -> int:
        return self._out.width

    def lines(self, lines: Iterable[Text]) -> None:
        """Never on the line of a prompt that nobody has answered yet."""
        for line in lines:
            if self.is_prompting:
                self.end_prompt()
            self._out.print(line, soft_wrap=True)

    def end_prompt(self) -> None:
        self.is_prompting = False
        self._out.print()

    def say(self, key: str, **values: object) -> None:
        """A sentence of our own."""
        self.lines(paragraph(self._words(key, **values), self.width))

    def refused(self, key: str, error: AnpaiCallError) -> None:
        """What the server did not take, and why."""
        self.say(key, message=refusal(error, self._words))

    def said(self, view: View, said: Said) -> None:
        """Somebody's words: as they are, never as markup."""
        key = "event.said_to_team" if said.channel == CHANNEL_TEAM else "event.said"
        who = self.reader.seat(view, said.seat)
        self.say(key, seat=who, words=said.text)

    def board(self, view: View) -> None:
        """Nothing before there is anything on the table."""
        if view.places:
            self.has_shown_the_table = True
            self.lines(board(view, self.reader, self.width))

    def all_open(self, view: View) -> None:
        self.lines(everything_open(view, self.reader, self.width))

    def event(self, event: Event, before: View, after: View) -> None:
        """In words; as a picture where everybody would look at the table."""
        for sentence in tell(event, before, after, self.reader):
            self.lines(paragraph(sentence, self.width))
        if is_worth_a_look(event, after):
            self.board(after)

    def help(self) -> None:
        self.lines(Text(line) for line in self._words("ask.help").splitlines())

    def question(self, view: View, now: Asked) -> None:
        self.board(view)
        self.lines(listing(view, now, self.reader, self.width))

    def prompt(self, question: Question) -> None:
        """Without a line's end: what is typed follows it."""
        left = time_left(question)
        told = f"[{self._words('ask.left', time=left)}] " if left else ""
        self._out.print(Text(told + self._words("ask.prompt"), "bold"), end="")
        self._out.file.flush()
        self.is_prompting = True

    def waits_for(self, view: View) -> None:
        """Those whose answer is missing; oneself is not among them, having answered."""
        own = view.viewer if view.HasField("viewer") else None
        seats = [asked.seat for asked in view.asked if asked.seat != own]
        if seats:
            names = [self.reader.seat(view, seat) for seat in seats]
            told = self._words("board.waits_for", names=self._words.listed(names))
            self.lines(paragraph(told, self.width, style="dim"))


def is_worth_a_look(event: Event, view: View) -> bool:
    """Of what is said of each seat in turn the last one."""
    told, layout = event.declared, layout_for(view)
    if told.name in layout.picture_after_all:
        return told.seat == len(view.seats) - 1
    return event.HasField("declared") and told.name in layout.picture_after


def time_left(question: Question) -> str:
    """Like 0:57; nothing at a table without clocks."""
    if question.deadline is None:
        return ""
    return clock(round(question.deadline - time.time()))
