"""Private rooms: a code to pass on, and the wish all its tickets have."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from services.chassis.errors import AnpaiError
from services.chassis.stores import Pipeline
from services.matchmaking import keys, scripts
from services.matchmaking.ticket import Wish
from services.matchmaking.tickets import too_many
from services.matchmaking.timings import LIMITS, TIMINGS, Limits, Timings, wall_clock

# Without 0 O, 1 I L, 2 Z, 5 S, 8 B, U V: spoken or written by hand they are mistaken.
LETTERS = "ACDEFGHJKMNPQRTWXY34679"
LENGTH = 6


def random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


@dataclass(frozen=True, slots=True)
class Room:
    code: str
    wish: Wish
    expires_ms: int


class Rooms:
    """They close by themselves; tickets made before go on."""

    def __init__(
        self,
        pipeline: Pipeline,
        timings: Timings = TIMINGS,
        limits: Limits = LIMITS,
        now: Callable[[], int] = wall_clock,
        new_code: Callable[[], str] = random_code,
    ):
        self._call = pipeline.call
        self._timings = timings
        self._limits = limits
        self._now = now
        self._new_code = new_code

    async def create(self, player: str, request_id: str, wish: Wish) -> Room:
        """A room, or the one made before for the same request. TOO_MANY."""
        while True:
            expires = self._now() + self._timings.room
            code = self._new_code()
            room = Room(code, replace(wish, room=code), expires)
            reply = await self._keep(player, request_id, room)
            if reply[0] == b"RATE":
                raise too_many("rooms", reply[1])
            if reply[0] != b"TAKEN":
                return msgspec.json.decode(reply[1], type=Room)

    async def _keep(self, player: str, request_id: str, room: Room) -> list[Any]:
        named = hashlib.sha256(request_id.encode()).hexdigest()[:20]
        lie = [
            keys.room_request(player, named),
            keys.room_rate(player),
            keys.room(room.code),
        ]
        body = msgspec.json.encode(room)
        limits = [self._limits.rooms_per_window, self._timings.rate_window]
        args: list[Any] = [room.code, body, self._timings.room, *limits]
        return list(await self._call(scripts.CREATE_ROOM, lie, args))

    async def find(self, code: str) -> Room:
        """The open room of this code, however it was typed. ROOM_NOT_FOUND."""
        typed = code.strip().upper()[: LENGTH + 1]
        body = await self._call(scripts.READ_ROOM, [keys.room(typed)])
        if body is None:
            raise AnpaiError(
                "ROOM_NOT_FOUND", "No open room has this code.", code=typed
            )
        return msgspec.json.decode(body, type=Room)
