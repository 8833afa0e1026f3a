"""Workers stop, are killed, and let tables go; games go on."""

import asyncio

from tests.services.engine.bots import Bot
from tests.services.engine.conftest import LEASE_MS, SHORT_LEASE_MS


async def seated(opened, player, *names, at=None):
    """A table with these players; it lives where they took their seats."""
    table = await opened(*names)
    for name in names:
        await (player(name, at) if at else player(name)).takes_seat(table)
    return table


async def test_a_worker_that_stops_hands_its_tables_over_at_once(
    opened, player, worker, engine
):
    other = await worker()
    table = await seated(opened, player, "anna", "ben")
    before = await player("anna").looks(table)

    await engine.stop()

    async with asyncio.timeout(LEASE_MS / 1000 * 0.9):
        assert await player("anna", other.address).looks(table) == before


async def test_streams_end_as_moving_when_a_worker_stops(opened, player, engine):
    table = await seated(opened, player, "anna", "ben")
    async with player("anna").sitting(table) as stream:
        await stream.update()
        stopping = asyncio.create_task(engine.stop())
        reason = await stream.reason_of_end()
        await stopping

    assert reason == "TABLE_MOVING"


async def test_t23_a_game_survives_the_stop_of_its_worker(
    opened, player, worker, engine
):
    other = await worker()
    table = await seated(opened, player, "anna", "ben")
    games = sit_down(player, table)
    await asyncio.sleep(0.3)

    go_to(games, other.address)
    await engine.stop()

    await is_played_out(games, player("carl", other.address))


async def test_a_game_survives_the_death_of_its_worker(opened, player, engine, process):
    doomed = process()
    address = await doomed.address()
    table = await seated(opened, player, "anna", "ben", at=address)
    games = sit_down(player, table, address)
    await asyncio.sleep(0.5)

    doomed.kill()
    go_to(games, engine.address)

    await is_played_out(games, player("carl"))


async def test_a_game_survives_one_death_after_another(opened, player, process, engine):
    doomed = [process(), process(), process()]
    addresses = [await one.address() for one in doomed]
    table = await seated(opened, player, "anna", "ben", at=addresses[0])
    games = sit_down(player, table, addresses[0], pause=0.3)
    for one, next_address in zip(doomed, [*addresses[1:], engine.address], strict=True):
        await asyncio.sleep(SHORT_LEASE_MS / 1000 + 0.5)
        go_to(games, next_address)
        one.kill()

    assert not any(task.done() for _, task in games)
    for bot, _ in games:
        bot.pause = 0
    await is_played_out(games, player("carl"))


async def test_t50_sigterm_with_open_streams_ends_well_and_loses_nothing(
    opened, player, process, engine
):
    leaving = process()
    address = await leaving.address()
    table = await seated(opened, player, "anna", "ben", at=address)
    games = sit_down(player, table, address)
    await asyncio.sleep(0.3)

    go_to(games, engine.address)

    assert await leaving.stops() == 0
    await is_played_out(games, player("carl"))


def sit_down(player, table, *address, pause=0.01):
    bots = [Bot(player(name, *address), table, pause) for name in ("anna", "ben")]
    return [(bot, asyncio.create_task(bot.plays())) for bot in bots]


def go_to(games, address):
    """Where they come back to, once their streams break."""
    for bot, _ in games:
        bot.player.goes_to(address)


async def is_played_out(games, spectator):
    """The game ended alike for all, without holes, and every answer was kept."""
    async with asyncio.timeout(60):
        bots = await asyncio.gather(*(task for _, task in games))
    views = [bot.game.view for bot in bots]
    assert views[0].outcome == views[1].outcome
    public = await spectator.looks(views[0].table_id)
    for bot in bots:
        assert bot.game.resumed
        assert bot.game.revisions == sorted(set(bot.game.revisions))
        assert bot.game.view.revision == public.revision
        assert not bot.refused
