"""Who is turned away, until when: players, single tokens, players from one table.

Each service keeps such a list in its own store, so that all its processes know it
within a second, and looks at it with each call, in memory. Streams of those who are
turned away end. While the store is away the list stays as it was last seen.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from redis.exceptions import RedisError

from services.chassis.errors import AnpaiError
from services.chassis.stores import Script, Store
from services.chassis.tokens import Caller

LOOK_SECONDS = 0.5
LONGEST_DAYS = 400

# KEYS: the list, its version. ARGV: now, and who with until when; 0 lets in again.
# What has run out goes; both keys end with the last of what is left. A list that begins
# anew must not come by a version that somebody has seen of the one before.
CHANGE = Script(
    "revoke",
    """
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
    if ARGV[3] == '0' then
      redis.call('ZREM', KEYS[1], ARGV[2])
    else
      redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
    end
    local seen = tonumber(redis.call('GET', KEYS[2]) or 0)
    redis.call('SET', KEYS[2],
      string.format('%.0f', math.max(seen + 1, tonumber(ARGV[1]))))
    local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
    local ends = math.max(tonumber(last or 0), tonumber(ARGV[1]) + 60000)
    redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
    redis.call('PEXPIREAT', KEYS[2], string.format('%.0f', ends))
    return 1
    """,
)
VERSION = Script("revoked version", "return redis.call('GET', KEYS[1])")
LIST = Script(
    "revoked",
    "return redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf', 'WITHSCORES')",
)


@dataclass(frozen=True, slots=True)
class Revoked:
    """`until` is in seconds since 1970."""

    whom: str
    until: float


class Revocations:
    """The list of one service; `changed` is called after each change of it."""

    def __init__(self, store: Store, service: str) -> None:
        self.changed: Callable[[], None] = lambda: None
        self._store = store
        self._list = f"{service}:{{revoked}}:list"
        self._version = f"{service}:{{revoked}}:version"
        self._seen: bytes | None = None
        self._until: dict[str, float] = {}
        self._newly_barred: frozenset[str] = frozenset()

    # ---- what operators do -----------------------------------------------------------

    async def revoke_player(self, player: str, seconds: float) -> None:
        """From everything this service does. Every call may raise StoreUnavailable."""
        await self.revoke_player_until(player, time.time() + seconds)

    async def revoke_player_until(self, player: str, until: float) -> None:
        """To the millisecond, however long it takes us."""
        await self._change(player_named(player), until)

    async def revoke_token(self, token: str, seconds: float) -> None:
        """One token, by its `jti`; until it would have ended anyway."""
        await self._change(f"token:{token}", time.time() + seconds)

    async def revoke_seat(self, table: str, player: str, seconds: float) -> None:
        """A player from one table."""
        await self._change(seat_named(table, player), time.time() + seconds)

    async def let_in(self, whom: str) -> None:
        """Again, whom `everybody` has named."""
        await self._change(whom, 0)

    def everybody(self) -> list[Revoked]:
        """Who is turned away now."""
        now = time.time()
        return [
            Revoked(who, until) for who, until in self._until.items() if until > now
        ]

    # ---- what each call asks ---------------------------------------------------------

    def refuse(self, who: Caller) -> None:
        """TOKEN_REVOKED."""
        if self._until and who.is_player and self.is_revoked(who):
            raise revoked("You are turned away here for now.")

    def is_revoked(self, who: Caller) -> bool:
        return self._holds(player_named(who.id)) or self._holds(f"token:{who.token}")

    def refuse_at(self, table: str, player: str) -> None:
        """TOKEN_REVOKED."""
        if self._until and self._holds(seat_named(table, player)):
            raise revoked("You are turned away from this table.")

    def is_newly_barred(self, who: Caller) -> bool:
        """Whether the last change turned this player away from some table."""
        return who.id in self._newly_barred

    def _holds(self, whom: str) -> bool:
        return self._until.get(whom, 0.0) > time.time()

    # ---- the list --------------------------------------------------------------------

    async def keep_fresh(self) -> None:
        """For ever, whatever the store says to it."""
        while True:
            with suppress(AnpaiError, RedisError):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Take up what has changed; StoreUnavailable."""
        version = await self._store.reading.call(VERSION, [self._version])
        if version == self._seen:
            return
        now = int(time.time() * 1000)
        found = await self._store.reading.call(LIST, [self._list], [now])
        names, scores = found[::2], found[1::2]
        before = self._until
        self._until = {
            name.decode(): float(score) / 1000
            for name, score in zip(names, scores, strict=True)
        }
        self._newly_barred = frozenset(
            whom.rpartition("/")[2]
            for whom in self._until.keys() - before.keys()
            if whom.startswith("seat:")
        )
        self._seen = version
        self.changed()

    async def _change(self, whom: str, until: float) -> None:
        now = time.time()
        until = min(until, now + LONGEST_DAYS * 24 * 3600)
        args: list[str | bytes | int] = [int(now * 1000), whom, round(until * 1000)]
        await self._store.pipeline.call(CHANGE, [self._list, self._version], args)
        await self.look()


def player_named(player: str) -> str:
    return f"player:{player}"


def seat_named(table: str, player: str) -> str:
    return f"seat:{table}/{player}"


def revoked(sentence: str) -> AnpaiError:
    return AnpaiError("TOKEN_REVOKED", sentence)
