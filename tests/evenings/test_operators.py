"""An operator looks at every table all evening, and is never shown a hidden face."""

import asyncio

import grpc

from anpai.operator.v1 import table_service_pb2 as pb
from anpai.operator.v1 import table_service_pb2_grpc as rpc
from services.chassis.keys import load_keys
from services.chassis.tokens import Credential
from tests.evenings.canary import cards_in, faces_in, known_after, texts
from tests.evenings.players import Seating, games_of
from tests.evenings.town import a_town

TABLES = ((2, "skirmish"), (4, "skirmish"), (2, "gwent", "duel"))
PAUSE = 0.02


class Looking:
    """All that an operator was shown, in order, by table."""

    def __init__(self, address, keys):
        self.shown = []
        self._channel = grpc.aio.insecure_channel(address)
        self._stub = rpc.TableServiceStub(self._channel)
        self._metadata = Credential(load_keys(keys, "operator"), "engine").metadata()
        self._task = asyncio.create_task(self._look())

    async def _look(self):
        while True:
            listed = await self._ask("ListTables", pb.ListTablesRequest())
            for line in listed.tables:
                self.shown.append((line.table_id, 0, line))
                request = pb.InspectTableRequest(table_id=line.table_id)
                seen = await self._ask("InspectTable", request)
                self.shown.append((line.table_id, seen.view.revision, seen))
            await asyncio.sleep(PAUSE)

    async def _ask(self, method, request):
        call = getattr(self._stub, method)
        return await call(request, metadata=self._metadata, timeout=20)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *why):
        if self._task.done():
            self._task.result()
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._channel.close()


async def test_t04_an_operator_is_told_no_face_before_the_public_is(
    own_store, keys_folder, tmp_path
):
    async with a_town(own_store, keys_folder, tmp_path) as town:
        seating = Seating(town.server, town.folder, PAUSE)
        bots = [bot for way in TABLES for bot in await town.open_table(*way)]
        async with Looking(town.engines[0].address, keys_folder) as looking:
            played = await asyncio.gather(*(seating.play(bot) for bot in bots))
        games = await games_of(town.server, played)

    seen_in_play = 0
    for game in games:
        known = known_after(game, None)
        (first, *_), table = game.played, game.played[0].table_id
        for at, revision, message in looking.shown:
            if at == table:
                name = first.seat.game
                told = {one for text in texts(message) for one in faces_in(text, name)}
                told |= set(cards_in(message))
                assert told <= known[revision], (table, revision)
                seen_in_play += 0 < revision < len(known) - 1
    assert seen_in_play > 20
