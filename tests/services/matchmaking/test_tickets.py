"""From a wish to a seat, as players live it."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from google.protobuf.duration_pb2 import Duration

from tests.services.matchmaking.conftest import SLOWLY
from tests.services.matchmaking.players import refused, state_of, wish


async def test_two_players_with_one_wish_sit_at_one_table(house, engines, tables):
    anna, ben = await house.players(2)

    first, second = await asyncio.gather(anna.play(), ben.play())

    assert first.table_id == second.table_id
    assert {first.seat, second.seat} == {0, 1}
    assert {first.commitment, second.commitment} == {"c0ffee"}
    assert first.engine_address in {engine.address for engine in engines}
    seats = [each.player_id for each in tables.seats(first.table_id)]
    assert (seats[first.seat], seats[second.seat]) == (anna.id, ben.id)


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


async def test_t60_bots_come_after_the_wait_wished_for(house, tables):
    anna, ben = await house.players(2)
    bens = await ben.ticket(wish(seats=4, bots_after=Duration(seconds=60)))
    mine = await anna.ticket(wish(seats=4, bots_after=Duration(seconds=1)))
    assert mine.wish.bots_after == Duration(seconds=1)

    seat = await anna.seat(mine.id)

    assert (await ben.seat(bens.id)).table_id == seat.table_id
    assert [each.bot for each in tables.seats(seat.table_id)].count(True) == 2
    assert seat.seats == 4


async def test_t38_a_wish_tells_which_other_seats_will_do(house):
    anna = await house.sign_in("Anna")

    mine = await anna.ticket(wish(seats=4, other_seats=[3, 4, 3]))

    assert list(mine.wish.other_seats) == [3]


async def test_without_a_wait_wished_for_bots_never_come(house):
    anna = await house.sign_in("Anna")
    mine = await anna.ticket(wish(seats=4))

    assert not mine.wish.HasField("bots_after")


async def test_who_plays_alone_has_a_table_at_once(house, tables):
    anna = await house.sign_in("Anna")

    seat = await anna.play(wish("gwent", variant="alone", seats=1))

    assert (seat.variant, seat.seat, seat.seats) == ("alone", 0, 1)
    assert [each.player_id for each in tables.seats(seat.table_id)] == [anna.id]


async def test_other_wishes_do_not_play_together(house):
    players = await house.players(5)
    wishes = [
        wish(),
        wish(seats=3),
        wish(variant="quick"),
        wish("gwent"),
        wish(seats=3, bots=1),
    ]

    tickets = [await each.ticket(w) for each, w in zip(players, wishes, strict=True)]
    await asyncio.sleep(0.2)

    for player, ticket in zip(players, tickets, strict=True):
        assert state_of(await player.look(ticket.id)) == "QUEUED"


async def test_the_usual_variant_need_not_be_named(house):
    anna, ben = await house.players(2)

    first, second = await asyncio.gather(
        anna.play(wish(variant="usual")), ben.play(wish())
    )

    assert first.table_id == second.table_id
    assert second.variant == "usual"


# ---- read your own write -------------------------------------------------------------


async def test_t31_a_ticket_is_there_once_it_is_made(house):
    anna = await house.sign_in()
    for _ in range(5):
        made = await anna.ticket(wish(seats=3))

        assert await anna.look(made.id) == made
        async for seen in anna.watch(made.id):
            assert seen == made
            break
        await anna.cancel(made.id)


async def test_t33_a_late_second_ticket_meets_the_first(house):
    anna, ben = await house.players(2)
    first = await anna.ticket()
    await asyncio.sleep(0.3)

    late = await ben.play()

    assert (await anna.seat(first.id)).table_id == late.table_id


async def test_a_repeated_request_makes_no_second_ticket(house):
    anna = await house.sign_in()
    request = str(uuid4())

    tickets = await asyncio.gather(
        *(anna.ticket(wish(seats=3), request) for _ in range(10))
    )

    assert len({ticket.id for ticket in tickets}) == 1
    assert tickets[0].waiting == 1


async def test_a_repeated_request_is_answered_though_its_room_has_gone(house, store):
    anna = await house.sign_in()
    request = str(uuid4())
    inside = wish(room_code=(await anna.room(wish())).code)
    made = await anna.ticket(inside, request)
    await store.redis.delete(f"matchmaking:{{queue}}:room:{made.wish.room_code}")

    assert await anna.ticket(inside, request) == made


async def test_two_players_requests_of_one_name_are_two(house):
    anna, ben = await house.players(2)
    request = str(uuid4())

    tickets = [await each.ticket(wish(seats=3), request) for each in (anna, ben)]

    assert len({ticket.id for ticket in tickets}) == 2


async def test_a_ticket_says_how_many_wait_for_the_same(house):
    anna, ben, cleo = await house.players(3)
    mine = await anna.ticket(wish(seats=4))
    await ben.ticket(wish(seats=4))
    await cleo.ticket(wish("gwent"))

    assert (mine.waiting, (await anna.look(mine.id)).waiting) == (1, 2)


async def test_a_watch_resumed_after_the_end_tells_the_seat_again(house):
    anna, ben = await house.players(2)
    mine = await anna.ticket()
    await asyncio.gather(anna.settled(mine.id), ben.play())

    again = await anna.seat(mine.id)

    assert [again] == await anna.seats()


async def test_another_players_ticket_is_not_found(house):
    anna, ben = await house.players(2)
    mine = await anna.ticket()

    for doing in (ben.look, ben.cancel, ben.settled):
        with refused("TICKET_NOT_FOUND") as error:
            await doing(mine.id)
        assert error.value.metadata == {"ticket": mine.id}


# ---- wishes that cannot be -----------------------------------------------------------


@pytest.mark.parametrize(
    ("wished", "field", "allowed"),
    [
        (wish(seats=5), "seats", "2, 3, 4"),
        (wish(seats=0), "seats", "2, 3, 4"),
        (wish(seats=2, bots=2), "bots", "0-1"),
        (wish(variant="blind"), "variant", "usual, quick"),
        (wish(variant="quick", seats=4), "seats", "2, 3"),
        (wish("gwent", seats=1), "seats", "2"),
        (wish("gwent", variant="alone", seats=1, bots=1), "bots", "0-0"),
        (wish(bots=1, bot_strategy="../x"), "bot_strategy", None),
        (wish(seats=4, bots=2, other_seats=[3, 2]), "other_seats", "3, 4"),
        (wish(bots_after=Duration(seconds=3601)), "bots_after", "0s to 3600s"),
        (wish(bots_after=Duration(seconds=-1)), "bots_after", "0s to 3600s"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_by_its_field(
    house, wished, field, allowed
):
    anna = await house.sign_in()

    with refused("INVALID_FIELD") as error:
        await anna.ticket(wished)

    assert error.value.metadata["field"] == field
    assert allowed in (None, error.value.metadata["allowed"])


@pytest.mark.parametrize("request_id", ["short", "x" * 65, "with blank in it"])
async def test_a_request_must_have_a_proper_name(house, request_id):
    anna = await house.sign_in()

    with refused("INVALID_FIELD") as error:
        await anna.ticket(wish(), request_id)

    assert error.value.metadata["field"] == "request_id"


async def test_a_game_nobody_has_is_not_found(house):
    anna = await house.sign_in()

    with refused("GAME_NOT_FOUND") as error:
        await anna.ticket(wish("chess"))

    assert error.value.metadata == {"game": "chess"}


# ---- leaving -------------------------------------------------------------------------


async def test_t33_a_cancelled_ticket_plays_no_more(house):
    anna, ben, cleo = await house.players(3)
    left = await anna.ticket()

    closed = await anna.cancel(left.id)
    first, second = await asyncio.gather(ben.play(), cleo.play())

    assert (state_of(closed), closed.closed_because) == ("CLOSED", "cancelled")
    assert first.table_id == second.table_id
    assert await anna.cancel(left.id) == closed
    assert await anna.seats() == []


async def test_t33_a_seat_that_is_assigned_cannot_be_cancelled(house):
    anna = await house.sign_in()
    ticket = await anna.ticket(wish(bots=1))
    await anna.seat(ticket.id)

    with refused("TICKET_SETTLED") as error:
        await anna.cancel(ticket.id)

    assert error.value.metadata == {"ticket": ticket.id, "state": "ASSIGNED"}


class TestSlowEngines:
    @pytest.fixture
    def timings(self, slow):
        return slow

    @pytest.fixture(autouse=True)
    def _slow_engines(self, engines):
        for engine in engines:
            engine.faults.append(SLOWLY)

    async def test_a_watch_tells_each_change_until_the_seat(self, house):
        anna, ben = await house.players(2)
        mine = await anna.ticket()

        await ben.ticket()
        told = [step async for step in anna.watch(mine.id)]

        states = list(dict.fromkeys(map(state_of, told)))
        assert states[-2:] == ["RESERVED", "ASSIGNED"]
        assert told[-1].assignment.table_id
        assert not any(step.assignment.table_id for step in told[:-1])

    async def test_t33_who_leaves_meanwhile_is_out_and_the_others_wait_on(
        self, house, engines
    ):
        anna, ben, cleo = await house.players(3)
        mine, bens = await anna.ticket(), await ben.ticket()
        await asyncio.wait(
            [asyncio.create_task(e.opening.wait()) for e in engines],
            return_when=asyncio.FIRST_COMPLETED,
        )

        closed = await anna.cancel(mine.id)
        assert state_of(closed) == "CLOSED"
        assert state_of(await ben.look(bens.id)) == "QUEUED"

        late = await cleo.play()
        assert (await ben.seat(bens.id)).table_id == late.table_id
        assert await anna.seats() == []
        assert state_of(await anna.look(mine.id)) == "CLOSED"


# ---- expiring ------------------------------------------------------------------------


class TestPatience:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, fresh=2500, touch=300, reread=50)

    async def test_t30_a_ticket_nobody_looks_at_expires(self, house):
        anna, ben = await house.players(2)
        mine = await anna.ticket()
        await asyncio.sleep(2.8)

        bens = await ben.ticket()
        gone = await anna.look(mine.id)

        assert (state_of(gone), gone.closed_because) == ("CLOSED", "expired")
        async with asyncio.timeout(30):
            while (await ben.look(bens.id)).waiting != 1:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def test_t30_a_ticket_that_is_watched_waits_for_ever(self, house):
        anna = await house.sign_in()
        mine = await anna.ticket()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(5):
                await anna.settled(mine.id)

        assert state_of(await anna.look(mine.id)) == "QUEUED"

    async def test_t30_the_queue_empties_itself_when_all_have_gone(self, house, store):
        for player in await house.players(3):
            await player.ticket(wish(seats=4))

        async with asyncio.timeout(30):
            while await self.left(store):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def left(self, store):
        kept = await store.redis.keys("matchmaking:*")
        return [key for key in kept if b":queue:" in key or b":due" in key]


# ---- limits --------------------------------------------------------------------------


class TestLimits:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, open_tickets=2, tickets_per_window=4)

    async def test_too_many_open_tickets_are_refused_until_one_is_closed(self, house):
        anna = await house.sign_in()
        first, _ = [await anna.ticket(wish(seats=3)) for _ in range(2)]

        with refused("TOO_MANY") as error:
            await anna.ticket(wish(seats=3))
        assert error.value.metadata == {"limit": "tickets"}
        assert error.value.retry_after > 0

        await anna.cancel(first.id)
        await anna.ticket(wish(seats=3))

    async def test_too_many_tickets_in_a_minute_are_refused(self, house):
        anna, ben = await house.players(2)
        for _ in range(4):
            await anna.cancel((await anna.ticket(wish(seats=3))).id)

        with refused("TOO_MANY") as error:
            await anna.ticket(wish(seats=3))
        assert 0 < error.value.retry_after <= 60
        await ben.ticket(wish(seats=3))

    async def test_a_repeat_is_not_counted(self, house):
        anna = await house.sign_in()
        request = str(uuid4())

        for _ in range(9):
            await anna.ticket(wish(seats=3), request)

    async def test_nothing_is_changed_by_a_refusal(self, house):
        anna = await house.sign_in()
        mine = [await anna.ticket(wish(seats=3)) for _ in range(2)]
        with refused("TOO_MANY"):
            await anna.ticket(wish(seats=3))

        assert (await anna.look(mine[0].id)).waiting == 2


async def test_my_seats_are_listed_newest_first(house):
    anna = await house.sign_in()
    seats = [await anna.play(wish(bots=1)) for _ in range(3)]

    assert await anna.seats() == seats[::-1]


async def test_every_key_has_an_end(house, store):
    anna, ben = await house.players(2)
    await asyncio.gather(anna.play(), ben.play(wish()))
    await anna.play(wish(bots=1))
    await anna.ticket(wish(seats=3))
    await anna.ticket(wish(room_code=(await ben.room(wish(seats=4))).code))
    party = await ben.join((await anna.party()).code)
    await anna.ticket(wish(seats=4), party=party.code)

    kept = await store.redis.keys("*")

    assert len(kept) > 10
    assert all(key.startswith(b"matchmaking:{queue}:") for key in kept)
    assert [key for key in kept if await store.redis.pttl(key) < 0] == []
