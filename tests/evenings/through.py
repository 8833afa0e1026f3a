"""Many tables, and trouble in their midst: all end, and nothing is lost."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise

from tests.evenings.begun import Begun
from tests.evenings.players import Played, assert_nothing_is_lost, games_of
from tests.evenings.town import Town

TABLES = (
    *((2, "skirmish"), (3, "skirmish"), (4, "skirmish"), (2, "skirmish")),
    *((2, "gwent", "duel"), (2, "gwent", "tournament"), (4, "gwent", "team")),
    (5, "gwent", "free-for-all"),
)
FEW = TABLES[1:5]
PAUSE = 0.05
WELL_UNDER_WAY = 4  # answers for each table

Wanted = tuple[int, str] | tuple[int, str, str]
Trouble = Callable[[], Awaitable[object]]


async def play_through(
    town: Town,
    trouble: Trouble,
    *,
    tables: Sequence[Wanted] = TABLES,
    is_felt: bool = True,
) -> list[Played]:
    """Play many tables, let trouble come in their midst, and check every game. What
    everybody remembers.

    `is_felt`: whether streams of players must have broken on it; if not, they may.
    """
    seating = Begun(town.server, town.folder, PAUSE)
    played = await played_through(town, trouble, seating, tables)

    assert any(one.resumed for one in played) or not is_felt
    games = await games_of(town.server, played)
    assert len(games) == len(tables)
    assert_nothing_is_lost(games)
    return played


async def played_through(
    town: Town, trouble: Trouble, seating: Begun, tables: Sequence[Wanted]
) -> list[Played]:
    bots = [bot for table in tables for bot in await town.open_table(*table)]
    playing = [asyncio.create_task(seating.play(bot)) for bot in bots]
    await seating.have_accepted(WELL_UNDER_WAY * len(tables))
    assert sum(one.done() for one in playing) < len(playing) / 2, "too late"
    await trouble()
    return await asyncio.gather(*playing)


def stood_still(played: Sequence[Played], since: float) -> float:
    """For how many seconds no answer was accepted at the table that waited longest."""
    tables = {one.table_id for one in played}
    return max(gap_at(table, played, since) for table in tables)


def gap_at(table: str, played: Sequence[Played], since: float) -> float:
    times = sorted(
        at for one in played if one.table_id == table for at in one.accepted_at
    )
    return max(
        (after - before for before, after in pairwise(times) if after > since),
        default=0.0,
    )
