"""A process of players who look for a seat again and again, at an open rate.

Told by the words `begin`, `stop`, `fill TICKETS` (so that nobody is left over) and
`end`; says how many have signed in.
"""

import asyncio
import gc
import json
import random
import sys
from collections import Counter, deque
from contextlib import suppress
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, NamedTuple, Self

import uvloop

from anpai import AnpaiError, Assignment, House, connect
from clients.bench.helper import orders, say_how_far, say_result
from clients.bots.playing import reason_of

SIGNING_IN_AT_ONCE = 16
PROGRESS_SECONDS = 0.5
LAST_SEATS_SECONDS = 45.0
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """`rate` wishes a second, each of the next of `players` players in turn."""

    server: str
    game: str
    variant: str
    seats: int
    players: int
    rate: float
    seed: int

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(**json.loads(text))


class Found(NamedTuple):
    """What a ticket led to."""

    ticket: str
    player: str
    table: str
    seat: int


class Seekers:
    """The players of one process."""

    def __init__(self, plan: Plan, house: House) -> None:
        self.players: deque[House] = deque()
        self.made = 0
        self.found: list[Found] = []
        self.seconds: list[float] = []
        self.errors: Counter[str] = Counter()
        self._plan = plan
        self._house = house
        self._dice = random.Random(plan.seed)
        self._seeking: set[asyncio.Task[None]] = set()
        self._span = (float("inf"), float("inf"))
        self._within = 0

    async def sign_in(self) -> None:
        at_once = asyncio.Semaphore(SIGNING_IN_AT_ONCE)

        async def one() -> None:
            async with at_once:
                player = self._house.as_player(None)
                await player.sign_in("Bench", bot=True)
                self.players.append(player)

        await asyncio.gather(*(one() for _ in range(self._plan.players)))

    async def seek(self) -> None:
        """For ever; cancel it to stop."""
        await self.sign_in()
        at = monotonic()
        while True:
            at += self._dice.expovariate(self._plan.rate)
            await asyncio.sleep(max(0.0, at - monotonic()))
            self.wish(at)

    def wish(self, due: float) -> None:
        """A ticket of the next player."""
        self.made += 1
        self.players.rotate()
        task = asyncio.create_task(self._one(self.players[0], due))
        self._seeking.add(task)
        task.add_done_callback(self._seeking.discard)

    async def _one(self, player: House, due: float) -> None:
        plan = self._plan
        try:
            ticket = await player.enter(
                plan.game, variant=plan.variant, seats=plan.seats
            )
            seat = await ticket.seat()
        except AnpaiError as error:
            self.errors[reason_of(error)] += 1
            return
        self._note(Found(ticket.id, player.player_id, seat.table_id, seat.seat), due)

    def _note(self, found: Found, due: float) -> None:
        now = monotonic()
        self.found.append(found)
        begin, end = self._span
        self._within += begin <= now < end
        if begin <= due < end:
            self.seconds.append(now - due)

    def begin(self) -> None:
        self._span = monotonic(), float("inf")

    def stop(self) -> None:
        self._span = self._span[0], monotonic()

    async def told(self) -> dict[str, Any]:
        """All that was found, by the players' word and by matchmaking's."""
        waiting = set(self._seeking)
        if waiting:
            _, waiting = await asyncio.wait(waiting, timeout=LAST_SEATS_SECONDS)
        return {
            "within": self._within,
            "seconds": [round(taken, 6) for taken in self.seconds],
            "waiting": len(waiting),
            "found": self.found,
            "listed": [one for player in self.players for one in await listed(player)],
            "errors": dict(self.errors),
        }


async def listed(player: House) -> list[tuple[str, str, int]]:
    """The player's seats, as matchmaking has them."""
    seats: list[Assignment] = []
    with suppress(AnpaiError):
        seats = await player.my_seats()
    return [(player.player_id, seat.table_id, seat.seat) for seat in seats]


async def run(plan: Plan) -> None:
    async with (
        connect(plan.server, patience=PATIENCE) as house,
        asyncio.TaskGroup() as group,
    ):
        seekers = Seekers(plan, house)
        seeking = group.create_task(seekers.seek())
        saying = group.create_task(keep_saying(seekers))
        async for word in orders():
            match word.split():
                case ["begin"]:
                    seekers.begin()
                case ["stop"]:
                    seekers.stop()
                    seeking.cancel()
                    say_result(seekers.made)
                case ["fill", number]:
                    for _ in range(int(number)):
                        seekers.wish(monotonic())
                case ["end"]:
                    say_result(await seekers.told())
        saying.cancel()
        seeking.cancel()


async def keep_saying(seekers: Seekers) -> None:
    while True:
        say_how_far(ready=len(seekers.players), found=len(seekers.found))
        await asyncio.sleep(PROGRESS_SECONDS)


def main() -> None:
    gc.set_threshold(20_000, 10, 10)
    uvloop.run(run(Plan.of(sys.argv[1])))


if __name__ == "__main__":
    main()
