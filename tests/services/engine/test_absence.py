"""Who goes away is shown, played for, and finds the seat as it was; whoever plays for
them sees what the seat sees, as long as it is to."""

import asyncio
import random
from contextlib import asynccontextmanager, suppress
from time import monotonic

import grpc
import pytest

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from anpai.engine.internal.v1 import engine_internal_service_pb2_grpc as internal_rpc
from services.chassis.tokens import Credential
from services.engine.running import wall_ms
from tests.scale import scaled
from tests.services.engine.playing import Game, an_answer, options, reason_of

SECONDS = 20
HELD_MS = 11_000  # more than any question is held for


@pytest.fixture
def engine_settings():
    """Whoever goes is missed soon; a table waits long for people."""
    return {"absent": 1}


def waits_for_people(seconds):
    settings = {"absent": 1, "forsaken": seconds}
    return pytest.mark.parametrize("engine_settings", [settings])


class Clock:
    """The workers' clock, which a test may set forward."""

    def __init__(self):
        self.ahead = 0

    def __call__(self):
        return wall_ms() + self.ahead


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("services.engine.running.wall_ms", clock)
    monkeypatch.setattr("services.engine.timers.POLL_SECONDS", 0.02)
    return clock


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr("services.engine.attending.LOOK_SECONDS", 0.02)
    monkeypatch.setattr("services.engine.company.CALL_AGAIN", 0.3)


@pytest.fixture
async def house(engine, matchmaking):
    """The engine's door for matchmaking."""
    async with grpc.aio.insecure_channel(engine.address) as channel:
        yield House(channel, Credential(matchmaking, "engine").metadata())


class House:
    def __init__(self, channel, metadata):
        self._stub = internal_rpc.EngineInternalServiceStub(channel)
        self._metadata = metadata

    async def hears(self, table, seat, stand_in=""):
        """The news that a seat of this table is empty, though this bot was to play."""
        call = self._stub.WatchNews(
            internal.WatchNewsRequest(), metadata=self._metadata
        )
        try:
            async with asyncio.timeout(SECONDS):
                async for piece in call:
                    told = piece.empty
                    found = (told.table_id, told.seat, told.stand_in)
                    if found == (table, seat, stand_in):
                        return told
        finally:
            call.cancel()

    async def sends(self, table, seat, player="b-stand-in", name="Abacus"):
        request = internal.StandInRequest(
            table_id=table, seat=seat, player_id=player, name=name
        )
        await self._stub.StandIn(request, metadata=self._metadata, timeout=10)


class Seated:
    """One stream, and what it has been sent so far."""

    def __init__(self, stream):
        self.stream = stream
        self.game = Game()
        self.verbs = []

    @property
    def view(self):
        return self.game.view

    async def until(self, holds):
        while self.view is None or not holds(self.view):
            await self._hears(await self.stream.next())

    async def _hears(self, step):
        if step.HasField("update"):
            self.verbs += [one.WhichOneof("verb") for one in step.update.events.events]
            self.game.hear(step.update)
        elif step.HasField("refused"):
            raise AssertionError(step.refused.refusal)
        return step.HasField("accepted")

    async def plays(self, chance=None):
        """Answers what it is asked, which is then asked no more."""
        question = self.view.question
        choice = chance and chance.sample(options(question), question.min)
        await self.stream.answers(an_answer(question, choice))
        while not await self._hears(await self.stream.next()):
            pass
        if self.view.question.id == question.id:
            self.view.ClearField("question")


@asynccontextmanager
async def seated(player, table, after=None):
    async with player.sitting(table, after) as stream:
        sits = Seated(stream)
        await sits.until(lambda view: True)
        yield sits


async def started(opened, player, *names, **wish):
    table = await opened(*names, timed=True, **wish)
    for name in names:
        await player(name).takes_seat(table)
    return table


def is_away(seat):
    return lambda view: view.seats[seat].away


def is_here(seat):
    return lambda view: not view.seats[seat].away


def is_stood_in_for(seat):
    return lambda view: view.seats[seat].stand_in == "Abacus"


async def bens_turn(opened, player):
    """A table at which Ben is asked."""
    table = await started(opened, player, "anna", "ben")
    async with seated(player("anna"), table) as anna, seated(player("ben"), table):
        while [one.seat for one in anna.view.asked] == [0]:
            await anna.plays()
    return table


async def test_t22_a_seat_left_alone_is_played_by_a_bot_and_given_back(
    opened, player, house, worker
):
    table = await bens_turn(opened, player)
    async with seated(player("anna"), table) as anna:
        async with seated(player("ben"), table):
            pass
        await anna.until(is_away(1))
        told = await house.hears(table, 1)
        assert (told.player_id, told.bot, told.stand_in) == ("ben", False, "")

        await house.sends(table, 1)
        await anna.until(is_stood_in_for(1))
        bens = (await player("ben").looks(table)).question
        async with seated(player("b-stand-in"), table) as bot:
            assert (bot.view.viewer, bot.view.question) == (1, bens)
            assert bot.view.seats[1].name == "Ben"
            await bot.plays()

            other = await worker()
            async with seated(player("ben", other.address), table) as ben:
                await anna.until(is_here(1))
                assert await bot.stream.reason_of_end() == "NOT_SEATED"
                assert ben.view.seats[1].stand_in == ""
                assert (ben.view.viewer, ben.view.question) != (1, bens)
    assert anna.verbs.count("stood_in") == 1
    assert "seat_back" in anna.verbs[anna.verbs.index("stood_in") :]


async def test_what_becomes_of_a_seat_is_counted(opened, player, house, engine):
    def count(how):
        labels = {"game": "skirmish", "how": how}
        registry = engine.metrics.registry
        return registry.get_sample_value("anpai_absences_total", labels)

    assert [count(how) for how in ("away", "stand_in", "back")] == [0, 0, 0]
    table = await started(opened, player, "anna", "ben")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        await anna.until(is_stood_in_for(1))
        await player("ben").takes_seat(table)
        await anna.until(is_here(1))
    assert (count("stand_in"), count("back")) == (1, 1)
    assert count("away") >= 1


async def test_whoever_stood_in_sees_and_does_nothing_once_the_player_is_back(
    opened, player, house
):
    table = await bens_turn(opened, player)
    bot = player("b-stand-in")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        before = await bot.looks(table)
        assert before.viewer == 1
        assert (await bot.takes_seat(table)).seat == 1
        async with seated(player("ben"), table):
            after = await bot.looks(table)
            assert not after.HasField("viewer")
            assert after == await player("carl").looks(table)
            for call in (
                lambda: bot.answers(table, an_answer(before.question)),
                lambda: bot.takes_seat(table),
                lambda: bot.concedes(table),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await call()
                assert reason_of(error.value) == "NOT_SEATED"


async def test_t20_t03_no_stranger_brings_a_seat_back_or_gets_it(
    opened, player, house, engine
):
    table = await bens_turn(opened, player)
    expired = player("ben")
    expired.token = (player("ben").token or "")[:-4] + "AAAA"
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        await anna.until(is_stood_in_for(1))
        question = (await player("ben").looks(table)).question
        for one, reason in ((player("carl"), "NOT_SEATED"), (expired, "TOKEN_INVALID")):
            for call in (
                one.takes_seat(table),
                one.answers(table, an_answer(question)),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await call
                assert reason_of(error.value) == reason
        view = await player("b-stand-in").looks(table)
        assert (view.viewer, view.seats[1].stand_in) == (1, "Abacus")
        async with seated(player("ben"), table) as ben:
            assert ben.view.question == question


async def test_nobody_gives_up_for_somebody_else(opened, player, house):
    table = await started(opened, player, "anna", "ben")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await player("b-stand-in").concedes(table)
        assert reason_of(error.value) == "NOT_SEATED"


@pytest.mark.parametrize("comes", ["TakeSeat", "Answer", "Watch"])
async def test_any_way_of_coming_back_gives_the_seat_back(opened, player, house, comes):
    table = await bens_turn(opened, player)
    ben = player("ben")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        if comes == "TakeSeat":
            await ben.takes_seat(table)
        elif comes == "Answer":
            with suppress(grpc.aio.AioRpcError):
                await ben.answers(table, an_answer((await ben.looks(table)).question))
        else:
            async with ben.watching(table) as stream:
                await stream.update()
        await anna.until(lambda view: "seat_back" in anna.verbs)


async def test_a_stand_in_is_let_in_for_nobody_who_is_there(opened, player, house):
    table = await started(opened, player, "anna", "ben", "carl", game="skirmish")
    async with (
        seated(player("anna"), table) as anna,
        seated(player("ben"), table),
    ):
        await anna.until(is_away(2))
        await house.sends(table, 2)
        await house.sends(table, 2)  # it is done once, however often it is asked for
        for seat, bot in ((0, "b-2"), (2, "b-2"), (2, "anna")):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await house.sends(table, seat, bot)
            assert reason_of(error.value) == "SEAT_OCCUPIED"
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await house.sends(table, 3)
        assert reason_of(error.value) == "INVALID_FIELD"
    assert anna.verbs.count("stood_in") <= 1


async def test_t60_a_bot_that_has_gone_is_called_again_and_comes_again(
    opened, player, house
):
    table = await started(opened, player, "anna", "b-1", bots=["b-1"])
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        told = await house.hears(table, 1)
        assert (told.player_id, told.bot) == ("b-1", True)
        await house.sends(table, 1, "b-1", "B-1")
        async with seated(player("b-1"), table):
            await anna.until(is_here(1))
    assert "stood_in" not in anna.verbs


async def test_a_stand_in_that_has_gone_is_called_again(opened, player, house):
    table = await started(opened, player, "anna", "ben")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        await house.hears(table, 1, stand_in="b-stand-in")


async def test_a_stand_in_is_let_in_by_whichever_worker_has_the_table(
    opened, player, house, worker, engine
):
    table = await started(opened, player, "anna", "ben")
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        await house.sends(table, 1)
        await anna.until(is_stood_in_for(1))
    other = await worker()
    await engine.stop()

    view = await player("b-stand-in", other.address).looks(table)
    assert (view.viewer, view.seats[1].stand_in) == (1, "Abacus")


@pytest.mark.parametrize("engine_settings", [{"absent": 1000}])
async def test_whoever_plays_by_calls_alone_is_there(opened, player, monkeypatch):
    hours = Hours()
    monkeypatch.setattr("services.engine.presence.monotonic", hours)
    table, ben = await started(opened, player, "anna", "ben"), player("ben")
    async with seated(player("anna"), table) as anna:
        for _ in range(5):
            await ben.looks(table)
            hours.ahead += 200
            await asyncio.sleep(0.1)
        assert "seat_away" not in anna.verbs
        assert not (await ben.looks(table)).seats[1].away

        hours.ahead += 300
        await anna.until(is_away(1))


class Hours:
    """A clock of the worker's own, which a test may set forward."""

    def __init__(self):
        self.ahead = 0.0

    def __call__(self):
        return monotonic() + self.ahead


@waits_for_people(seconds=1)
async def test_a_table_that_all_people_have_left_ends(opened, player):
    table = await started(opened, player, "anna", "ben", "b-1", bots=["b-1"])
    async with seated(player("b-1"), table) as bot:
        await bot.until(lambda view: view.HasField("outcome"))
    assert bot.view.outcome.reason == "abandoned"


@waits_for_people(seconds=1)
async def test_a_table_that_never_had_people_goes_on_without_them(opened, player):
    bots = ["b-1", "b-2"]
    table = await started(opened, player, *bots, bots=bots)
    async with seated(player("b-1"), table), seated(player("b-2"), table) as bot:
        await asyncio.sleep(1.5)
        view = await player("b-1").looks(table)
    assert not view.HasField("outcome")
    assert "seat_away" not in bot.verbs


@waits_for_people(seconds=3)
async def test_a_table_somebody_looks_at_does_not_end(opened, player):
    table = await started(opened, player, "anna", "ben")
    async with player("carl").watching(table) as stream:
        await stream.update()
        await asyncio.sleep(4)
        assert not (await player("carl").looks(table)).HasField("outcome")


async def test_at_a_table_without_clocks_nobody_is_missed(opened, player):
    table = await opened("anna", "ben", timed=False)
    for name in ("anna", "ben"):
        await player(name).takes_seat(table)
    async with seated(player("anna"), table):
        await asyncio.sleep(0.3)
        assert not (await player("anna").looks(table)).seats[1].away


@pytest.mark.parametrize("game", ["skirmish", "gwent"])
async def test_t22_t21_at_every_kind_of_question_whoever_was_gone_is_asked_the_same(
    opened, player, house, worker, game, clock
):
    """Few kinds are asked in some games: then another is played."""
    there, known = (await worker()).address, set()
    while len(known) < 3:
        table = await started(opened, player, "anna", "ben", game=game)
        evening = Evening(table, player("ben"), clock)
        await goes_and_comes(evening, table, player, house, there, known)


async def goes_and_comes(evening, table, player, house, there, known):
    """Ben, at each kind of question that is not known yet."""
    async with seated(player("anna"), table) as anna:
        await anna.until(is_away(1))
        while len(known) < scaled(3, 6):
            async with seated(player("ben", there), table) as ben:
                await anna.until(is_here(1))
                question = await evening.until_asked_anew(anna, ben, known)
            if question is None:
                return
            await anna.until(is_away(1))
            await house.sends(table, 1)
            async with seated(player("b-stand-in", there), table) as bot:
                assert bot.view.question == question
            async with seated(player("ben", there), table) as ben:
                assert ben.view.question == question
                await anna.until(is_here(1))
            await anna.until(is_away(1))


class Evening:
    """A game at random between two, whose clock does not keep them waiting."""

    def __init__(self, table, looker, clock):
        self.table = table
        self.looker = looker
        self.clock = clock
        self.chance = random.Random(7)

    async def until_asked_anew(self, anna, ben, known):
        """What Ben is asked that he was not asked before; None where the game ends."""
        while not ben.view.HasField("outcome"):
            question = ben.view.question
            if question.name and question.name not in known:
                known.add(question.name)
                return question
            await self.goes_on(anna, ben)
        return None

    async def goes_on(self, anna, ben):
        asked = [one for one in (anna, ben) if one.view.HasField("question")]
        if asked:
            await asked[0].plays(self.chance)
            last = (await self.looker.looks(self.table)).revision
        else:
            last = ben.view.revision + 1
            self.clock.ahead += HELD_MS
        for one in (anna, ben):
            await one.until(lambda view: view.revision >= last)
