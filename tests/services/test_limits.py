"""What a limit refuses has changed nothing, and nobody is stuck because of it."""

import asyncio
import uuid

import grpc
import pytest

import anpai
from anpai.engine.v1 import engine_service_pb2 as engine
from anpai.engine.v1 import engine_service_pb2_grpc as engine_rpc
from anpai.faults import TooMany, fault_of
from anpai.matchmaking.v1 import matchmaking_service_pb2 as pb
from anpai.matchmaking.v1 import matchmaking_service_pb2_grpc as rpc
from anpai.matchmaking.v1.ticket_pb2 import Wish
from services.__main__ import house as a_house
from services.local.verify import verify
from tests.bots.hosting import a_bot_host
from tests.one_store import store_process  # noqa: F401
from tests.stores import keyspace

MASTER_KEY = b"m" * 32


@pytest.fixture
async def strict(valkey, keys_folder):
    """A house where players may call once a second, and five times at first."""
    async with a_house(valkey, keys_folder, MASTER_KEY, player_rate=1) as house:
        yield house


def tickets_in(store):
    lines = keyspace(store, "matchmaking").splitlines()
    return [line for line in lines if ":ticket:" in line.partition(" ")[0]]


async def told_of(call):
    """The refusal that a call ends with; None if it is done."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return fault_of(error)
    return None


async def test_t27_a_ticket_that_is_refused_is_not_made(strict, valkey):
    async with anpai.connect(strict.matchmaking.address) as anna:
        token = await anna.sign_in("Anna")
    metadata = (("authorization", f"Bearer {token}"),)
    async with grpc.aio.insecure_channel(strict.matchmaking.address) as channel:
        create = rpc.MatchmakingServiceStub(channel).CreateTicket
        wishes = [
            pb.CreateTicketRequest(
                request_id=uuid.uuid4().hex, wish=Wish(game="skirmish", seats=2 + n % 3)
            )
            for n in range(12)
        ]
        calls = (told_of(create(wish, metadata=metadata)) for wish in wishes)
        told = await asyncio.gather(*calls)
        refused = {n: why for n, why in enumerate(told) if why is not None}

        assert 5 <= len(told) - len(refused) < 12
        assert {type(why) for why in refused.values()} == {TooMany}
        assert all(0 < why.retry_after <= 1 for why in refused.values())
        assert len(tickets_in(valkey)) == len(told) - len(refused)

        number, why = next(iter(refused.items()))
        await asyncio.sleep(why.retry_after)
        assert await told_of(create(wishes[number], metadata=metadata)) is None
        assert len(tickets_in(valkey)) == len(told) - len(refused) + 1


class Hammer:
    """Looks at a table as often as it goes; `is_refused` once that was too often."""

    def __init__(self, seat, token):
        self.is_refused = asyncio.Event()
        self._address = seat.engine_address
        self._request = engine.GetViewRequest(table_id=seat.table_id)
        self._metadata = (("authorization", f"Bearer {token}"),)

    async def run(self):
        async with grpc.aio.insecure_channel(self._address) as channel:
            look = engine_rpc.EngineServiceStub(channel).GetView
            while True:
                calls = [
                    look(self._request, metadata=self._metadata) for _ in range(30)
                ]
                for why in await asyncio.gather(*map(told_of, calls)):
                    if why is not None:
                        assert isinstance(why, TooMany)
                        self.is_refused.set()
                await asyncio.sleep(0.05)


async def test_t27_a_game_goes_on_beside_calls_that_are_refused(valkey, keys_folder):
    """Answers come up the stream: they wait for their turn, and none is dropped."""
    async with (
        a_house(valkey, keys_folder, MASTER_KEY, player_rate=40) as house,
        a_bot_host(house.matchmaking.address, keys_folder),
        anpai.connect(house.matchmaking.address) as anna,
    ):
        token = await anna.sign_in("Anna", bot=True)
        seat = await (await anna.enter("skirmish", seats=2, bots=1)).seat()
        hammer = Hammer(seat, token)
        hammering = asyncio.create_task(hammer.run())
        async with asyncio.timeout(20):
            await hammer.is_refused.wait()
        outcome = await played(anna, seat)
        assert not hammering.done()
        hammering.cancel()
        told = await anna.disclosure(seat.table_id)

    assert outcome.reason == "played"
    assert verify(told).ok


async def played(anna, seat):
    async with anna.sit(seat) as table:
        async for _ in table:
            if question := table.question:
                await table.answer(*question.options[: question.min])
    return table.outcome
