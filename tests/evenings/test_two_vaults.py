"""Two vaults on one store know the same: tables go from one to the other and back."""

import asyncio
import base64
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.evenings.begun import Begun
from tests.evenings.players import assert_nothing_is_lost, games_of
from tests.evenings.processes import Process
from tests.evenings.town import LEASE_MS, BotSeat, Town
from tests.scale import scale

TABLES = ((2, "skirmish"), (3, "skirmish"), (4, "skirmish"), (2, "gwent", "duel"))
PAUSE = 0.08
# The town's.
MASTER_KEY = base64.b64encode(b"m" * 32).decode()
A_WHILE = 12


@asynccontextmanager
async def a_second_vault(town: Town, keys: Path) -> AsyncIterator[Sequence[Process]]:
    """And a worker that asks it first, and the first one where it does not answer: as
    with a name that stands for both."""
    told = {"ANPAI_REDIS_URL": town.store.url, "ANPAI_KEYS": keys}
    vault = Process(
        "vault-2", "services.vault", town.folder, ANPAI_MASTER_KEY=MASTER_KEY, **told
    )
    engine = Process(
        "engine-3",
        "services.engine",
        town.folder,
        ANPAI_VAULT=f"ipv4:{vault.address},{town.vault.address}",
        ANPAI_LEASE_MS=LEASE_MS,
        **told,
    )
    try:
        await asyncio.gather(vault.start(), engine.start())
        yield vault, engine
    finally:
        engine.kill()
        vault.kill()


def called_at(process: Process, bot: BotSeat) -> BotSeat:
    bot.seat.engine_address = process.address
    return bot


@pytest.mark.skipif(not scale(), reason="it takes its time: make patience")
async def test_whatever_vault_a_table_s_worker_asks_the_game_is_one(
    town: Town, keys_folder: Path
):
    seating = Begun(town.server, town.folder, PAUSE)
    async with a_second_vault(town, keys_folder) as (vault, engine):
        bots = [bot for table in TABLES for bot in await town.open_table(*table)]
        playing = [
            asyncio.create_task(seating.play(called_at(engine, bot))) for bot in bots
        ]
        accepted = len(await seating.have_accepted(A_WHILE))
        assert await engine.stop() == 0  # all go to the workers of the first vault
        await engine.start()
        accepted = len(await seating.have_accepted(accepted + A_WHILE))
        for one in town.engines:  # and back to the second
            one.kill()
        accepted = len(await seating.have_accepted(accepted + A_WHILE))
        vault.kill()  # whose worker goes on with the first
        played = await asyncio.gather(*playing)
        # Here, for a worker must live to have the last game disclosed.
        games = await games_of(town.server, played)

    assert_nothing_is_lost(games)
