"""An evening: bots come as players do, fill tables, and play to the end; measured."""

import asyncio
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from anpai import AnpaiError, Assignment, Deck, House, Room, Ticket
from clients.bots.mind import Mind
from clients.bots.playing import Tally, play_seat, reason_of
from clients.bots.strategies import NEEDS, strategy_named
from clients.bots.strategy import Faces, faces_of

ARRIVING_AT_ONCE = 32
THINKERS = 4


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of it. Latencies are in milliseconds, from sending an answer until it
    was told accepted; `errors` counts what went wrong, by reason."""

    game: str
    variant: str
    seats: int
    strategy: str
    tables: int
    finished: int
    answers: int
    seconds: float
    answers_per_s: float
    latency_ms: dict[str, float] = field(default_factory=dict)
    resumed: int = 0
    stale: int = 0
    fallbacks: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether every table was played to its end without an error."""
        return self.finished == self.tables and not self.errors

    def as_json(self) -> dict[str, Any]:
        """The fields under these names, which stay."""
        return asdict(self)


class Evening:
    """`tables` tables of `seats` bots each, in private rooms of their own.

    Every bot brings `decks`. `seated` hears of every seat that is found, such as to let
    others look on.
    """

    def __init__(
        self,
        house: House,
        game: str,
        *,
        seats: int,
        tables: int,
        strategy: str = "steady",
        variant: str = "",
        decks: Sequence[Deck] = (),
        think: float = 0.0,
        seed: int | None = None,
        seated: Callable[[Assignment], None] = lambda seat: None,
    ) -> None:
        self.tally = Tally()
        self.fallbacks = 0
        self.finished = 0
        self._house = house
        self._game = game
        self._seats = seats
        self._tables = tables
        self._strategy = strategy
        self._variant = variant
        self._decks = tuple(decks)
        self._think = think
        self._seed = random.Random(seed)
        self._seated = seated
        self._arriving = asyncio.Semaphore(ARRIVING_AT_ONCE)
        self._pool = ThreadPoolExecutor(THINKERS, "thinker")

    async def play(self) -> Summary:
        """Play all tables at once, to the end."""
        faces = faces_of(await self._house.catalog(self._game))
        started = perf_counter()
        with self._pool:
            ended = await asyncio.gather(
                *(self._table(number, faces) for number in range(self._tables))
            )
        self.finished = sum(ended)
        return self._summary(perf_counter() - started)

    async def _table(self, number: int, faces: Faces) -> bool:
        """Whether it came to an outcome at every seat."""
        names = [f"Bot {number + 1}.{seat + 1}" for seat in range(self._seats)]
        try:
            async with self._arriving:
                players = [await self._arrive(name) for name in names]
                room = await players[0].create_room(
                    self._game, seats=self._seats, variant=self._variant
                )
                tickets = [await self._enter(player, room) for player in players]
        except AnpaiError as error:
            self.tally.errors[reason_of(error)] += 1
            return False
        found = zip(players, tickets, strict=True)
        seats = (self._seat(player, ticket, faces) for player, ticket in found)
        return all(await asyncio.gather(*seats))

    async def _arrive(self, name: str) -> House:
        player = self._house.as_player(None)
        await player.sign_in(name, bot=True)
        return player

    async def _enter(self, player: House, room: Room) -> Ticket:
        return await player.enter(
            self._game, seats=self._seats, room=room.code, decks=self._decks
        )

    async def _seat(self, player: House, ticket: Ticket, faces: Faces) -> bool:
        chance = random.Random(self._seed.random())
        strategy, needs = strategy_named(self._strategy), NEEDS.get(self._strategy, 0)
        pool = self._pool if needs else None
        mind = Mind(strategy, faces, chance, pool, needs=needs)
        try:
            seat = await ticket.seat()
            self._seated(seat)
            outcome = await play_seat(player, seat, mind, self.tally, self._think)
        except AnpaiError as error:
            self.tally.errors[reason_of(error)] += 1
            return False
        finally:
            self.fallbacks += mind.fallbacks
        return outcome is not None

    def _summary(self, seconds: float) -> Summary:
        taken = sorted(self.tally.seconds)
        return Summary(
            game=self._game,
            variant=self._variant,
            seats=self._seats,
            strategy=self._strategy,
            tables=self._tables,
            finished=self.finished,
            answers=len(taken),
            seconds=round(seconds, 3),
            answers_per_s=round(len(taken) / seconds, 1),
            latency_ms={f"p{p}": percentile(taken, p) for p in (50, 99)},
            resumed=self.tally.resumed,
            stale=self.tally.stale,
            fallbacks=self.fallbacks,
            errors=dict(sorted(self.tally.errors.items())),
        )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Of seconds in order, in milliseconds: the least that so many do not exceed."""
    if not ordered:
        return 0.0
    index = min(len(ordered) - 1, len(ordered) * percent // 100)
    return round(ordered[index] * 1000, 2)
