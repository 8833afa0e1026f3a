"""Finished games go into a directory, whatever happens to it or to the vault, and only
then may they leave the store."""

import asyncio

from clients.terminal.commands.verify import check_file
from tests.evenings.aftermath import gauges, left_for_ever
from tests.evenings.players import Seating
from tests.evenings.town import a_town

TABLES = ((2, "skirmish"), (3, "skirmish"), (2, "gwent", "duel"))
SECONDS = 60


async def until(holds):
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def counted(vault, outcome):
    exports = gauges(await vault.metrics(), "anpai_vault_exports")
    return sum(value for labels, value in exports if labels["outcome"] == outcome)


async def test_every_finished_game_is_exported_before_it_may_go(
    own_store, keys_folder, tmp_path
):
    exports, elsewhere = tmp_path / "exports", tmp_path / "elsewhere"
    exports.mkdir()
    told = {"ANPAI_EXPORTS": exports}
    async with a_town(own_store, keys_folder, tmp_path, **told) as town:
        seating = Seating(town.server, town.folder)
        exports.rename(elsewhere)
        bots = [bot for way in TABLES for bot in await town.open_table(*way)]
        played = await asyncio.gather(*(seating.play(bot) for bot in bots))
        tables = {one.table_id for one in played}
        await until(lambda: "not exported" in town.vault.log.read_text())
        waiting = town.kept_for_ever()
        failed = await counted(town.vault, "failed")
        town.vault.kill()
        elsewhere.rename(exports)
        await town.vault.start()
        await until(lambda: not [*left_for_ever(town)])

    assert {path.name for path in exports.iterdir()} == {f"{id}.json" for id in tables}
    assert failed > 0
    for table in tables:
        assert f"vault:{{{table}}}:about" in waiting
        assert f"engine:{{{table}}}:journal" in waiting
        assert check_file(exports / f"{table}.json", None, None).ok
