"""A ring and its watchers, without a socket: what is sent, and in which order."""

import asyncio
import gc
import weakref
from contextlib import suppress

import pytest

from anpai.engine.v1 import engine_service_pb2 as pb
from services.chassis.errors import AnpaiError
from services.chassis.telemetry import Metrics, fresh_metrics
from services.engine import ring, watching
from services.engine.past import NamedPast, Past
from services.engine.projection import event_for, eyes_for, view_for
from services.engine.ring import RING_EVENTS, STEP_EVENTS, Given, Ring
from services.engine.watching import Watcher
from tests.services.engine.games import a_game

GAME = a_game()
ALL = len(GAME.events)
assert ALL > RING_EVENTS
PAST = Past(list(GAME.entries))


@pytest.fixture
def metrics() -> Metrics:
    return fresh_metrics()


@pytest.fixture
def unswept():
    gc.disable()
    yield
    gc.enable()


async def look(viewer):
    return view_for(GAME.play, viewer)


def pasts(revision):
    ends = PAST.ending_at(revision)
    return [NamedPast(one.seat, GAME.play.past_named(one.hash)) for one in ends]


def a_ring(shown=ALL):
    """The game's ring when so many of its events have been shown."""
    return Ring("t-1", "skirmish", GAME.events[:shown], look, pasts)


def show(ring, events):
    ring.show(GAME.events[ring.revision : ring.revision + events])


async def step_of(watcher):
    return pb.SitResponse.FromString(await anext(watcher))


async def told(watcher, count):
    with watcher:
        return [(await step_of(watcher)).update for _ in range(count)]


def revisions(updates):
    return [event.revision for event in all_in(updates)]


def all_in(updates):
    return [event for update in updates for event in update.events.events]


async def told_up_to(watcher, revision):
    """What is sent until this revision has been."""
    updates = []
    with watcher:
        while revision not in revisions(updates):
            updates.append((await step_of(watcher)).update)
    return updates


async def test_whoever_comes_anew_begins_with_a_view(metrics):
    (first,) = await told(Watcher(a_ring(), 0, None, metrics), 1)

    assert first.view == view_for(GAME.play, 0)


async def test_whoever_returns_is_sent_exactly_what_was_missed(metrics):
    missed = await told(Watcher(a_ring(200), 0, 150, metrics), 1)

    assert revisions(missed) == list(range(151, 201))


async def test_t25_a_gap_longer_than_the_ring_is_a_view(metrics):
    (first,) = await told(Watcher(a_ring(), 0, 3, metrics), 1)

    assert first.WhichOneof("update") == "view"


async def test_a_gap_as_long_as_the_ring_is_sent_exactly(metrics):
    after = ALL - RING_EVENTS

    missed = await told_up_to(Watcher(a_ring(), 0, after, metrics), ALL)

    assert revisions(missed) == list(range(after + 1, ALL + 1))


async def test_what_is_too_much_for_one_message_is_sent_in_several(metrics):
    missed = await told_up_to(Watcher(a_ring(200), 0, 0, metrics), 200)

    sizes = [len(update.events.events) for update in missed]
    assert sizes == [STEP_EVENTS] * 3 + [200 - 3 * STEP_EVENTS]


async def test_a_message_holds_no_more_bytes_than_a_client_can_take(
    metrics, monkeypatch
):
    monkeypatch.setattr(ring, "STEP_BYTES", 300)
    missed = await told_up_to(Watcher(a_ring(60), 0, 0, metrics), 60)

    assert revisions(missed) == list(range(1, 61))
    for update in missed:
        *all_but_last, _ = update.events.events
        assert pb.Events(events=all_but_last).ByteSize() <= 300


async def test_what_comes_later_follows_without_a_hole(metrics):
    ring = a_ring(100)
    watching_on = asyncio.create_task(told_up_to(Watcher(ring, 1, 98, metrics), 110))
    for _ in range(5):
        await asyncio.sleep(0)
        show(ring, 2)

    assert revisions(await watching_on) == list(range(99, 111))


async def test_whoever_reads_too_slowly_is_sent_a_view_in_place_of_what_it_missed(
    metrics,
):
    ring = a_ring(10)
    with Watcher(ring, 0, 8, metrics) as slow:
        await anext(slow)
        show(ring, RING_EVENTS + 1)

        step = await step_of(slow)

    assert step.update.WhichOneof("update") == "view"
    assert metrics.resyncs._value.get() == 1


async def test_to_come_back_after_long_is_not_to_read_slowly(metrics):
    await told(Watcher(a_ring(), 0, 3, metrics), 1)

    assert metrics.resyncs._value.get() == 0


async def test_the_revision_ahead_of_the_table_is_refused(metrics):
    with pytest.raises(AnpaiError) as refused:
        Watcher(a_ring(10), 0, 11, metrics)

    assert refused.value.reason == "REVISION_AHEAD"
    assert refused.value.metadata == {"table": "t-1", "revision": "10"}


async def test_all_that_tells_a_revision_names_the_past_up_to_it(metrics):
    ring = a_ring(200)

    steps = await told_up_to(Watcher(ring, 0, 0, metrics), 200)

    lasts = [step.events.events[-1].revision for step in steps]
    assert [step.past for step in steps] == [pasts(last)[0].name for last in lasts]
    entries = {PAST.ending_at(last)[0].hash for last in lasts}
    assert len({step.past for step in steps}) == len(entries) > 1


async def test_a_view_names_its_past_alike(metrics):
    (first,) = await told(Watcher(a_ring(), 0, None, metrics), 1)

    assert first.past == pasts(ALL)[0].name
    assert not first.undone


async def test_whoever_saw_the_same_past_goes_on_from_there(metrics):
    past = pasts(150)[0].name

    missed = await told(Watcher(a_ring(200), 0, 150, metrics, past), 1)

    assert revisions(missed) == list(range(151, 201))


async def test_t55_whoever_saw_another_past_is_told_so_with_a_view(metrics):
    (first,) = await told(Watcher(a_ring(200), 0, 150, metrics, b"another"), 1)

    assert first.undone
    assert first.HasField("view")
    assert metrics.undone.labels("skirmish")._value.get() == 1


async def test_of_what_no_revision_shows_a_seat_is_told_its_own_alone():
    def with_secrets(revision):
        return [*pasts(revision), *(NamedPast(seat, bytes((seat,))) for seat in (1, 0))]

    ring = Ring("t-1", "skirmish", GAME.events[:50], look, with_secrets)

    names = [ring.past_at(50, viewer) for viewer in (0, 1, None)]
    assert names == [b"\0", b"\1", pasts(50)[0].name]


@pytest.mark.parametrize("viewer", [0, 1])
def test_whoever_is_sent_what_others_see_would_see_the_same(viewer):
    for event in GAME.events:
        shared = event_for(event, 1, eyes_for(event, viewer), "skirmish")

        assert shared == event_for(event, 1, viewer, "skirmish")


async def test_like_eyes_share_one_message(metrics):
    ring = a_ring(100)

    assert all(ring.step(at, None) is ring.step(at, None) for at in range(100))


async def test_what_was_made_before_more_was_shown_is_not_sent_in_its_place(metrics):
    ring = a_ring(10)
    before = ring.step(8, None)
    show(ring, 5)

    assert (before.revision, ring.step(8, None).revision) == (10, 15)


async def test_nobody_is_sent_what_other_eyes_see(metrics):
    ring = a_ring(100)

    first, second, public = [
        await told_up_to(Watcher(ring, viewer, 0, metrics), 100)
        for viewer in (0, 1, None)
    ]

    assert first != second
    assert not any(
        event.questions_asked.HasField("question") for event in all_in(public)
    )


async def test_t25_a_silent_stream_beats_with_the_latest_revision(metrics, monkeypatch):
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.01)

    *_, beat = await told(Watcher(a_ring(50), 0, 49, metrics), 2)

    assert beat.heartbeat.revision == 50
    assert beat.heartbeat.now.seconds > 0


async def test_t06_what_nobody_sees_does_not_put_the_heartbeat_off(
    metrics, monkeypatch
):
    """It comes before that of whoever came later."""
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.2)
    ring = a_ring(50)
    with Watcher(ring, 0, 50, metrics) as watcher:
        beat = asyncio.ensure_future(anext(watcher))
        await asyncio.sleep(0.1)
        with Watcher(ring, 0, 50, metrics) as later:
            last = asyncio.ensure_future(anext(later))
            await asyncio.sleep(0.05)
            ring.show([])
            watcher.wake()

            await last
            assert beat.done()


async def test_the_stream_ends_after_the_outcome(metrics):
    ring = a_ring()
    ring.end()
    with Watcher(ring, None, ring.revision - 1, metrics) as watcher:
        last = [step.update for step in await all_of(watcher)]

    assert [event.WhichOneof("verb") for event in all_in(last)] == ["ended"]


async def test_the_stream_of_a_table_that_moves_ends_with_the_reason(metrics):
    ring = a_ring(10)
    with Watcher(ring, 0, 10, metrics) as watcher:
        waiting = asyncio.ensure_future(anext(watcher))
        await asyncio.sleep(0)
        ring.break_off(it_moves)

        with pytest.raises(AnpaiError, match="It moves"):
            await waiting


def it_moves():
    return AnpaiError("TABLE_MOVING", "It moves.")


async def test_a_table_that_moved_is_gone_without_a_sweep(metrics, unswept):
    """What was raised holds the frames it came through, and these the table."""
    ring = a_ring(10)
    gone = weakref.ref(ring)
    with Watcher(ring, 0, 10, metrics) as watcher:
        ring.break_off(it_moves)
        with suppress(AnpaiError):
            await anext(watcher)
    del ring, watcher

    assert gone() is None


async def test_refusals_come_down_among_the_events(metrics):
    refused = pb.SitResponse(refused=pb.AnswerRefused(answer_id="a"))
    ring = a_ring(10)
    with Watcher(ring, 0, 10, metrics) as watcher:
        waiting = asyncio.ensure_future(step_of(watcher))
        await asyncio.sleep(0)
        await watcher.reply(refused)

        assert await waiting == refused


async def test_that_an_answer_was_accepted_travels_with_what_it_caused(metrics):
    ring = a_ring(10)
    with Watcher(ring, 0, 10, metrics) as mine, Watcher(ring, 1, 10, metrics) as other:
        mine.answering = other.answering = "a"
        ring.show(GAME.events[10:12], Given(0, "a", 12))

        told, heard = await step_of(mine), await step_of(other)

    assert revisions([told.update]) == revisions([heard.update]) == [11, 12]
    assert told.accepted == pb.AnswerAccepted(answer_id="a", revision=12)
    assert not heard.HasField("accepted")
    assert (mine.answering, other.answering) == ("", "a")


async def test_an_answer_that_shows_nothing_is_accepted_all_the_same(metrics):
    ring = a_ring(10)
    with Watcher(ring, 0, 10, metrics) as watcher:
        watcher.answering = "a"
        ring.show([], Given(0, "a", 10))

        told = await step_of(watcher)

    past = ring.past_at(10, 0)
    assert told == pb.SitResponse(
        accepted=pb.AnswerAccepted(answer_id="a", revision=10, past=past)
    )


async def test_the_stream_waits_for_the_reply_to_the_answer_that_ended_the_game(
    metrics,
):
    ring = a_ring()
    ring.end()
    reply = pb.SitResponse(refused=pb.AnswerRefused(answer_id="last"))
    with Watcher(ring, 0, ring.revision, metrics) as watcher:
        watcher.answering = "last"
        rest = asyncio.ensure_future(all_of(watcher))
        await asyncio.sleep(0.01)
        await watcher.reply(reply)

        assert await rest == [reply]


async def test_a_stream_that_is_left_is_followed_no_more(metrics):
    ring = a_ring(10)

    await told(Watcher(ring, 0, None, metrics), 1)

    assert not ring.watchers
    assert metrics.watchers._value.get() == 0


async def all_of(watcher):
    return [pb.SitResponse.FromString(step) async for step in watcher]
