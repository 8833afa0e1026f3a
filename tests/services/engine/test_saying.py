"""What seats say: heard by whom it is meant for, once; in no journal, log or metric."""

import uuid
from contextlib import AsyncExitStack

import grpc
import pytest
import redis.asyncio as redis
from prometheus_client import generate_latest

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import table_pb2
from services.engine.saying import key
from tests.services.engine.playing import reason_of

TABLE, TEAM = pb.CHANNEL_TABLE, pb.CHANNEL_TEAM
CANARY = "canary-3f9a"
FOUR = ("anna", "ben", "carl", "dora")


async def started(opened, player, *names, **wish):
    table = await opened(*names, **wish)
    for name in names:
        await player(name).takes_seat(table)
    return table


async def says(player, table, text, channel=TABLE, request=""):
    request = request or uuid.uuid4().hex
    reply = await player.asks(
        "Say", table_id=table, channel=channel, text=text, request_id=request
    )
    return reply.number


async def is_refused(player, table, text, channel=TABLE, request=""):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await says(player, table, text, channel, request)
    return reason_of(error.value)


class Hearing:
    """Streams of some viewers, and the next thing each hears."""

    def __init__(self, streams):
        self._streams = streams
        self._heard = {name: [] for name in streams}

    async def begins(self):
        for name in self._streams:
            while not (await self._update(name)).HasField("view"):
                pass

    async def _update(self, name):
        update = await self._streams[name].update()
        if update.HasField("said"):
            told = update.said
            self._heard[name].append((told.seat, told.channel, told.text))
        return update

    async def next(self, name):
        """(seat, channel, text)"""
        while not self._heard[name]:
            await self._update(name)
        return self._heard[name].pop(0)

    async def rest(self, name):
        """All that is heard until the game is over."""
        while (await self._update(name)).WhichOneof("update") == "said":
            pass
        return self._heard[name]


@pytest.fixture
async def hearing(player):
    async with AsyncExitStack() as stack:

        async def open_for(table, *names, after_said=None):
            streams = {}
            for name in names:
                watching = player(name).watching(table, after_said=after_said)
                streams[name] = await stack.enter_async_context(watching)
            hearing = Hearing(streams)
            await hearing.begins()
            return hearing

        yield open_for


async def test_all_at_the_table_hear_what_a_seat_says(opened, player, hearing):
    table = await started(opened, player, "anna", "ben")
    heard = await hearing(table, "anna", "ben", "carl")

    await says(player("ben"), table, "  你好, Anna! 👋🏽 ")

    for name in ("anna", "ben", "carl"):
        assert await heard.next(name) == (1, TABLE, "你好, Anna! 👋🏽")


async def test_only_the_team_hears_what_is_said_to_it(opened, player, hearing):
    table = await started(opened, player, *FOUR, game="gwent", variant="team")
    heard = await hearing(table, *FOUR, "eve")

    await says(player("carl"), table, CANARY, TEAM)
    await says(player("ben"), table, "aloud")

    for name in ("anna", "carl"):
        assert await heard.next(name) == (2, TEAM, CANARY)
    for name in ("ben", "dora", "eve"):
        assert await heard.next(name) == (1, TABLE, "aloud")


@pytest.mark.parametrize(
    "spectating", [table_pb2.SPECTATING_DELAYED, table_pb2.SPECTATING_OPEN]
)
async def test_t07_whoever_sees_the_table_late_hears_nothing_of_now(
    opened, player, hearing, spectating
):
    table = await started(opened, player, "anna", "ben", spectating=spectating)
    await says(player("anna"), table, "before")
    heard = await hearing(table, "carl", after_said=0)
    await says(player("anna"), table, CANARY)
    await player("ben").concedes(table)

    told = await heard.rest("carl")
    is_open = spectating == table_pb2.SPECTATING_OPEN
    assert [text for _, _, text in told] == (["before", CANARY] if is_open else [])


async def test_what_was_said_meanwhile_is_heard_through_any_worker(
    opened, player, hearing, worker, engine
):
    table = await started(opened, player, "anna", "ben")
    first = await says(player("anna"), table, "one")
    await says(player("anna"), table, "two")
    other = (await worker()).address
    await says(player("ben", other), table, "three")
    await engine.stop()

    async with player("ben", other).watching(table, after_said=first) as stream:
        heard = Hearing({"ben": stream})
        assert (await heard.next("ben"))[2] == "two"
        assert (await heard.next("ben"))[2] == "three"


async def test_the_same_request_is_said_once(opened, player, hearing):
    table = await started(opened, player, "anna", "ben")
    heard = await hearing(table, "ben")
    numbers = {
        await says(player("anna"), table, "once", request="request-1") for _ in range(3)
    }
    await says(player("anna"), table, "twice")

    assert len(numbers) == 1
    assert [(await heard.next("ben"))[2] for _ in range(2)] == ["once", "twice"]


async def test_whoever_says_too_much_waits_and_the_others_do_not(opened, player):
    table = await started(opened, player, "anna", "ben")
    for number in range(5):
        await says(player("anna"), table, f"word {number}")

    assert await is_refused(player("anna"), table, "one more") == "TOO_MANY"
    await says(player("ben"), table, "my turn")


@pytest.mark.parametrize(
    "text",
    ["", "   ", "a" * 201, "two\nlines", "bell\a", "\u202eturned", "\u2066x\u2069"],
)
async def test_what_cannot_be_shown_is_not_said(opened, player, text):
    table = await started(opened, player, "anna", "ben")
    assert await is_refused(player("anna"), table, text) == "INVALID_FIELD"


async def test_only_seats_speak_and_only_while_the_game_goes_on(opened, player):
    table = await started(opened, player, "anna", "ben")
    assert await is_refused(player("carl"), table, "hello") == "NOT_SEATED"
    assert await is_refused(player("anna"), table, "hello", TEAM) == "INVALID_FIELD"
    assert await is_refused(player("anna"), table, "hello", 7) == "INVALID_FIELD"
    assert (
        await is_refused(player("anna"), table, "hello", request="x") == "INVALID_FIELD"
    )

    await player("ben").concedes(table)

    assert await is_refused(player("anna"), table, "well") == "TABLE_ENDED"


async def test_words_are_in_no_view_journal_log_or_metric_and_are_forgotten(
    opened, player, engine, valkey, capfd
):
    table = await started(opened, player, "anna", "ben")
    before = await player("anna").looks(table)
    await says(player("anna"), table, CANARY)
    await is_refused(player("anna"), table, CANARY + "\a")

    assert await player("anna").looks(table) == before
    metrics = generate_latest(engine.metrics.registry).decode()
    assert "Say" in metrics
    assert CANARY not in metrics + "".join(capfd.readouterr())
    async with redis.Redis.from_url(valkey) as store:
        kept = key(table)
        assert 0 < await store.ttl(kept) <= 3600
        for name in await store.keys():
            if name.decode() != kept:
                assert CANARY.encode() not in await store.dump(name)


async def test_a_thousand_words_keep_the_last_fifty(opened, player, valkey):
    table = await started(opened, player, "anna", "ben")
    async with redis.Redis.from_url(valkey) as store:
        for number in range(60):
            fields = {"s": 1, "t": "", "w": f"old {number}", "r": f"r-{number}"}
            await store.xadd(key(table), fields, id=f"{number + 1}-0")
        await says(player("anna"), table, "new")
        assert await store.xlen(key(table)) == 50
