"""The tables people were seated at: who sat there, by which tickets, and if it is over.

Kept as long as a seat is listed. What is over closes its tickets and leaves the lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from services.chassis.stores import Pipeline
from services.matchmaking import keys, result_scripts
from services.matchmaking.ticket import Ticket, Wish
from services.matchmaking.timings import TIMINGS, Timings
from services.matchmaking.wishes import DELAYED, UNSAID


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """`chairs` has the player at every seat, "" where a bot was called."""

    id: str
    wish: Wish
    tickets: tuple[str, ...]
    chairs: tuple[str, ...]
    is_over: bool = False
    rated: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(filter(None, self.chairs))

    @property
    def again(self) -> Wish:
        """The same once more, for those who sat there and nobody else. Who may look on
        stays so: where nobody said it, as the engine has it for a rated table."""
        usual = DELAYED if self.rated else UNSAID
        return replace(
            self.wish,
            room=f"~{self.id}",
            also=(),
            ready_check=False,
            chairs=self.chairs,
            spectating=self.wish.spectating or usual,
        )


class Tables:
    def __init__(self, pipeline: Pipeline, timings: Timings = TIMINGS):
        self._call = pipeline.call
        self._timings = timings

    async def find(self, table_id: str) -> SeatedTable | None:
        """None where nobody was seated at it, or it is long ago."""
        body = await self._call(result_scripts.READ_TABLE, [keys.table(table_id)])
        return None if body is None else msgspec.json.decode(body, type=SeatedTable)

    async def note_over(self, table: SeatedTable) -> None:
        """It is nobody's seat any more. Repeating it changes nothing."""
        seats = map(keys.seats, table.players)
        body = msgspec.json.encode(replace(table, is_over=True))
        args: list[Any] = [table.id, body, self._timings.seats, keys.CHANNEL]
        await self._call(result_scripts.END_TABLE, [keys.table(table.id), *seats], args)


def record_of(seated: Sequence[Ticket]) -> SeatedTable:
    """The table that these tickets, of one match, are assigned to."""
    first = seated[0].assignment
    assert first is not None
    chairs = [""] * first.seats
    for ticket in seated:
        for player in ticket.players:
            if (at := ticket.seat_of(player)) is not None:
                chairs[at.seat] = player
    wish = replace(seated[0].wish, seats=first.seats, bots=chairs.count(""))
    ids = tuple(each.id for each in seated)
    return SeatedTable(first.table, wish, ids, tuple(chairs), rated=first.rated)
