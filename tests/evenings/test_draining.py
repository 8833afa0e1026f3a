"""Told to stop while all play: each process ends with 0, and nothing is lost."""

import asyncio
import uuid
from collections import Counter

import pytest

import anpai
from anpai import Assignment, House, Outcome, Table
from services.chassis.server import KILL_SECONDS
from tests.evenings.players import Played, Seating, assert_nothing_is_lost, games_of
from tests.evenings.town import GAME, Town
from tests.scale import scaled

TABLES = ((2, "skirmish"), (3, "skirmish"), (2, "gwent", "duel"), (4, "gwent", "team"))
SPECTATORS = scaled(60, 5000)
PAUSE = 0.08
# Of thousands it is this process that is slow, which reads all they are sent.
CONVERGES = scaled(20, 300)

pytestmark = pytest.mark.timeout(scaled(120, 1800))


async def test_t23_t50_all_are_replaced_one_after_the_other_while_all_play(town: Town):
    """Each with all its streams: of players, spectators, and who looks for a table."""
    seating, seeking = Observed(town), Seeking(town)
    bots = [bot for table in TABLES for bot in await town.open_table(*table)]
    playing = [asyncio.create_task(seating.play(bot)) for bot in bots]
    async with Crowd(town, sorted({bot.seat.table_id for bot in bots})) as crowd:
        for process in (*town.engines, town.vault, town.matchmaking):
            heard = seating.heard()
            async with asyncio.timeout(KILL_SECONDS):
                assert await process.stop() == 0
            await process.start()
            await seating.all_have_heard(heard)
        found = await seeking.ended()
        played = await asyncio.gather(*playing)
        seen = await crowd.outcomes()

    assert any(one.resumed for one in played)
    assert_nothing_is_lost(await games_of(town.server, played))
    assert seen == {(one.table_id, repr(one.outcome)) for one in played}
    assert crowd.resumed >= SPECTATORS
    assert len(found) > 1
    assert set(found.values()) == {2}


class Observed(Seating):
    """Keeps the tables of all who play, to see whether they go on."""

    def __init__(self, town: Town) -> None:
        super().__init__(town.server, town.folder, PAUSE)
        self.tables: list[Table] = []

    async def follow(self, table: Table, played: Played, pause: float) -> None:
        self.tables.append(table)
        await super().follow(table, played, pause)

    def heard(self) -> Counter[str]:
        """The last revision that anybody at each table has heard."""
        latest: Counter[str] = Counter()
        for table in self.tables:
            latest[table.id] = max(latest[table.id], table.view.revision)
        return latest

    async def all_have_heard(self, latest: Counter[str]) -> None:
        """Once everybody is connected again, and none is behind what was heard then."""
        async with asyncio.timeout(CONVERGES):
            while True:
                if all(goes_on(table, latest) for table in self.tables):
                    return
                await asyncio.sleep(0.02)


def goes_on(table: Table, latest: Counter[str]) -> bool:
    is_current = table.view.revision >= latest[table.id]
    return is_current and (table.is_connected or table.outcome is not None)


class Seeking:
    """Two players after two look for a table, whatever is replaced meanwhile."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._is_over = False
        self._task = asyncio.create_task(self._seek())

    async def ended(self) -> Counter[str]:
        """How many have found each table; nobody was left without."""
        self._is_over = True
        return Counter(seat.table_id for seat in await self._task)

    async def _seek(self) -> list[Assignment]:
        found: list[Assignment] = []
        while not self._is_over:
            found += await asyncio.gather(self._seat(), self._seat())
        return found

    async def _seat(self) -> Assignment:
        token = self._town.token(f"bot-{uuid.uuid4().hex}")
        async with anpai.connect(self._town.server, token=token, patience=60) as house:
            return await (await house.enter(GAME, seats=2)).seat()


class Crowd:
    """Spectators, each somebody else, spread over some tables. All call one worker."""

    def __init__(self, town: Town, tables: list[str]) -> None:
        self.resumed = 0
        self._town = town
        self._tables = tables
        self._house = anpai.connect(town.server, patience=60)

    async def __aenter__(self) -> "Crowd":
        arrived = [asyncio.Event() for _ in range(SPECTATORS)]
        self._watching = [
            asyncio.create_task(self._watch(self._named(number), number, event))
            for number, event in enumerate(arrived)
        ]
        await asyncio.gather(*(event.wait() for event in arrived))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._house.close()

    async def outcomes(self) -> set[tuple[str, str]]:
        """How each table ended, as they saw it."""
        return set(await asyncio.gather(*self._watching))

    def _named(self, number: int) -> House:
        return self._house.as_player(self._town.token(f"bot-onlooker-{number}"))

    async def _watch(
        self, house: House, number: int, arrived: asyncio.Event
    ) -> tuple[str, str]:
        outcome: Outcome | None = None
        async with house.watch(self._tables[number % len(self._tables)]) as table:
            async for _ in table:
                arrived.set()
            outcome = table.outcome
            self.resumed += table.resumed
        return table.id, repr(outcome)
