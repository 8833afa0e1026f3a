"""Results of rated games, whoever is killed between the outcome and the news of it."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import redis

import anpai
from anpai import Assignment, House
from anpai.faults import TableEnded
from tests.evenings.town import GAME, Town, a_town
from tests.scale import scaled

WITHIN = 60.0


class Guest:
    """Somebody who looks for a stranger to play with."""

    def __init__(self, house: House):
        self.house = house
        self.seat = Assignment()

    async def finds_a_seat(self) -> None:
        ticket = await self.house.enter(GAME, seats=2)
        self.seat = await ticket.seat()

    async def gives_up(self) -> None:
        async with self.house.sit(self.seat) as table:
            await table.concede()

    async def sits_to_the_end(self) -> None:
        """It may have come before he did."""
        with suppress(TableEnded):
            async with self.house.sit(self.seat) as table:
                async for _ in table:
                    pass

    async def rating(self) -> anpai.Rating:
        return await self.house.rating(GAME)

    async def is_rated(self) -> bool:
        return (await self.rating()).last_table_id == self.seat.table_id


@asynccontextmanager
async def guests_of(town: Town, count: int) -> AsyncIterator[list[Guest]]:
    """Each at one of the matchmakers, in turn; all have a seat."""
    async with AsyncExitStack() as stack:
        guests = []
        for number in range(count):
            server = town.matchmakers[number % len(town.matchmakers)].address
            house = await stack.enter_async_context(
                anpai.connect(server, patience=WITHIN)
            )
            await house.sign_in(f"Guest {number}")
            guests.append(Guest(house))
        yield guests


async def until_all(guests: list[Guest], holds) -> None:
    async with asyncio.timeout(WITHIN):
        for guest in guests:
            while not await holds(guest):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


async def seats_left(guests: list[Guest]) -> list[Assignment]:
    return [seat for guest in guests for seat in await guest.house.my_seats()]


async def test_an_engine_and_a_matchmaker_killed_after_the_outcome_rate_all_once(
    own_store, keys_folder, tmp_path
):
    pairs = scaled(6, 100)
    async with (
        a_town(own_store, keys_folder, tmp_path, workers=2, matchmakers=2) as town,
        guests_of(town, 2 * pairs) as guests,
    ):
        await asyncio.gather(*(guest.finds_a_seat() for guest in guests))
        assert all(guest.seat.rated for guest in guests)
        losers = [guest for guest in guests if guest.seat.seat == 0]
        ending = [asyncio.create_task(guest.gives_up()) for guest in losers]
        winners = [guest for guest in guests if guest.seat.seat == 1]
        ending += [asyncio.create_task(guest.sits_to_the_end()) for guest in winners]

        await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
        killed = [*town.engines, town.matchmakers[0]]
        for process in killed:
            process.kill()
        await asyncio.gather(*(process.start() for process in killed))
        async with asyncio.timeout(WITHIN):
            await asyncio.gather(*ending)
        await until_all(guests, Guest.is_rated)
        ratings = [await guest.rating() for guest in guests]
        assert {rating.games for rating in ratings} == {1}
        assert sum(rating.wins for rating in ratings) == pairs
        assert await seats_left(guests) == []
        assert [key for key in town.kept_for_ever() if "matchmaking" in key] == []


async def test_t18_engines_that_stall_while_a_table_is_opened_give_one_result(
    own_store, keys_folder, tmp_path
):
    stall = scaled(4, 10)
    async with (
        a_town(own_store, keys_folder, tmp_path, workers=2) as town,
        guests_of(town, 2) as guests,
    ):
        for engine in town.engines:
            engine.hear(signal.SIGSTOP)
        finding = [asyncio.create_task(guest.finds_a_seat()) for guest in guests]
        await asyncio.sleep(stall)
        for engine in town.engines:
            engine.hear(signal.SIGCONT)
        async with asyncio.timeout(WITHIN):
            await asyncio.gather(*finding)
        one, other = guests
        assert one.seat.table_id == other.seat.table_id

        await asyncio.gather(one.gives_up(), other.sits_to_the_end())
        await until_all(guests, Guest.is_rated)

        assert tables_in(own_store) == {one.seat.table_id}
        assert (await one.rating()).games == (await other.rating()).games == 1


def tables_in(store) -> set[str]:
    with redis.Redis.from_url(store.url) as client:
        states = client.scan_iter("engine:{*}:state")
        return {key.decode().split("{")[1].split("}")[0] for key in states}
