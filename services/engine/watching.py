"""What watchers are sent: a table's last events, or a view where those do not reach.

Why no queue for each watcher: it is a cursor in the one ring its table keeps. All that
is ahead of the cursor goes out together; a watcher that reads too slowly falls out of
the ring and is sent a view; nothing is buffered for it.
"""

import asyncio
import time
from contextlib import suppress
from typing import NoReturn

from google.protobuf.timestamp_pb2 import Timestamp

from anpai.engine.v1 import engine_service_pb2 as pb
from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics
from services.engine.projection import Viewer
from services.engine.projection.framing import field_of, framed
from services.engine.ring import UPDATE, Given, Ring
from services.engine.saying import Said

HEARTBEAT_SECONDS = 15.0
UNREAD_REPLIES = 64
ACCEPTED = field_of(pb.SitResponse, "accepted")


class Watcher:
    """One stream's cursor: an async iterator over all it has to be sent, as bytes.

    It begins with a view, or after the revision it was sent last, and stops when the
    outcome has been sent. Replies to the answers that travel up the same stream are
    woven in. `answering` is the one that is worked on, "" for none: that it was
    accepted travels with the events it caused.
    """

    def __init__(
        self,
        ring: Ring,
        viewer: Viewer,
        after: int | None,
        metrics: Metrics,
        past: bytes = b"",
    ) -> None:
        """Raises REVISION_AHEAD where `after` is more than there is. `past` is the name
        it had for whoever comes back."""
        if after is not None and after > ring.horizon(viewer):
            raise revision_ahead(ring, viewer)
        self.answering = ""
        self._ring = ring
        self._viewer = viewer
        self._is_undone = after is not None and ring.is_undone(after, past)
        goes_on = not self._is_undone and after is not None and ring.reaches(after)
        self._sent = after if goes_on else None
        self._metrics = metrics
        self._accepted = b""
        self._replies: asyncio.Queue[bytes] = asyncio.Queue(UNREAD_REPLIES)
        self._failed: Exception | None = None
        self._loop = asyncio.get_running_loop()
        self._asleep: asyncio.Future[None] | None = None
        self._beat_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def viewer(self) -> Viewer:
        """With whose eyes it sees."""
        return self._viewer

    @property
    def unread(self) -> int:
        """How many events it has yet to be sent; 0 before the view it begins with."""
        if self._sent is None:
            return 0
        return self._ring.horizon(self._viewer) - self._sent

    def __enter__(self) -> "Watcher":
        self._ring.watchers.add(self)
        self._metrics.watchers.inc()
        return self

    def __exit__(self, *_: object) -> None:
        self._ring.watchers.discard(self)
        self._metrics.watchers.dec()
        if self._alarm is not None:
            self._alarm.cancel()

    def __aiter__(self) -> "Watcher":
        return self

    async def __anext__(self) -> bytes:
        # Counted from what was sent last, whatever wakes it: a heartbeat that came late
        # would tell of answers nobody is to know of.
        self._beat_at = self._loop.time() + HEARTBEAT_SECONDS
        while True:
            if not self._replies.empty():
                return self._replies.get_nowait()
            if self._failed or self._ring.broken:
                self._give_up()
            horizon = self._ring.horizon(self._viewer)
            if self._sent is None or self._is_out_of_reach(self._sent, horizon):
                return self._with_acceptance(await self._view())
            if self._sent < horizon:
                step = self._ring.step(self._sent, self._viewer)
                self._sent = step.revision
                return self._with_acceptance(step.message)
            if self._accepted:
                return self._with_acceptance(b"")
            if self._ring.is_over and not self.answering:
                raise StopAsyncIteration
            if not await self._is_woken():
                return self._beat()

    def _give_up(self) -> NoReturn:
        """Neither ring nor watcher keeps what is raised: it holds the frames it comes
        through, and with them the table."""
        failed, self._failed = self._failed, None
        try:
            if failed is not None:
                raise failed
            assert self._ring.broken is not None
            raise self._ring.broken()
        finally:
            del failed

    def _is_out_of_reach(self, sent: int, horizon: int) -> bool:
        return sent < horizon and not self._ring.reaches(sent)

    def _with_acceptance(self, message: bytes) -> bytes:
        accepted, self._accepted = self._accepted, b""
        return message + accepted

    def hear_of(self, given: Given) -> None:
        """An answer was committed; if it came up this stream it is told so."""
        if (given.seat, given.answer_id) == (self._viewer, self.answering):
            self.accept(given.answer_id, given.revision)

    def accept(self, answer_id: str, revision: int) -> None:
        """Tell that this answer was accepted, with whatever goes out next."""
        told = pb.AnswerAccepted(answer_id=answer_id, revision=revision)
        if revision == self._sent:  # no event will tell of it
            told.past = self._ring.past_at(revision, self._viewer)
        self._accepted += framed(ACCEPTED, told.SerializeToString())
        self.answering = ""
        self.wake()

    async def reply(self, reply: pb.SitResponse) -> None:
        """Send this too; waits while the other side does not read."""
        await self._replies.put(reply.SerializeToString())
        self.answering = ""
        self.wake()

    def tell(self, update: pb.TableUpdate) -> None:
        """Send this as well; whoever is slow to read does without."""
        with suppress(asyncio.QueueFull):
            self._replies.put_nowait(as_step(update))
        self.wake()

    def fail(self, error: Exception) -> None:
        """End the stream with this error, after the replies."""
        self._failed = error
        self.wake()

    def wake(self) -> None:
        """There may be something new."""
        if self._asleep is not None and not self._asleep.done():
            self._asleep.set_result(None)

    async def _is_woken(self) -> bool:
        """False where it is time for a heartbeat."""
        self._asleep = self._loop.create_future()
        if self._alarm is None:
            self._alarm = self._loop.call_at(self._beat_at, self._ring_alarm)
        try:
            await self._asleep
        finally:
            self._asleep = None
        return self._loop.time() < self._beat_at

    def _ring_alarm(self) -> None:
        """An alarm is not set anew for each message; one that is early goes on."""
        self._alarm = None
        if self._asleep is None:
            return
        if self._loop.time() < self._beat_at:
            self._alarm = self._loop.call_at(self._beat_at, self._ring_alarm)
        else:
            self.wake()

    async def _view(self) -> bytes:
        if self._sent is not None:  # it read too slowly
            self._metrics.resyncs.inc()
        if self._is_undone:
            self._metrics.undone.labels(self._ring.game).inc()
        view = await self._ring.look(self._viewer)
        self._sent, undone = view.revision, self._is_undone
        self._is_undone = False
        past = self._ring.past_at(view.revision, self._viewer)
        return as_step(pb.TableUpdate(view=view, past=past, undone=undone))

    def _beat(self) -> bytes:
        now = time.time_ns()
        beat = pb.Heartbeat(
            revision=self._sent or 0,
            now=Timestamp(seconds=now // 10**9, nanos=now % 10**9),
        )
        return as_step(pb.TableUpdate(heartbeat=beat))


def said_update(said: Said) -> pb.TableUpdate:
    team = said.team is not None
    channel = pb.CHANNEL_TEAM if team else pb.CHANNEL_TABLE
    return pb.TableUpdate(
        said=pb.Said(
            number=said.number,
            seat=said.seat,
            channel=channel,
            text=said.text,
            at=Timestamp(
                seconds=said.number // 1000, nanos=said.number % 1000 * 1_000_000
            ),
        )
    )


def as_step(update: pb.TableUpdate) -> bytes:
    return framed(UPDATE, update.SerializeToString())


def revision_ahead(ring: Ring, viewer: Viewer) -> AnpaiError:
    revision = ring.horizon(viewer)
    return AnpaiError(
        "REVISION_AHEAD",
        f"The table is at revision {revision}: there is nothing beyond it yet.",
        table=ring.table_id,
        revision=str(revision),
    )
