"""Parties, as players live them: found by a code, never split, the same for all."""

import asyncio
import random
from dataclasses import replace
from itertools import pairwise
from uuid import uuid4

import pytest

from services.matchmaking.parties import Parties
from tests.scale import scaled
from tests.services.matchmaking.conftest import SLOWLY
from tests.services.matchmaking.players import (
    House,
    comes_true,
    refused,
    state_of,
    wish,
)


async def party_of(*players):
    """The first leads."""
    code = (await players[0].party()).code
    for player in players[1:]:
        party = await player.join(code)
    return party


def ids(members):
    return [each.player_id for each in members]


async def test_a_party_is_joined_by_its_code(house):
    anna, ben = await house.players(2)
    made = await anna.party()
    assert (ids(made.members), made.version) == ([anna.id], 1)

    joined = await ben.join(f" {made.code.lower()} ")

    assert ids(joined.members) == [anna.id, ben.id]
    assert [each.name for each in joined.members] == ["Player 0", "Player 1"]
    assert joined == await anna.my_party() == await ben.my_party(made.code)


async def test_the_leader_makes_one_ticket_for_all_and_all_sit_at_one_table(
    house, tables
):
    anna, ben, cleo, dan = await house.players(4)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=4), party=party.code)
    assert (ids(ticket.players), ticket.party_code) == ([anna.id, ben.id], party.code)
    await asyncio.gather(*(each.ticket(wish(seats=4)) for each in (cleo, dan)))

    first, second = await anna.seat(ticket.id), await ben.seat(ticket.id)

    assert first.table_id == second.table_id
    sitting = ids(tables.seats(first.table_id))
    assert (sitting[first.seat], sitting[second.seat]) == (anna.id, ben.id)
    assert await ben.seats() == [second]


async def test_in_a_game_of_teams_a_party_is_one_team(house, tables):
    wished = wish("gwent", variant="team", seats=4)
    pairs = [await house.players(2) for _ in range(2)]
    tickets = [
        await pair[0].ticket(wished, party=(await party_of(*pair)).code)
        for pair in pairs
    ]

    for pair, ticket in zip(pairs, tickets, strict=True):
        seats = [(await each.seat(ticket.id)).seat for each in pair]
        assert seats[0] % 2 == seats[1] % 2
    assert len(tables.by_request) == 1


async def test_a_party_may_play_with_bots_and_in_rooms(house, tables):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=4, bots=2), party=party.code)
    seat = await ben.seat(ticket.id)
    assert [each.bot for each in tables.seats(seat.table_id)].count(True) == 2

    room = wish(room_code=(await cleo.room(wish(seats=3))).code)
    ticket = await anna.ticket(room, party=party.code)
    assert (await cleo.play(room)).table_id == (await ben.seat(ticket.id)).table_id


async def test_t35_every_member_gets_the_seat_also_one_who_comes_back_late(
    house, begin, keys_folder
):
    """Ben was away all the time, and asks another server."""
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=3), party=party.code)
    watching = asyncio.create_task(anna.seat(ticket.id))
    await cleo.play(wish(seats=3))
    table = (await watching).table_id

    elsewhere = House((await begin()).address, keys_folder)
    back = elsewhere.again(ben)
    found = await back.my_party()
    seat = await back.seat(found.ticket_id)

    assert seat.table_id == table
    assert await back.seats() == [seat]
    await elsewhere.close()


async def test_depth_counts_tickets_and_players(house, running):
    players = await house.players(4)
    party = await party_of(*players[:3])
    await players[0].ticket(wish(seats=4), party=party.code)
    alone = await players[3].ticket(wish(seats=3))
    assert alone.waiting == 1

    def value(name):
        read = running.metrics.registry.get_sample_value
        return read(f"anpai_{name}", {"game": "skirmish"})

    await comes_true(
        lambda: (value("queued_tickets"), value("queued_players")) == (2, 4)
    )


async def test_any_member_may_cancel_and_no_stranger_may_look(house):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=4), party=party.code)

    with refused("TICKET_NOT_FOUND"):
        await cleo.look(ticket.id)
    assert state_of(await ben.cancel(ticket.id)) == "CLOSED"
    assert (await anna.look(ticket.id)).closed_because == "cancelled"


# ---- coming and going ----------------------------------------------------------------


async def test_of_a_leader_who_leaves_the_next_takes_the_place(house):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben, cleo)

    await anna.leave(party.code)

    assert ids((await ben.my_party()).members) == [ben.id, cleo.id]
    await ben.ticket(wish(seats=3), party=party.code)
    with refused("NOT_LEADER") as error:
        await cleo.ticket(wish(seats=3), party=party.code)
    assert error.value.metadata == {"code": party.code}


@pytest.mark.parametrize("change", ["leave", "join"])
async def test_whoever_joins_or_leaves_ends_the_ticket_that_waits(house, change):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=4), party=party.code)

    await (ben.leave(party.code) if change == "leave" else cleo.join(party.code))

    gone = await anna.settled(ticket.id)
    assert (state_of(gone), gone.closed_because) == ("CLOSED", "party_changed")
    assert state_of(await anna.ticket(wish(seats=4), party=party.code)) == "QUEUED"


class TestSlowEngines:
    @pytest.fixture
    def timings(self, slow):
        return slow

    async def test_a_member_who_leaves_while_the_table_opens_frees_the_others(
        self, house, engines
    ):
        for engine in engines:
            engine.faults.append(SLOWLY)
        anna, ben, cleo = await house.players(3)
        party = await party_of(anna, ben)
        cleos = await cleo.ticket(wish(seats=3))
        ticket = await anna.ticket(wish(seats=3), party=party.code)
        await asyncio.wait(
            [asyncio.create_task(each.opening.wait()) for each in engines],
            return_when=asyncio.FIRST_COMPLETED,
        )

        await ben.leave(party.code)

        assert (await anna.look(ticket.id)).closed_because == "party_changed"
        assert state_of(await cleo.look(cleos.id)) == "QUEUED"
        await asyncio.sleep(SLOWLY + 0.2)
        assert await anna.seats() == await cleo.seats() == []


async def test_who_leaves_after_the_seats_are_assigned_keeps_his_seat(house):
    anna, ben = await house.players(2)
    party = await party_of(anna, ben)
    ticket = await anna.ticket(wish(seats=2), party=party.code)
    await anna.seat(ticket.id)

    await ben.leave(party.code)

    assert len(await ben.seats()) == 1


async def test_leaving_again_or_never_having_been_in_it_changes_nothing(house):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)

    await cleo.leave(party.code)
    await ben.leave(party.code)
    await ben.leave(party.code)
    await ben.leave("QXRTAC")

    assert ids((await anna.my_party()).members) == [anna.id]


async def test_joining_again_changes_nothing(house):
    anna, ben = await house.players(2)
    party = await party_of(anna, ben)

    assert await ben.join(party.code) == await anna.join(party.code) == party


async def test_the_last_who_leaves_ends_the_party(house, store):
    anna, ben = await house.players(2)
    party = await party_of(anna, ben)
    for player in (anna, ben):
        await player.leave(party.code)

    with refused("PARTY_NOT_FOUND") as error:
        await ben.join(party.code)
    assert error.value.metadata == {"code": party.code}
    assert await store.redis.keys("matchmaking:{queue}:party:*") == []
    assert await store.redis.keys("matchmaking:{queue}:party-of:*") == []


async def test_one_is_in_one_party_at_a_time(house):
    anna, ben = await house.players(2)
    mine, other = await anna.party(), await ben.party()

    for doing in (ben.join(mine.code), ben.party()):
        with refused("IN_PARTY") as error:
            await doing
        assert error.value.metadata == {"code": other.code}

    await ben.leave(other.code)
    await ben.join(mine.code)


async def test_a_repeated_request_makes_no_second_party(house):
    anna = await house.sign_in()
    request = str(uuid4())

    parties = await asyncio.gather(*(anna.party(request) for _ in range(5)))

    assert len({party.code for party in parties}) == 1


async def test_who_has_left_a_party_is_not_told_of_it_for_having_made_it(house):
    anna, ben = await house.players(2)
    request = str(uuid4())
    code = (await anna.party(request)).code
    await ben.join(code)
    await anna.leave(code)

    with refused("PARTY_NOT_FOUND") as error:
        await anna.party(request)

    assert error.value.metadata == {"code": code}
    await anna.party()


async def test_a_party_can_be_full(house):
    players = await house.players(9)
    party = await party_of(*players[:8])

    with refused("PARTY_FULL") as error:
        await players[8].join(party.code)

    assert error.value.metadata == {"code": party.code, "most": "8"}


async def test_a_party_must_fit_the_table_and_wait_once_at_a_time(house):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben, cleo)

    with refused("INVALID_FIELD") as error:
        await anna.ticket(wish(seats=4, bots=2), party=party.code)
    assert error.value.metadata["field"] == "party_code"

    ticket = await anna.ticket(wish(seats=4), party=party.code)
    with refused("PARTY_WAITING") as error:
        await anna.ticket(wish(seats=4), party=party.code)
    assert error.value.metadata == {"code": party.code, "ticket": ticket.id}
    await anna.cancel(ticket.id)
    await anna.ticket(wish(seats=4), party=party.code)


async def test_a_repeated_ticket_of_a_party_is_the_same(house):
    anna, ben = await house.players(2)
    party = await party_of(anna, ben)
    request = str(uuid4())

    made = [
        await anna.ticket(wish(seats=4), request, party=party.code) for _ in range(3)
    ]

    assert len({ticket.id for ticket in made}) == 1


async def test_a_strangers_party_is_not_found(house):
    anna, ben = await house.players(2)
    party = await anna.party()

    for doing in (
        ben.my_party(),
        ben.my_party(party.code),
        ben.ticket(wish(), party=party.code),
        anext(ben.watch_party(party.code)),
    ):
        with refused("PARTY_NOT_FOUND"):
            await doing


class TestLimits:
    @pytest.fixture
    def limits(self, limits):
        return replace(limits, parties_per_window=2, open_tickets=1)

    async def test_too_many_parties_are_refused(self, house):
        anna = await house.sign_in()
        for _ in range(2):
            await anna.leave((await anna.party()).code)

        with refused("TOO_MANY") as error:
            await anna.party()

        assert error.value.metadata == {"limit": "parties"}
        assert 0 < error.value.retry_after <= 60

    async def test_a_ticket_counts_for_every_member(self, house):
        anna, ben = await house.players(2)
        party = await party_of(anna, ben)
        waits = await ben.ticket(wish(seats=3))

        with refused("TOO_MANY"):
            await anna.ticket(wish(seats=3), party=party.code)

        await ben.cancel(waits.id)
        await anna.ticket(wish(seats=3), party=party.code)
        with refused("TOO_MANY"):
            await ben.ticket(wish(seats=3))


class TestEnding:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, party=3000, reread=50, touch=300)

    async def test_a_party_nobody_looks_at_ends(self, house):
        anna, ben = await house.players(2)
        party = await party_of(anna, ben)
        for _ in range(8):
            await asyncio.sleep(0.5)
            await ben.my_party()
        assert await anna.my_party() == party

        await asyncio.sleep(3.5)

        with refused("PARTY_NOT_FOUND"):
            await anna.my_party()
        await anna.party()

    async def test_a_party_that_is_watched_lives_on(self, house):
        anna = await house.sign_in()
        await anna.party()
        stream = anna.watch_party()
        assert await anext(stream)
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(4)

        assert await anna.my_party()
        waiting.cancel()


class TestSeldomRead:
    @pytest.fixture
    def timings(self, timings):
        return replace(timings, reread=60_000)

    async def test_a_change_as_the_watch_begins_is_told(self, house, monkeypatch):
        """Ben joins when the party has been read, and before anybody waits for news."""
        anna, ben = await house.players(2)
        code = (await anna.party()).code
        touch = Parties.touch

        async def and_ben_joins(self, party):
            monkeypatch.setattr(Parties, "touch", touch)
            await touch(self, party)
            await ben.join(code)

        monkeypatch.setattr(Parties, "touch", and_ben_joins)

        async with asyncio.timeout(10):
            async for party in anna.watch_party(code):
                if ids(party.members) == [anna.id, ben.id]:
                    break


# ---- everybody sees the same ---------------------------------------------------------


async def test_a_watch_tells_each_change_until_one_is_out_of_it(house):
    anna, ben, cleo = await house.players(3)
    party = await party_of(anna, ben)

    steps = ben.watch_party()
    async with asyncio.timeout(30):
        told = [await anext(steps)]
        await cleo.join(party.code)
        told.append(await anext(steps))
        ticket = await anna.ticket(wish(seats=4), party=party.code)
        told.append(await anext(steps))
        await ben.leave(party.code)

        assert [step async for step in steps] == []
    assert [step.version for step in told] == [2, 3, 4]
    assert told[-1].ticket_id == ticket.id


async def test_t36_all_see_the_same_members_in_the_same_order_of_changes(
    house, begin, keys_folder
):
    """Players join and leave at once through two servers. What each was told, by any
    call or watch, is one history: every version is one party, and differs from the one
    before by one player."""
    other = House((await begin()).address, keys_folder)
    chance = random.Random(36)
    players = await house.players(5)
    code = (await players[0].party()).code
    seen = {}

    def note(party):
        told = party.version, tuple(ids(party.members))
        assert seen.setdefault(told[0], told[1]) == told[1]

    async def come_and_go(player):
        for _ in range(scaled(12, 200)):
            note(await player.join(code))
            note(await player.my_party(code))
            await player.leave(code)
            await asyncio.sleep(chance.random() / 50)
        note(await player.join(code))

    async def follow(player):
        versions = []
        async for party in player.watch_party(code):
            note(party)
            versions.append(party.version)
            if len(party.members) == 5:
                assert versions == sorted(versions)
                return

    twins = [other.again(player) for player in players[1:]]
    async with asyncio.timeout(60):
        watching = asyncio.gather(follow(players[0]), follow(other.again(players[0])))
        await asyncio.gather(
            *(
                come_and_go(chance.choice(pair))
                for pair in zip(players[1:], twins, strict=True)
            )
        )
        await watching

    history = sorted(seen.items())
    assert set(history[-1][1]) == {player.id for player in players}
    for (version, before), (next_version, after) in pairwise(history):
        if next_version == version + 1:
            assert len(set(after) ^ set(before)) == 1
    views = [await player.my_party() for player in (*players, *twins)]
    assert all(view == views[0] for view in views)
    await other.close()
