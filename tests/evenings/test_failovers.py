"""The primary of the store is killed in the middle of many tables: play goes on within
seconds, no process of ours is started again, and nothing is lost, or nothing silently.
"""

import asyncio
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from services.local.verify import verify
from tests.evenings.begun import Begun
from tests.evenings.players import Game, Played, games_of
from tests.evenings.through import (
    FEW,
    PAUSE,
    play_through,
    played_through,
    stood_still,
)
from tests.evenings.town import Town, a_town
from tests.groups import Group, a_cluster, a_watched_group
from tests.scale import scale
from tests.stores import kinds

pytestmark = pytest.mark.timeout(180)

# What all workers share lies there: their beat, and which table is due when.
SHARED = "engine:{workers}:deadlines"
RECOVERED_WITHIN = 15.0
UNHEARD = 1.0
# Nobody has gone home with an outcome that is lost.
LONG = tuple((seats, "skirmish") for seats in (2, 3, 4))

GROUPS = {"cluster": a_cluster, "sentinel": a_watched_group}
# Of four tables none may lie at the one primary of three that dies, of twelve some do.
SPREAD = {"cluster": 3 * FEW, "sentinel": FEW}
LEFT = {"vault:probe", "engine:{workers}:alive", "engine:{workers}:outages"}


@contextmanager
def a_group(kind: str) -> Iterator[Group]:
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as folder,
        GROUPS[kind](kinds()["valkey"], Path(folder)) as group,
    ):
        yield group


def on(small: str):
    """On this kind of group, and at full scale on the others as well."""
    return pytest.mark.parametrize("kind", GROUPS if scale() else [small])


class Failover:
    """Kills whoever leads; `at` is when. Replicas that were `away` before lack what was
    written meanwhile. Whoever looks after the nodes starts the dead one again: it comes
    back as a replica, without which what is left of a pair could confirm nothing."""

    def __init__(self, group: Group, away: bool = False, *, takes_along=()) -> None:
        self._group = group
        self._away = away
        self._takes_along = takes_along
        self.at = 0.0

    async def __call__(self) -> None:
        primary = await asyncio.to_thread(self._group.primary_of, SHARED)
        replicas = await asyncio.to_thread(self._group.replicas_of, primary)
        lagging = replicas if self._away else []
        for replica in lagging:
            replica.kill()
        await asyncio.sleep(UNHEARD if lagging else 0)
        for process in (primary, *self._takes_along):
            process.kill()
        self.at = monotonic()
        for replica in lagging:
            replica.start()
        await asyncio.to_thread(self._group.wait_for_another, primary, SHARED)
        primary.start()


def pids_of(town: Town) -> list[int]:
    return [one.pid for one in town.services if one.lives]


@on("cluster")
async def test_t54_t55_the_primary_dies_and_no_accepted_answer_with_it(
    kind, keys_folder, tmp_path
):
    with a_group(kind) as group:
        async with a_town(group, keys_folder, tmp_path, ANPAI_REPLICAS=1) as town:
            failover, before = Failover(group), pids_of(town)

            played = await play_through(town, failover, tables=FEW, is_felt=False)

            seconds = stood_still(played, failover.at)
            print(f"{kind}: play went on after {seconds:.1f} s")
            assert 0 < seconds < RECOVERED_WITHIN
            assert pids_of(town) == before
            assert "store failed over" in town.logs()
            assert "entries put back" not in town.logs()
            assert town.kept_for_ever() <= LEFT


@on("sentinel")
async def test_t55_what_a_failover_lost_is_put_back_by_whoever_showed_it(
    kind, keys_folder, tmp_path
):
    """Nobody waits for replicas, and these were away for the last second."""
    with a_group(kind) as group:
        async with a_town(group, keys_folder, tmp_path, workers=1) as town:
            failover = Failover(group, away=True)

            played = await play_through(
                town, failover, tables=SPREAD[kind], is_felt=False
            )

            assert stood_still(played, failover.at) < RECOVERED_WITHIN
            back = re.findall(r'"count": (\d+).*"entries put back"', town.logs())
            assert sum(map(int, back)) > 0


@pytest.mark.skipif(
    not scale(), reason="tests/services/engine/test_undone.py has one table of it"
)
@on("sentinel")
async def test_t55_what_nobody_can_put_back_is_told_to_whoever_saw_it(
    kind, keys_folder, tmp_path
):
    """The worker that had shown it dies with the primary. Nobody waits for anybody: by
    the time some are told, others have played on."""
    with a_group(kind) as group:
        async with a_town(group, keys_folder, tmp_path) as town:
            failover = Failover(group, away=True, takes_along=[town.engines[0]])
            seating = Begun(town.server, town.folder, PAUSE)

            played = await played_through(town, failover, seating, LONG)

            games = await games_of(town.server, played)
            lost = {one.record for game in games for one in who_lost(game)}
            assert lost
            assert lost <= {one.record for one in played if one.undone}


def who_lost(game: Game) -> list[Played]:
    """Whose answer was accepted, and is not in the journal."""
    assert verify(game.text).problem == ""
    kept = set(game.answers())
    return [one for one in game.played if not kept.issuperset(one.accepted)]
