"""One person at one table: hear what happens, be asked, answer."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from enum import Enum

from rich.console import Console
from rich.text import Text

from anpai import (
    AnpaiCallError,
    Answer,
    Event,
    NotAsked,
    Outcome,
    QuestionStale,
    Said,
    Table,
    TableEnded,
    View,
)
from clients.terminal.keyboard import Keyboard
from clients.terminal.screen.asking import (
    Asked,
    NotUnderstood,
    asked,
    chosen,
    explain_like,
    explained,
    numbers_in,
)
from clients.terminal.screen.page import Page
from clients.terminal.screen.reader import Reader

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
        self._page = Page(reader, out)
        self._before = View()
        self._undone = 0
        self._now: Asked | None = None
        self._is_sure = False
        self._is_answering = False
        self._has_told_the_end = False
        self._left = asyncio.Event()
        self._doing: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None

    async def run(self, *, listens: bool = True) -> Ending:
        """Until the outcome, or until the person leaves. Raises AnpaiCallError."""
        self._before = self._table.view
        if self._table.question is None:
            self._page.board(self._before)
        self._listen()
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
            if self._left.is_set() and self._doing:
                await asyncio.wait(self._doing, timeout=PATIENT_SECONDS)
            if following.done():
                following.result()
        finally:
            if keyboard is not None:
                keyboard.stop()
            self._set_alarm(0, None)
            for task in (following, leaving, *self._doing):
                task.cancel()
        if self._table.outcome is None:
            return Ending.LEFT
        self._tell_the_end(self._table.outcome)
        return Ending.OVER

    def _tell_the_end(self, outcome: Outcome) -> None:
        """Where it came in a view, no event has told it."""
        if not self._has_told_the_end:
            end = Event(revision=self._table.view.revision)
            end.ended.outcome.CopyFrom(outcome)
            self._page.event(end, self._table.view, self._table.view)

    # -- hearing ----------------------------------------------------------------------

    async def _follow(self) -> None:
        async for event in self._table:
            self._hear(event)

    def _hear(self, event: Event) -> None:
        after = self._table.view
        if event.WhichOneof("verb") is not None:
            self._page.event(event, self._before, after)
            self._has_told_the_end = event.HasField("ended")
        elif self._table.undone != self._undone:
            self._undone = self._table.undone
            self._now = None
            self._page.say("ask.undone")
            self._page.board(after)
        elif after.revision != self._before.revision:
            # A view in place of events: we were away for long.
            self._page.board(after)
        self._before = after
        self._ask()

    def _listen(self) -> None:
        """What was said before, then each word as it comes."""
        for said in self._table.said:
            self._page.said(self._table.view, said)
        self._table.listen = self._hear_words

    def _hear_words(self, said: Said) -> None:
        was_prompting = self._page.is_prompting
        self._page.said(self._table.view, said)
        if was_prompting:
            self._prompt_again()

    # -- being asked ------------------------------------------------------------------

    def _ask(self) -> None:
        """Show the question, once; forget it when it is no longer open. The next one
        waits until the answer before is settled."""
        question = self._table.question
        if question is not None and self._is_answering:
            return
        if question is None:
            self._now = None
            self._set_alarm(PATIENT_SECONDS, self._say_whom_we_wait_for)
        elif self._now is not None and self._now.question.id == question.id:
            if not self._page.is_prompting and not self._doing:
                self._page.prompt(question)
        else:
            self._now = asked(self._table.view, question, self._page.reader)
            self._page.question(self._table.view, self._now)
            self._page.prompt(question)
            if question.deadline is not None:
                left = question.deadline - time.time() - LAST_SECONDS
                self._set_alarm(left, self._say_time_is_short)

    def _say_whom_we_wait_for(self) -> None:
        """Who has not been asked anything yet sees here what was dealt."""
        if not self._page.has_shown_the_table:
            self._page.board(self._table.view)
        self._page.waits_for(self._table.view)

    def _say_time_is_short(self) -> None:
        if self._page.is_prompting:
            self._page.end_prompt()
        self._prompt_again()

    def _set_alarm(self, seconds: float, ring: Callable[[], None] | None) -> None:
        """One at a time; a new one takes the place of the last."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if ring is not None and seconds > 0:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(seconds, ring)

    # -- what is typed ----------------------------------------------------------------

    def _typed(self, line: str | None) -> None:
        """A word that means the same everywhere, or an answer."""
        self._page.is_prompting = False  # the terminal has shown the line's end
        if line is None or line.strip() == "q":
            self._left.set()
            return
        word, _, rest = line.strip().partition(" ")
        if word in ("/say", "/team"):
            self._do(self._say(rest.strip(), to_team=word == "/team"))
            return
        if word == "concede":
            self._concede()
            return
        self._is_sure = False
        if word.startswith(("?", "？")):
            self._explain(f"{word[1:]} {rest}".strip())
        elif word in ("h", "b", "l"):
            self._show(word)
        else:
            self._answer(line)

    def _show(self, word: str) -> None:
        match word:
            case "h":
                self._page.help()
            case "b":
                self._page.board(self._table.view)
            case "l":
                self._page.all_open(self._table.view)
        self._prompt_again()

    def _prompt_again(self) -> None:
        if self._now is not None and self._table.question is not None:
            self._page.prompt(self._now.question)

    def _not_understood(self, error: NotUnderstood) -> None:
        self._page.lines([Text(str(error))])
        self._prompt_again()

    def _explain(self, typed: str) -> None:
        """The options, one of them, or any card by its name."""
        try:
            self._page.lines(self._explanation(typed))
        except NotUnderstood as error:
            self._not_understood(error)
        else:
            self._prompt_again()

    def _explanation(self, typed: str) -> Iterable[Text]:
        reader, width = self._page.reader, self._page.width
        if self._now is not None and not any(one.isalpha() for one in typed):
            numbers = numbers_in(typed, self._now, reader.words)
            lines = explained(self._table.view, self._now, reader, numbers, width)
            return lines or [Text(reader.words("ask.nothing"))]
        if not typed:
            raise NotUnderstood(reader.words("ask.not_asked"))
        lines = explain_like(typed, reader, width)
        if not lines:
            raise NotUnderstood(reader.words("ask.no_card", word=typed[:20]))
        return lines

    # -- answering --------------------------------------------------------------------

    def _answer(self, typed: str) -> None:
        if self._is_answering:
            self._page.say("ask.on_its_way")
            return
        if self._now is None:
            if typed.strip():
                self._page.say("ask.not_asked")
            return
        try:
            options = chosen(typed, self._now, self._page.reader)
        except NotUnderstood as error:
            self._not_understood(error)
            return
        self._is_answering = True
        self._do(self._send([option.id for option in options], self._now))

    async def _send(self, choice: list[str], now: Asked) -> None:
        """Nobody may see that a secret question is answered: no event need follow."""
        try:
            await self._settle(self._table.send(*choice, question=now.question))
        except QuestionStale:
            self._page.say("ask.too_late")
        except (TableEnded, NotAsked):
            pass  # the outcome itself follows, and says more
        except AnpaiCallError as error:
            self._page.refused("ask.refused", error)
            self._now = None
        finally:
            self._is_answering = False
        self._ask()

    async def _settle(self, answer: Answer) -> None:
        """The SDK repeats it over broken streams; say so where that takes long."""
        settling = asyncio.ensure_future(answer.settled())
        try:
            await asyncio.wait({settling}, timeout=PATIENT_SECONDS)
            if not settling.done():
                self._page.say("ask.connection")
            await settling
        finally:
            settling.cancel()

    async def _say(self, text: str, *, to_team: bool) -> None:
        """It comes back by the stream, as to everybody."""
        try:
            await self._table.say(text, to_team=to_team)
        except AnpaiCallError as error:
            self._page.refused("ask.unsaid", error)
        self._prompt_again()

    def _concede(self) -> None:
        """Twice in a row."""
        if self._is_sure:
            self._do(self._give_up())
        else:
            self._is_sure = True
            self._page.say("ask.sure")

    async def _give_up(self) -> None:
        try:
            await self._table.concede()
        except AnpaiCallError as error:
            self._page.refused("ask.refused", error)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
