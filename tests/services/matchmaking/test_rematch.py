"""The same once more: all who ask meet, and nobody else comes in."""

import asyncio
from dataclasses import replace

import pytest

from anpai.engine.v1.table_pb2 import SPECTATING_DELAYED as DELAYED
from anpai.engine.v1.table_pb2 import SPECTATING_NONE as NONE
from anpai.engine.v1.table_pb2 import SPECTATING_UNSPECIFIED as UNSPECIFIED
from tests.services.matchmaking.players import refused, state_of, wish
from tests.services.matchmaking.test_results import is_free, until


async def over(tables, player, table: str) -> None:
    tables.end(table, 1, 2)
    await until(lambda: is_free(player))


async def test_those_who_sat_there_meet_again(house, tables):
    anna, ben = await house.players(2)
    old = (await asyncio.gather(anna.play(), ben.play()))[0].table_id
    await over(tables, anna, old)

    tickets = [await each.rematch(old) for each in (anna, ben)]
    seats = [
        await each.seat(ticket.id)
        for each, ticket in zip((anna, ben), tickets, strict=True)
    ]

    assert seats[0].table_id == seats[1].table_id != old
    assert not tables.wanted(seats[0].table_id).rated


async def test_everybody_sits_where_he_sat_whoever_asks_first(house, tables):
    players = await house.players(3)
    wished = wish("gwent", seats=4, bots=1, variant="team")
    before = await asyncio.gather(*(each.play(wished) for each in players))
    tables.end(before[0].table_id, 1, 2, 1, 2)
    await until(lambda: is_free(players[0]))

    tickets = {}
    for each in (players[2], players[0], players[1]):
        tickets[each] = (await each.rematch(before[0].table_id)).id
    after = [await each.seat(tickets[each]) for each in players]

    assert [seat.seat for seat in after] == [seat.seat for seat in before]
    wanted = tables.wanted(after[0].table_id)
    assert [who.bot for who in wanted.seats].count(True) == 1


@pytest.mark.parametrize(("spectating", "behind"), [(DELAYED, 30), (NONE, 0)])
async def test_whoever_could_look_on_in_a_room_can_and_nobody_else(
    house, tables, spectating, behind
):
    anna, ben = await house.players(2)
    wished = wish(spectating=spectating, spectators_behind=behind)
    room = wish(room_code=(await anna.room(wished)).code)
    old = (await asyncio.gather(anna.play(room), ben.play(room)))[0].table_id
    for _ in ("once", "and once more"):
        await over(tables, anna, old)
        tickets = [(each, await each.rematch(old)) for each in (anna, ben)]
        old, _ = [(await each.seat(it.id)).table_id for each, it in tickets]
        wanted = tables.wanted(old)
        assert (wanted.spectating, wanted.spectators_behind) == (spectating, behind)


@pytest.mark.parametrize(("bots", "spectating"), [(0, DELAYED), (1, UNSPECIFIED)])
async def test_whoever_could_look_on_at_a_table_of_the_queue_can(
    house, tables, bots, spectating
):
    """Rated tables are shown late: the engine does so where nothing is said."""
    people = await house.players(2 - bots)
    wished = wish(bots=bots)
    old, *_ = await asyncio.gather(*(each.play(wished) for each in people))
    assert tables.wanted(old.table_id).rated == (not bots)
    await over(tables, people[0], old.table_id)

    tickets = [(each, await each.rematch(old.table_id)) for each in people]
    again, *_ = [await each.seat(ticket.id) for each, ticket in tickets]

    assert tables.wanted(again.table_id).spectating == spectating


async def test_bots_come_again_as_bots(house, tables):
    anna, ben = await house.players(2)
    wished = wish(seats=4, bots=2, bot_strategy="steady")
    old = (await asyncio.gather(anna.play(wished), ben.play(wished)))[0].table_id
    tables.end(old, 1, 2, 3, 4)
    await until(lambda: is_free(anna))

    tickets = [await each.rematch(old) for each in (anna, ben)]
    seat = await anna.seat(tickets[0].id)

    wanted = tables.wanted(seat.table_id)
    assert [who.bot for who in wanted.seats].count(True) == 2
    assert {who.player_id for who in wanted.seats if not who.bot} == {anna.id, ben.id}
    assert tickets[0].wish.bot_strategy == "steady"


async def test_whoever_is_alone_with_bots_sits_at_once(house, tables):
    anna = await house.sign_in()
    old = (await anna.play(wish(seats=3, bots=2))).table_id
    tables.end(old, 1, 2, 3)
    await until(lambda: is_free(anna))

    seat = await anna.seat((await anna.rematch(old)).id)

    assert (seat.table_id != old, seat.seats) == (True, 3)


async def test_a_party_asks_by_its_leader_and_all_of_it_come(house, tables):
    anna, ben, cleo = await house.players(3)
    code = (await anna.party()).code
    await ben.join(code)
    ticket = await anna.ticket(wish(seats=3), party=code)
    before = [await cleo.play(wish(seats=3))]
    before += [await each.seat(ticket.id) for each in (anna, ben)]
    tables.end(before[0].table_id, 1, 2, 3)
    await until(lambda: is_free(anna))

    again = await anna.rematch(before[0].table_id, party=code)
    alone = await cleo.rematch(before[0].table_id)

    assert (again.party_code, len(again.players)) == (code, 2)
    after = [await cleo.seat(alone.id)]
    after += [await each.seat(again.id) for each in (anna, ben)]
    assert [seat.seat for seat in after] == [seat.seat for seat in before]
    assert len({seat.table_id for seat in after}) == 1


async def test_a_party_with_one_who_was_not_there_has_no_rematch(house, tables):
    anna, ben, cleo = await house.players(3)
    old, _ = await asyncio.gather(anna.play(), cleo.play())
    await over(tables, anna, old.table_id)
    code = (await anna.party()).code
    await ben.join(code)

    with refused("INVALID_FIELD") as error:
        await anna.rematch(old.table_id, party=code)
    assert error.value.metadata["field"] == "party_code"

    await ben.leave(code)
    await cleo.join(code)
    ticket = await anna.rematch(old.table_id, party=code)
    assert (await cleo.seat(ticket.id)).seat == 1 - old.seat


async def test_one_who_asks_waits_for_the_others_and_may_give_up(house, tables):
    anna, ben = await house.players(2)
    old = (await asyncio.gather(anna.play(), ben.play()))[0].table_id
    await over(tables, anna, old)
    stranger = await house.sign_in("Stranger")
    waiting = await stranger.ticket()

    alone = await anna.rematch(old)
    await asyncio.sleep(0.3)

    assert state_of(await anna.look(alone.id)) == "QUEUED"
    assert state_of(await stranger.look(waiting.id)) == "QUEUED"
    assert state_of(await anna.cancel(alone.id)) == "CLOSED"


async def test_asking_again_with_the_same_request_is_one_ticket(house, tables):
    anna, ben = await house.players(2)
    old = (await asyncio.gather(anna.play(), ben.play()))[0].table_id
    await over(tables, anna, old)

    first, second = [await anna.rematch(old, request_id="again-1234") for _ in "12"]

    assert first.id == second.id


async def test_who_was_not_there_is_turned_away(house, tables):
    anna = await house.sign_in()
    old = (await anna.play(wish(bots=1))).table_id
    await over(tables, anna, old)
    stranger = await house.sign_in("Stranger")

    with refused("NOT_SEATED"):
        await stranger.rematch(old)
    with refused("ROOM_NOT_FOUND"):
        await stranger.ticket(wish(room_code=f"~{old}"))


@pytest.mark.parametrize("table", ["", "t-none", "x" * 1000])
async def test_a_table_nobody_knows_of_has_no_rematch(house, table):
    anna = await house.sign_in()

    with refused("TABLE_NOT_FOUND"):
        await anna.rematch(table)


async def test_a_game_that_goes_on_has_no_rematch(house):
    anna = await house.sign_in()
    seat = await anna.play(wish(bots=1))

    with refused("TABLE_NOT_OVER") as error:
        await anna.rematch(seat.table_id)

    assert error.value.retry_after is not None


class TestLateNews:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, rematch=30_000)

    async def test_a_rematch_asked_for_at_the_very_end_waits_for_it(
        self, house, tables
    ):
        anna = await house.sign_in()
        old = (await anna.play(wish(bots=1))).table_id

        asking = asyncio.create_task(anna.rematch(old))
        await asyncio.sleep(0.3)
        tables.end(old, 1, 2)

        assert state_of(await asking) in ("QUEUED", "RESERVED", "ASSIGNED")


async def test_decks_for_a_rematch_are_judged_as_any(house, tables):
    anna = await house.sign_in()
    old = (await anna.play(wish("gwent", bots=1))).table_id
    await over(tables, anna, old)

    with refused("DECK_ILLEGAL"):
        await anna.rematch(old, decks=[["gwent/joker"]])
    assert await anna.rematch(old, decks=[["gwent/ace"]])
