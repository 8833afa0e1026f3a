"""From a wish to a seat, as players live it."""

import asyncio

from tests.services.matchmaking.players import wish


async def test_two_players_with_one_wish_sit_at_one_table(house, engines, tables):
    anna, ben = await house.players(2)

    first, second = await asyncio.gather(anna.play(), ben.play())

    assert first.table_id == second.table_id
    assert {first.seat, second.seat} == {0, 1}
    assert {first.commitment, second.commitment} == {"c0ffee"}
    assert first.engine_address in {engine.address for engine in engines}
    seats = tables.seats(first.table_id)
    assert [seats[first.seat].player_id, seats[second.seat].player_id] == [
        anna.id,
        ben.id,
    ]


async def test_the_engine_is_called_with_matchmakings_own_credential(house, engines):
    anna, ben = await house.players(2)

    await asyncio.gather(anna.play(), ben.play())

    assert set().union(*(engine.callers for engine in engines)) == {"matchmaking"}


async def test_bots_fill_the_seats_at_once(house, tables):
    anna = await house.sign_in("Anna")

    seat = await anna.play(wish(seats=4, bots=3))

    seats = tables.seats(seat.table_id)
    assert [each.bot for each in seats].count(True) == 3
    assert (seats[seat.seat].name, seats[seat.seat].bot) == ("Anna", False)
    assert len({each.player_id for each in seats}) == 4
