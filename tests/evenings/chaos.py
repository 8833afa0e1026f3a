"""Chaos: guests play all the while, everything goes wrong, and nothing is lost.

By a seed. What went wrong when is in the timeline, in the folder of all the logs.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from tests.evenings.aftermath import troubles_of
from tests.evenings.diary import Diary
from tests.evenings.processes import Process
from tests.evenings.storm import Storm
from tests.evenings.town import Town, a_town
from tests.stores import StoreProcess

WELL_UNDER_WAY = 2.0
HOME_WITHIN = 180.0
SEAT_WAIT = 10  # seconds
TIMELINE = "timeline.log"


@dataclass(frozen=True)
class Plan:
    """How much chaos."""

    seed: int
    seconds: int
    tables: int
    crowds: int = 2
    storms: int = 1
    pause_ms: int = 100


@dataclass(frozen=True)
class Survived:
    """What came of it: how much was played meanwhile, and troubles, if any."""

    tables: int
    answers: int
    troubles: list[str]


async def chaos(plan: Plan, store: StoreProcess, keys: Path, folder: Path) -> Survived:
    """Play, storm, go home, and look at what is left."""
    async with a_town(
        store,
        keys,
        folder,
        matchmakers=2,
        bots=True,
        linked=True,
        ANPAI_SEAT_WAIT=SEAT_WAIT,
    ) as town:
        crowds = [crowd_for(plan, town, number) for number in range(plan.crowds)]
        storm = Storm(town, crowds, plan.seed, folder / TIMELINE)
        try:
            await asyncio.gather(*(crowd.start() for crowd in crowds))
            await asyncio.sleep(WELL_UNDER_WAY)
            storms = (storm.rage(plan.seconds) for _ in range(plan.storms))
            await asyncio.gather(*storms)
            gone = await asyncio.gather(*map(goes_home, crowds))
        finally:
            for crowd in crowds:
                crowd.kill()
        diaries = [Diary(diary_of(folder, crowd.name)) for crowd in crowds]
        stayed = [trouble for trouble in gone if trouble]
        troubles = [*stayed, *await troubles_of(town, diaries)]
    guests = [page for diary in diaries for page in diary.about.values()]
    tables = {page.seat.table_id for page in guests if page.seat is not None}
    return Survived(len(tables), sum(len(page.told) for page in guests), troubles)


def crowd_for(plan: Plan, town: Town, number: int) -> Process:
    """The guests of one place, who all know one matchmaking process."""
    name = f"crowd-{number + 1}"
    return Process(
        name,
        "tests.evenings.crowd",
        town.folder,
        ANPAI_SERVER=town.matchmakers[number % 2].address,
        CROWD_DIARY=diary_of(town.folder, name),
        CROWD_TABLES=max(1, plan.tables // plan.crowds),
        CROWD_PAUSE_MS=plan.pause_ms,
        CROWD_SEED=f"{plan.seed}/{number}",
    )


def diary_of(folder: Path, crowd: str) -> Path:
    return folder / f"{crowd}.diary"


async def goes_home(crowd: Process) -> str:
    code = await crowd.stop(HOME_WITHIN)
    return "" if code == 0 else f"{crowd.name} ended with {code}: see its log"
