"""The store of bot calls: a seat a bot is to take, until a host has confirmed it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.ticket import Assignment
from services.matchmaking.timings import TIMINGS, Timings, wall_clock


@dataclass(frozen=True, slots=True)
class Call:
    """`player` and `name` are the bot's. Its token is made when the call is pushed, so
    that none ever lies in the store. One that `stands_in` has to be let in first."""

    id: str
    player: str
    name: str
    assignment: Assignment
    strategy: str
    stands_in: bool = False


class Waiting(NamedTuple):
    """How many calls wait, and for how long the longest has been due."""

    number: int
    longest_ms: int


class Calls:
    """A call is due when no host has it, or the host that has it is late to confirm."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        now: Callable[[], int] = wall_clock,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._now = now

    async def due(self, game: str, at_most: int) -> list[str]:
        """The ids of calls that wait for a host, the longest waiting first."""
        args = [self._now(), at_most]
        found = await self._call(scripts.DUE, [keys.calls(game)], args)
        return [each.decode() for each in found]

    async def claim(self, game: str, call_id: str) -> Call | None:
        """The call, for a few seconds; None if another has it, or it is long over."""
        until = self._now() + self._timings.call_confirmed
        body = await self._call(
            scripts.CLAIM_CALL,
            [keys.calls(game), keys.call(call_id)],
            [call_id, self._now(), until],
        )
        return None if body is None else msgspec.json.decode(body, type=Call)

    async def add(self, call: Call) -> None:
        """Call for this seat, unless it is called for already."""
        game = call.assignment.game
        added = [keys.calls(game), keys.call(call.id)]
        body, lasts = msgspec.json.encode(call), self._timings.call
        args: list[str | bytes | int]
        args = [call.id, body, lasts, self._now(), keys.CHANNEL]
        await self._call(scripts.ADD_CALL, added, args)

    async def taken(self, game: str, call_id: str) -> None:
        """A host plays it; it is called no more. Repeating it changes nothing."""
        taken = [keys.calls(game), keys.call(call_id)]
        await self._call(scripts.TAKE_CALL, taken, [call_id])

    def give_back(self, game: str, call_id: str) -> None:
        """The host has gone: due again at once. Done although nobody waits for it."""
        args: list[str | bytes | int] = [call_id, self._now(), keys.CHANNEL]
        self._call(scripts.GIVE_BACK_CALL, [keys.calls(game)], args)

    async def waiting(self, game: str) -> Waiting:
        """The calls that no host has confirmed."""
        number, first = await self._call(scripts.WAITING, [keys.calls(game)])
        return Waiting(number, 0 if first is None else max(0, self._now() - int(first)))
