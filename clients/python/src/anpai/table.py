"""A table as one viewer has it: its view, its events as they come, its question."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import reduce
from types import TracebackType
from typing import Self

from anpai.answers import Answer
from anpai.asking import Option, Question, question_of
from anpai.door import Door
from anpai.engine.v1.engine_service_pb2 import Said, TableUpdate
from anpai.engine.v1.event_pb2 import Event
from anpai.engine.v1.table_pb2 import Outcome, View
from anpai.faults import NotAsked
from anpai.fold import fold
from anpai.record import Record
from anpai.stream import Stream

# More than this unread, and the reader is given a view in place of what it missed.
UNREAD = 2_000
SAID = 50


class Table:
    """Iterate over it for the events; `view` is the table after the last one given.

    The first thing given, and whatever follows a gap too long to fill, is a snapshot:
    an event without a verb, whose revision is the view's. Iteration ends with the
    outcome; it raises the AnpaiCallError that makes going on useless.

    `undone` counts how often the house lost what it had shown: then a snapshot comes,
    from which the game goes on otherwise, and what was answered may be asked again.

    What seats say to each other is in `said`, the last of it last; set `listen` to
    what shall be called with each of it as it comes.
    """

    def __init__(self, door: Door, record: Record | None = None) -> None:
        self.id = door.table_id
        self._door = door
        self._record = record
        self.said: deque[Said] = deque(maxlen=SAID)
        self.listen: Callable[[Said], None] = unheard
        self._view = View(table_id=door.table_id)
        self._unread: deque[View | Event] = deque()
        self._news = asyncio.Event()
        self._answered: set[str] = set()
        self.undone = 0
        self._asked: tuple[View, Question] | None = None
        self._stream: Stream | None = None
        self._following: asyncio.Task[None] | None = None

    # -- what is known ------------------------------------------------------------

    @property
    def view(self) -> View:
        """The table as this viewer may see it. Not to be changed; events make new."""
        return self._view

    @property
    def seat(self) -> int | None:
        """The viewer's own seat; None for a spectator."""
        return self._view.viewer if self._view.HasField("viewer") else None

    @property
    def question(self) -> Question | None:
        """What this seat is asked and has not yet answered."""
        if not self._view.HasField("question"):
            return None
        if self._view.question.id in self._answered:
            return None
        if self._asked is None or self._asked[0] is not self._view:
            self._asked = self._view, question_of(self._view.question)
        return self._asked[1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._view.outcome if self._view.HasField("outcome") else None

    @property
    def is_connected(self) -> bool:
        """Whether the stream is open now; if not, it is being resumed."""
        return self._stream is not None and self._stream.is_connected

    @property
    def resumed(self) -> int:
        """How often the stream had to be opened again."""
        return 0 if self._stream is None else self._stream.resumed

    # -- what can be done ---------------------------------------------------------

    async def answer(self, *choice: Option | str) -> Answer:
        """Answer the question with these options (or their ids); none declines.

        Returns once the answer is kept for good. Raises the AnpaiCallError that says
        why it was refused, such as QuestionStale or AnswerIllegal.
        """
        return await self.send(*choice).settled()

    async def decline(self) -> Answer:
        """Answer the question with no option."""
        return await self.answer()

    def send(self, *choice: Option | str, question: Question | None = None) -> Answer:
        """Send an answer without waiting for what becomes of it."""
        question = question or self.question
        if question is None or self._stream is None or self._is_done:
            raise NotAsked("this seat is not asked anything now")
        if not self._stream.sits:
            raise NotAsked("who only watches answers nothing: sit down first")
        ids = tuple(one.id if isinstance(one, Option) else one for one in choice)
        answer = Answer(self.id, question.id, ids, self._answered.add)
        self._stream.send(answer)
        return answer

    async def concede(self) -> int:
        """Give the game up for this seat; the revision after it."""
        return await self._door.concede()

    async def say(self, text: str, *, to_team: bool = False) -> None:
        """Say something to the table, or to the own team.

        Raises TooMany where much was said of late, NotAllowed for a spectator.
        """
        await self._door.say(text, to_team)

    # -- events as they come ------------------------------------------------------

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        if not await self._has_more():
            raise StopAsyncIteration
        news = self._unread.popleft()
        self._view = after(self._view, news)
        return news if isinstance(news, Event) else Event(revision=news.revision)

    @property
    def _is_done(self) -> bool:
        return self._following is None or self._following.done()

    async def _has_more(self) -> bool:
        """Wait for something to read, or the end. Raises what ended it too soon."""
        while not self._unread:
            task = self._following
            if task is None or task.done():
                if task is not None and not task.cancelled():
                    task.result()
                return False
            self._news.clear()
            await self._news.wait()
        return True

    def _hear(self, update: TableUpdate) -> None:
        if self._record is not None:
            self._record.hear(update)
        if update.HasField("said"):
            self.said.append(update.said)
            self.listen(update.said)
            return
        if update.undone:
            self._forget_what_led_to(update.view)
        if update.HasField("view"):
            self._read_on_from(update.view)
        else:
            self._unread.extend(update.events.events)
        if len(self._unread) > UNREAD:
            self._read_on_from(reduce(after, self._unread, self._view))
        self._news.set()

    def _forget_what_led_to(self, view: View) -> None:
        """What was shown and answered before is so no more."""
        self.undone += 1
        self._answered.clear()
        self._view = view

    def _read_on_from(self, view: View) -> None:
        """One view in place of all that is unread."""
        self._unread.clear()
        self._unread.append(view)

    # -- coming and going ---------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Wait for the first view, so that `view` can be looked at from the start."""
        try:
            self._stream = await self._door.open(self._hear)
            self._following = asyncio.create_task(self._stream.follow())
            self._following.add_done_callback(lambda _: self._news.set())
            await self._has_more()
        except BaseException:
            await self.close()
            raise
        self._view = after(self._view, self._unread[0])
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave the stream. The seat stays ours, and can be sat down at again."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._record is not None:
            self._record.close()


def unheard(_: Said) -> None:
    """Nobody listens."""


def after(view: View, news: View | Event) -> View:
    """The view that a reader of the news has."""
    return news if isinstance(news, View) else fold(view, news)
