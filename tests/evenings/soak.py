"""Soaking: evenings without end, with wires that break all the time. Does memory stay?

One engine worker is killed again and again, so that everybody else keeps meeting a dead
server; the others live through it all, and are measured.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.evenings.aftermath import troubles_of
from tests.evenings.chaos import HOME_WITHIN, SEAT_WAIT, diary_of
from tests.evenings.diary import Diary
from tests.evenings.memory import Sample, Trend, rss, second_half, trend
from tests.evenings.processes import Process
from tests.evenings.town import Town, a_town
from tests.stores import StoreProcess

BETWEEN_CUTS = 2.0
BETWEEN_KILLS = 20.0
AWAY = 5.0
EVERY = 1.0
PAUSE_MS = 100


@dataclass
class Soaked:
    """What became of it: troubles, and each process's memory from second to second."""

    tables: int
    troubles: list[str]
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def trends(self) -> dict[str, Trend]:
        """Of the second half, by name."""
        return {name: trend(second_half(its)) for name, its in self.samples.items()}


async def soak(
    seconds: float, tables: int, store: StoreProcess, keys: Path, folder: Path
) -> Soaked:
    """So many tables at once, for so long."""
    async with a_town(
        store, keys, folder, bots=True, linked=True, ANPAI_SEAT_WAIT=SEAT_WAIT
    ) as town:
        crowd = Process(
            "crowd",
            "tests.evenings.crowd",
            folder,
            ANPAI_SERVER=town.matchmaking.address,
            CROWD_DIARY=diary_of(folder, "crowd"),
            CROWD_TABLES=tables,
            CROWD_PAUSE_MS=PAUSE_MS,
            CROWD_SEED="soak",
        )
        try:
            await crowd.start()
            steady, flapping = town.engines
            measured = [town.vault, steady, town.matchmaking, town.bots, crowd]
            samples = await weathered(town, flapping, measured, seconds)
            code = await crowd.stop(HOME_WITHIN)
        finally:
            crowd.kill()
        diary = Diary(diary_of(folder, "crowd"))
        troubles = [] if code == 0 else [f"the crowd ended with {code}"]
        troubles += await troubles_of(town, [diary])
        played = {page.seat.table_id for page in diary.about.values() if page.seat}
        return Soaked(len(played), troubles, samples)


async def weathered(
    town: Town, flapping: Process, measured: Sequence[Process], seconds: float
) -> dict[str, list[Sample]]:
    """Memory, while wires break and one worker comes and goes."""
    until = monotonic() + seconds
    samples, *_ = await asyncio.gather(
        watched(measured, until),
        cut_now_and_then(town, until),
        flap(flapping, until, min(BETWEEN_KILLS, seconds) / 2),
    )
    return samples


async def watched(
    processes: Sequence[Process], until: float
) -> dict[str, list[Sample]]:
    """By name; each must live through it."""
    samples: dict[str, list[Sample]] = {one.name: [] for one in processes}
    while monotonic() < until:
        for one in processes:
            samples[one.name].append(Sample(monotonic(), rss(one.pid)))
        await asyncio.sleep(EVERY)
    return samples


async def cut_now_and_then(town: Town, until: float) -> None:
    chance, links = random.Random("soak"), sorted(town.links.items())
    while monotonic() < until:
        await asyncio.sleep(BETWEEN_CUTS * chance.uniform(0.5, 1.5))
        _, link = chance.choice(links)
        chance.choice([link.to_it, link.to_store]).cut_all()


async def flap(worker: Process, until: float, pause: float) -> None:
    while True:
        await asyncio.sleep(pause)
        if monotonic() > until:
            return
        worker.kill()
        await asyncio.sleep(min(pause, AWAY))
        await worker.start()
