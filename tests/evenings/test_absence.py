"""A person leaves in mid-game; a bot from a real host plays on, dies, comes again, and
gives the seat back: the whole of it can be checked afterwards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import anpai
from services.local.verify import verify
from tests.evenings.town import GAME, Town, a_town
from tests.stores import StoreProcess

PATIENCE = 60


@pytest.fixture
async def town(
    own_store: StoreProcess, keys_folder: Path, tmp_path: Path
) -> AsyncIterator[Town]:
    """With a bot host, and little patience for whoever is away."""
    with_bots = a_town(own_store, keys_folder, tmp_path, bots=True, ANPAI_ABSENT=2)
    async with with_bots as town:
        yield town


async def pair(anna: anpai.House, ben: anpai.House) -> list[anpai.Assignment]:
    """Two people find each other."""
    for house, name in ((anna, "Anna"), (ben, "Ben")):
        await house.sign_in(name)
    tickets = [await house.enter(GAME, seats=2) for house in (anna, ben)]
    return [await ticket.seat() for ticket in tickets]


async def plays_until(table: anpai.Table, holds) -> None:
    """Answers plainly, until something holds of the view."""
    async with asyncio.timeout(PATIENCE):
        while not holds(table.view):
            if question := table.question:
                await table.answer(*question.options[: question.min])
            await anext(table)


async def test_t22_t60_a_seat_goes_to_a_bot_and_back_and_the_game_can_be_checked(
    town: Town,
):
    async with anpai.connect(town.server) as anna, anpai.connect(town.server) as ben:
        seats = await pair(anna, ben)
        his = seats[1].seat
        async with anna.sit(seats[0]) as table:
            async with ben.sit(seats[1]) as other:
                await plays_until(other, lambda view: view.revision > 0)
            await plays_until(table, lambda view: view.seats[his].stand_in)
            bot = table.view.seats[his].stand_in
            await plays_until(table, answered_by(his, times=1))

            town.bots.kill()
            await town.bots.start()
            await plays_until(table, answered_by(his, times=2))
            assert table.view.seats[his].stand_in == bot

            async with ben.sit(seats[1]) as other:
                assert other.view.viewer == his
                assert not other.view.seats[his].away
                await other.concede()
            async for _ in table:
                pass
            assert is_over(table.view)
        disclosure = await anna.disclosure(seats[0].table_id)
    report = verify(disclosure, commitment=seats[0].commitment)
    assert report.ok, report.problem
    for kind in ('"away"', '"stand_in"', '"back"'):
        assert kind in str(disclosure).replace("'", '"')


def is_over(view: anpai.View) -> bool:
    return view.HasField("outcome")


def answered_by(seat: int, times: int):
    """Whether a seat was asked, and then no longer, so often."""
    known: list[bool] = []

    def holds(view: anpai.View) -> bool:
        is_asked = any(asked.seat == seat for asked in view.asked)
        if not known or known[-1] != is_asked:
            known.append(is_asked)
        return is_over(view) or known[1:].count(False) >= times

    return holds
