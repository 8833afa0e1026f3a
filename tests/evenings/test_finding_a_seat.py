"""Matchmaking is killed between the wish and the seat: each player gets one seat."""

import asyncio
from collections import Counter

import anpai
from anpai import Assignment
from tests.evenings.town import GAME, Town

PAIRS = 12
DEATHS = 3


async def seated(
    town: Town, token: str, waits: asyncio.Event | None = None
) -> Assignment:
    """From the wish to the seat; it is heard of when there is a ticket."""
    async with anpai.connect(town.server, token=token, patience=30) as house:
        ticket = await house.enter(GAME, seats=2)
        if waits is not None:
            waits.set()
        seat = await ticket.seat()
        assert [one.table_id for one in await house.my_seats()] == [seat.table_id]
        return seat


async def guest(town: Town, name: str) -> str:
    """A guest's token."""
    async with anpai.connect(town.server) as house:
        return await house.sign_in(name)


async def dies(town: Town) -> None:
    town.matchmaking.kill()
    await town.matchmaking.start()


async def test_a_ticket_that_waits_outlives_matchmaking(town: Town):
    tokens = [await guest(town, name) for name in ("Anna", "Ben")]
    waits = asyncio.Event()
    anna = asyncio.create_task(seated(town, tokens[0], waits))
    await asyncio.wait_for(waits.wait(), 60)
    await dies(town)

    seats = [await seated(town, tokens[1]), await anna]

    assert len({seat.table_id for seat in seats}) == 1
    assert sorted(seat.seat for seat in seats) == [0, 1]


async def test_whenever_it_dies_nobody_gets_two_seats_or_none(town: Town):
    guests = [await guest(town, f"Guest {number}") for number in range(2 * PAIRS)]
    waiting = []
    for death in range(DEATHS + 1):
        for token in guests[death :: DEATHS + 1]:
            waiting.append(asyncio.create_task(seated(town, token)))
            await asyncio.sleep(0.01)
        if death < DEATHS:
            await dies(town)

    seats = await asyncio.gather(*waiting)

    assert len({(seat.table_id, seat.seat) for seat in seats}) == 2 * PAIRS
    assert set(Counter(seat.table_id for seat in seats).values()) == {2}
