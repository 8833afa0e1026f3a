"""Ready checks, as players live them: whoever comes loses nothing by who does not."""

import asyncio
from dataclasses import replace

import pytest
from google.protobuf.duration_pb2 import Duration

from services.chassis.errors import AnpaiError
from services.matchmaking.ticket import Lease, State, Ticket, Wish
from tests.one_store import store_process  # noqa: F401
from tests.services.matchmaking.players import refused, state_of, wish

FOREVER = None


def careful(seats=2, bots_after=FOREVER, **more):
    after = None if bots_after is FOREVER else Duration(seconds=bots_after)
    return wish(seats=seats, ready_check=True, bots_after=after, **more)


async def asked_together(*players, wished=None):
    """Their tickets, each asked by now whether its player is there."""
    made = [await each.ticket(wished or careful()) for each in players]
    tickets = zip(players, made, strict=True)
    return await asyncio.gather(*(who.asked(each.id) for who, each in tickets))


async def comes(player, ticket):
    return await player.confirm(ticket.id, ticket.ready_check.id)


async def test_no_table_is_opened_before_all_have_said_that_they_are_there(
    house, tables
):
    anna, ben = await house.players(2)
    mine, bens = await asked_together(anna, ben)
    assert (mine.ready_check.players, mine.ready_check.here) == (2, 0)
    assert mine.ready_check.id == bens.ready_check.id

    told = await comes(anna, mine)
    assert (state_of(told), told.ready_check.is_confirmed) == ("ACCEPTING", True)
    assert (await ben.look(bens.id)).ready_check.here == 1
    assert not tables.by_request
    await comes(ben, bens)

    first, second = await asyncio.gather(anna.seat(mine.id), ben.seat(bens.id))
    assert first.table_id == second.table_id


async def test_who_does_not_wish_to_be_asked_is_there_by_his_word(house):
    anna, ben = await house.players(2)
    bens = await ben.ticket(wish())
    mine = await anna.ticket(careful())

    asked = await anna.asked(mine.id)
    assert asked.ready_check.here == 1
    assert (await ben.look(bens.id)).ready_check.is_confirmed
    await comes(anna, asked)

    assert (await ben.seat(bens.id)).table_id == (await anna.seat(mine.id)).table_id


async def test_programs_rooms_and_who_plays_with_bots_alone_are_not_asked(house):
    anna, ben = await house.players(2)
    ada, bob = [await house.sign_in(name, bot=True) for name in ("Ada", "Bob")]
    room = wish(room_code=(await anna.room(wish())).code)

    for one, other, wished in ((ada, bob, careful()), (anna, ben, room)):
        await asyncio.gather(one.play(wished), other.play(wished))
    await anna.play(careful(bots=1))


async def test_a_room_may_be_made_with_a_ready_check(house):
    anna, ben = await house.players(2)
    room = wish(room_code=(await anna.room(careful())).code)

    mine, bens = await asked_together(anna, ben, wished=room)
    await asyncio.gather(comes(anna, mine), comes(ben, bens))

    assert (await anna.seat(mine.id)).table_id == (await ben.seat(bens.id)).table_id


async def test_confirming_again_changes_nothing(house):
    anna, ben = await house.players(2)
    mine, bens = await asked_together(anna, ben)

    told = [await comes(anna, mine) for _ in range(3)]
    assert {each.ready_check.here for each in told} == {1}
    await asyncio.gather(*(comes(ben, bens) for _ in range(3)))
    await anna.seat(mine.id)

    assert state_of(await comes(anna, mine)) == "ASSIGNED"


async def test_all_may_confirm_at_once(house):
    players = await house.players(4)
    tickets = await asked_together(*players, wished=careful(seats=4))

    await asyncio.gather(*map(comes, players, tickets))

    seats = await asyncio.gather(
        *(who.seat(each.id) for who, each in zip(players, tickets, strict=True))
    )
    assert len({seat.table_id for seat in seats}) == 1
    assert {seat.seat for seat in seats} == {0, 1, 2, 3}


async def test_a_word_for_another_check_counts_for_nothing(house):
    anna, ben, cleo = await house.players(3)
    mine, bens = await asked_together(anna, ben)
    await ben.cancel(bens.id)
    assert state_of(await anna.look(mine.id)) == "QUEUED"

    for check in (mine.ready_check.id, "nonsense"):
        with refused("READY_CHECK_OVER") as error:
            await anna.confirm(mine.id, check)
        assert error.value.metadata == {"ticket": mine.id}
    with refused("TICKET_NOT_FOUND"):
        await cleo.confirm(mine.id, mine.ready_check.id)


async def test_t33_who_cancels_in_a_ready_check_is_out_and_the_others_wait_on(house):
    anna, ben, cleo = await house.players(3)
    mine, bens = await asked_together(anna, ben)
    await comes(anna, mine)

    assert state_of(await ben.cancel(bens.id)) == "CLOSED"
    back = await anna.look(mine.id)
    assert (state_of(back), back.created_at) == ("QUEUED", mine.created_at)

    cleos = await cleo.ticket(wish())
    assert (await anna.seat(mine.id)).table_id == (await cleo.seat(cleos.id)).table_id
    assert state_of(await ben.look(bens.id)) == "CLOSED"


async def test_t39_a_table_that_does_not_open_costs_nobody_anything(house, engines):
    """All come, the opening fails; nobody is asked again, and all are seated."""
    for engine in engines:
        engine.faults += [AnpaiError("INVALID_FIELD", "No.")] * 2
    anna, ben = await house.players(2)
    mine, bens = await asked_together(anna, ben)
    await asyncio.gather(comes(anna, mine), comes(ben, bens))

    steps = [step async for step in anna.watch(mine.id)]

    assert "ACCEPTING" not in map(state_of, steps)
    assert state_of(steps[-1]) == "ASSIGNED"
    assert {step.created_at.ToMilliseconds() for step in steps} == {
        mine.created_at.ToMilliseconds()
    }


class TestWhoDoesNotCome:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, ready=3000)

    async def test_t39_loses_the_ticket_and_the_others_keep_their_age(self, house):
        anna, ben, cleo = await house.players(3)
        mine, bens = await asked_together(anna, ben)
        await comes(anna, mine)

        gone = await ben.settled(bens.id)
        back = await anna.look(mine.id)
        assert (state_of(gone), gone.closed_because) == ("CLOSED", "absent")
        assert state_of(back) == "QUEUED"
        assert back.created_at == mine.created_at

        late = await cleo.ticket(careful())
        asked = await cleo.asked(late.id)
        assert asked.ready_check.here == 1
        await comes(cleo, asked)
        assert await anna.seat(mine.id)

    async def test_t39_nobody_is_punished_who_did_not_come_either(self, house):
        anna, ben = await house.players(2)
        mine, bens = await asked_together(anna, ben)
        await comes(anna, mine)
        await ben.settled(bens.id)

        again = await ben.ticket(careful())
        await comes(ben, await ben.asked(again.id))

        assert (await ben.seat(again.id)).table_id == (
            await anna.seat(mine.id)
        ).table_id

    async def test_is_replaced_by_a_bot_where_all_others_would_take_one(
        self, house, tables
    ):
        players = await house.players(3)
        anna, ben, _ = players
        patient = careful(seats=3, bots_after=600)
        mine, bens, _ = await asked_together(*players, wished=patient)

        await asyncio.gather(comes(anna, mine), comes(ben, bens))
        seat = await anna.seat(mine.id)

        assert (await ben.seat(bens.id)).table_id == seat.table_id
        assert [each.bot for each in tables.seats(seat.table_id)].count(True) == 1

    async def test_when_nobody_comes_all_tickets_are_closed(self, house):
        anna, ben = await house.players(2)
        tickets = await asked_together(anna, ben)

        for player, ticket in zip((anna, ben), tickets, strict=True):
            assert (await player.settled(ticket.id)).closed_because == "absent"


# ---- the ticket, pure ----------------------------------------------------------------


@pytest.fixture
def ticket():
    careful = Wish("skirmish", "usual", 2, ready_check=True)
    return Ticket("k-1", "n", "anna", "Anna", careful, 0, 60_000)


def test_time_closes_what_was_not_confirmed_and_releases_what_was(ticket):
    asked = ticket.asking(Lease("l", 1000, ("k-1", "k-2")), now_ms=0)
    came = asked.confirmed("anna", trusted_until_ms=9000)

    assert asked.at(1000).closed_because == "absent"
    assert (came.at(1000).state, came.at(1000).here) == (State.QUEUED, ())
    assert not came.at(1000).must_ask(8999)
    assert came.at(1000).must_ask(9000)


def test_who_takes_no_bots_ever_takes_none_for_who_did_not_come(ticket):
    def left_waiting(wish):
        asked = replace(ticket, wish=wish).asking(Lease("l", 1000, ()), 0)
        return asked.confirmed("anna", 0).at(1000).takes_bots

    assert not left_waiting(ticket.wish)
    assert left_waiting(replace(ticket.wish, bots_after_ms=60_000))
