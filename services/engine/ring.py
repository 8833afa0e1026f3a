"""A table's last events, in every form that somebody is sent them in.

What watchers with the same eyes may see of an event, or are sent from the same cursor
on, is made once for all.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import table_pb2
from services.engine.kernel.event import Event
from services.engine.past import NamedPast
from services.engine.projection import Viewer, event_for, eyes_for
from services.engine.projection.framing import field_of, framed

if TYPE_CHECKING:
    from services.engine.watching import Watcher

RING_EVENTS = 256
STEP_EVENTS = 64
STEP_BYTES = 512 * 1024  # clients take 4 MiB

View = table_pb2.View
Look = Callable[[Viewer], Awaitable[View]]
Pasts = Callable[[int], Sequence[NamedPast]]

# Watch and Sit put an update in the same field: the same bytes serve both.
UPDATE = field_of(pb.SitResponse, "update")
EVENTS = field_of(pb.TableUpdate, "events")
PAST = field_of(pb.TableUpdate, "past")
EVENT = field_of(pb.Events, "events")
assert field_of(pb.WatchResponse, "update") == UPDATE


class Shown(NamedTuple):
    """An event, and those forms of it that somebody has been sent, as bytes."""

    event: Event
    told: dict[Viewer, bytes]


class Step(NamedTuple):
    """A message of events, as bytes, and the revision up to which it goes."""

    message: bytes
    revision: int


class Given(NamedTuple):
    """The answer that was committed: whose, which, and the revision after it."""

    seat: int
    answer_id: str
    revision: int


class Ring:
    """One table's last events in every form they are seen in, and who follows it.

    `broken` makes the error that tells why the table has left, once it has.
    """

    def __init__(
        self,
        table_id: str,
        game: str,
        events: Sequence[Event],
        look: Look,
        pasts: Pasts,
        behind: int = 0,
        marks: Sequence[int] = (),
    ) -> None:
        """`events` are all that were shown so far; `look` gives a viewer its view,
        `pasts` what the past at a revision has been called.

        Until the end, spectators are `behind` by so many events, at one of the `marks`:
        revisions at which an entry was done, so that they see nothing half done.
        """
        self.table_id = table_id
        self.revision = len(events)
        self.is_over = False
        self.broken: Callable[[], Exception] | None = None
        self.watchers: set[Watcher] = set()
        self.look = look
        self._pasts = pasts
        self.game = game
        self._shown = deque((Shown(event, {}) for event in events), RING_EVENTS)
        self._steps: dict[tuple[Viewer, int], Step] = {}
        self._named: dict[int, Sequence[NamedPast]] = {}
        self._behind = behind
        self._marks = deque(marks)
        self._past = 0

    def horizon(self, viewer: Viewer) -> int:
        """The last revision that this viewer may be sent by now."""
        if viewer is not None or self.is_over or not self._behind:
            return self.revision
        while self._marks and self._marks[0] <= self.revision - self._behind:
            self._past = self._marks.popleft()
        return self._past

    def show(self, events: Sequence[Event], given: Given | None = None) -> None:
        """These are committed and may be seen from now on; so is the answer given."""
        if given is not None:
            self._forget_steps()  # its seat's past has another name now
            for watcher in self.watchers:
                watcher.hear_of(given)
        if events:
            self._shown.extend(Shown(event, {}) for event in events)
            self.revision += len(events)
            self._forget_steps()
            if self._behind:
                self._marks.append(self.revision)
            self._wake_all()

    def end(self) -> None:
        """The outcome has been shown: watchers that have seen it are done."""
        self.is_over = True
        self._forget_steps()
        self._wake_all()

    def break_off(self, why: Callable[[], Exception]) -> None:
        """The table leaves this worker: all streams end with such an error."""
        self.broken = self.broken or why
        self.look, self._pasts = nobody_looks, unnamed
        self._wake_all()

    def _forget_steps(self) -> None:
        self._steps.clear()
        self._named.clear()

    def _wake_all(self) -> None:
        for watcher in self.watchers:
            watcher.wake()

    def most_unread(self) -> int:
        """How many events the slowest watcher has yet to be sent."""
        return max((one.unread for one in self.watchers), default=0)

    def reaches(self, revision: int) -> bool:
        """Whether everything after this revision is still here."""
        return revision >= self.revision - len(self._shown)

    def past_at(self, revision: int, viewer: Viewer) -> bytes:
        """The name of the past up to this revision, as far as the viewer knows it: of
        what no revision shows, only its own."""
        named = self._named.get(revision)
        if named is None:
            named = self._named[revision] = self._pasts(revision)
        first, *later = named
        return [first, *(one for one in later if one.seat == viewer)][-1].name

    def is_undone(self, revision: int, past: bytes) -> bool:
        """Whether it was another past that somebody was told this name of."""
        return bool(past) and all(past != one.name for one in self._pasts(revision))

    def step(self, after: int, viewer: Viewer) -> Step:
        """What follows this revision for a viewer; all of it, if that is not too much.

        There must be something. How much goes into a message depends on nothing that
        the viewer is not sent.
        """
        step = self._steps.get((viewer, after))
        if step is None:
            step = self._steps[viewer, after] = self._step(after, viewer)
        return step

    def _step(self, after: int, viewer: Viewer) -> Step:
        last = min(self.horizon(viewer), after + STEP_EVENTS)
        revision, events = after + 1, [self._told(after + 1, viewer)]
        size = 0
        while revision < last and (size := size + len(events[-1])) <= STEP_BYTES:
            revision += 1
            events.append(self._told(revision, viewer))
        past = framed(PAST, self.past_at(revision, viewer))
        update = framed(EVENTS, b"".join(events)) + past
        return Step(framed(UPDATE, update), revision)

    def _told(self, revision: int, viewer: Viewer) -> bytes:
        """The event of this revision as the viewer may see it, framed."""
        event, told = self._shown[revision - self.revision - 1]
        eyes = eyes_for(event, viewer)
        if eyes not in told:
            message = event_for(event, revision, eyes, self.game)
            told[eyes] = framed(EVENT, message.SerializeToString())
        return told[eyes]


async def nobody_looks(_viewer: Viewer) -> View:
    """Watchers are told why the table is gone before any of them looks at it."""
    raise AssertionError("the table has left")


def unnamed(_revision: int) -> Sequence[NamedPast]:
    """Of a table that has left nobody here knows the past."""
    return [NamedPast(-1, b"")]
