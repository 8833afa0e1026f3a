"""New keys while everybody plays: nobody is turned away who should not be."""

import asyncio

import jwt

import anpai
from anpai.faults import NotSignedIn
from services.chassis.keys import forget_old_keys, load_keys, make_keys, rotate_key
from tests.evenings.town import GAME, a_town

SERVICES = ("matchmaking", "engine", "bots")


def key_of(token):
    return jwt.get_unverified_header(token)["kid"]


async def until(holds, within=20.0):
    async with asyncio.timeout(within):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def is_known(server, token):
    async with anpai.connect(server, token=token) as house:
        try:
            await house.my_seats()
        except NotSignedIn:
            return False
        return True


async def answers(table, number):
    """Give so many, or as many as the game still takes."""
    async for _ in table:
        if question := table.question:
            await table.answer(*question.options[: question.min])
            number -= 1
        if not number:
            return


async def test_keys_are_renewed_while_a_game_is_played(own_store, tmp_path):
    keys = tmp_path / "keys"
    make_keys(keys)
    old = load_keys(keys, "matchmaking").id
    async with (
        a_town(own_store, keys, tmp_path, bots=True) as town,
        anpai.connect(town.server) as anna,
        anpai.connect(town.server) as ben,
    ):
        before = await anna.sign_in("Anna", bot=True)
        assert key_of(before) == old
        seat = await (await anna.enter(GAME, seats=2, bots=1)).seat()
        async with anna.sit(seat) as table:
            await answers(table, 3)
            turning = (asyncio.to_thread(rotate_key, keys, one) for one in SERVICES)
            await asyncio.gather(*turning)
            new = load_keys(keys, "matchmaking").id

            async def has_turned():
                return key_of(await ben.sign_in("Ben", bot=True)) == new

            await until(has_turned)
            assert new != old
            assert await is_known(town.server, before)
            await answers(table, 1000)
        assert table.outcome is not None
        beside = await (await ben.enter(GAME, seats=2, bots=1)).seat()
        async with ben.sit(beside) as table:
            await answers(table, 1000)
        assert table.outcome is not None

        assert await asyncio.to_thread(forget_old_keys, keys, "matchmaking") == 1

        async def is_forgotten():
            return not await is_known(town.server, before)

        await until(is_forgotten)
        assert await is_known(town.server, await ben.sign_in("Ben"))
