"""A process of players: so many tables kept going, each replaced when it ends.

Told by the words `open RATE`, `begin`, `end`; says how far it is twice a second, and at
the end what it measured.
"""

import asyncio
import gc
import json
import random
import sys
from dataclasses import asdict, dataclass
from typing import Self

import uvloop

from anpai import AnpaiError, Assignment, House, connect
from clients.bench.helper import orders, say_how_far, say_result
from clients.bench.seat import Seat
from clients.bench.tally import Tally
from clients.bench.turns import Paced
from clients.bots.playing import reason_of

ARRIVING_AT_ONCE = 16
PROGRESS_SECONDS = 0.5
LAST_ANSWERS_SECONDS = 10.0
AGAIN_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process does: `tables` tables of `seats` seats each, all its own."""

    server: str
    game: str
    variant: str
    seats: int
    tables: int
    seed: int

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(**json.loads(text))


class Crowd:
    """The players of one process."""

    def __init__(self, plan: Plan, house: House) -> None:
        self.tally = Tally()
        self.turns = Paced(random.Random(plan.seed))
        self._plan = plan
        self._house = house
        self._dice = random.Random(plan.seed)
        self._arriving = asyncio.Semaphore(ARRIVING_AT_ONCE)

    async def play(self) -> None:
        """For ever; cancel it to stop."""
        tables = range(self._plan.tables)
        await asyncio.gather(*(self._keep(number) for number in tables))

    async def _keep(self, number: int) -> None:
        """One table, and when it has ended another."""
        names = [f"Bench {number}.{seat}" for seat in range(self._plan.seats)]
        while True:
            try:
                await self._one(names)
            except AnpaiError as error:
                self.tally.errors[reason_of(error)] += 1
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                self.tally.ended += 1

    async def _one(self, names: list[str]) -> None:
        async with self._arriving:
            players = [await self._arrive(name) for name in names]
            seats = await self._find_seats(players)
            self.tally.opened += 1
        turns = (
            Seat(seat, self.turns, self.tally, self._dice).play(player)
            for seat, player in zip(seats, players, strict=True)
        )
        await asyncio.gather(*turns)

    async def _arrive(self, name: str) -> House:
        player = self._house.as_player(None)
        await player.sign_in(name, bot=True)
        return player

    async def _find_seats(self, players: list[House]) -> list[Assignment]:
        plan = self._plan
        room = await players[0].create_room(
            plan.game, seats=plan.seats, variant=plan.variant
        )
        tickets = [
            await player.enter(plan.game, seats=plan.seats, room=room.code)
            for player in players
        ]
        return await asyncio.gather(*(ticket.seat() for ticket in tickets))


async def run(plan: Plan) -> None:
    async with connect(plan.server) as house:
        crowd = Crowd(plan, house)
        async with asyncio.TaskGroup() as group:
            playing = group.create_task(crowd.play())
            saying = group.create_task(keep_saying(crowd.tally))
            async for word in orders():
                await obey(word.split(), crowd)
            playing.cancel()
            saying.cancel()


async def obey(words: list[str], crowd: Crowd) -> None:
    match words:
        case ["open", rate]:
            crowd.turns.open(float(rate))
        case ["begin"]:
            crowd.tally.begin()
        case ["end"]:
            crowd.tally.end()
            overdue = crowd.turns.stop()
            await crowd.tally.settle(LAST_ANSWERS_SECONDS)
            say_result(crowd.tally.as_json() | {"overdue": overdue})


async def keep_saying(tally: Tally) -> None:
    while True:
        say_how_far(opened=tally.opened, ended=tally.ended, told=tally.told)
        await asyncio.sleep(PROGRESS_SECONDS)


def main() -> None:
    gc.set_threshold(20_000, 10, 10)
    uvloop.run(run(Plan.of(sys.argv[1])))


if __name__ == "__main__":
    main()
