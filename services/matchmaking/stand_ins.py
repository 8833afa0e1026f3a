"""Bots for seats that nobody is at any more: the news names one, a host is called.

The engine lets a bot in only while the player is away, so that a call which comes too
late does no harm: it is dropped.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from anpai.engine.internal.v1 import engine_internal_service_pb2 as internal
from services.chassis.errors import AnpaiError
from services.matchmaking.calls import Call, Calls
from services.matchmaking.match import BOT_NAMES, digest
from services.matchmaking.seating import is_passing
from services.matchmaking.ticket import Assignment

BOT = "b-"  # begins the ids of bots that hosts are called for


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """A seat nobody plays; `player` and `name` are its own, `stand_in` the bot that
    was to play it, or ""."""

    player: str
    name: str
    stand_in: str
    assignment: Assignment


class StandIns:
    """Calls for empty seats, and lets in whoever comes."""

    def __init__(
        self,
        calls: Calls,
        ask_to_let_in: Callable[[internal.StandInRequest], Awaitable[None]],
        edge: str | None = None,
    ):
        self._calls = calls
        self._ask_to_let_in = ask_to_let_in
        self._edge = edge

    async def call(self, empty: EmptySeat) -> None:
        """Have a host called. Repeating it makes no second call."""
        await self._calls.add(call_for(empty, self._edge))

    async def let_in(self, call: Call) -> bool:
        """Whether the bot may play; PART_UNAVAILABLE where no engine can say."""
        request = internal.StandInRequest(
            table_id=call.assignment.table,
            seat=call.assignment.seat,
            player_id=call.player,
            name=call.name,
        )
        try:
            await self._ask_to_let_in(request)
        except AnpaiError as error:
            if is_passing(error):
                raise
            return False
        return True


def call_for(empty: EmptySeat, edge: str | None) -> Call:
    """A called bot comes again itself; for anybody else another bot does."""
    seat = empty.assignment
    lot = digest(seat.table, str(seat.seat), "stand-in")
    player, name = empty.player, empty.name
    if not player.startswith(BOT):
        player = empty.stand_in or f"{BOT}{lot[:20]}"
        name = BOT_NAMES[int(lot[:8], 16) % len(BOT_NAMES)]
    return Call(
        id=f"c-{digest(seat.table, player)[:20]}",
        player=player,
        name=name,
        assignment=replace(seat, engine=edge or seat.engine),
        strategy="",
        stands_in=True,
    )


def empty_in(message: internal.SeatEmpty) -> EmptySeat:
    return EmptySeat(
        player=message.player_id,
        name=message.name,
        stand_in=message.stand_in,
        assignment=Assignment(
            table=message.table_id,
            seat=message.seat,
            engine=message.address,
            commitment=message.commitment,
            game=message.game,
            variant=message.variant,
            seats=message.seats,
        ),
    )
