"""Which games there are: as the engines list them, kept for a while."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from services.chassis.errors import AnpaiError
from services.matchmaking.timings import TIMINGS, Timings

SECONDS_BETWEEN_ASKS = 2.0


@dataclass(frozen=True, slots=True)
class Variant:
    """What of a variant a wish must fit."""

    name: str
    seats: tuple[int, ...]
    decks: int = 0
    teams: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """The usual variant is the first."""

    name: str
    variants: tuple[Variant, ...]

    @property
    def variant_names(self) -> list[str]:
        return [one.name for one in self.variants]

    def variant(self, name: str) -> Variant | None:
        """The variant of this name; the usual one for "", None for no such variant."""
        if not name:
            return self.variants[0]
        return next((one for one in self.variants if one.name == name), None)


class Games:
    """The engines need not be up when matchmaking starts."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[tuple[Game, ...]]],
        timings: Timings = TIMINGS,
    ):
        self._ask = ask
        self._every = timings.games / 1000
        self._known: dict[str, Game] = {}
        self._asked_at = float("-inf")
        self._asking = asyncio.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._known)

    async def keep_fresh(self) -> None:
        """For ever."""
        while True:
            await self._refresh()
            await asyncio.sleep(self._every)

    async def find(self, name: str) -> Game:
        """The game, or GAME_NOT_FOUND; PART_UNAVAILABLE while no engine was heard."""
        if name not in self._known:
            await self._look_for(name)
        if name not in self._known:
            raise AnpaiError(
                "GAME_NOT_FOUND", "No game of this name is played here.", game=name[:64]
            )
        return self._known[name]

    async def _look_for(self, name: str) -> None:
        """One asks at a time: whoever comes meanwhile hears of it too."""
        async with self._asking:
            if name not in self._known and self._may_be_new():
                await self._refresh()

    def _may_be_new(self) -> bool:
        rested = time.monotonic() - self._asked_at >= SECONDS_BETWEEN_ASKS
        return rested or not self._known

    async def _refresh(self) -> None:
        games = await self._ask()
        self._known = {game.name: game for game in games}
        self._asked_at = time.monotonic()
