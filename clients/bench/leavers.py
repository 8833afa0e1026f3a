"""A process of players who leave all their tables in mid-game, and come back to some.

Told by the word `return TABLES RATE`; says how many tables have been left.
"""

import asyncio
import gc
import json
import random
import sys
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Self

import uvloop

from anpai import AnpaiError, House, connect
from clients.bench.helper import orders, say_how_far, say_result
from clients.bench.opening import Opening
from clients.bench.seat import Asked, Seat
from clients.bench.tally import Tally
from clients.bots.playing import reason_of

AT_ONCE = 16
PROGRESS_SECONDS = 0.5
LAST_ANSWERS_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """`tables` tables, each left after so many `answers`. `keys` is the stack's folder
    of them."""

    server: str
    engines: list[str]
    keys: str
    game: str
    variant: str
    seats: int
    tables: int
    answers: int
    seed: int

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(**json.loads(text))


class Moves:
    """So many answers; whoever is asked next is left asked."""

    def __init__(self, answers: int) -> None:
        self.resting: Seat | None = None
        self.is_resting = asyncio.Event()
        self._left = answers

    def asked(self, seat: Asked) -> None:
        if self._left:
            self._left -= 1
            seat.answer(monotonic())
        else:
            assert isinstance(seat, Seat)
            self.resting = seat
            self.is_resting.set()


class Leavers:
    """The players of one process: one for each seat, who sits there at every table."""

    def __init__(self, plan: Plan, players: list[House], opening: Opening) -> None:
        self.left: list[tuple[Seat, House]] = []
        self._plan = plan
        self._players = players
        self._opening = opening
        self._dice = random.Random(plan.seed)
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def leave_all(self) -> None:
        await asyncio.gather(*(self._leave() for _ in range(self._plan.tables)))

    async def _leave(self) -> None:
        """Open a table, play a little, leave."""
        async with self._at_once:
            seats = await self._opening.table(
                self._plan.game,
                self._plan.variant,
                [player.player_id for player in self._players],
            )
            moves, tally = Moves(self._plan.answers), Tally()
            sitting = [Seat(seat, moves, tally, self._dice) for seat in seats]
            playing = [
                asyncio.create_task(seat.play(player))
                for seat, player in zip(sitting, self._players, strict=True)
            ]
            await moves.is_resting.wait()
            await tally.settle(LAST_ANSWERS_SECONDS)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        assert moves.resting is not None
        player = self._players[sitting.index(moves.resting)]
        self.left.append((moves.resting, player))

    async def come_back(self, tables: int, rate: float) -> dict[str, Any]:
        """To some, at an open rate, each time with an answer in hand."""
        tally = Tally()
        tally.begin()
        chosen, begun = self._dice.sample(self.left, tables), monotonic()
        coming = []
        for number, (seat, player) in enumerate(chosen):
            due = begun + number / rate
            await asyncio.sleep(max(0.0, due - monotonic()))
            coming.append(asyncio.create_task(came_back(seat, player, tally, due)))
        await asyncio.wait(coming, timeout=LAST_ANSWERS_SECONDS)
        tally.end()
        await tally.settle(within=0)
        return tally.as_json()


async def came_back(seat: Seat, player: House, tally: Tally, due: float) -> None:
    try:
        await seat.come_back(player, tally, due)
    except AnpaiError as error:
        tally.errors[reason_of(error)] += 1


async def run(plan: Plan) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(connect(plan.server))
        opening = Opening(plan.engines, Path(plan.keys))
        await stack.enter_async_context(opening)
        players = [house.as_player(None) for _ in range(plan.seats)]
        for player in players:
            await player.sign_in("Bench", bot=True)
        leavers = Leavers(plan, players, opening)
        async with asyncio.TaskGroup() as group:
            saying = group.create_task(keep_saying(leavers))
            leaving = group.create_task(leavers.leave_all())
            async for word in orders():
                _, tables, rate = word.split()
                await leaving
                say_result(await leavers.come_back(int(tables), float(rate)))
            saying.cancel()
            leaving.cancel()


async def keep_saying(leavers: Leavers) -> None:
    while True:
        say_how_far(left=len(leavers.left))
        await asyncio.sleep(PROGRESS_SECONDS)


def main() -> None:
    gc.set_threshold(20_000, 10, 10)
    uvloop.run(run(Plan.of(sys.argv[1])))


if __name__ == "__main__":
    main()
