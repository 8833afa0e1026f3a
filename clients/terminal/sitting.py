"""One person at one table: hear what happens, be asked, answer."""

import asyncio
import time
from collections.abc import Coroutine, Iterable
from datetime import timedelta
from enum import Enum

from rich.console import Console
from rich.text import Text

from anpai import AnpaiCallError, Event, Question, QuestionStale, Table, View
from clients.terminal.keyboard import Keyboard
from clients.terminal.screen.asking import (
    Asked,
    NotUnderstood,
    asked,
    chosen,
    explain_all,
    explained,
    listing,
    numbers_in,
)
from clients.terminal.screen.board import board, everything_open
from clients.terminal.screen.layout import layout_for
from clients.terminal.screen.lines import paragraph
from clients.terminal.screen.reader import Reader
from clients.terminal.screen.telling import tell

PATIENT_SECONDS = 2.0
LAST_SECONDS = 10.0


class Ending(Enum):
    """How a sitting ended."""

    OVER = "over"
    LEFT = "left"


class Sitting:
    """A seat, or a spectator's place, on this terminal."""

    def __init__(self, table: Table, reader: Reader, out: Console):
        self._table = table
        self._reader = reader
        self._words = reader.words
        self._out = out
        self._before = View()
        self._now: Asked | None = None
        self._is_sure = False
        self._left = asyncio.Event()
        self._doing: set[asyncio.Task[None]] = set()
        self._reminder: asyncio.TimerHandle | None = None

    async def run(self, *, listens: bool = True) -> Ending:
        """Until the outcome, or until the person leaves. Raises AnpaiCallError."""
        self._before = self._table.view
        if self._table.question is None:
            self.show_board()
        self._ask()
        keyboard = Keyboard(self._typed) if listens else None
        following = asyncio.create_task(self._follow())
        leaving = asyncio.create_task(self._left.wait())
        try:
            if keyboard is not None:
                keyboard.start()
            await asyncio.wait(
                {following, leaving}, return_when=asyncio.FIRST_COMPLETED
            )
            if following.done():
                following.result()
        finally:
            self._wind_up(keyboard, following, leaving)
        return Ending.OVER if self._table.outcome is not None else Ending.LEFT

    def _wind_up(
        self, keyboard: Keyboard | None, *tasks: "asyncio.Task[object]"
    ) -> None:
        if keyboard is not None:
            keyboard.stop()
        self._forget_reminder()
        for task in (*tasks, *self._doing):
            task.cancel()

    # -- hearing ----------------------------------------------------------------------

    async def _follow(self) -> None:
        async for event in self._table:
            self._hear(event)

    def _hear(self, event: Event) -> None:
        after = self._table.view
        if event.WhichOneof("verb") is None:
            self._catch_up(after)
        else:
            for sentence in tell(event, self._before, after, self._reader):
                self._print(paragraph(sentence, self._width))
            self._picture_after(event)
        self._before = after
        self._ask()

    def _catch_up(self, after: View) -> None:
        """A view instead of events: a gap, or the very beginning."""
        if after.revision != self._before.revision:
            self.show_board()

    def _picture_after(self, event: Event) -> None:
        wanted = layout_for(self._table.view).picture_after
        if event.HasField("declared") and event.declared.name in wanted:
            self.show_board()

    def show_board(self) -> None:
        self._print(board(self._table.view, self._reader, self._width))

    # -- being asked ------------------------------------------------------------------

    def _ask(self) -> None:
        """Show the question, once; take it back when it is no longer open."""
        question = self._table.question
        if question is None:
            self._now = None
            self._remind_later()
        elif self._now is None or self._now.question.id != question.id:
            self._forget_reminder()
            self._now = asked(self._table.view, question, self._reader)
            self.show_board()
            self.show_question(self._now)

    def show_question(self, now: Asked) -> None:
        self._print(listing(self._table.view, now, self._reader, self._width))
        self._prompt(now)

    def _prompt(self, now: Asked) -> None:
        left = self._time_left(now.question)
        self._out.print(Text(left + self._words("ask.prompt"), "bold"), end="")
        self._out.file.flush()

    def _time_left(self, question: Question) -> str:
        if question.deadline is None:
            return ""
        seconds = max(0, round(question.deadline - time.time()))
        told = str(timedelta(seconds=seconds)).removeprefix("0:")
        return f"[{self._words('ask.left', time=told)}] "

    def _remind_later(self) -> None:
        """Say whom we wait for, if it takes long."""
        self._forget_reminder()
        if self._table.view.asked:
            loop = asyncio.get_running_loop()
            self._reminder = loop.call_later(PATIENT_SECONDS, self._remind)

    def _remind(self) -> None:
        view = self._table.view
        names = [self._reader.seat(view, asked.seat) for asked in view.asked]
        told = self._words("board.waits_for", names=self._words.listed(names))
        self._print(paragraph(told, self._width, style="dim"))

    def _forget_reminder(self) -> None:
        if self._reminder is not None:
            self._reminder.cancel()

    # -- answering --------------------------------------------------------------------

    def _typed(self, line: str | None) -> None:
        """A line: a word that means the same everywhere, or an answer."""
        if line is None or line.strip() == "q":
            self._left.set()
            return
        word, _, rest = line.strip().partition(" ")
        if word != "concede":
            self._is_sure = False
        match word:
            case "h":
                self._print([Text(self._words("ask.help"))])
            case "b":
                self.show_board()
            case "l":
                self._print(
                    everything_open(self._table.view, self._reader, self._width)
                )
            case "concede":
                self._concede()
                return
            case _ if word.startswith(("?", "？")):
                self._explain((word[1:] + " " + rest).strip())
            case _:
                self._answer(line)
                return
        self._prompt_again()

    def _prompt_again(self) -> None:
        if self._now is not None:
            self._prompt(self._now)

    def _explain(self, typed: str) -> None:
        """The options, one of them, or any card by its name."""
        try:
            self._print(self._explanation(typed))
        except NotUnderstood as error:
            self._print([Text(str(error))])

    def _explanation(self, typed: str) -> Iterable[Text]:
        if self._now is not None and not any(one.isalpha() for one in typed):
            numbers = numbers_in(typed, self._now, self._words)
            view = self._table.view
            return explained(view, self._now, self._reader, numbers, self._width)
        faces = self._reader.faces_like(typed) if typed else []
        if not faces:
            raise NotUnderstood(self._words("ask.no_card", word=typed[:20]))
        return explain_all(faces, self._width)

    def _answer(self, typed: str) -> None:
        if self._now is None:
            if typed.strip():
                self._print([Text(self._words("ask.not_asked"))])
            return
        try:
            options = chosen(typed, self._now, self._words)
        except NotUnderstood as error:
            self._print([Text(str(error))])
            self._prompt_again()
            return
        self._do(self._send([option.id for option in options], self._now))

    async def _send(self, choice: list[str], now: Asked) -> None:
        try:
            answer = self._table.send(*choice, question=now.question)
            if not self._table.is_connected:
                self._print([Text(self._words("ask.connection"))])
            await answer.settled()
        except QuestionStale:
            self._print([Text(self._words("ask.too_late"))])
        except AnpaiCallError as error:
            self._print([Text(self._words("ask.refused", message=error.message))])
            self._now = None
            self._ask()

    def _concede(self) -> None:
        """Twice in a row."""
        if not self._is_sure:
            self._is_sure = True
            self._print([Text(self._words("ask.sure"))])
            return
        self._do(self._give_up())

    async def _give_up(self) -> None:
        try:
            await self._table.concede()
        except AnpaiCallError as error:
            self._print([Text(error.message)])

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    # -- printing ---------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return self._out.width

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._out.print(line, soft_wrap=True)
