"""Coming back in the middle of anything, and reading too slowly."""

import asyncio
import random

import pytest

from services.engine.games import GAMES
from tests.one_store import store_process  # noqa: F401
from tests.services.engine.bots import Bot
from tests.services.engine.playing import Game, an_answer, options, revisions_in

NAMES = ("anna", "ben", "carl", "dora", "eve")
WAYS = [(game, one) for game in GAMES.values() for one in game.variants]


@pytest.mark.parametrize(
    ("game", "variant"), WAYS, ids=[f"{game.name}-{one.name}" for game, one in WAYS]
)
async def test_t22_reconnecting_at_any_question_finds_the_same_question(
    game, variant, opened, player
):
    chance, met = random.Random(3), set()
    for _ in range(2):
        met |= await questions_met(opened, player, game.name, variant, chance)

    assert len(met) > 1


async def questions_met(opened, player, game, variant, chance):
    """Play a game; at each question leave, come back each way, and compare."""
    names = NAMES[: max(variant.seats)]
    table = await opened(*names, game=game, variant=variant.name)
    players, met = [player(name) for name in names], set()
    for one in players:
        await one.takes_seat(table)
    views = [await one.looks(table) for one in players]
    while not views[0].HasField("outcome"):
        for one, view in zip(players, views, strict=True):
            if view.HasField("question"):
                await comes_back_to(view, table, one)
                met.add(view.question.name)
        asked = next(v for v in views if v.HasField("question"))
        one = players[asked.viewer]
        await one.answers(table, at_random(asked.question, chance))
        views = [await one.looks(table) for one in players]
    return met


def at_random(question, chance):
    count = chance.randint(question.min, question.max)
    return an_answer(question, chance.sample(options(question), count))


async def comes_back_to(view, table, player):
    """By a new stream, and by one that goes on from long before."""
    async with player.sitting(table) as stream:
        assert (await stream.update()).view == view
    async with player.watching(table, 0) as stream:
        assert view.question in await questions_told(stream, view.revision)


async def questions_told(stream, revision):
    """The questions in what is sent up to a revision."""
    told, at = [], 0
    while at < revision:
        update = await stream.update()
        at = max(update.view.revision, *revisions_in(update), at)
        told += [update.view.question]
        told += [event.questions_asked.question for event in update.events.events]
    return told


async def test_whoever_reads_too_slowly_is_sent_a_view_and_follows_on(
    opened, player, monkeypatch, engine
):
    monkeypatch.setattr("services.engine.ring.RING_EVENTS", 64)
    table = await opened("anna", "ben")
    slow = player("carl", window=0)
    async with slow.watching(table) as stream:
        first = (await stream.update()).view
        anna, ben = player("anna"), player("ben")
        await anna.takes_seat(table)
        await ben.takes_seat(table)
        await asyncio.gather(Bot(anna, table).plays(), Bot(ben, table).plays())
        game = Game(first)
        while (step := await stream.next()) is not None:
            game.hear(step.update)

    assert game.view == await player("carl").looks(table)
    assert game.views >= 1
    assert engine.metrics.resyncs._value.get() >= 1
