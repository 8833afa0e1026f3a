"""Players and spectators in one process, all through the SDK, as anybody else comes."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from time import process_time
from urllib.parse import urlsplit

from anpai import AnpaiError, Assignment, House, connect
from clients.bots.evening import Evening, Summary
from loadtest.scenarios import Scenario

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class NotLoopback(Exception):
    """A sentence for whoever typed the command."""


@dataclass(frozen=True, slots=True)
class Swarmed:
    """What came of a scenario. `events` is how many spectators were sent in all;
    `client_seconds` the processor time of the swarm itself."""

    scenario: Scenario
    summary: Summary
    events: int
    client_seconds: float


class Crowd:
    """Spectators of tables, so many at each."""

    def __init__(self, house: House, at_each: int) -> None:
        self.events = 0
        self._house = house
        self._at_each = at_each
        self._watching: dict[str, list[asyncio.Task[None]]] = {}

    def come_to(self, seat: Assignment) -> None:
        """Once for each table, whichever seat is found first."""
        if seat.table_id not in self._watching:
            self._watching[seat.table_id] = [
                asyncio.create_task(self._watch(seat.table_id))
                for _ in range(self._at_each)
            ]

    async def _watch(self, table_id: str) -> None:
        spectator = self._house.as_player(None)
        await spectator.sign_in("Spectator", bot=True)
        async with spectator.watch(table_id) as table:
            async for _ in table:
                self.events += 1

    async def go_home(self) -> None:
        """Once the last outcome has been told."""
        for tasks in self._watching.values():
            for task in tasks:
                with suppress(AnpaiError):
                    await task


async def swarm(server: str, scenario: Scenario) -> Swarmed:
    """Play one scenario to its end; on this machine only, so that nobody else is
    loaded."""
    stay_at_home(server)
    before = process_time()
    async with connect(server) as house:
        crowd = Crowd(house, scenario.watchers)
        evening = Evening(
            house,
            scenario.game,
            variant=scenario.variant,
            seats=scenario.seats,
            tables=scenario.tables,
            strategy=scenario.strategy,
            think=scenario.think,
            seed=scenario.seed,
            seated=crowd.come_to,
        )
        summary = await evening.play()
        await crowd.go_home()
    return Swarmed(scenario, summary, crowd.events, process_time() - before)


def stay_at_home(server: str) -> None:
    if urlsplit(f"//{server}").hostname not in LOOPBACK:
        raise NotLoopback(f"{server} is not on this machine; a swarm stays at home.")
