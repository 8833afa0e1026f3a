"""Bot hosts: each call goes to a host with room for it, and to the next one if it
is not confirmed within a few seconds."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from services.chassis.errors import AnpaiError, invalid
from services.chassis.telemetry import Metrics, noted_incident
from services.matchmaking.calls import Call, Calls
from services.matchmaking.games import Games
from services.matchmaking.timings import LIMITS, SECOND, TIMINGS, Limits, Timings
from services.matchmaking.wakeups import CALLS, Wakeups


@dataclass(frozen=True, slots=True)
class Offer:
    """What a host can play; a later one replaces the earlier."""

    games: tuple[str, ...]
    capacity: int


@dataclass(frozen=True, slots=True)
class Taken:
    call_id: str


Said = Offer | Taken


@dataclass(slots=True, eq=False)
class Host:
    """A connected host. `lapses` counts the calls in a row it has not confirmed."""

    games: frozenset[str] = frozenset()
    capacity: int = 0
    lapses: int = 0
    calls: dict[str, "Pushed"] = field(default_factory=dict)
    pushed: "asyncio.Queue[Call | None]" = field(default_factory=asyncio.Queue)

    @property
    def free(self) -> int:
        """How many calls it may yet be given before it confirms one; none while it
        does not read those that it was given, be they lapsed or not."""
        waiting = sum(not each.has_lapsed for each in self.calls.values())
        return self.capacity - max(waiting, self.pushed.qsize())


@dataclass(slots=True)
class Pushed:
    """A call at a host that has not confirmed it; it may do so late. `until` when it
    should: never, as long as it is not known whether its bot is let in."""

    game: str
    until: float = inf
    has_lapsed: bool = False


class LetsIn(Protocol):
    async def let_in(self, call: Call) -> bool:
        """Whether a bot may play for a player who is away. AnpaiError: who knows?"""


class Switchboard:
    def __init__(
        self,
        calls: Calls,
        stand_ins: LetsIn,
        games: Games,
        wakeups: Wakeups,
        metrics: Metrics,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
    ):
        self._calls = calls
        self._stand_ins = stand_ins
        self._games = games
        self._wakeups = wakeups
        self._metrics = metrics
        self._timings = timings
        self._limits = limits
        self._confirm_within = timings.call_confirmed / SECOND
        self._clock = asyncio.get_running_loop().time
        self._hosts: list[Host] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """For ever."""
        try:
            with self._wakeups.bell(CALLS) as bell:
                while True:
                    await self._push_due()
                    await self._measure()
                    await bell.wait(self._timings.tick)
        finally:
            for asking in self._asking:
                asking.cancel()

    async def host(self, said: AsyncIterator[Said]) -> AsyncGenerator[Call]:
        """The calls for a host, as long as it is there."""
        host = Host()
        hearing = asyncio.create_task(self._hear(host, said))
        hearing.add_done_callback(lambda _: host.pushed.put_nowait(None))
        self._hosts.append(host)
        self._metrics.bot_hosts.set(len(self._hosts))
        try:
            while (call := await host.pushed.get()) is not None:
                yield call
            self._wakeups.refuse_if_closing()
            await hearing
        finally:
            hearing.cancel()
            self._dismiss(host)

    def close(self) -> None:
        """Let every host go; it comes back to whoever serves next."""
        for host in self._hosts:
            host.pushed.put_nowait(None)

    # ---- what a host says ------------------------------------------------------------

    async def _hear(self, host: Host, said: AsyncIterator[Said]) -> None:
        async for each in said:
            if isinstance(each, Taken):
                await self._confirm(host, each.call_id)
            else:
                self._offer(host, each)

    def _offer(self, host: Host, offer: Offer) -> None:
        if not offer.games:
            raise invalid("games", "at least one game")
        host.games = frozenset(offer.games)
        host.capacity = min(offer.capacity, self._limits.bots_at_once)
        self._wakeups.ring(CALLS)

    async def _confirm(self, host: Host, call_id: str) -> None:
        """Late is better than never; of a call it was not given a host says nothing."""
        pushed = host.calls.pop(call_id, None)
        if pushed is not None:
            host.lapses = 0
            await self._calls.taken(pushed.game, call_id)
            self._wakeups.ring(CALLS)

    def _dismiss(self, host: Host) -> None:
        """What it has not confirmed goes to another at once."""
        self._hosts.remove(host)
        self._metrics.bot_hosts.set(len(self._hosts))
        for call_id, pushed in host.calls.items():
            if not pushed.has_lapsed:
                self._calls.give_back(pushed.game, call_id)

    # ---- calls that are due ----------------------------------------------------------

    async def _push_due(self) -> None:
        self._let_lapse()
        offered = {game for host in self._hosts for game in host.games}
        await asyncio.gather(*map(self._push_game, sorted(offered)))

    async def _push_game(self, game: str) -> None:
        free = sum(max(0, host.free) for host in self._hosts if game in host.games)
        if free:
            due = await self._calls.due(game, free)
            await asyncio.gather(*(self._push(game, call_id) for call_id in due))

    async def _push(self, game: str, call_id: str) -> None:
        host = self._host_for(game)
        if host is None:
            return
        self._await_word(host, game, call_id)
        call = await self._calls.claim(game, call_id)
        if call is None:
            host.calls.pop(call_id, None)
        elif call.stands_in:
            pushed = host.calls[call_id] = Pushed(game)
            asking = asyncio.create_task(self._push_if_let_in(host, call, pushed))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
        else:
            self._hand_over(host, call)

    def _await_word(self, host: Host, game: str, call_id: str) -> None:
        host.calls[call_id] = Pushed(game, self._clock() + self._confirm_within)

    def _hand_over(self, host: Host, call: Call) -> None:
        game = call.assignment.game
        if host in self._hosts:
            self._await_word(host, game, call.id)
            host.pushed.put_nowait(call)
        else:
            self._calls.give_back(game, call.id)

    async def _push_if_let_in(self, host: Host, call: Call, pushed: Pushed) -> None:
        """In a task of its own: an engine that hangs must hold no other seat up. By the
        time it answers the call may have been pushed after all."""
        may_play = False
        try:
            may_play = await self._is_let_in(call)
        finally:
            if host.calls.get(call.id) is pushed:
                del host.calls[call.id]
                if may_play:
                    self._hand_over(host, call)

    async def _is_let_in(self, call: Call) -> bool:
        """For a seat that others wait at; not where its player is back. Where nobody
        can say it is due again as if the host had not confirmed it."""
        try:
            may_play = await self._stand_ins.let_in(call)
            if not may_play:
                await self._calls.taken(call.assignment.game, call.id)
        except AnpaiError:
            return False
        except Exception as error:
            noted_incident(self._metrics, error, part="bots")
            return False
        return may_play

    def _host_for(self, game: str) -> Host | None:
        """One that confirmed of late; of those the one with the fewest unconfirmed."""
        able = (host for host in self._hosts if game in host.games and host.free > 0)
        return min(able, key=lambda host: (host.lapses, len(host.calls)), default=None)

    def _let_lapse(self) -> None:
        now, forgotten = self._clock(), self._timings.call / SECOND
        for host in self._hosts:
            for call_id, pushed in list(host.calls.items()):
                if not pushed.has_lapsed and pushed.until <= now:
                    pushed.has_lapsed = True
                    host.lapses += 1
                    self._metrics.calls_lapsed.inc()
                if pushed.until + forgotten <= now:
                    del host.calls[call_id]

    async def _measure(self) -> None:
        for game in self._games.names:
            waiting = await self._calls.waiting(game)
            self._metrics.calls_waiting.labels(game).set(waiting.number)
            self._metrics.oldest_call.labels(game).set(waiting.longest_ms / SECOND)
