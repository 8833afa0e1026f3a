"""Private rooms."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from anpai.engine.v1.table_pb2 import SPECTATING_DELAYED as DELAYED
from services.chassis.stores import open_store
from services.chassis.telemetry import fresh_metrics
from services.matchmaking.rooms import LETTERS, Rooms
from services.matchmaking.ticket import Wish
from tests.services.matchmaking.players import refused, state_of, wish


async def test_friends_with_the_code_play_together_and_nobody_else(house):
    anna, ben, stranger = await house.players(3)
    room = await anna.room(wish())
    outside = await stranger.ticket(wish())

    inside = wish("", seats=0, room_code=room.code)
    first, second = await asyncio.gather(anna.play(inside), ben.play(inside))

    assert first.table_id == second.table_id
    assert state_of(await stranger.look(outside.id)) == "QUEUED"


async def test_two_rooms_do_not_mix(house):
    anna, ben = await house.players(2)
    codes = [(await each.room(wish())).code for each in (anna, ben)]

    tickets = [
        await each.ticket(wish(room_code=code))
        for each, code in zip((anna, ben), codes, strict=True)
    ]
    await asyncio.sleep(0.2)

    for player, ticket in zip((anna, ben), tickets, strict=True):
        assert state_of(await player.look(ticket.id)) == "QUEUED"


async def test_the_room_settles_what_is_played(house):
    anna = await house.sign_in()
    room = await anna.room(wish("gwent", bots=1, bot_strategy="steady"))

    seat = await anna.play(wish("skirmish", seats=4, room_code=room.code))

    assert (seat.game, seat.variant, seat.seats) == ("gwent", "usual", 2)
    assert (room.wish.game, room.wish.bot_strategy) == ("gwent", "steady")


async def test_in_a_room_seats_are_taken_in_the_order_of_joining(house, tables):
    players = await house.players(3)
    room = await players[0].room(wish("gwent", variant="team", seats=4, bots=1))
    inside = wish(room_code=room.code)

    for joining in players:
        ticket = await joining.ticket(inside)
    seat = await players[2].seat(ticket.id)

    sitting = [each.player_id for each in tables.seats(seat.table_id)]
    assert sitting[:3] == [each.id for each in players]
    assert tables.seats(seat.table_id)[3].bot


async def test_a_code_may_be_typed_in_small_letters(house):
    anna = await house.sign_in()
    room = await anna.room(wish(seats=3))

    ticket = await anna.ticket(wish(room_code=f" {room.code.lower()} "))

    assert ticket.wish.room_code == room.code


async def test_a_code_has_no_letters_that_are_mistaken(house):
    anna = await house.sign_in()

    codes = [(await anna.room(wish())).code for _ in range(10)]

    assert len(set(codes)) == 10
    assert all(4 <= len(code) <= 6 and set(code) <= set(LETTERS) for code in codes)
    assert not set(LETTERS) & set("01258OILZSBUV")


async def test_a_code_of_no_room_is_not_found(house):
    anna = await house.sign_in()

    with refused("ROOM_NOT_FOUND") as error:
        await anna.ticket(wish(room_code="QXRTAC"))

    assert error.value.metadata == {"code": "QXRTAC"}


async def test_a_repeated_request_makes_no_second_room(house):
    anna, ben = await house.players(2)
    request = str(uuid4())

    rooms = await asyncio.gather(*(anna.room(wish(), request) for _ in range(5)))
    other = await ben.room(wish(), request)

    assert len({room.code for room in rooms}) == 1
    assert other.code != rooms[0].code


async def test_a_room_within_a_room_is_refused(house):
    anna = await house.sign_in()

    with refused("INVALID_FIELD") as error:
        await anna.room(wish(room_code="QXRTAC"))

    assert error.value.metadata == {"field": "room_code", "allowed": ""}


async def test_a_room_of_what_cannot_be_played_is_refused(house):
    anna = await house.sign_in()

    with refused("INVALID_FIELD"):
        await anna.room(wish(seats=9))
    with refused("GAME_NOT_FOUND"):
        await anna.room(wish("chess"))


class TestLimits:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, rooms_per_window=2)

    async def test_too_many_rooms_are_refused(self, house):
        anna = await house.sign_in()
        for _ in range(2):
            await anna.room(wish())

        with refused("TOO_MANY") as error:
            await anna.room(wish())

        assert error.value.metadata == {"limit": "rooms"}
        assert 0 < error.value.retry_after <= 60


class TestClosing:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, room=2000)

    async def test_a_room_closes_by_itself_and_its_tickets_play_on(self, house):
        anna, ben = await house.players(2)
        room = await anna.room(wish())
        tickets = [await anna.ticket(wish(room_code=room.code))]
        await asyncio.sleep(2.1)

        with refused("ROOM_NOT_FOUND"):
            await ben.ticket(wish(room_code=room.code))
        assert state_of(await anna.look(tickets[0].id)) == "QUEUED"


async def test_a_code_that_is_in_use_is_drawn_again(valkey):
    store = await open_store(valkey, fresh_metrics())
    codes = iter(["AAAAAA", "AAAAAA", "CCCCCC"])
    rooms = Rooms(store.pipeline, new_code=lambda: next(codes))

    made = [await rooms.create("p-1", str(n), Wish("gwent", "", 2)) for n in range(2)]

    assert [room.code for room in made] == ["AAAAAA", "CCCCCC"]
    await store.close()


async def test_whoever_makes_a_room_says_who_may_look_on(house, tables):
    anna, ben = await house.sign_in("Anna"), await house.sign_in("Ben")
    wished = wish(spectating=DELAYED, spectators_behind=30)
    room = await anna.room(wished)
    assert (room.wish.spectating, room.wish.spectators_behind) == (DELAYED, 30)

    first = await anna.ticket(wish(room_code=room.code))
    await ben.play(wish(room_code=room.code))
    wanted = tables.wanted((await anna.seat(first.id)).table_id)

    assert (wanted.spectating, wanted.spectators_behind) == (DELAYED, 30)


@pytest.mark.parametrize(
    "wished",
    [
        {"spectating": 4},
        {"spectating": DELAYED, "spectators_behind": 201},
        {"spectators_behind": 1},
    ],
)
async def test_ways_to_look_on_that_there_are_not_make_no_room(house, wished):
    anna = await house.sign_in("Anna")
    with refused("INVALID_FIELD"):
        await anna.room(wish(**wished))


async def test_in_the_open_queue_nobody_settles_who_may_look_on(house):
    anna = await house.sign_in("Anna")
    with refused("INVALID_FIELD"):
        await anna.ticket(wish(spectating=DELAYED))
