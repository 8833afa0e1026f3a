"""After an evening on which everything ends in every way, all that the store still has
goes away by itself, and what was stopped waits until somebody has looked at it."""

import asyncio
import json
import time

import grpc
import pytest
import redis

import anpai
from anpai.operator.v1 import ban_service_pb2 as bans
from anpai.operator.v1 import ban_service_pb2_grpc as ban_rpc
from anpai.operator.v1 import table_service_pb2 as pb
from anpai.operator.v1 import table_service_pb2_grpc as rpc
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential
from tests.evenings.aftermath import left_for_ever
from tests.evenings.players import Seating, answers
from tests.evenings.town import GAME, a_town

DAY = 24 * 3600
SECONDS = 60
PARTS = {"engine": ("state", "journal"), "vault": ("about", "heads", "ledger")}


async def until(holds):
    async with asyncio.timeout(SECONDS):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110
            await asyncio.sleep(0.1)


class Operator:
    """With the operators' key, at one service's door."""

    def __init__(self, address, keys, service):
        self._channel = grpc.aio.insecure_channel(address)
        self._metadata = Credential(load_keys(keys, "operator"), service).metadata()

    async def asks(self, stub, method, request):
        call = getattr(stub(self._channel), method)
        return await call(request, metadata=self._metadata, timeout=20)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *why):
        await self._channel.close()


async def people(town, *names):
    houses = [anpai.connect(town.server) for _ in names]
    for house, name in zip(houses, names, strict=True):
        await house.sign_in(name, bot=True)
    return houses


async def a_rated_game(anna, ben):
    """Two strangers meet, talk, and one gives up; they want another game, and one of
    them thinks better of it."""
    tickets = [await each.enter(GAME, seats=2) for each in (anna, ben)]
    seat, other = await asyncio.gather(*(ticket.seat() for ticket in tickets))
    async with anna.sit(seat) as table, ben.sit(other):
        await table.say("Good luck")
        await table.concede()
    await anna.rating_after(seat)
    await (await anna.rematch(seat.table_id)).cancel()


async def what_comes_to_nothing(anna, ben, town):
    """Tickets, rooms and parties that lead to no table."""
    await (await anna.enter("gwent", variant="tournament", seats=2)).cancel()
    await ben.enter("gwent", variant="advanced", seats=2)  # nobody looks after it
    await anna.create_room("gwent", seats=2)
    async with anpai.connect(town.server) as carl:
        await carl.sign_in("Carl")
        party = await carl.create_party()
        joined = await ben.join_party(party.code)
        await carl.enter(GAME, seats=4)
        await party.leave()
        await joined.leave()


async def an_abandoned_table(anna, operator):
    seat = await (await anna.enter(GAME, seats=2, bots=1)).seat()
    request = pb.EndTableRequest(table_id=seat.table_id, reason="a test")
    await operator.asks(rpc.TableServiceStub, "EndTable", request)


async def a_stopped_table(anna, town):
    """The vault's ledger is lost while it is played; the next worker notices."""
    seat = await (await anna.enter(GAME, seats=2, bots=1)).seat()
    async with anna.sit(seat) as table:
        await answers(table, 1)
        with redis.Redis.from_url(town.store.url) as store:
            store.ltrim(f"vault:{{{seat.table_id}}}:ledger", 0, 0)
            store.hset(f"engine:{{{seat.table_id}}}:state", "token", "another's")
        with pytest.raises(anpai.AnpaiCallError) as stopped:
            await answers(table, 1000)
    assert stopped.value.reason == "LEDGER_LOST"
    return seat.table_id


def days_left(town, table):
    """By key, of a table."""
    with redis.Redis.from_url(town.store.url) as store:
        return {
            key: store.ttl(key) / DAY
            for key in (
                f"{service}:{{{table}}}:{part}"
                for service, parts in PARTS.items()
                for part in parts
            )
            if store.exists(key)
        }


async def test_all_that_is_left_of_an_evening_goes_away_by_itself(
    own_store, keys_folder, tmp_path
):
    told = {"ANPAI_STOPPED_DAYS": 45, "ANPAI_SEAT_WAIT": 3}
    async with a_town(own_store, keys_folder, tmp_path, bots=True, **told) as town:
        anna, ben = await people(town, "Anna", "Ben")
        engine = Operator(town.engines[0].address, keys_folder, "engine")
        queue = Operator(town.server, keys_folder, "matchmaking")
        async with anna, ben, engine, queue:
            await a_rated_game(anna, ben)
            await what_comes_to_nothing(anna, ben, town)
            await an_abandoned_table(anna, engine)
            stopped = await a_stopped_table(anna, town)
            await town.open_table(2)  # nobody comes
            seating = Seating(town.server, town.folder)
            played = map(seating.play, await town.open_table(3))
            await asyncio.gather(*played)
            until_ms = round((time.time() + DAY) * 1000)
            ban = bans.BanPlayerRequest(player_id="p-1", until_ms=until_ms, reason="x")
            for door in (engine, queue):
                await door.asks(ban_rpc.BanServiceStub, "BanPlayer", ban)
            await until(lambda: not [*left_for_ever(town)])

            left = days_left(town, stopped)
            assert len(left) == 5
            assert all(44.9 < days <= 45 for days in left.values()), left
            await is_still_to_be_looked_at(engine, stopped)


async def is_still_to_be_looked_at(engine, stopped):
    wanted = pb.ListTablesRequest(state=pb.STATE_STOPPED)
    listed = await engine.asks(rpc.TableServiceStub, "ListTables", wanted)
    assert [line.table_id for line in listed.tables] == [stopped]
    wanted = pb.ReadJournalRequest(table_id=stopped)
    read = await engine.asks(rpc.TableServiceStub, "ReadJournal", wanted)
    assert len(read.entries) == listed.tables[0].entries
    assert json.loads(read.entries[0])[-1], "each ends with its hash"
